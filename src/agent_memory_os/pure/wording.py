"""One wording for what people say in several, where nothing else can be meant."""

# What comes out is compared, and never shown, so it need not be good English: "daily" is "every
# day" also where that reads badly. A rule may stand here if no two statements that differ in what
# they say become one.

import re
from functools import cache

from agent_memory_os.pure.spellings import MONTHS

Match = re.Match[str]

_NAMED = "(?=[A-Z\"'\u4e00-\u9fff])"
_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_PERIOD = "hour|day|night|week|month|quarter|year"
_ENDS_OR_LEADS_ON = r"(?=\Z|[,;]| (?:at|on|in|for|by|before|after|from|to|via|with)\b)"
_SAYS_HOW_IT_IS = (
    "lives?|works?|uses?|prefers?|has|have|costs?|drives?|owns?|weighs?|studies|study|speaks?"
    "|runs|owes?|likes?|wants?|requires?|supports?|belongs?|rents?|manages?|leads?"
)

# Each line: the words of which one must be there, then what is said for what.
_ENGLISH: tuple[tuple[str, str, str], ...] = (
    ("reside resides resided residing", r"\breside?(s|d|(?=ing))?(?=(?:ing)? in\b)", r"live\1"),
    ("works work worked working", rf"\b(work(?:s|ed|ing)?) for {_NAMED}", r"\1 at "),
    ("employed", rf"\bis employed (?:at|by) {_NAMED}", "works at "),
    ("employed", rf"\bam employed (?:at|by) {_NAMED}", "work at "),
    ("located situated", r"\b(is|are) (?:located|situated)(?= (?:in|at|on|near)\b)", r"\1"),
    ("using", r"(?<!\bshe )(?<!\bhe )is using\b", "uses"),
    ("using", r"\bare using\b", "use"),
    ("utilizes utilize", r"\butilize(s?)\b", r"use\1"),
    ("enjoys enjoy", r"(?<=[a-z] )enjoy(s?)\b(?! (?:your|yourself|the|this|it)\b)", r"like\1"),
    ("like", r"\bdoes not like\b", "dislikes"),
    ("like", r"\b(i|we|they|you) do not like\b", r"\1 dislike"),
    ("named", rf"\b(is|am|are) named (?:{_NAMED}|(?=\S+\Z))", r"\1 called "),
    ("name", rf"'s name is (?:{_NAMED}|(?=\S+\Z))", " is called "),
    ("old", r"\b(is|am) (\d{1,3}) years old\b", r"\1 \2"),
    (" ".join(MONTHS), r"\b(is|are) on (?=[A-Z][a-z]+ \d)", r"\1 "),
    ("RAM memory storage disk", r"\b([KMGT]B) of (?=(?:RAM|memory|storage|disk)\b)", r"\1 "),
    ("maximum", r"\b[Mm]aximum (?=\w)", "max "),
    ("minimum", r"(?<!\d )\b[Mm]inimum (?=[a-z])", "min "),
    ("begins begin", r"\bbegin(s?)(?= (?:at|on)\b)", r"start\1"),
    ("finishes", r"\bfinishes(?= (?:at|on)\b)", "ends"),
    ("finish", r"\bfinish(?= (?:at|on)\b)", "end"),
    ("dollars dollar USD", r"(?<![\w.-])\$?(\d+(?:\.\d+)?) (?:US )?(?:dollars?|USD)\b", r"$\1"),
    ("USD", r"\bUSD (?=\d)", "$"),
    ("euros euro EUR", r"(?<![\w.-])(\d+(?:\.\d+)?) (?:euros?|EUR)\b", r"€\1"),
    ("EUR", r"\bEUR (?=\d)", "€"),
    ("GBP", r"(?<![\w.-])(\d+(?:\.\d+)?) GBP\b", r"£\1"),
    ("GBP", r"\bGBP (?=\d)", "£"),
    ("each every", rf"\b(?:on )?(?:each|every) ({_DAY})\b", r"on \1s"),
    ("each", rf"\beach (?=(?:{_PERIOD})\b)", "every "),
    ("per each every", rf"\b(times|twice) (?:per|every) (?=(?:{_PERIOD})\b)", r"\1 a "),
    ("hourly", rf"(?<=\w )hourly{_ENDS_OR_LEADS_ON}", "every hour"),
    ("daily", rf"(?<=\w )daily{_ENDS_OR_LEADS_ON}", "every day"),
    ("nightly", rf"(?<=\w )nightly{_ENDS_OR_LEADS_ON}", "every night"),
    ("weekly", rf"(?<=\w )weekly{_ENDS_OR_LEADS_ON}", "every week"),
    ("monthly", rf"(?<=\w )monthly{_ENDS_OR_LEADS_ON}", "every month"),
    ("yearly annually", rf"(?<=\w )(?:yearly|annually){_ENDS_OR_LEADS_ON}", "every year"),
    ("has have", r"(?<!not )\b(?:has|have) to(?= [a-z])", "must"),
    ("allergy", r"\bhas an? (\w+) allergy\b", r"is allergic to \1"),
    ("allergy", r"\bhave an? (\w+) allergy\b", r"am allergic to \1"),
    ("allergic", r"\ballergic to (\w{3,}?)s?(?=\Z|[,;]| and\b)", r"allergic to \1"),
    ("address", r"\bemail address(?= is\b|:)", "email"),
    ("address", r"\bIP address(?= is\b|:)", "IP"),
    ("currently presently", r"\b(?:currently|presently)\b", "now"),
    ("now currently presently", rf"\bnow (?={_SAYS_HOW_IT_IS}\b)", ""),
    ("now currently presently", r"\b(is|am|are) now (?=\S)", r"\1 "),
)
_THE_USER = r"\bthe (?=user\b)"
_COPULA = (
    r"(?!(?:it|this|that|he|she|there|what|who|here|they|not)\b)([A-Za-z][\w-]*(?: [A-Z][\w.-]*)*)"
    r" is ((?:the|my|our|his|her|their|your|[A-Za-z][\w-]*'s) [A-Za-z][\w-]*(?: [a-z][\w-]*)?"
    r"(?: (?:of|for) (?:the )?[\w-]+(?: [A-Z]\w+)?)?)"
)
_OF = (
    r"(?:the )?((?!most|some|all|many|one|none|each|both|part|half|any|few|rest)[A-Za-z]+)"
    r" of ((?:the |my |our )?[\w-]+)(?= (?:is|was|are|starts|ends)\b)"
)
_DEFINITE = ("the ", "my ", "our ", "his ", "her ", "their ", "your ")
_LABEL = r"([A-Za-z][\w -]{1,40}): (?=[\d$€£][^\s:]*(?: [A-Za-z%]+)?\Z)"
_IS_SPECIFIC = re.compile(r"\d| [A-Z]")
_TIME = r"(?<![\w.:-])(\d+) (ms|seconds|minutes|days|months)(?![\w/-])"
_LARGER = {
    "ms": (1000, "seconds"),
    "seconds": (60, "minutes"),
    "minutes": (60, "hours"),
    "days": (7, "weeks"),
    "months": (12, "years"),
}

_HAN = "[\u4e00-\u9fff]"
_HAS_HAN = re.compile(_HAN)
_NO_VALUE = "(?<![改设调整变换更名因认成作称升降分视转译评命选列判归合缩增减扩新])"
_OF_ONE = (
    "CEO|CTO|CFO|COO|手机号|电话|邮箱|密码|端口|版本|地址|生日|价格|售价|负责人|截止|时区|预算|域名|账号|年龄|身高"
    "|体重|血型|工资|薪资|名字|上限|下限|超时"
)
_IS_SO = "住|在|用|是|叫|喜欢|担任|属于|有|养"
_CHINESE: tuple[tuple[str, str, str], ...] = (
    ("使用", "(?<!不)使用(?!者|率|权|说明|手册|体验|寿命)", "用"),
    ("用的是", "用的是", "用"),
    ("文", "([英法德日俄韩])文", r"\1语"),
    ("在", r"在(?=(?:\d{1,2}:\d\d|周[一二三四五六日]|\d{1,2}月\d)\S)", ""),
    ("岁", r"今年(?=\d+岁)", ""),
    ("岁", r"(?<=[\u4e00-\u9fff])是(?=\d+岁)", ""),
    ("目前", r"目前(?=在[^,，]{1,12}(?:工作|上班|上学)\Z)", ""),
    ("现在", r"现在(?=在[^,，]{1,12}(?:工作|上班|上学)\Z)", ""),
    ("每日", "每日", "每天"),
    ("早晨", "早晨", "早上"),
    ("晚间", "晚间", "晚上"),
    ("块", r"(?<=\d)块钱?(?=\Z|[,;，；/每])", "元"),
    ("人民币", r"人民币(?=\d)|(?<=元)人民币", ""),
    ("人民币", r"(?<=\d)人民币", "元"),
    ("美元", r"(?<![\d.])(\d+(?:\.\d+)?)美元", r"$\1"),
    ("欧元", r"(?<![\d.])(\d+(?:\.\d+)?)欧元", r"€\1"),
    ("英镑", r"(?<![\d.])(\d+(?:\.\d+)?)英镑", r"£\1"),
    ("¥", r"¥ ?(\d+(?:\.\d+)?)", r"\1元"),
    ("￥", r"￥ ?(\d+(?:\.\d+)?)", r"\1元"),
    ("于", f"(?<={_HAN})(?:就职|任职|供职)于([^,，在]+)\\Z", r"在\1工作"),
    ("在", r"在([^,，在于的]{1,20})(?:上班|任职|就职|供职)(?=\Z|[,，])", r"在\1工作"),
    ("住", "居住[在于]|住于|家住在?", "住在"),
    ("于", "(?:位|坐落)于", "在"),
    ("坐落在", "坐落在", "在"),
    ("名字", "的?名字(?:是|叫)", "叫"),
    ("名", "(?<![户域件别库表类书品网姓签署命地])名[叫为]", "叫"),
    ("叫做", "叫做", "叫"),
    ("为", "(?<=最[大小高低多少长短])[为是](?=\\d)", ""),
    ("为", rf"(?<={_HAN}){_NO_VALUE}(?<!扩大|缩小|提高|降低|延长)为(?=[\d$€£])", "是"),
    (":", rf"\A({_HAN}[\w\u4e00-\u9fff]{{1,15}}):(?=[\w$€£][^:,]*\Z)(?!.*是)", r"\1是"),
    ("的", rf"(?<=[\w\u4e00-\u9fff])的(?={_OF_ONE})", ""),
    ("必须要", "必须要", "必须"),
    ("勿", r"\A请?勿(?=\w)", "不要"),
    ("别", r"\A别(?![墅人的名称处家致离出有扭])(?=\w)", "不要"),
    ("跑在", "跑在", "运行在"),
    ("喜爱", "喜爱", "喜欢"),
    ("始终", "始终", "总是"),
    ("不喜欢", "不喜欢", "讨厌"),
    ("有过敏", "有过敏", "过敏"),
    ("小时", r"(?<=\d)个小时", "小时"),
    ("钟头", r"(?<=\d)个钟头", "小时"),
    ("个", r"(?<=\d)个(?:星期|礼拜)", "周"),
    ("每个", "每个(?=周|星期|月|季度|工作日)", "每"),
    ("现在", f"现在(?={_IS_SO})(?!在)", ""),
    ("目前", f"目前(?={_IS_SO})(?!在)", ""),
    ("如今", f"如今(?={_IS_SO})(?!在)", ""),
)
_HAN_TIME = r"(?<![第\d.:])(\d+)(毫秒|ms|秒钟|秒|分钟|天|个月)"
_HAN_LARGER = {
    "毫秒": (1000, "秒"),
    "ms": (1000, "秒"),
    "秒": (60, "分钟"),
    "秒钟": (60, "分钟"),
    "分钟": (60, "小时"),
    "天": (7, "周"),
    "个月": (12, "年"),
}
_HAN_COPULA = (
    rf"([小老阿]{_HAN}|{_HAN}{{2,3}}|[A-Za-z]+)是({_HAN}{{1,6}}的{_HAN}{{0,6}}"
    "(?:负责人|组长|经理|主管|队长|店长|主编|总监|老板|CEO|CTO|CFO|妻子|丈夫|首都|省会))"
)


def worded(text: str) -> str:
    """Return prose in its plainest spelling with one wording for what says the same.

    >>> worded("the user resides in Oslo") == worded("user lives in Oslo")
    True
    """
    if text.isascii() or not _HAS_HAN.search(text):
        return _english(text)
    return _chinese(text)


def _english(text: str) -> str:
    if " is " in text:
        text = _turned(text)
    if " of " in text:
        text = _compiled(_OF).sub(_owned, text, count=1) if _compiled(_OF).match(text) else text
    words = set(text.split())
    hit = words & _rules().keys()
    for at in sorted({at for word in hit for at in _rules()[word]}) if hit else ():
        _, pattern, stands = _ENGLISH[at]
        text = _compiled(pattern).sub(stands, text)
    if "the user" in text:
        text = _compiled(_THE_USER).sub("", text)
    if ": " in text:
        text = (
            _compiled(_LABEL).sub(r"\1 is ", text, count=1)
            if _compiled(_LABEL).match(text)
            else text
        )
    if text.startswith("the ") and _IS_SPECIFIC.search(text):
        text = text[4:]
    return text if words.isdisjoint(_LARGER) else _compiled(_TIME).sub(_in_larger, text)


def _turned(text: str) -> str:
    """Return "Bob is the lead" as "the lead is Bob"."""
    after = text[text.index(" is ") + 4 :]
    if not (after.startswith(_DEFINITE) or "'s " in after):
        return text
    turned = _compiled(_COPULA).fullmatch(text)
    return f"{turned[2]} is {turned[1][0].upper()}{turned[1][1:]}" if turned else text


def _chinese(text: str) -> str:
    turned = _compiled(_HAN_COPULA).fullmatch(text)
    text = f"{turned[2]}是{turned[1]}" if turned else text
    for sign, pattern, stands in _CHINESE:
        if sign in text:
            text = _compiled(pattern).sub(stands, text)
    return _compiled(_HAN_TIME).sub(_in_larger_han, text)


@cache
def _rules() -> dict[str, list[int]]:
    """Return by each word the places of the rules that it may call for."""
    found: dict[str, list[int]] = {}
    for at, (words, _, _) in enumerate(_ENGLISH):
        for word in words.split():
            found.setdefault(word, []).append(at)
    return found


_compiled = cache(re.compile)  # one by one, since most are never asked for


def _owned(match: Match) -> str:
    """Return "the name of the project" as "the project's name"."""
    return f"{match[2]}'s {match[1]}"


def _in_larger(match: Match) -> str:
    """Return 60 minutes as 1 hour."""
    count, unit = _larger(int(match[1]), match[2], _LARGER)
    return f"{count} {unit}"


def _in_larger_han(match: Match) -> str:
    count, unit = _larger(int(match[1]), match[2], _HAN_LARGER)
    return f"{count}{unit}"


def _larger(count: int, unit: str, table: dict[str, tuple[int, str]]) -> tuple[int, str]:
    while count and unit in table and count % table[unit][0] == 0:
        count, unit = count // table[unit][0], table[unit][1]
    return count, unit
