"""One wording for what people say in several, where nothing else can be meant."""

# What comes out is compared, and never shown, so it need not be good English: "daily" is "every
# day" also where that reads badly. A rule may stand here if no two statements that differ in what
# they say become one.

import re

from agent_memory_os.pure.rewriting import Match, Rule, Wordings, applied_by_sign, compiled
from agent_memory_os.pure.spellings import MONTHS

_NAMED = "(?=[A-Z\"'\u4e00-\u9fff])"
_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_PERIOD = "hour|day|night|morning|afternoon|evening|week|weekday|weekend|month|quarter|year"
_ENDS_OR_LEADS_ON = r"(?=\Z|[,;]| (?:at|on|in|for|by|before|after|from|to|via|with)\b)"
_SENT = "alerts|errors|logs|notifications|reports|emails|messages|events|metrics|invoices"
_KIN = (
    "wife|husband|son|daughter|brother|sister|mother|father|partner|girlfriend|boyfriend|dog|cat"
    "|boss|manager|landlord|dentist|doctor"
)
_AT_TIME = r"(?: work| school| class)? (?:at|on)\b"
_SAYS_HOW_IT_IS = (
    "lives?|works?|uses?|prefers?|has|have|costs?|drives?|owns?|weighs?|studies|study|speaks?"
    "|runs|owes?|likes?|wants?|requires?|supports?|belongs?|rents?|manages?|leads?"
)

_ENGLISH: tuple[Rule, ...] = (
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
    ("begins begin", rf"\bbegin(s?)(?={_AT_TIME})", r"start\1"),
    ("finishes", rf"\bfinishes(?={_AT_TIME})", "ends"),
    ("finish", rf"\bfinish(?={_AT_TIME})", "end"),
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
    ("On on", rf"\A[Oo]n ({_DAY}s?),? (\S.*)\Z", r"\2 on \1"),
    ("every each", r"\b(?:every|each) (weekend|weekday)\b", r"on \1s"),
    ("charge", r"\b(is|are|am) in charge of\b", r"\1 responsible for"),
    ("kept saved", r"\b(is|are) (?:kept|saved) (?=(?:in|on|under) )", r"\1 stored "),
    ("called named name", rf"\b({_KIN}) is (?:called|named) (?=[A-Z])", r"\1 is "),
    (
        "Every every",
        r"\A[Ee]very ((?:\d+ )?(?:second|minute|hour|day|night|morning|evening|week|month)s?),?"
        r" (\S.*)\Z",
        r"\2 every \1",
    ),
    ("comes", r"\bcomes from (?=[A-Z])", "is from "),
    ("born", r"\A([A-Za-z]+) was born on ([A-Z][a-z]+ \d+)\Z", r"\1's birthday is \2"),
    (
        "There there",
        r"\A[Tt]here (?:are|is) (\d+ [a-z ]+?) in (the [a-z ]+|[A-Z]\w*)\Z",
        r"\2 has \1",
    ),
    ("got", r"\b(have|has) got (?=an? |no |\d)", r"\1 "),
    ("lot", r"\b(likes?|loves?) (\w+(?: \w+)?) a lot(?=\Z)", r"really \1 \2"),
    ("much", r"\b(likes?|loves?) (\w+(?: \w+)?) very much(?=\Z)", r"really \1 \2"),
    ("loves likes", r"\breally (love|like)s\b", r"really \1"),
    ("purchased", r"\bpurchased (?=an? |the |his |her |their |my |our |\d)", "bought "),
    ("running living working", r"\bis (run)ning (?=(?:on|in|under) )", r"\1s "),
    ("running", r"\bare running (?=(?:on|in|under) )", "run "),
    ("living", r"\b(?:am|are) living (?=in )", "live "),
    ("living", r"\bis living (?=in )", "lives "),
    ("working", r"\b(?:am|are) working (?=(?:at|as) )", "work "),
    ("working", r"\bis working (?=(?:at|as) )", "works "),
    ("sent", rf"\b({_SENT}) are sent to\b", r"\1 go to"),
    ("set", r"\b(is|are) set to (?=[\d$€£]|[^ ]+\Z)", r"\1 "),
    ("use uses", r"\A[Ww]e use ([A-Z][\w.+#-]*) as (?:our|the) ([a-z ]+)\Z", r"our \2 is \1"),
    ("use uses", r"\A[Ww]e use ([A-Z][\w.+#-]*) for our ([a-z ]+)\Z", r"our \2 is \1"),
    (
        "use uses",
        r"\A((?!we |they )[A-Za-z]+|the user) uses ([A-Z][\w.+#-]*)"
        r" as (?:his|her|their|its) ([a-z ]+)\Z",
        r"\1's \3 is \2",
    ),
    ("use uses", r"\AI use ([A-Z][\w.+#-]*) as my ([a-z ]+)\Z", r"my \2 is \1"),
    (
        "budget deadline timeout price limit fee password port quota rate cost",
        r"\A(?:the )?(budget|deadline|timeout|price|limit|fee|password|port|quota|rate|cost)"
        r" for (?:the )?([a-z]+)(?= is )",
        r"the \2 \1",
    ),
    ("works", r"\bworks as (?=an? )", "is "),
    ("work", r"\bI work as (?=an? )", "I am "),
    ("company's team's", r"\A[Oo]ur (?:company|team)'s ([A-Za-z]+)(?= is )", r"our \1"),
    ("require requires", r"\brequire(s?) (?=an? |at least |\d)", r"need\1 "),
    ("would", r"\b(user|he|she|[A-Z][a-z]+) would like (?=[a-z])", r"\1 wants "),
    ("would", r"\b(I|[Ww]e|they|users) would like (?=[a-z])", r"\1 want "),
    ("zone", r"\b([Tt])ime zone\b", r"\1imezone"),
    ("name", r"\b([Uu]ser|[Ff]ile|[Hh]ost) name\b", r"\1name"),
    ("basis", r"\bon a daily basis\b", "every day"),
    ("basis", r"\bon a weekly basis\b", "every week"),
    ("single", rf"\bevery single (?=(?:{_PERIOD})\b)", "every "),
    ("mom mum", r"\bm[ou]m\b", "mother"),
    ("dad", r"\bdad\b", "father"),
    ("mom's mum's", r"\bm[ou]m's\b", "mother's"),
    ("dad's", r"\bdad's\b", "father's"),
    ("kids", r"\bkids\b", "children"),
    ("till", r"\btill(?= \S)", "until"),
    ("approximately roughly", r"\b(?:approximately|roughly) (?=[\d$€£])", "about "),
    ("over", r"(?<=[a-z] )over (?=[\d$€£])", "more than "),
    ("allowed permitted", r"\b(is|are) not (?:allowed|permitted)\b", r"\1 forbidden"),
    ("prohibited banned", r"\b(is|are) (?:prohibited|banned)(?=\Z| on| in| at)", r"\1 forbidden"),
    ("permitted", r"\b(is|are) permitted\b", r"\1 allowed"),
    (
        "mandatory compulsory obligatory",
        r"\b(is|are) (?:mandatory|compulsory|obligatory)\b",
        r"\1 required",
    ),
    ("turned switched", r"\b(is|are) (?:turned|switched) on\b", r"\1 enabled"),
    ("turned switched", r"\b(is|are) (?:turned|switched) off\b", r"\1 disabled"),
    (
        "with",
        r"\b(with (?:my|his|her|their|our) [a-z]+(?: and [a-z]+)?) (in [A-Z][\w-]+)(?=\Z)",
        r"\2 \1",
    ),
    ("at", rf"\b(at \d\d?:\d\d) (on {_DAY}s?|every day|every week|every night)(?=\Z)", r"\2 \1"),
    (
        "profession occupation job",
        r"\b([A-Za-z]\w+)'s (?:profession|occupation|job) is (?=an? )",
        r"\1 is ",
    ),
)
_WORDINGS = Wordings(_ENGLISH)
_THE_USER = r"\bthe (?=user\b)"
_COPULA = (
    r"(?!(?:it|this|that|he|she|there|what|who|here|they|not)\b)([A-Za-z][\w-]*(?: [A-Z][\w.-]*)*)"
    r" is ((?:the|my|our|his|her|their|your|[A-Za-z][\w-]*'s) [A-Za-z][\w-]*(?: [a-z][\w-]*)?"
    r"(?: (?:of|for) (?:the )?[\w-]+(?: [A-Z]\w+)?)?)"
)
_OF = (
    r"(?:the )?((?!most|some|all|many|one|none|each|both|part|half|any|few|rest)[A-Za-z]+)"
    r" of ((?:the |my |our )?[\w-]+)(?= (?:is|was|are|starts|ends|lives|works|has)\b)"
)
_DEFINITE = ("the ", "my ", "our ", "his ", "her ", "their ", "your ")
_SHORT_UNIT = r"(?<=[ =])(\d{1,6}) ?(s|secs?|mins?|hrs?|h)\Z"
_LONG_UNIT = {"s": "seconds", "m": "minutes", "h": "hours"}
# What comes in no order, whichever is said first: after these, at the end.
_LIST = (
    r"\b(in|with|has|have|knows?|speaks?|likes?|loves?|hates?|dislikes?|enjoys?|plays?|owns?"
    r"|supports?|uses?|needs?|avoids?|eats?|drinks?|between|allergic to|includes?|prefers?)"
    r" ([\w+#.-]+(?:, [\w+#.-]+)*) and ([\w+#.-]+)\Z"
)
_LIST_OF_NAMES = (
    r"\b(to|by|for|at|from|is|are|of|on)"
    r" ([A-Z][\w+#.-]*(?:, [A-Z][\w+#.-]*)*) and ([A-Z][\w+#.-]*)\Z"
)
_ORDERED = re.compile(
    r"\b(?:then|first|order(?:ed)?|sequence|steps?|ranked|respectively|from|before|after|primary)\b"
)
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
_NO_WITH = "(?<![脚高鞋后])"
_NO_VALUE = "(?<![改设调整变换更名因认成作称升降分视转译评命选列判归合缩增减扩新])"
_OF_ONE = (
    "CEO|CTO|CFO|COO|手机号|电话|邮箱|密码|端口|版本|地址|生日|价格|售价|负责人|截止|时区|预算|域名|账号|年龄|身高"
    "|体重|血型|工资|薪资|名字|上限|下限|超时"
)
_IS_SO = "住|在|用|是|叫|喜欢|担任|属于|有|养"
_CHINESE: tuple[Rule, ...] = (
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
    ("跟", rf"(?<={_HAN}){_NO_WITH}跟(?![踪进随上着头前单不])", "和"),
    ("与", rf"(?<={_HAN})(?<![参给赠授])与(?![其会否时])", "和"),
    ("喜欢", "(?:非常|特别|十分|超级)(?=喜欢)", "很"),
    ("讨厌", "(?:非常|特别|十分|超级)(?=讨厌)", "很"),
    ("最爱", "最爱(?![人的]?人)", "最喜欢"),
    ("爸", "(?<!老)爸爸|老爸", "父亲"),
    ("妈", "(?<!老)妈妈|老妈", "母亲"),
    ("妈", "(?<=[我他她你])妈(?=[^妈])", "母亲"),
    ("爸", "(?<=[我他她你])爸(?=[^爸])", "父亲"),
    ("放在", "存放在|保存在|存储在", "存在"),
    ("存储在", "存储在", "存在"),
    ("保存在", "保存在", "存在"),
    ("叫", "(?<=妻子|丈夫|儿子|女儿|哥哥|弟弟|姐姐|妹妹|父亲|母亲|领导|老板)叫(?!做)", "是"),
    ("由", rf"\A([^,，是改现]+?)由({_HAN}{{2,3}})负责\Z", r"\2负责\1"),
    ("的", r"(不太?(?:吃|喝|喜欢|爱)[^,，。的]{1,8})的\Z", r"\1"),
    ("共有", r"共有(?=\d)", "有"),
    ("花", r"(?<!需)(?:要花|花费|花)(?=\d+(?:分钟|小时|天|秒|毫秒))", "需要"),
    ("出生", r"\A([^,，的]+?)[在于]?(\d+月\d+日)出生\Z", r"\1生日是\2"),
    ("人", r"是([\u4e00-\u9fff]{2,4})人\Z", r"来自\1"),
    ("老婆", "老婆", "妻子"),
    ("太太", f"(?<=[{_HAN[1:-1]}]的)太太|(?<=我)太太", "妻子"),
    ("老公", "老公", "丈夫"),
    ("小孩", "小孩子?(?!儿)", "孩子"),
    ("在", r"在(?=\d{4}年)", ""),
    ("发", "发(?=[到给往])", "发送"),
    ("会", "(?<![不机社工协年例周月])会(?=自动|发送)", ""),
    ("设", r"(?:设置|设定|配置|设)[为成是](?=\d)", "是"),
    ("用", r"用([A-Za-z][\w.+#-]*)(?:作为|当作|来做|作)(?=[\u4e00-\u9fff])", r"用\1做"),
    ("采用", "采用", "用"),
    ("职业", rf"(?<={_HAN})的?职业是", "是"),
    ("都", r"(每[天周月年晚][^,，都]{0,4})都(?=[^市])", r"\1"),
    ("希望", "希望得到(?=.)", "想要"),
    ("想要", "想要得到(?=.)", "想要"),
    ("个人", r"(?<=\d)个人(?![信资档简账中])", "人"),
    ("的", "(?<=[吃喝][辣甜酸咸冷热苦])的\\Z", ""),
    ("购买", "购买", "买"),
    ("乘坐", "乘坐", "坐"),
    ("搭乘", "搭乘", "坐"),
    ("电子邮", "电子邮[箱件](?=是|为|:)", "邮箱"),
    ("电话号码", "电话号码(?=是|为|:)", "电话"),
    ("手机号码", "手机号码", "手机号"),
    ("允许", "不允许", "禁止"),
    ("严禁", "严禁", "禁止"),
    ("不准", "不准(?=[^确时备])", "禁止"),
    ("务必", "务必", "必须"),
    ("大", r"大[约概](?=\d|需|要|有|是)", "约"),
    ("前", r"\A当前(?=[^的]{4})", ""),
    ("前", r"\A目前(?=.{4})", ""),
)
_WEEK = "周一 周二 周三 周四 周五 周六 周日".split()
_HAN_DAYS = "周[一二三四五六日](?:和周[一二三四五六日])+"
_HAN_LIST = (
    "(精通|会说|会讲|喜欢|讨厌|支持|擅长|学过|发送到|包括|包含|过敏源是|养了|住着)"
    r"([\w\u4e00-\u9fff]{1,8}?(?:、[\w\u4e00-\u9fff]{1,8}?)*)[和、]([^,，、和的]{1,8})\Z"
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
    "(?:负责人|组长|经理|主管|队长|店长|主编|总监|老板|CEO|CTO|CFO|妻子|丈夫|首都|省会"
    "|哥哥|弟弟|姐姐|妹妹|父亲|母亲|爸爸|妈妈|儿子|女儿|老师|医生|室友|同桌))"
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
        text = compiled(_OF).sub(_owned, text, count=1) if compiled(_OF).match(text) else text
    words = set(text.split())
    text = _WORDINGS.applied(text, words)
    if "the user" in text:
        text = compiled(_THE_USER).sub("", text)
    if ": " in text:
        text = (
            compiled(_LABEL).sub(r"\1 is ", text, count=1) if compiled(_LABEL).match(text) else text
        )
    if text.startswith("the ") and _IS_SPECIFIC.search(text):
        text = text[4:]
    if text[-1:].isalpha() and text[-1] in "scnrh":
        text = compiled(_SHORT_UNIT).sub(_in_words, text)
    if text.count(" and ") == 1:
        text = _in_any_order(text)
    return text if words.isdisjoint(_LARGER) else compiled(_TIME).sub(_in_larger, text)


def _in_words(match: Match) -> str:
    """Return 20s as 20 seconds."""
    return f"{match[1]} {_LONG_UNIT[match[2][0]]}"


def _in_any_order(text: str) -> str:
    """Return "likes dogs and cats" as "likes cats and dogs"."""
    found = compiled(_LIST).search(text) or compiled(_LIST_OF_NAMES).search(text)
    if found is None or _ORDERED.search(text):
        return text
    return f"{text[: found.start()]}{found[1]} {_sorted_list(found[2].split(', '), found[3])}"


def _sorted_list(items: list[str], last: str) -> str:
    *others, end = sorted((*items, last))
    return f"{', '.join(others)} and {end}"


def _turned(text: str) -> str:
    """Return "Bob is the lead" as "the lead is Bob"."""
    after = text[text.index(" is ") + 4 :]
    if not (after.startswith(_DEFINITE) or "'s " in after):
        return text
    turned = compiled(_COPULA).fullmatch(text)
    return f"{turned[2]} is {turned[1][0].upper()}{turned[1][1:]}" if turned else text


def _chinese(text: str) -> str:
    turned = compiled(_HAN_COPULA).fullmatch(text)
    text = f"{turned[2]}是{turned[1]}" if turned else text
    text = applied_by_sign(_CHINESE, text)
    if "和周" in text:
        text = compiled(_HAN_DAYS).sub(_days_in_order, text)
    if ("和" in text or "、" in text) and "先" not in text:
        text = compiled(_HAN_LIST).sub(_in_any_order_han, text)
    return compiled(_HAN_TIME).sub(_in_larger_han, text)


def _days_in_order(match: Match) -> str:
    """Return 周四和周二 as 周二和周四."""
    return "和".join(sorted(match[0].split("和"), key=_WEEK.index))


def _in_any_order_han(match: Match) -> str:
    """Return 精通韩语和日语 as 精通日语和韩语, whichever sorts first."""
    return match[1] + "、".join(sorted((*match[2].split("、"), match[3])))


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
