"""Events that say how things are since, told as a plain statement of it."""

# "Got a new job at Bosch" says what "now works at Bosch" says, and only the latter begins and ends
# as other statements about it do. What comes out is read by the rules, and never shown.

import re
from functools import cache, lru_cache

_FIGURE = r"(?=[\d$€£+-])"
_BE = "(?:is|are|was|were|be|been|we|i|they)"
_ROLE = (
    "CEO|CTO|CFO|COO|president|chair(?:man|woman|person)?|director|head|manager|lead|leader|captain"
    "|principal|mayor|governor|treasurer|secretary|editor|owner|maintainer|coach|chief"
)
_A_JOB = "(?:job|position|role|post|offer)"

# Each line: the words of which one must be there, then what is told, and how it is since.
_ENGLISH: tuple[tuple[str, str, str], ...] = (
    (
        "started began starts",
        rf"\b(?:started|began|starts) (?:working|(?:an?|his|her|my|their) (?:new )?{_A_JOB})"
        r" (?:at|with|for) (?=[A-Z])",
        "now works at ",
    ),
    (
        "job position role post offer",
        r"\b(?:(?:has |have )?(?:got|gotten|taken|found|accepted)|took|landed|has|have)"
        rf" an? (?:new )?{_A_JOB}(?: as an? [a-z -]+?)? (?:at|with|from) (?=[A-Z])",
        "now works at ",
    ),
    (
        "laid fired let",
        r"\b(?:was|got|has been|were) (?:laid off|fired|let go) (?:from|by|at) (?=[A-Z])",
        "left ",
    ),
    (
        "elected appointed named promoted chosen became becomes over",
        r"\A([A-Za-z]+(?: [A-Z]\w+)?)"
        r" (?:(?:was|has been|got) (?:elected|appointed|named|made|chosen)(?: as)?"
        r"|was promoted to|became|becomes|took over as|has taken over as) (?:the )?(?:new )?"
        rf"((?:[a-z]+ )?(?:{_ROLE})\b.*)",
        r"the \2 is now \1",
    ),
    (
        "retired resigned quit fired laid",
        r"\b(?:(?:has |have )?(?:retired|resigned|quit)|(?:was|got|has been) (?:fired|laid off))"
        r"(?=\Z|[,.;]| (?:last|this|in|on)\b)",
        "no longer works",
    ),
    (
        "days moment present right",
        r",? (?:these days|at the moment|at present|right now)\b",
        " now",
    ),
    (
        "turned switched",
        r"\b(?:is|are|has been|have been|was|were|got) (?:turned|switched) (on|off)\b",
        r"is now \1",
    ),
    ("switched changed", r"\b[Ii] (?:switched|changed) ([a-z]+?)s? to (?=[A-Z])", r"my \1 is now "),
    ("canceled called", r"\b(?:is|was|has been|got) (?:canceled|called off)\b", "is no longer"),
    ("address", r"\b([Ee]mail) address\b", r"\1"),
    ("gave given", r"\b(?:gave|has given|have given) up (?=[a-z]+ing\b)", "stopped "),
    ("set", rf"\A(?!.*\b{_BE}\b)((?:[A-Za-z_]+ ){{1,4}})set to (?=\S+\Z)", r"\1is set to "),
    ("up", r"\b(is|are) up(?=\Z| again\b| now\b)", r"\1 online"),
    ("down", r"\b(is|are) down(?=\Z| again\b| now\b)", r"\1 offline"),
    ("hired", r"\b(?:was|got|has been) hired (?:by|at) (?=[A-Z])", "now works at "),
    (
        "turned turns",
        r"\b(?:turned|turns) (\d+)(?: years old)?(?=\Z|[,.;]| (?:on|in|last|this|today|yesterday))",
        r"is now \1 years old",
    ),
    ("down back", rf"\b(is|are) (?:down|back) (?:to|at) {_FIGURE}", r"\1 now "),
    (
        "new",
        r"\b([A-Za-z]+) (?:has|got|has got|bought|purchased) a new"
        r" ([a-z]+(?: (?:number|address|name))?)"
        r"(?::|,|,? which is) (?:it is )?(?=\S)",
        r"\1's new \2 is ",
    ),
    (
        "new",
        r"\b[Ii] (?:have|got|have got|bought|purchased) a new ([a-z]+(?: (?:number|address|name))?)"
        r"(?::|,|,? which is) (?:it is )?(?=\S)",
        r"my new \1 is ",
    ),
)

_SETTING = re.compile(r"\A([A-Za-z_][\w.-]*) ?= ?([^\s=]\S*)\Z")

_HAN = "[\u4e00-\u9fff]"
_AT = r"([^,，。;；:：了在是时前后要需]{2,12}?)"
_OF_ONE = (
    "手机号码?|电话号码?|号码|手机|电话|邮箱|地址|住址|密码|口令|端口|版本|域名|网址|价格|售价|月租"
    "|房租|租金|工资|薪资|月薪|年薪|预算|截止日期|日期|时间|负责人|经理|组长|主管|总监|店长|队长"
    "|班长|校长|院长|部长|市长|总裁|总经理|产品经理|项目经理|老板|房东|司机|保姆|家教|教练|牙医"
    "|医生|班主任|老师|CEO|CTO|CFO|COO|电脑|车|公司|学校|办公室|名字|名称|昵称|账号|用户名|车牌号?"
)
_LANGUAGE = "[英法德日俄韩中汉意葡泰越][语文]|西班牙[语文]|葡萄牙[语文]|阿拉伯[语文]|意大利[语文]"
_CHIEF = (
    "CEO|CTO|CFO|COO|经理|产品经理|项目经理|负责人|总监|组长|主管|店长|队长"
    "|校长|院长|部长|总裁|社长|会长|主席|班长"
)
_CHINESE: tuple[tuple[str, str, str], ...] = (
    ("新", rf"\A({_HAN}{{2,4}})是({_HAN}{{2,8}}?)的?新任?的?({_CHIEF})\Z", r"\2的\3现在是\1"),
    (
        "从",
        rf"从{_AT}(?:跳槽|离职|辞职)后?(?:到|去|至|进|加入)了?{_AT}(?=\Z|[,，。])",
        r"现在在\2工作",
    ),
    ("在", rf"在(?!\d){_AT}(?:上班|任职|就职|供职)(?=\Z|[,，。])", r"在\1工作"),
    (
        "了",
        rf"\A({_HAN}{{1,4}}?)(?<!从)(?:已经?|刚刚?)?(?:离职|辞职|退休|失业)了(?=\Z|[,，。])",
        r"\1不再工作",
    ),
    ("被", rf"被{_AT}(?:裁员?|辞退|开除|解雇)了?(?=\Z|[,，。])", r"离开了\1"),
    ("语", rf"(?<=[用以])({_LANGUAGE})(?=[^,，。])", r'"\1"'),
    ("文", rf"(?<=[用以])({_LANGUAGE})(?=[^,，。])", r'"\1"'),
    ("用法语", "用法语", '用"法语"'),
    ("戒烟", "戒烟了?", "不再抽烟"),
    ("戒酒", "戒酒了?", "不再喝酒"),
    ("结婚", "没有?结婚|未结婚|还没结婚", "是未婚"),
    ("放弃", "放弃(?=[学读练做])", "不再"),
    (
        "任",
        rf"\A({_HAN}{{2,4}}?)(?:接替{_HAN}{{2,4}}?)?(?:升任|接任|就任|出任|担任)[了为]?"
        rf"({_HAN}{{0,8}}?(?:{_CHIEF}))\Z",
        r"\2现在是\1",
    ),
    (
        "当",
        rf"\A({_HAN}{{2,4}}?)(?:接替{_HAN}{{2,4}}?当|当选为?|当上了?)({_HAN}{{0,8}}?(?:{_CHIEF}))了?\Z",
        r"\2现在是\1",
    ),
    ("结婚", r"(?:已经?|刚刚?)?结婚了(?=\Z|[,，。])", "现在是已婚"),
    ("离婚", r"(?:已经?|刚刚?)?离婚了(?=\Z|[,，。])", "现在是离异"),
    ("订婚", r"(?:已经?|刚刚?)?订婚了(?=\Z|[,，。])", "现在是订婚"),
    ("不用", r"不用(?= ?[A-Za-z])", "不使用"),
    (
        "学",
        rf"(?:转学到|(?:转|升|考)(?:到|入|进)(?=[^,，。]+(?:上学|读书|就读)))了?{_AT}(?:上学|读书|就读)?了?"
        r"(?=\Z|[,，。])",
        r"现在在\1上学",
    ),
    ("跳槽", f"跳槽(?:到|去|至|进)了?{_AT}(?:工作|上班)?了?(?=\\Z|[,，。])", r"现在在\1工作"),
    ("入职", f"(?<={_HAN})(?:已经?|刚刚?)?入职了?{_AT}了?(?=\\Z|[,，。])", r"现在在\1工作"),
    ("去", f"去了?{_AT}(?:工作|上班)了?(?=\\Z|[,，。])", r"现在在\1工作"),
    ("到", f"(?<!调)到了?{_AT}(?:工作|上班)了(?=\\Z|[,，。])", r"现在在\1工作"),
    ("岁", r"(?:今年|刚刚?|已经?|快要?)*满?了?(\d+岁)了?(?=\Z|[,，。])", r"是\1"),
    ("不过敏", "不过敏", "不会过敏"),
    ("换了", rf"的?换了(?:个|一个)?新?的?({_HAN}{{1,4}}?)[,，](?:新的)?(?:是|为|叫)", r"的新\1是"),
    ("新", rf"(的?)新的?({_OF_ONE})(?=(?:是|为|叫))", r"\1\2现在"),
)


@lru_cache(1024)  # a rival of one draft is often one of the next
def retold(text: str) -> str:
    """Return *text*, plainly spelled, with what it tells to have happened as what is so since.

    >>> retold("Max turned 8")
    'Max is now 8 years old'
    """
    if text.isascii():
        hit = _rules().keys() & set(text.split())
        for at in sorted({at for word in hit for at in _rules()[word]}) if hit else ():
            _, told, since = _ENGLISH[at]
            text = _compiled(told).sub(since, text)
        return _SETTING.sub(r"\1 is \2", text) if "=" in text else text
    for sign, told, since in _CHINESE:
        if sign in text:
            text = _compiled(told).sub(since, text)
    return text


_compiled = cache(re.compile)  # one by one, since most are never asked for


@cache
def _rules() -> dict[str, list[int]]:
    """Return by each word the places of the rules that it may call for."""
    found: dict[str, list[int]] = {}
    for at, (words, _, _) in enumerate(_ENGLISH):
        for word in words.split():
            found.setdefault(word, []).append(at)
    return found
