"""Words that leave a query because they say how it is asked, not what it is about."""

import re
from functools import cache

from agent_memory_os.pure.stem import stem

# Not here: "may" (a month), and every word of another language that is an English content word
# ("die", "son", "pour", "come", "sin", "main").
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
_SPANISH = """
el los las un una unos unas de del al y que en con por para se lo le les su sus mi mis tu tus
es son era fue está están ha han hay qué quién cuál cuáles cuándo dónde cómo cuánto este esta
estos estas ese esa eso como pero más muy ya
"""
_FRENCH = """
le la les un une des du de et est sont était dans sur avec pour que qui quoi quel quelle quels
quelles quand où ce cet cette ces il elle ils elles nous vous je tu mon ma mes ton ta tes sa ses
leur leurs au aux ne pas plus mais dont
"""
_GERMAN = """
der das den dem des ein eine einen einem einer eines und ist sind waren wird werden wurde
wurden zu mit von für auf im ich du er sie es wir ihr mein meine dein deine sein seine nicht
auch aber oder wie wer wo wann warum welche welcher welches sich nach bei
"""
_ITALIAN = """
il lo gli una uno di da del della dei delle degli nel nella con che chi cosa quando dove perché
è sono era questo questa questi queste suo sua mio mia non più anche
"""
_PORTUGUESE = """
os um uma uns umas do dos das no na nos nas em ao aos pela pelo com que quem qual quais quando
onde como é são foi está este esta isso não mais mas seu sua meu minha
"""
_RUSSIAN = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот
от меня о из ему теперь когда даже ну ли если или быть был него до вас нибудь где кто какой
какая какие это этот эта эти для мы
"""
_KOREAN = "무엇 언제 어디 어디에 어디서 누구 누가 왜 어떻게 무슨 어떤 이 그 저"

# Cut out of a run before its bigrams are made: longest first, so that a part of a longer one
# does not win.
_CHINESE = """
什么时候 甚麼時候 什麼時候 是什么 是什麼 为什么 為什麼 有什么 有什麼 叫什么 叫什麼 什么样 什麼樣
什么 什麼 甚麼 哪一年 哪一个 哪一個 哪一 哪些 哪里 哪裡 在哪里 在哪裡 哪儿 哪兒 在哪 哪个 哪個 哪位 哪年 哪
谁 誰 怎么样 怎麼樣 怎么 怎麼 怎样 怎樣 如何 为何 為何 何时 何時 何地 何人 多少 多久 几个 幾個 是否
请问 請問 吗 嗎 呢 吧 啊 呀 的 了 是
"""
_JAPANESE = """
いつ どこ だれ 誰 なぜ どうして どの どんな どう 何 ですか ますか でしょうか でした です ます とは
"""

_SPACED = (_ENGLISH, _SPANISH, _FRENCH, _GERMAN, _ITALIAN, _PORTUGUESE, _RUSSIAN, _KOREAN)


@cache
def stop_terms() -> frozenset[str]:
    """Return the stop words of languages that put spaces between words, as index terms."""
    words = " ".join(_SPACED).split()
    return frozenset(stem(word) if word.isascii() else word for word in words)


@cache
def unspaced_stops() -> re.Pattern[str]:
    """Return a pattern that matches the stop words inside a Chinese or Japanese run."""
    words = sorted(f"{_CHINESE} {_JAPANESE}".split(), key=len, reverse=True)
    return re.compile("|".join(words))
