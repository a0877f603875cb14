"""Words that leave a query because they say how it is asked, not what it is about."""

import re
from functools import cache

# Not here: "may" (a month), "like", "last", "new" and other words that are often the point.
_ENGLISH = """
a an the this that these those such
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones someone somebody something anyone anybody anything everyone everybody everything
who whom whose which what when where why how whatever whichever whoever
am is are was were be been being do does did done doing have has had having
can could will would shall should might must ought
about above across after against along among around as at before behind below beneath beside
between beyond by down during except for from in inside into of off on onto out outside over
per since through throughout to toward towards under until up upon via with within without
and but or nor so yet if then than because while although though unless whether
not no yes
there here now just also too very really quite only even ever still again already almost
some any all both each every either neither other others another same own
more most much many few less least several
please let lets
dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt
mightnt mustnt neednt shant aint cannot
im ive youre youve theyre theyve weve whats thats theres heres wheres whos hows
"""
# Of the other languages only what is no English content word, name or abbreviation: no "die",
# "son", "pour", "come", "den", "os", "mon".
_SPANISH = """
el los las una unos unas del al y que en por para se lo le les su sus mi mis tu tus es fue este
esta estos estas ese esa eso como pero muy qué quién cuál cuáles cuándo dónde cómo cuánto está
están más
"""
_FRENCH = """
la les une des et est sont était dans sur avec que qui quoi quel quelle quels quelles quand où
cette il elle ils elles nous vous je ses leur leurs aux ne pas mais
"""
_GERMAN = """
der das ein eine einen einem einer eines und ist sind waren wird werden wurde wurden zu für auf im
ich sie wir ihr mein meine dein deine sein seine nicht auch aber oder wie wer wo wann warum welche
welcher welches sich nach bei
"""
_ITALIAN = """
gli uno di della dei delle degli nel nella che cosa quando perché è sono questo questa questi queste
suo sua mio mia più anche
"""
_PORTUGUESE = """
uma uns umas nos em ao aos pela pelo quem qual quais onde são foi isso não seu meu minha é
"""
_RUSSIAN = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот
от меня о из ему когда даже ну ли если или быть был него до вас где кто какой какая какие это этот
эта эти для мы
"""
STOP_WORDS = frozenset(
    f"{_ENGLISH} {_SPANISH} {_FRENCH} {_GERMAN} {_ITALIAN} {_PORTUGUESE} {_RUSSIAN}".split()
)

# Question words and particles, cut out of a run before its bigrams are made.
_CHINESE = """
什么时候 甚麼時候 什麼時候 是什么 是什麼 为什么 為什麼 有什么 有什麼 叫什么 叫什麼 什么样 什麼樣
什么 什麼 甚麼 哪一年 哪一个 哪一個 哪一 哪些 哪里 哪裡 在哪里 在哪裡
哪儿 哪兒 在哪 哪个 哪個 哪位 哪年 哪 谁 誰
怎么样 怎麼樣 怎么 怎麼 怎样 怎樣 如何 为何 為何 何时 何時 何地 何人 多少 多久 几个 幾個 是否
请问 請問 吗 嗎 呢 吧 啊 呀 的 了 是
"""
_JAPANESE = "いつ どこ だれ 誰 なぜ どうして どんな 何 ですか ますか でしょうか とは"
_KOREAN = """
무엇 무엇을 무엇이 무엇인가요 뭐 뭘 언제 언제인가요 어디 어디에 어디서 어디에서 어디인가요 누구 누가
누구를 왜 어떻게 무슨 어떤 몇
"""


@cache
def unspaced_stops() -> re.Pattern[str]:
    """Return a pattern that matches the stop words in a run of Chinese, Japanese or Korean."""
    inside = sorted(f"{_CHINESE} {_JAPANESE}".split(), key=len, reverse=True)
    whole = "|".join(_KOREAN.split())
    return re.compile(rf"{'|'.join(inside)}|\A(?:{whole})\Z")
