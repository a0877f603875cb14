"""Events that say how things are since, told as a plain statement of it."""

# "Got a new job at Bosch" says what "now works at Bosch" says, and only the latter begins and ends
# as other statements about it do. What comes out is read by the rules, and never shown.

import re
from functools import lru_cache

from agent_memory_os.pure.rewriting import Match, Rule, Wordings, applied_by_sign

_FIGURE = r"(?=[\d$€£+-])"
_BE = "(?:is|are|was|were|be|been|we|i|they)"
_ROLE = (
    "CEO|CTO|CFO|COO|president|chair(?:man|woman|person)?|director|head|manager|lead|leader|captain"
    "|principal|mayor|governor|treasurer|secretary|editor|owner|maintainer|coach|chief"
)
_A_JOB = "(?:job|position|role|post|offer)"

_LEAVE = r"((?:[a-z]+ )?leave)"
_SCHOOL = (
    r"(?=(?:[A-Z][\w']* )+(?:School|Elementary|Primary|High|Middle|College|University|Academy"
    r"|Kindergarten|Institute)\b)"
)
_STATE = "public|private|optional|mandatory|required|available|permanent|read-only|obsolete"
_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_END = r"(?=\Z|[,.;]| (?:last|this|in|on|yesterday|today)\b)"
_OWN = "(?:my|his|her|their|our|its)"
_WHO = r"(?!(?:i|we|they|he|she|it|you|this|that)\b)([A-Za-z]+(?: [A-Z]\w+)?)"
_NAME = r"([A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)?)"


def _fills(match: Match) -> str:
    """Return that the role is now theirs, whose name begins with a capital."""
    who, role = match.group(1, 2)
    return f"the {role} is now {who[0].upper()}{who[1:]}"


_ENGLISH: tuple[Rule, ...] = (
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
        rf"((?:[a-z]+ )?(?:{_ROLE})\b.*?)(?: from [A-Z]\w+(?: [A-Z]\w+)?)?\Z",
        _fills,
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
    (
        "canceled called terminated scrapped",
        r"\b(?:is|was|has been|got) (?:canceled|called off|terminated|scrapped)\b",
        "is no longer",
    ),
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
    (
        "switched changed found hired see",
        r"\b(?:I|[Ww]e) (?:(?:have )?(?:switched|changed) to|found|hired|see|now see)"
        rf" a new ([a-z]+)(?: for {_OWN} [a-z]+)?, (?=[A-Z])",
        r"my new \1 is ",
    ),
    (
        "changed switched",
        r"\b[Ii] (?:changed|switched) ([a-z]+?)s?, (?:now it is|it is now) (?=[A-Z])",
        r"my \1 is now ",
    ),
    ("joined", r"\bjoined (?:the )?(?=[\w-]+ (?:team|squad|group|department)\b)", "is now in the "),
    ("back", r"\b(is|are|am) back to (?:working )?(?=(?:full|part)-time\b)", r"\1 now working "),
    ("next", rf"\b(to|on|for|until) next (?={_DAY}\b)", r"\1 "),
    ("member", r"\b(is|am|are) an? member of (?=\w)", r"\1 in "),
    (
        "unemployed jobless work jobs",
        r"\b(?:is|am|are) (?:unemployed|jobless|out of work|between jobs)(?=\Z|[,.;])",
        "does not work",
    ),
    (
        "stopped quit ended off up",
        r"\b(?:stopped|quit|ended|gave up|came off|went off)"
        rf" (?:{_OWN}|the|an?) ((?:[a-z]+ )?(?:diet|medication|treatment|pill|course|therapy))\b",
        r"is no longer on \1",
    ),
    (
        "resumed restored reopened re-enabled unblocked unlocked",
        r"\b(?:was|were|got|has been|have been)"
        r" (resumed|restored|reopened|re-enabled|unblocked|unlocked)(?=\Z|[,.;])",
        r"is now \1",
    ),
    ("weekend weekday", r"\b(?:every|each) (weekend|weekday)\b", r"on \1s"),
    ("moved", rf"\bmoved out of (?:{_OWN} |the )?", "vacated "),
    (
        "go goes",
        r"\bgo (?=(?:jogg|runn|swimm|hik|cycl|climb|ski|danc|fish|shopp|surf|bik)ing\b)",
        "am ",
    ),
    (
        "go goes",
        r"\bgoes (?=(?:jogg|runn|swimm|hik|cycl|climb|ski|danc|fish|shopp|surf|bik)ing\b)",
        "is ",
    ),
    ("quit", r"\bquit (?=[a-z]+ing\b)", "stopped "),
    (
        "canceled cancelled terminated ended sold rid",
        r"\b(?:has |have )?(?:canceled|cancelled|terminated|ended|sold|got rid of)"
        rf" {_OWN} (?=[\w-])",
        "no longer have ",
    ),
    ("gave given", rf"\b(?:gave|has given|have given) up {_OWN} (?=[\w-])", "no longer have "),
    (
        "broke split separated divorced broken",
        r"\b(?:has |have |got )?(?:(?:broke|broken|split)(?: up)? (?:with|from)|separated from"
        rf"|divorced(?: from)?|(?:broke|broken) off (?:{_OWN}|the) engagement (?:to|with))"
        r" (?=[A-Z])",
        "jilted ",
    ),
    (
        "dating seeing out relationship",
        r"\b(?:is|am|are) (?:dating|seeing|going out with|in a relationship with) (?=[A-Z])",
        "is together with ",
    ),
    (
        "leave",
        rf"\b([A-Za-z]+)'s {_LEAVE} (?:was|is|has been|got) (?:extended|shortened|prolonged)"
        r" (?:to|until|till) ",
        r"\1 is now on \2 until ",
    ),
    (
        "over",
        rf"\A{_WHO} (?:took|takes|has taken) over (?:as |the role of )?(?:the )?"
        r"([a-z][a-z -]*?) from [A-Z]\w+(?: [A-Z]\w+)?\Z",
        _fills,
    ),
    (
        "as",
        rf"\A{_WHO} (?:now uses|(?:has )?(?:moved|switched|changed) to) {_NAME} as"
        rf" {_OWN} ([a-z][a-z ]*)\Z",
        r"\1's \3 is now \2",
    ),
    ("as", rf"\A{_WHO} uses {_NAME} as {_OWN} ([a-z][a-z ]*)\Z", r"\1's \3 is \2"),
    (
        "as",
        rf"\AI (?:now use|(?:have )?(?:moved|switched|changed) to) {_NAME} as my ([a-z][a-z ]*)\Z",
        r"my \2 is now \1",
    ),
    ("as", rf"\AI use {_NAME} as my ([a-z][a-z ]*)\Z", r"my \2 is \1"),
    (
        "kept retained stored",
        r"\A([A-Za-z -]*?[A-Za-z])s are (now )?(?:kept|retained|stored) for (?=\d)",
        r"\1 retention is \2",
    ),
    (
        "Retention retention",
        r"\A(?:The )?[Rr]etention (?:for|of) ([a-z -]+?)s? is ",
        r"\1 retention is ",
    ),
    ("happening taking", r"\b(is|are) (?:happening|taking place)(?= (?:in|on|at)\b)", r"\1"),
    (
        "made",
        rf"\b(?:(?:is|are|was|were|got) (?:now )?|(?:has|have) been )made (?=(?:{_STATE})\b)",
        "is now ",
    ),
    ("closed shut", r"\b(?:has|have) (?:closed|shut)(?: down)?(?=\Z|[,.;])", "is now closed"),
    ("opened reopened", r"\b(?:has|have) (?:re-?)?opened(?=\Z|[,.;])", "is now open"),
    (
        "married divorced engaged",
        r"\b(?:got|gets|has gotten) (married|divorced|engaged)"
        r"(?: (?:last|this|in|on) \w+| yesterday| recently)?(?=\Z|[,.;])",
        r"is now \1",
    ),
    ("goes went go", rf"\b(?:goes|went|go) to (?:the )?{_SCHOOL}", "studies at "),
    ("attends attend", rf"\battends? (?:the )?{_SCHOOL}", "studies at "),
    (
        "at",
        r"\bat (\d{1,2})(?=\Z| on (?:week|work|Mon|Tue|Wed|Thu|Fri|Sat|Sun)| every\b| now\b)",
        r"at \1:00",
    ),
    (
        "down up",
        r"(?<!weight )\b(?:am|is) (?:down|up) to (?=\d+(?:\.\d+)? (?:kg|kilos|pounds|lbs)\b)",
        "now weigh ",
    ),
    ("allergy allergies", r"\bhas no (?:allergy|allergies) to\b", "is not allergic to"),
    ("allergy allergies", r"\bhave no (?:allergy|allergies) to\b", "am not allergic to"),
    ("fluent fluently", r"\b(speaks?|speak) fluent (?=[A-Z])", r"\1 "),
    ("fluently", r"(?<=\w) fluently(?=\Z|[,.;])", ""),
    ("fluent", r"\b(?:is|am) fluent in (?=[A-Z])", "speaks "),
    (
        "usually normally typically generally",
        r"\b(?:usually|normally|typically|generally) (?=[a-z])",
        "",
    ),
    ("only", r"\b(?:is|am|are) an only child\b", "has no sibling"),
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

_WORDINGS = Wordings(_ENGLISH)
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
_WAY = "(?:开车|骑车|骑自行车|骑电动车|骑单车|骑摩托车?|步行|走路|打车)"
_COMMUTE = "(?:去|来)?(?:上班|上学|通勤|公司|学校)"
_LEVEL = "幼儿园|小学|初中|高中|大学|中学"
_DRINK = "咖啡|奶茶|可乐|饮料|茶|白酒|啤酒|红酒"
_TOGGLED = "打开|关闭|开启|启用|禁用|停用|公开|锁定|解锁|暂停|恢复"
_CHINESE: tuple[Rule, ...] = (
    ("学", "(?:今年|去年|上个?月|上学期|这学期)(?=[转升考][学到入进])", ""),
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
    ("不会", "不(?:太)?会(?=[说弹拉])", "未会"),
    ("很会", "很会(?=[^议员])", "会"),
    ("没有过敏", "没有过敏", "不会过敏"),
    ("独生", "是独生[子女]?女?", "没有兄弟姐妹"),
    ("喜欢", "(?:特别|非常|很|十分|超级|挺|蛮)(?=喜欢)", ""),
    ("讨厌", "(?:特别|非常|很|十分|超级|挺|蛮)(?=讨厌)", ""),
    ("改", rf"改(?:成|为)?(?={_WAY}{_COMMUTE})", "改坐"),
    ("去", rf"(?<!坐)(?={_WAY}{_COMMUTE})", "坐"),
    ("上", rf"(?<!坐)(?={_WAY}{_COMMUTE})", "坐"),
    ("平时", r"平时(?=[坐开骑住吃喝用\d])", ""),
    ("通常", r"通常(?=[坐开骑住吃喝用\d])", ""),
    ("一般", r"一般(?=[坐开骑住吃喝用\d])", ""),
    ("上", rf"(?<={_HAN})(?:已经?|刚刚?)上({_LEVEL})了?(?=\Z|[,，。])", r"现在读\1"),
    ("上", rf"(?<={_HAN})上({_LEVEL})了(?=\Z|[,，。])", r"现在读\1"),
    ("上", rf"(?<={_HAN})上({_LEVEL})(?=\Z|[,，。])", r"读\1"),
    ("戒", rf"(?:已经?|刚刚?)?戒掉?了?({_DRINK})了?(?=\Z|[,，。])", r"不再喝\1"),
    ("戒", r"(?:已经?|刚刚?)?戒掉?了?([糖肉辣]|甜食|零食)了?(?=\Z|[,，。])", r"不再吃\1"),
    ("烟", r"抽(\d+[包根支盒])烟", r"抽烟\1"),
    ("房", r"租的房子?在(?=[^,，。]{2,10}\Z)", "住在"),
    ("家", rf"(?<={_HAN})的?家在(?=[^,，。里]{{2,10}}\Z)", "住在"),
    ("搬", r"(搬[到去至]了?[^,，。]{2,10}?)(?:居?住)?了(?=\Z|[,，。])", r"\1"),
    (
        "把",
        r"把([^,，。]{1,10}?)(?:退|卖|扔|取消|停|关|注销|卸载|送人)掉?了(?=\Z|[,，。])",
        r"不再有\1",
    ),
    ("了", r"(?:办|养|订阅|开通)了(?:[1一][只个张条份])?(?=[\u4e00-\u9fff])", "有"),
    (
        "我",
        r"我的([猫狗]|车|[\u4e00-\u9fff]{2,4}卡)(?:已经)?(?:去世|死|走丢|卖掉?|退|送人|注销)了(?=\Z|[,，。])",
        r"我不再有\1",
    ),
    (
        "升",
        rf"\A({_HAN}{{2,4}}?)(?:已经?|刚刚?)?(?:升任|晋升为|升为|转岗为|升职为)({_HAN}{{2,8}}?)了?\Z",
        r"\1现在是\2",
    ),
    (
        "和",
        r"\A([^,，。]+?)和([^,，。]+?)(?:已经?|刚刚?)?(?:分手|离婚|绝交)了\Z",
        r"\1不再和\2在一起",
    ),
    (
        "跟",
        r"\A([^,，。]+?)跟([^,，。]+?)(?:已经?|刚刚?)?(?:分手|离婚|绝交)了\Z",
        r"\1不再和\2在一起",
    ),
    ("由", rf"\A([^,，。是]+?)(?:改由|现由|现在由)({_HAN}{{2,3}})(?:来)?负责\Z", r"\2现在负责\1"),
    ("由", rf"\A([^,，。是改现]+?)由({_HAN}{{2,3}})(?:来)?负责\Z", r"\2负责\1"),
    ("处于", r"处于([^,，。]{2,4}?)的?状态", r"是\1"),
    ("已", rf"(?:已经|已被|已)({_TOGGLED})了?(?=\Z|[,，。])", r"现在是\1"),
    ("未", rf"(?<={_HAN})[尚还]?未({_TOGGLED})(?=\Z|[,，。])", r"不是\1"),
    ("没", rf"(?<={_HAN})还?没有?({_TOGGLED})(?=\Z|[,，。])", r"不是\1"),
    ("了", rf"({_TOGGLED})了(?=[^,，。])", r"\1"),
    ("上了", r"((?:切换|迁移|搬|迁|挪)到[^,，。]+?)上了(?=\Z|[,，。])", r"\1"),
    ("保留", rf"(?<={_HAN})(?:只|会|要)?保留(?=\d+(?:天|个月|年|周|小时)\Z)", "保留期是"),
    ("换了", r"换了(?:[1一]?[个台部])?(?=[A-Za-z])", "换成"),
    ("关", r"(?:已经)?(?:关门|倒闭|停业|歇业)了(?=\Z|[,，。])", "现在是打烊"),
    ("员", r"是([^,，。的是]{2,8}?)的?(?:成员|会员|队员|社员)\Z", r"在\1"),
    ("下周", "(?<=到)[下本这]周(?=[一二三四五六日])", "周"),
    ("加入", rf"(?<={_HAN})加入了?([^,，。]{{1,8}}[组部队])了?\Z", r"现在在\1"),
    ("找到", r"找到了?(?:新?工作|新?职位)了?(?=\Z|[,，。])", "工作"),
    ("周末", "每个?周末都?", "周末"),
    (
        "改",
        r"改[为成](?=每(?:\d+(?:[天周月年秒]|分钟|小时)|个?周|[天月年晚])(?!.*[进举]行))",
        "现在",
    ),
    ("取消", rf"\A({_HAN}{{2,8}}?)(?:已经?)?(?:被)?取消了\Z", r"\1不再"),
    ("允许", r"\A(.+?)(?:是|被)允许的?\Z", r"允许\1"),
    ("禁止", r"\A(.+?)(?:是|被)禁止的?\Z", r"禁止\1"),
    (
        "只",
        r"\A([^,，。]+?)只在?(周末|工作日|周[一二三四五六日])([^,，。\d]{1,6})\Z",
        r"\1\3only\2",
    ),
    ("喜欢用", "喜欢用(?=[深浅亮暗黑白]色?(?:模式|主题|背景))", "用"),
    (
        "换了",
        rf"的?换了(?:个|一个)?新?的?({_HAN}{{1,4}}?)[,，](?:新的|现在)?(?:是|为|叫)",
        r"的新\1是",
    ),
    ("新", rf"(的?)新的?({_OF_ONE})(?=(?:是|为|叫))", r"\1\2现在"),
)


@lru_cache(1024)  # a rival of one draft is often one of the next
def retold(text: str) -> str:
    """Return *text*, plainly spelled, with what it tells to have happened as what is so since.

    >>> retold("Max turned 8")
    'Max is now 8 years old'
    """
    if not text.isascii():
        return applied_by_sign(_CHINESE, text)
    text = _WORDINGS.applied(text, set(text.split()))
    return _SETTING.sub(r"\1 is \2", text) if "=" in text else text
