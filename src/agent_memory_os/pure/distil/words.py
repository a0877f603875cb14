"""The words of a sentence that say something: neither grammar nor what anybody says of anything."""

import re

from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.words import ANALYSED

FIRST = frozenset("i i'm i've i'd i'll im ive my mine me myself".split())
FIRST |= frozenset("we we're we've we'd we'll our ours us ourselves".split())
SECOND = frozenset("you you're you've you'd you'll youre your yours yourself ya u".split())

# What is said in praise, in thanks, in greeting and in passing, of whatever it may be about.
_EMPTY = """
wow awesome great amazing cool congrats congratulations thanks thank proud glad happy happiness
sound sounds lovely nice appreciate incredible wonderful good luck best better beautiful gorgeous
stunning fantastic excellent exciting excited excitement interesting impressive perfect cute sweet
terrific brilliant fabulous superb delightful pleasant fun funny crazy wild hard tough
yeah yep yes yup no nope oh hey hi hello haha hahaha lol ok okay sure totally absolutely definitely
exactly right true truly agree well so really super pretty just quite actually basically
bye goodbye welcome cheers sorry worry worries problem please later soon talk chat catch
thing things stuff lot lots way ways kind kinda sort bit time times day days life world moment
moments memory memories people someone everyone something everything anything nothing
gonna wanna gotta hope wish hear heard see seen know think thinking thought feel feels feeling
feelings felt mean means meant look looks looking looked seem seems make makes made making keep
keeps keeping kept get gets getting got let take takes taking took go goes going gone went come
comes coming came put give gives gave tell told say says said guess bet believe understand imagine
want wanted wants need needed needs try trying tried find finding found help helps helped helping
stay wait cherish remind reminds remember share sharing shared enjoy enjoying enjoyed
support supportive encouragement encouraging positive positivity friendship joy forward dream
dreams goal goals journey experience experiences able inspire inspires inspiring inspired
inspiration important importance special worth worthwhile fulfilling rewarding motivating motivated
motivation motivate difference part work works working words love loved
new big little long much back up around like always never ever maybe probably again still even
also already though hour minute second tonight guys everybody folks
weather rain raining sunny cold hot freezing traffic tired sleepy exhausted hungry starving
busy bored friday monday
"""
EMPTY = frozenset(_EMPTY.split())
_WORDS = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d+")
_GRAMMAR = STOP_WORDS | EMPTY
# Of Chinese what says how and not what; the rest is counted by its pairs of characters.
_HAN_EMPTY = re.compile(
    "我们|咱们|你们|他们|她们|大家|自己|这个|那个|这些|那些|这样|那样|这么|那么|什么|怎么|一个|一些"
    "|同意|完全|随时|告诉|高兴|开心|喜欢|再见|休息|辛苦|没事|一会|早点|天气|周末|有空|聊天|一起|希望|愿意|漂亮|厉害"
    "|一下|一点|有点|非常|特别|真的|觉得|感觉|知道|可以|可能|应该|因为|所以|但是|不过|而且|然后|如果"
    "|还是|或者|已经|正在|现在|今天|昨天|明天|时候|时间|东西|事情|的话|谢谢|感谢|哈哈|没有|不是|就是"
    "|[我你您他她它的了着过是在有也都就还又很太真好不没和与跟对吗呢吧啊呀哦嗯哈么这那个会能要想说去来"
    "让给把被到从上下里中多大小一再最更得地]"
)
_HAN_RUNS = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_HAN = "\u3400"


def words_of(text: str) -> list[str]:
    """Return the English words and the numbers of *text*, in small letters."""
    return _WORDS.findall(text.lower())


def told(text: str, words: list[str] | None = None) -> set[str]:
    """Return what *text* tells, as stems of words, and of Chinese as pairs of characters.

    *words* are those of `words_of`, where the caller has them.
    """
    found = {
        ANALYSED[word.partition("'")[0]]
        for word in (words_of(text) if words is None else words)
        if word not in _GRAMMAR
        and len(word) > 1
        and ("'" not in word or word.replace("'", "") not in STOP_WORDS)
    }
    if text.isascii():
        return found
    for run in _HAN_RUNS.findall(_HAN_EMPTY.sub(" ", text)):
        found.update(run[at : at + 2] for at in range(0, len(run) - 1, 2))
    return found
