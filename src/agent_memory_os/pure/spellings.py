"""What people type in several ways, as tables, in English and Chinese."""

# Each line: the form that stands, then what is typed for it.
_CONTRACTED = """
do not|don't dont
does not|doesn't doesnt
did not|didn't didnt
is not|isn't isnt
are not|aren't arent
was not|wasn't wasnt
were not|weren't werent
has not|hasn't hasnt
have not|haven't havent
had not|hadn't hadnt
cannot|can't
could not|couldn't couldnt
will not|won't
would not|wouldn't wouldnt
should not|shouldn't shouldnt
might not|mightn't
must not|mustn't mustnt
need not|needn't
shall not|shan't
i am|i'm
you are|you're
we are|we're
they are|they're
i have|i've
you have|you've
we have|we've
they have|they've
i will|i'll
you will|you'll
he will|he'll
she will|she'll
it will|it'll
we will|we'll
they will|they'll
that will|that'll
there will|there'll
"""
CONTRACTED = {
    typed: stands
    for stands, _, forms in (line.partition("|") for line in _CONTRACTED.strip().split("\n"))
    for typed in forms.split()
}

# British or hyphened on the left, American or closed on the right; only in small letters, since
# Pearl Harbor is a name. Left out: words that differ in meaning (metre is in identity.py, draught,
# storey, cheque, kerb, tyre have other words for neighbours).
_AMERICAN = """
colour color
favour favor
favourite favorite
behaviour behavior
neighbour neighbor
labour labor
honour honor
flavour flavor
humour humor
rumour rumor
harbour harbor
centre center
theatre theater
fibre fiber
calibre caliber
defence defense
offence offense
licence license
catalogue catalog
dialogue dialog
grey gray
ageing aging
acknowledgement acknowledgment
judgement judgment
fulfil fulfill
enrol enroll
instalment installment
skilful skillful
cancelled canceled
cancelling canceling
labelled labeled
labelling labeling
modelled modeled
modelling modeling
travelled traveled
travelling traveling
traveller traveler
signalled signaled
totalled totaled
jewellery jewelry
aluminium aluminum
artefact artifact
organise organize
organisation organization
realise realize
recognise recognize
summarise summarize
prioritise prioritize
optimise optimize
optimisation optimization
minimise minimize
maximise maximize
normalise normalize
normalisation normalization
initialise initialize
initialisation initialization
serialise serialize
serialisation serialization
synchronise synchronize
synchronisation synchronization
authorise authorize
authorisation authorization
customise customize
customisation customization
categorise categorize
finalise finalize
standardise standardize
virtualise virtualize
visualise visualize
visualisation visualization
tokenise tokenize
sanitise sanitize
utilise utilize
analyse analyze
okay ok
"""
_ENDINGS = (("", ""), ("s", "s"), ("d", "d"), ("ed", "ed"), ("ing", "ing"), ("ful", "ful"))


def _american() -> dict[str, str]:
    found = {}
    for line in _AMERICAN.strip().split("\n"):
        british, american = line.split()
        for end, ending in _ENDINGS:
            found[british + end] = american + ending
        if british.endswith("e"):
            found[british[:-1] + "ing"] = american.removesuffix("e") + "ing"
    return found


AMERICAN = _american()

SHOUTED = frozenset("NOT NEVER ALWAYS MUST ONLY DO PLEASE".split())

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_UNITS += " fifteen sixteen seventeen eighteen nineteen"
NUMBER_WORDS = {word: value for value, word in enumerate(_UNITS.split())}
TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
ORDINALS = {
    **{"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth"},
    **{"6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth"},
}
POWERS = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

MONTHS = (
    "January February March April May June July August September October November December"
).split()
ABBREVIATED_MONTHS = {**{name[:3]: name for name in MONTHS}, "Sept": "September"}
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
ABBREVIATED_DAYS = {
    **{name[:3]: name for name in DAYS},
    **{"Tues": "Tuesday", "Thur": "Thursday", "Thurs": "Thursday"},
}
CURRENCIES = "$€£¥￥"

CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2}
CHINESE_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
# What may follow a number. Not 分, since 十分 is "very", nor 下 and 些, which count nothing.
MEASURE_WORDS = (
    "个 個 名 位 人 次 件 条 條 台 只 张 本 份 项 种 轮 页 章 节 步 组 版 层 楼 间 套 辆 家 句"
    " 行 列 倍 级 天 周 月 日 号 年 岁 小时 分钟 秒 毫秒 季度 期 届 元 块 角 美元 欧元 英镑 公里"
    " 千米 米 厘米 公斤 千克 克 吨 升 度 瓦 核 字 字节 遍 票 箱 瓶 杯 门 场 场次 人次 工作日 代"
    " 班 批 段 处 笔 封 盒 袋 把 针 剂 颗 粒 根 支 枚 双 幅 首 架 艘 匹 头 顿 餐 碗 盘 片 滴 圈"
    " 局 集 卷 册 栋 座 桶 罐 题"
).split()
NOT_POLITE = "求假教示客问柬战愿缨帖辞罪安便进功"  # 请求, 请假 ... are words of their own
