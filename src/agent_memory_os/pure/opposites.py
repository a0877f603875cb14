"""Words that cannot both be true of one thing: opposites, and the steps of a scale."""

from functools import cache, lru_cache

from agent_memory_os.pure.stem import stem

# Opposites of state: of one thing, at one time, one holds. Each line: words of one side, then of
# the other. Left out: pairs that may both hold of one thing (read/write, import/export, buy/sell),
# and those that name two things (left/right, old/new, inner/outer, client/server).
_STATES = """
enabled enable activated activate|disabled disable deactivated deactivate
on|off
active|inactive
open|closed close shut
locked lock|unlocked unlock
public|private confidential
mandatory required compulsory obligatory|optional voluntary
allowed allow permitted permit|forbidden forbid prohibited prohibit banned ban disallowed disallow
accept accepted|reject rejected refuse refused
approve approved|reject rejected
include includes included|exclude excludes excluded omit
like love enjoy adore|dislike hate detest
trust|distrust
agree|disagree
support|oppose
prefer|avoid
pass passes passed succeed|fail fails failed
success|failure
increase rise grow|decrease fall shrink drop
true|false
correct right|incorrect wrong
valid|invalid
safe|unsafe dangerous
secure|insecure
stable|unstable
reliable|unreliable
available|unavailable
accessible reachable|inaccessible unreachable
visible|hidden invisible
present|absent
possible|impossible
legal|illegal
complete|incomplete
finished|unfinished
consistent|inconsistent
accurate|inaccurate
compatible|incompatible
dependent|independent
mutable|immutable
encrypted|unencrypted plaintext
signed|unsigned
compressed|uncompressed
supported|unsupported
authenticated|unauthenticated anonymous
synchronous synchronously|asynchronous asynchronously
automatic automatically|manual manually
online|offline
full|empty
hot|cold
wet|dry
awake|asleep
alive|dead
married|single unmarried divorced
healthy|ill sick
happy|unhappy
satisfied|dissatisfied
employed|unemployed
free|paid
cheap|expensive
fast quick|slow
short brief concise terse|long detailed verbose
high|low
strong|weak
hard difficult|easy
simple|complex complicated
strict|lenient
warm|cool
light|dark
early|late
rare|common frequent
local locally|remote remotely
permanent|temporary
static|dynamic
positive|negative
minimum|maximum
ascending|descending
horizontal|vertical
before|after
with|without
above over|below under
inside within|outside
more|less fewer
always|never
best|worst
everybody everyone anybody anyone somebody someone|nobody
serial sequentially sequential serially|parallel concurrently
planned|spontaneous
paused suspended|resumed running active
held|released
persistent|ephemeral volatile
dedicated|shared
encrypted|plain
manned|unmanned
ordered|unordered
sorted|unsorted
stateful|stateless
blocking|non-blocking
case-sensitive|case-insensitive
read-only|writable
actual|estimated
renewable|non-renewable
tall|short
heavy|light
clean|dirty
honest|dishonest
patient|impatient
polite|rude
quiet|noisy
vegan|omnivore
diesel|petrol gasoline
part-time|full-time
older|younger
taller|shorter
bigger larger|smaller
faster quicker|slower
better|worse
higher|lower
longer|shorter
heavier|lighter
earlier|later
stronger|weaker
limited|unlimited
introverted introvert|extroverted extrovert
right-handed|left-handed
encourage encouraged|discourage discouraged
admit|deny
win won|lose lost
remember|forget
profitable|unprofitable
legitimate|illegitimate
sufficient enough|insufficient
capable|incapable
valid|expired
deprecated|recommended
formal|informal casual
metric|imperial
tabs|spaces
morning|evening
vegetarian vegan|carnivore
net|gross
single|double
delete deleted erase discard purge|keep retain preserve
add|remove
broken|fixed working repaired
mutual|one-sided
upper|lower
absolute|relative
global|local
internal|external
inbound|outbound
eager|lazy
strict|loose
loud|quiet
busy|idle
known|unknown
equal|unequal
even|odd
major|minor
thick|thin
wide|narrow
deep|shallow
near|far
rich|poor
young|old
smooth|rough
sweet|sour
tight|loose
lead|lag
✅ ✔ ✓ 👍|❌ ✗ ✘ 👎
==|!=
<=|>=
<|>
启用 启动着|停用 禁用
开启 打开 开着 开|关闭 关着 关
开放|关闭 封闭
营业 开门 开着 开|休息 停业 打烊 歇业 关门 倒闭
锁着 上锁 锁|开着 没锁 开
公开|保密 私有 非公开 私密
必须 必填 强制 必需|可选 选填 自愿 无需 不必 禁止
允许 可以 准许|禁止 严禁 不准 不许
接受 同意 通过|拒绝 反对
支持 赞成|反对
批准|驳回 拒绝
删除 清除 清空 丢弃|保留 留存 保存
添加 新增|删除 移除
显示 展示|隐藏
单|双
制表符|空格
高于 大于 多于 超过|低于 小于 少于 不足
早于|晚于
通过 采纳|否决 驳回
净|毛
满意|不满
已付 已付款 已支付|未付 未付款 未支付
已读|未读
全职|兼职
暂停|恢复 继续
停止|进行 运行
升|降
升序|降序
所有人 任何人 大家 人人|没有人 没人
乐观|悲观
主动|被动
积极|消极
内向|外向
左撇子|右撇子
自营|加盟
国产|进口
正版|盗版
有状态|无状态
有空|没空
有序|无序
有线|无线
持久|临时
专用|共享
只读|可写
可变|不可变
合法|违法 非法
合规|违规
盈利|亏损
涨价|降价
扩容|缩容
赢|输
吵|安静
宽|窄
厚|薄
深|浅
粗|细
胖|瘦
远|近
高兴|难过
串行|并行
相对|绝对
全局|局部
对内|对外
损坏 故障|修复 正常
增大 调高 提高|减小 调低 降低
包含 包括 含|排除 不含 剔除
喜欢 喜爱 热爱 爱|讨厌 厌恶 反感
信任|怀疑
成功|失败
通过|失败
合格 达标|不合格 超标
上升 上涨 增长 增加|下降 下跌 减少
正确|错误
真|假
有效|无效 失效
安全|危险
稳定|不稳定
可用|不可用
在线 线上|离线 线下
同步|异步
自动|手动 人工
加密|明文
公制|英制
总是 一直 始终|从不 从来不 从未 永不
简短 简洁 简明|详细 详尽 冗长
高|低
大|小
多|少
快|慢
长|短
强|弱
贵|便宜
免费|收费 付费
难|容易 简单
简单|复杂
严格|宽松
浅色 亮色|深色 暗色
明亮|昏暗
永久|临时
静态|动态
升序|降序
正式|非正式 随意
满|空
热|冷
干|湿
早|晚
内部|外部
之前 前|之后 后
以上|以下
已婚|未婚 单身 离异
有货|缺货
正常|异常
空闲|忙碌
活跃|不活跃
最好|最差
最大|最小
最多|最少
本地|远程 云端
现场|远程
未完成|已完成
准确|有误
"""

# Steps of one scale: of one thing one step holds.
_SCALES = """
hourly daily weekly fortnightly biweekly monthly quarterly yearly annually annual nightly
second minute hour day night week weekend month quarter year
planned running paused finished cancelled archived
morning noon afternoon evening
single engaged married divorced widowed
low medium high critical urgent
small medium large huge
red orange yellow green blue purple violet pink brown black white gray teal
draft pending approved rejected published archived
open closed resolved blocked
todo done
pending running done finished completed failed resolved open closed
on-site onsite remotely remote
beta ga released
junior senior
beginner intermediate advanced expert
north south east west
spring summer autumn winter
first second third fourth fifth
all none
alpha beta stable
success failure
breakfast lunch dinner
left right center
top bottom middle
单周 双周
每小时 每天 每日 每周 每月 每季度 每年
红色 橙色 黄色 绿色 蓝色 紫色 粉色 棕色 黑色 白色 灰色
草稿 待审 已批准 已驳回 已发布 已归档
初级 中级 高级
初学者 新手 专家
低 中 高
低 中等 高
春天 夏天 秋天 冬天
上午 下午 晚上
早上 中午 晚上
单身 订婚 已婚 离异
计划中 未开始 进行中 已暂停 已完成 已取消
未开始 进行中 已结束
本科 硕士 博士
幼儿园 小学 初中 高中 大学
"""

# Two acts that are opposite as words, and may both be done to one thing: only their states are not.
PHASES = frozenset(
    "open close lock unlock start stop begin end enter leave arrive depart rise fall increase"
    " decrease grow shrink drop 开 关 上升 下降 增加 减少".split()
)
_NEGATING = ("un", "non-", "non")
_LATIN = ("in", "im", "ir", "il", "dis")
_ADJECTIVE = ("ble", "al", "ant", "ent", "ar", "ive", "ate", "ect", "act", "ous", "ct")
_NOT_NEGATED = frozenset(
    "valuable different flammable famous tent vent direct fect cent til der ion it iform ique"
    " iverse less cle install do load pack wind fold roll mount stage".split()
)


@lru_cache(4096)  # what a draft differs in from one rival it mostly does from the next
def are_opposite(one: str, other: str) -> bool:
    """Return whether *one* and *other*, words in small letters, exclude each other as opposites."""
    sides = _sides()
    mine = sides.get(one) or sides.get(_stem(one))
    theirs = sides.get(other) or sides.get(_stem(other))
    if mine and theirs and any(-side in theirs for side in mine):
        return True
    return _is_negated(one, other) or _is_negated(other, one)


def on_one_scale(one: str, other: str) -> bool:
    """Return whether *one* and *other* are two steps of one scale: daily and weekly."""
    if one == other:
        return False
    scales = _scales()
    return bool(scales.get(one, _NONE) & scales.get(other, _NONE))


def is_opposed(word: str) -> bool:
    """Return whether *word* has an opposite in the table."""
    return word in _sides()


def is_step(word: str) -> bool:
    """Return whether *word* is a step of a scale in the table."""
    return word in _scales()


_NONE: frozenset[int] = frozenset()


def _stem(word: str) -> str:
    return stem(word) if word.isascii() and word.isalpha() else word


def _is_negated(word: str, other: str) -> bool:
    """Return whether *other* is *word* with a prefix that negates: safe and unsafe."""
    if len(word) < 4 or word in _NOT_NEGATED or not word.isascii() or not other.endswith(word):
        return False
    prefix = other[: -len(word)]
    return prefix in _NEGATING or (prefix in _LATIN and word.endswith(_ADJECTIVE))


@cache
def _sides() -> dict[str, frozenset[int]]:
    """Return by each word the pairs it stands in: n on one side, -n on the other."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_STATES.strip().split("\n"), 1):
        for side, words in zip((number, -number), line.split("|"), strict=True):
            for word in words.split():
                found.setdefault(word, set()).add(side)
                found.setdefault(_stem(word), set()).add(side)
    return {word: frozenset(sides) for word, sides in found.items()}


@cache
def _scales() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_SCALES.strip().split("\n")):
        for word in line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
