"""What kind of statement an English sentence is."""

import re
from functools import cache
from typing import NamedTuple


class Kind(NamedTuple):
    """The type of a statement and, where it gives a value of one, the attribute."""

    type: str
    attribute: str | None = None


_OPENING = re.compile(
    r"(?:(?:well|so|ok|okay|yes|yeah|yep|oh|hey|hi|hello|thanks|thank you|sure|btw|by the way|also|and"
    r"|but|actually|honestly|personally|fyi|note|in general|generally|overall|to be honest|no"
    r"|please note|for the record|just so you know)(?:[,:!;.-]+\s*|\s+(?=i\b|we\b|my\b|please\b)))+",
)
_HOW = (  # adverbs that may stand before a verb
    r"(?:really |also |just |still |always |never |usually |generally |normally |typically |often "
    r"|definitely |absolutely |totally |actually |truly |personally |mostly |especially |now "
    r"|particularly |already |currently |finally |recently |simply |strongly |much |quite |so "
    r"|sometimes |even |honestly |both |all |rather |very |kind of |unanimously |formally |jointly )*"
)
_I = rf"\b(?:i|we)(?: do)? {_HOW}"
_I_AM = rf"\b(?:i'm|i am|im|we're|we are) {_HOW}"
# What one likes in passing: what the other has just said, wears or does.
_PASSING = (
    r"(?!(?:to (?:hear|see|think|say|know|meet|talk)|how|when you|this|it|you|your|him|her|them"
    r"|that|the (?:idea|sound|look|way|vibe|new)|what|hearing|seeing|talking|chatting|and|each)\b)"
)

_PREFERENCE = (
    rf"{_I}(?:don't |do not |didn't |can't say i |tend to )?{_HOW}"
    rf"(?:prefer|favou?r|like|love|enjoy|hate|dislike|adore|loathe|detest|despise|care for) {_PASSING}",
    r"\bi(?:'d| would) (?:much |definitely |always )?(?:rather|prefer|sooner) ",
    rf"{_I}(?:can't|cannot|can not|couldn't) (?:stand|bear|live without|do without|function without) ",
    rf"{_I_AM}(?:not )?{_HOW}(?:a |an )?(?:big |huge |great |massive |total |real )?"
    r"(?:fan of|lover of|keen on|fond of|into|crazy about|partial to|obsessed with|hooked on"
    r"|passionate about|averse to|comfortable with|picky about)\b(?! (?:you|that|this|it)\b)",
    rf"{_I_AM}(?:more of )?(?:a|an) (?:\w+ )?(?:person|lover|addict|enthusiast|buff|junkie|owl|nut)\b",
    rf"{_I}(?:usually|always|normally|typically|generally|tend to|mostly|never|rarely|only|avoid)"
    r" (?:tend to )?(?:drink|eat|order|choose|pick|take|use|wear|listen|watch|read|buy|go for|opt for"
    r"|write|start|travel|fly|sit|cook|drive|sleep|book|eating|drinking|using|read)\b",
    rf"{_I}(?:have|had) (?:a|an|no) (?:strong |slight |clear )?(?:preference|soft spot|weakness|passion"
    r"|sweet tooth|thing) ?(?:for|of)?\b",
    r"\b(?:is|are|was|'s) (?:not )?(?:my|our) (?:all-time |absolute |personal )?"
    r"(?:favou?rites?|go-to|preference|thing|cup of tea|preferred)\b",
    r"\bof choice\b",
    r"\b(?:suits?|works?|fits?) (?:me|us) (?:best|better|well)\b",
    r"\b(?:works?|best|better|easier|ideal|perfect) (?:best |better )?for me\b(?! to)",
    r"^for me\b.*\b(?:better|best|over|than|beats?)\b",
    r"\b(?:what|which|that) (?:i|we) (?:really |most )?(?:like|love|enjoy|prefer|hate)\b",
    r"\bnothing beats\b",
    r"\bi(?:'d| would|'ll| will)? (?:always |rather |usually )*(?:choose|pick|take|go for) (?:\w+ ){1,6}over ",
    r"\bover (?:\w+ ){1,5}any (?:day|time)\b",
    r"\bi (?:like|love|hate|prefer|appreciate) it when\b",
    r"\bi appreciate (?!it|that|this|the|you|your|how|everything|all|any|him|her|them|having|hearing|and)[a-z]",
    r"\bi(?:'d| would) (?:like|want) (?:my|all|our) \w|\bi (?:want|like|need|take) my [a-z]+ (?!to\b|back)",
    r"\bi (?:find|think|believe|feel|consider) (?:that )?(?:\w+ ){1,5}?(?:much |far |a lot |way |more )*"
    r"(?:better|nicer|easier|tastier|superior|comfortable|enjoyable|relaxing|pleasant|prettier|cooler|clearer)"
    r" than\b",
    r"^[a-z' -]{2,30} over [a-z' -]{2,30}, (?:always|any day|every time|for me|please)\b",
    r"\bi swear by\b",
    r"\b(?:my|our) (?:usual|go-to|preferred|preference|pet peeve|guilty pleasure|taste)\b",
)
_FAVOURITE = re.compile(
    r"\bmy (?:all-time |absolute )?favou?rite (?P<what>\w+(?: \w+)?) (?:is|are|'s)\b"
)
_FAVOURITES = re.compile(r"\b(?:my|our) (?:all-time |absolute |new )?favou?rites?\b")

_KIN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|daughters?|sons?|kids?|child"
    r"|children|brothers?|sisters?|siblings?|twins?|mother|father|mom|mum|dad|parents|grandmother"
    r"|grandfather|grandma|grandpa|cats?|dogs?|pets?|puppy|puppies|kitten|parrot|rabbit|nephews?"
    r"|nieces?|aunt|uncle|cousins?|grandson|granddaughter|grandchildren|stepson|stepdaughter)"
)
_NO_TRADE = (  # "I'm a ..." that says how one feels or is just now
    r"(?!(?:an?|the) (?:bit|little|fan|huge|big|lot|few|mess|wreck|idiot|fool|firm|sucker|tad|great"
    r"|good|bad|happy|lucky|proud|sure|touch|work in progress|only one|one|same|way|best|worst"
    r"|stranger|true believer|believer)\b)"
)
_STATE = (
    r"(?:single|married|divorced|engaged|widowed|retired|vegetarian|vegan|pescatarian|left-handed"
    r"|right-handed|colou?r-?blind|deaf|blind|pregnant|diabetic|allergic to|intolerant|lactose"
    r"|gluten|celiac|coeliac|asthmatic|self-employed|unemployed|freelance|bilingual|trilingual"
    r"|autistic|dyslexic|gay|trans|transgender|nonbinary|non-binary|bisexual|lesbian|jewish|muslim"
    r"|christian|catholic|buddhist|hindu|atheist|american|british|english|scottish|irish|welsh|french"
    r"|german|italian|spanish|portuguese|chinese|japanese|korean|indian|canadian|australian|mexican"
    r"|brazilian|polish|dutch|swedish|norwegian|danish|finnish|russian|ukrainian|turkish|greek"
    r"|egyptian|nigerian|kenyan|vietnamese|thai|taiwanese|swiss|austrian|belgian|swedish)\b"
)
_NUMBER = (
    r"(?:\d{1,3}|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh"
    r"|nine)teen)"
)
# Pattern, and the attribute that it gives a value of.
_IDENTITY: tuple[tuple[str, str | None], ...] = (
    (
        r"\bi(?:'ve| have)? (?:just |recently |finally )?(?:moved|relocated) to"
        r" (?!the (?:next|other|back|front)|a |this|that)\w",
        "residence",
    ),
    (r"\bi play (?:the )?\w+ (?:in|for|at|on) (?:an?|the|my|our) \w", None),
    (rf"{_I}(?:study|studied|major in) [a-z]+(?:[.!,]|$| and\b)", None),
    (
        r"\bi(?:'ve| have) been \w+ing (?:\w+ )?(?:for (?:\w+ ){1,3}(?:years|decades)|since (?:19|20)\d\d)\b",
        None,
    ),
    (r"\bi (?:hold|have) (?:dual |double |british |us |eu )?(?:citizenship|nationality|passport)", None),
    (r"\bi have \w+ years of\b", None),
    (r"\bi (?:was|used to be) an? [a-z]+(?: \w+)? (?:before|until)\b", None),
    (
        r"\bi (?:joined|founded|co-founded) (?:the|this|our|my|a) "
        r"(?:company|firm|team|band|startup|club|army|navy|police)\b",
        None,
    ),
    (r"\bmy (?:full |real |given )?name(?:'s| is) ", "name"),
    (r"\bmy (?:last |first |middle |maiden )?(?:surname|nickname|name)(?:'s| is) ", None),
    (
        r"\b(?:i|we)(?:'m|'re| am| are)? (?:now |currently |still |both )?"
        r"(?:live|living|reside|residing) (?:alone |together )?(?:in|near|at|on|with|outside)\b",
        "residence",
    ),
    (
        rf"{_I_AM}(?:not )?(?:originally |now )?(?:from|based in|based out of|a native of|born)\b"
        r"(?! (?:here|there|this|that|it|you|the (?:start|beginning))\b)",
        None,
    ),
    (
        r"\b(?:i|we) (?:was|were) (?:born|raised|brought up)\b|\bborn and raised\b|\bi grew up\b",
        None,
    ),
    (rf"{_I_AM}{_NUMBER}(?: years? old| y/?o\b|[.!]|$)|\bi (?:just )?turned {_NUMBER}\b", "age"),
    (rf"{_I_AM}(?:not )?(?:a |an )?{_STATE}", None),
    (rf"{_I_AM}{_NO_TRADE}(?:an?|the) [a-z]", None),
    (
        rf"{_I}(?:work|worked|teach|study|studied|major in|majored in|graduated|volunteer|intern)"
        r" (?:\w+ )?(?:as|at|for|in|with|from|under)\b(?! (?:it|this|that|home|me|you|the moment)\b)",
        None,
    ),
    (rf"{_I}(?:studied|teach|study|coach) [a-z]+(?: \w+)? (?:at|in|to|for)\b", None),
    (
        rf"{_I}(?:run|own|manage|lead|founded|head) (?:an?|the|my own|our own|two|three) (?:\w+ )*?"
        r"(?:shop|store|company|business|bakery|restaurant|team|studio|startup|start-up|firm|farm|cafe"
        r"|agency|department|clinic|practice|school|gym|hotel|group)\b",
        None,
    ),
    (
        rf"\bmy {_KIN}(?:'s name)? (?:is|are|was|were)(?: called| named)? (?!so |very |doing|happy)\w",
        None,
    ),
    (
        rf"\bi(?: have|'ve got| have got|'ve) (?:an?|no|one|two|three|four|five|six|several|\d+) "
        rf"(?:\w+ )?(?:{_KIN}|degree|ph\.?d|master's|bachelor's|diploma|certification)\b",
        None,
    ),
    (rf"\b(?:have|got) (?:a|an|one|two|three|\d+) {_KIN} (?:called|named)\b", None),
    (
        rf"{_I}(?:speak|am fluent in) (?:fluent |some |a little |native )?[a-z]+"
        r"|\b(?:mother tongue|native language|first language)\b|\bi'm fluent in\b",
        None,
    ),
    (
        rf"{_I}(?:lived|worked|taught|served|studied|practi[sc]ed) (?:in|at|as|for|here)\b"
        rf"|{_I_AM}(?:studying|majoring in|training (?:as|to be)|doing (?:a|my) (?:phd|master'?s|residency|degree))\b"
        r"(?! (?:for (?:the|my|an?) (?:test|exam|final)|hard|all|now|late)\b)",
        None,
    ),
    (
        r"\bi (?:have|suffer from|live with|got) (?:a |an |chronic |severe |mild |bad )*(?:type \w+ )?(?:diabetes|asthma"
        r"|adhd|autism|dyslexia|c[oe]+liac|epilepsy|arthritis|eczema|insomnia|anxiety|migraines?|disabilit\w+"
        r"|allerg\w+|condition|hearing loss|astigmatism|high blood pressure)\b",
        None,
    ),
    (rf"\bmy {_KIN} (?:works?|lives?|teaches|teach|stud(?:y|ies)|runs?|owns?|comes? from|was born|were born)\b", None),
    (r"^as an? (?!result|rule|matter|whole|kid|child|team|family|reminder|bonus|side|last|first|test)[a-z]+(?: \w+)?, i\b", None),
    (r"\bi (?:retired|was discharged|emigrated|immigrated) (?:from|to|in)\b", None),
    (r"\bmy birthday(?:'s| is) ", "birthday"),
    (
        r"\bmy (?:age|job|profession|occupation|job title|title|role|e-?mail(?: address)?|phone(?: number)?"
        r"|address|pronouns|hometown|home town|nationality|zodiac sign|star sign|blood type|height|weight"
        r"|employer|time ?zone|background|major|degree|ethnicity|religion|faith|family name)"
        r"(?:'s| is| are|:) ",
        None,
    ),
    (
        r"\bi(?:'ve| have) been (?:an? |the |working |living |teaching |practi[sc]ing |employed |married )"
        r"(?!bit|lot|little|while|fan|long|busy|great|good|tough)",
        None,
    ),
    (r"\bi (?:hold|have|got) (?:a|an|my) (?:\w+ )?(?:degree|phd|doctorate|licen[cs]e)\b", None),
    (
        r"\bi (?:served in|belong to|come from|moved here from|was diagnosed with|identify as)\b",
        None,
    ),
)
_OWN_NAME = re.compile(
    r"(?:\A|[,!.] )(?:I'm|I am|[Tt]his is) (?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
    r"(?= here\b|,? (?:and|the|from|a|an|your|I)\b|[,.!]|\Z)"
)

_NO_ORDER = re.compile(  # what people tell each other to do, and do not mean as an order
    r"(?:don't|do not|never) (?:worry|be |mind|mention|forget to (?:have|take care|enjoy)|give up|stop"
    r"|hesitate|lose|sweat|get me wrong|let|feel|fear|know|think|tell me"
    r"|underestimate|doubt|overdo|work too|ever |miss |settle|say never|saw |beat yourself|look back|quit|fret)"
    r"|(?:always|never) (?:\w+ing|happy|glad|here|good|great|nice|fun|a|an|the|been|so|love[sd]?|too|again"
    r"|remember|wanted|had|felt|thought|in|at|there|up|something)\b"
    r"|(?:check (?:it|this|them|that|out)|send (?:my|him|her|them|everyone|love|pics?|photos?|me (?:pics?"
    r"|photos?|some)|a pic)|give (?:my|him|her|yourself|them|it|me a (?:shout|call|ring))|show me|show us"
    r"|make (?:yourself|it|memories|the most|some)|add me|call me (?:later|back|when|if|any|crazy|tomorrow"
    r"|tonight|soon)|follow your|start (?:\w+ing|your|small)|stop (?:it|by|worrying)|keep (?:it|up|going|on"
    r"|me (?:posted|updated)|in|your (?:chin|head|spirits)|\w+ing|that|at|rocking|the (?:faith|good|great|spirit|vibes|momentum|dream|fire|passion|energy|awesome|amazing))|set (?:your|yourself)|put your"
    r"|leave it|return|close|say hi|print|book (?:it|club)|check in|wait (?:for it|a|until|till|and)"
    r"|remember (?:when|how|that|what|the|our|to (?:have|enjoy|breathe|rest|take|be|smile|relax))"
    r"|speak to you|talk to you|create (?:those|memories|some memories|your own)|make sure (?:yours?|you(?:'re)?) (?:stand|have fun|enjoy|take"
    r" care|get some|rest|is|are)|post (?:it|pics?|photos?)|share (?:it|your|pics?|photos?|some)|open (?:your|up)|turn (?:it|up)"
    r"|don't forget to (?:take|prepare|dance|have|smile)|get|take|go|come|enjoy|have|hang|hold|stay|rest|relax|tell me|let(?! me know (?:before|whenever|every|each|as soon|immediately))|see|look|listen|guess|imagine)\b"
)
_ORDER = (
    r"(?:use|write|reply|answer|respond|run|format|add|avoid|include|exclude|commit|push|deploy|ask|notify"
    r"|store|save|log|translate|summari[sz]e|cite|limit|return|name|put|check|test|review|confirm|send"
    r"|remind|schedule|set|show|give|provide|list|explain|speak|email|e-mail|ping|tag|assign|wrap|indent"
    r"|prefix|round|convert|quote|mark|label|sort|delete|remove|rename|back up|restart|stop|start|skip"
    r"|ignore|treat|refer|stick to|follow|consult|verify|validate|double-check|escape|encrypt|mask"
    r"|redact|replace|merge|rebase|squash|document|comment|publish|post|upload|download|install|update"
    r"|upgrade|monitor|alert|escalate|report|record|omit|leave|cc|copy|attach|sign|address|pay|order|book"
    r"|turn|close|lock|open|print|draft|generate|create|make|output|present|structure|split|shorten"
    r"|simplify|proofread|correct|fix|refactor|implement|wait|prioriti[sz]e|restrict|default|keep|call"
    r"|contact|inform|warn|read|tell|help|do|don't|do not|never|always|only|be|start|end|begin|spell"
    r"|express|display|describe|phrase|forward|share|prefer|assume|consider|let|talk|work|stay|charge)"
)
_HOW_TO_BE = (
    r"(?:concise|brief|short|polite|formal|informal|precise|specific|consistent|terse|direct|neutral|strict"
    r"|succinct|professional|casual|thorough|careful (?:with|when|not))"
)
_INSTRUCTION = (
    rf"^(?:always|never) (?:{_ORDER}|\w+) \w",
    r"^(?:don't|do not|dont) \w+ \w",
    r"^please,? (?!excuse|forgive|wait\b|hold|accept|let me know|feel free|tell me|take|join|come|sit|have"
    r"|go\b|enjoy|pass my|pray|wish|send my|give my|share more|keep me|stop\b$)(?:always |never |do not "
    r"|don't |only )?[a-z]+ \w",
    rf"^{_ORDER} .*,? please\b",
    r"^(?:please )?(?:make sure|be sure|ensure|remember to|don't forget to|do not forget to|see to it)\b",
    r"^(?:from now on|going forward|in (?:the )?future|henceforth|by default|at all times|under no"
    rf" circumstances|starting (?:today|now|tomorrow)),? (?:please |you |always |never )?(?:must |should )?{_ORDER}\b",
    rf"^{_ORDER}\b.*\b(?:from now on|going forward|in (?:the )?future|at all times|every time|by default)\b",
    r"\byou (?:must|shall|are not to|are never to|should always|should never|must not|may not|mustn't"
    r"|need to always|always have to|have to always)(?: not| always| never)? "
    r"(?!be\b|have\b|feel|love|miss|know|think)\w+",
    rf"\byou (?:should|have to|need to|are to|shouldn't|can't|cannot|are expected to)(?: not)? "
    rf"(?:only |first )?{_ORDER}(?<!be)(?<!get)(?<!do)(?<!give)(?<!keep)(?<!make)(?<!start)(?<!read)(?<!check)"
    r"(?<!stay)(?<!let)(?<!share)(?<!talk)(?<!work)(?<!post)(?<!try)(?<!put)(?<!tell)(?<!consider)"
    r"(?<!call)(?<!show)(?<!book) \w",
    r"^(?:when|whenever|if|before|after|unless|until|once|every time|in case|for (?:each|every|all|any))\b"
    rf"[^,]+, (?:then |please |you (?:must|should) )?(?:always |never |first )?{_ORDER}\b"
    r"(?! (?:me know|the good|it|up|going|in touch|yourself)\b)",
    rf"^(?:please )?(?:be|keep|stay|make) (?:it |(?:your |all |the )?(?:\w+ )?(?:answers?|replies|responses?"
    rf"|messages?|summar(?:y|ies)|commits?|comments?|functions?|code|sentences?|paragraphs?|explanations?"
    rf"|titles?|names?|emails?|reports?|output) )?(?:as )?{_HOW_TO_BE}\b",
    r"^keep (?:your |all |the )?(?:\w+ )?(?:answers?|replies|responses?|messages?|summar(?:y|ies)|commits?"
    r"|comments?|functions?|sentences?|paragraphs?|explanations?|titles?|reports?|output|code|lines)\b",
    r"\b(?:call me|address me as|refer to me as) (?!later|back|when|if|any|crazy|tomorrow|tonight|soon|out)",
    r"^no (?!worries|problem|way|idea|doubt|one|need|matter|wonder|kidding|rush|pressure|thanks)\w+"
    r"(?: \w+)* (?:please|in|on|before|after|without|unless|ever|allowed|at)\b",
    r"^(?!i\b|we\b|it\b|that\b|this\b|you\b|there\b)(?:\w+ ){1,6}(?:must|should|shall|has to|have to|need"
    r" to|needs to|may)(?: always| never| not| only)* be (?:\w+ly )?\w+(?:ed|en|pt|nt|lt)\b",
    r"\bi (?:want|need|expect|require)(?: for)? you to (?!know|be happy|have)\w+",
    r"\bi(?:'d| would) (?:like|appreciate|prefer) (?:it if )?you (?:to|could|would)? ?(?!know)\w+",
    r"^let me know (?:before|whenever|every time|each time|as soon as|immediately)\b",
    r"^(?!i\b|we\b|it\b|that\b|this\b|you\b|there\b)(?:\w+ ){1,6}(?:must|should|shall|has to|have to|need"
    r" to|needs to|may)(?: always| never| not| only)* (?:be (?:no |not |at most|at least|under|less|within|in |short"
    r"|brief|concise|lower|upper)|(?:include|contain|use|follow|start with|end with|fit|match|pass|exceed|return) )",
    r"^stop (?!worrying|by|being|doubting|comparing|overthinking|thinking|apologi|kidding|playing)\w+ing \w",
    r"^(?:please )?only (?!if|when|because|the|a|an|one|two|three|time|you|thing|a few|just|that|then|in|for|i|my|so"
    r"|\d)[a-z]+ \w",
    r"^(?:before|after|when|whenever|while) (?:you )?\w+(?:ing)?\b[^,]*, (?:take|turn|switch|drop|bring|try|go back"
    r"|click|press|pick|build|lint|get|clean|clear|wipe) (?!care|your|it easy)\w",
    r"^(?:your (?:job|task) is to|it is forbidden to|it's forbidden to)\b",
)
_PLAIN_ORDER = re.compile(rf"^(?:only |first )?{_ORDER} (?P<rest>\w.*)")
# Of verbs that are in wishes and cheers as well, only a longer order, of something, is one.
_ORDERED_BY = 4
_NO_OBJECT = frozenset(
    "it that this them us you your yourself my me in up on out off some to with and a an".split()
)
_WISHES = frozenset(
    "luck fun break rest care day night weekend trip safe soon later dream dreams heart life moment"
    " moments spirit faith you yourself love hope happy smile world difference together self goals"
    " positive strong passion".split()
)
_UNORDERED = frozenset(
    "help do be call talk work stay share let tell read consider default put leave charge only always"
    " never don't start stop make keep give show set check post wait end begin turn open close test work"
    " pay book love order name mark sign report record help".split()
)

_WHO_DECIDES = (
    r"(?:i|we|they|he|she|everyone|everybody|(?:the |our |my )(?:\w+ )?(?:team|board|committee|council"
    r"|management|company|group|client|customer|family|wife|husband|boss|manager|cto|ceo|department|others"
    r"|parents|class|club|partners?|owners?|staff)|management)"
)
_MAKES_CHANGE = (
    r"(?:drop|use|move(?! (?:on|forward|up)\b)|migrate|switch|adopt|quit|renew|buy|sell|replace|ship|launch|hire|rewrite|retire"
    r"|deprecate|cancel|postpone|delay|choose|go with|go for|accept|reject|resign|invest|build|open|merge"
    r"|expand|close|stop|discontinue|standardi[sz]e|outsource|release|roll (?:out|back)|phase out"
    r"|stick (?:with|to)|support|hold (?:the|our|weekly|daily)|keep using (?!my|our)|keep the|pay for|take the"
    r"|learn|apply for|leave|sign|join|charge|freeze|abandon|upgrade|rename|split|cut|raise|license"
    r"|train|host|run|store|schedule|skip|pick|sponsor|fund|organi[sz]e|introduce|implement|deploy|reduce|increase"
    r"|ban|recruit|redesign|extend|pilot|double|automate|consolidate|shut down|shut|cap|require|allow|bill|get rid of|let go of|proceed|start using|begin using)"
)
_IDLE = (
    r"(?! (?:a |an |the |some |my |your )?(?:you|touch|break|nap|shower|walk|bath|look|rest|peek|call"
    r"|in touch|it up|up|this|that|now|soon|here|home|early|late|one day|minute|moment)\b)"
)
_DECISION = (
    rf"\b{_WHO_DECIDES}(?: have| has| had|'ve|'s)? ?{_HOW}(?:decided\b|(?:agreed|settled|opted|concluded"
    r"|resolved|voted|committed) (?:to|on|that|for|against|in favou?r|not|upon)\b)",
    rf"\b(?:we|the team|the company|management)(?:'re| are| is) {_HOW}not (?:going to|gonna)\b{_IDLE}",
    r"\b(?:i|we) (?:\w+ )?ended up (?:\w+ly )?(?:choosing|going|picking|buying|using|taking|selecting|hiring)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:finally |already |just |both )?(?:accepted|declined|turned down|rejected|signed up for"
    r"|cancel+ed) (?:the|an?|our|my|their)\b",
    r"\b(?:i'm|i am|we're|we are) (?:leaving|quitting) (?:the|my|our) (?:job|company|team|project|band|city|firm)\b",
    r"^(?:starting|from|as of|effective) [\w ]{3,24},? (?:we|the team|the company|everyone|all)(?:'ll| will)?\b",
    rf"\b{_WHO_DECIDES}(?: have| has| had|'ve|'s)? ?{_HOW}(?:chose|chosen|picked|approved|rejected|selected"
    r"|elected|went with|gone with|ruled out|adopted|signed off)\b(?! (?:up|on|it up|at)\b)(?<!'s adopted)(?! (?:a|an|this|him|her|two) (?:\w+ )*?(?:pup|puppy|dog|cat|kitten|child|baby|pet)\b)",
    r"^let's (?:not )?(?:all |just |now |both )?(?:go with|go for the|use|stick (?:with|to)|stay with|switch|move (?:to|the|our)"
    r"|adopt|drop|pick|choose|keep (?:the|using|our (?:weekly|daily|monthly))|ship|launch|postpone|delay|cancel|migrate|skip"
    r"|hire|buy|sell|replace|rename|release|rewrite|start with|set (?:the|a|up the)|schedule|hold (?:the|our)|remove|target"
    r"|merge|split|build|outsource|invest|upgrade|deploy|standardi[sz]e|proceed|do (?!it|this|that|lunch|dinner|coffee)\w)\b"
    r"(?!.*\b(?:each other|together|our dreams|touch|difference)\b)",
    r"^(?:the |our |my |final )*(?:decision|decided|resolution|resolved|verdict|conclusion|outcome|agreed)"
    r"(?: made| taken)?\s?[:-]",
    r"\bit (?:was|has been|is|'s been) (?:finally |officially )?(?:decided|agreed|settled|resolved|approved)\b",
    rf"\b(?:we're|we are|the team is|the company is|i'm|i am|they're) {_HOW}(?:not )?(?:switching|moving"
    r"|migrating|going with|dropping|adopting|replacing|discontinuing|deprecating|cancel(?:l)?ing|postponing"
    r"|rolling (?:back|out)|sticking with|standardi[sz]ing|phasing out|quitting|resigning|abandoning"
    r"|upgrading|renaming|merging|closing down|shutting down|selling|hiring)\b",
    rf"(?:\bwe're|\bwe are|\bi'm|\bi am|\bthe team is|\bthe company is) {_HOW}(?:not )?(?:going to|gonna)"
    rf" {_HOW}{_MAKES_CHANGE}\b{_IDLE}",
    rf"\b(?:we|the team|the company|they)(?:'ll| will| won't| shall)(?: not| no longer)? {_HOW}"
    rf"(?:not )?{_MAKES_CHANGE}\b{_IDLE}",
    rf"\bi(?:'ll| will| won't) (?:not |no longer |definitely )?(?:go with|stick with|take the (?:job|offer|\w+er"
    rf"|second|first|other)|accept the|choose|pick the|switch to|quit (?:my|the|smoking|drinking)|resign|renew|use|buy|move to)\b{_IDLE}",
    r"^it's (?:settled|decided|official|final)\b|^that's settled\b",
    r"\bthe (?:plan|decision|choice|consensus|agreement|idea now) (?:is|was) (?:to|that|for)\b",
    r"\b(?:our|my|the) (?:final )?(?:choice|decision|pick|verdict) (?:is|was|fell)\b",
    r"\b(?:made|make) up (?:my|our|her|his|their) minds?\b|\b(?:came to|reached) (?:the|an|a) (?:decision"
    r"|agreement|conclusion|consensus)\b|\bmade (?:the|a|my|our) (?:\w+ )?(?:decision|choice) (?:to|that|of)\b",
    r"\b(?:we|i)(?:'ve| have)? (?:finally )?(?:went with|gone with|landed on|cancel+ed|scrapped|signed off on|finali[sz]ed|nailed down|locked in)\b",
)
_UNDECIDED = re.compile(
    r"\b(?:maybe|perhaps|might|not sure|undecided|should we|thinking (?:about|of)|considering|if we|if i"
    r"|haven't|hasn't|hadn't|not yet|can't decide|still deciding|agreed with)\b"
)

_PLACES = frozenset(
    "server servers port host hostname database db cluster repo repository branch endpoint api os runtime path"
    " directory folder region bucket container vm machine laptop workstation desktop editor ide shell network"
    " proxy vpn firewall deploy deployment staging production prod registry queue cache cdn domain dns gateway"
    " backend frontend codebase pipeline ci kernel compiler interpreter config configuration environment env"
    " virtualenv service app website project build cron webhook test tests docs stack infrastructure storage"
    " disk gpu cpu ram monitor router python node linux ubuntu debian windows macos aws azure gcp docker"
    " kubernetes postgres mysql redis github gitlab".split()
)
_LETTERS = re.compile("[a-z]+")
_VALUE = (  # a figure, a path, an address, a name
    r"(?:[\w.-]*\d[\w.:-]*|/[\w./-]+|~/[\w./-]+|https?://\S+|[\w-]+\.[a-z]{2,5}\b|[A-Z]\w+)"
)
_ENVIRONMENT = re.compile(
    r"\b(?:is|are|runs?|uses?|listens?|lives?|points?|has|have|sits?|resides?|requires?|expects?|stores?"
    r"|connects?|expires?|resets?|deploys?|host|develop|builds?|keep|on|at|in|=)"
    rf"(?: [a-z]+){{0,4}} {_VALUE}"
)
_FIGURE = re.compile(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december|monday"
    r"|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight)\b"
)
_EVENT = re.compile(  # what happened to whom, once
    rf"\b(?:i|we|my {_KIN}) {_HOW}(?:have |has |'ve )?(?:bought|sold|moved (?:to|from|into|out)|adopted|joined|graduated|married"
    r"|divorced|founded|launched|published|signed up|enrol+ed|visited|travel+ed|flew|hired|fired|broke my|inherited"
    r"|(?:was|were|got) (?:promoted|married|engaged|divorced|hired|fired|diagnosed|accepted|admitted|laid off|robbed"
    r"|injured)|got (?:a|an|my|our) (?:new )?(?:job|dog|cat|car|promotion|degree|puppy|kitten|licen[cs]e|visa|raise|offer)"
    r"|started (?:a|an|my|our|working|learning|taking|playing|studying|teaching)|finished (?:my|the|our|writing|reading)"
    r"|completed|passed (?:my|the)|failed (?:my|the)|won (?:a|an|the|my|our|first|second)|lost (?:my|our|the)|became"
    r"|deployed|installed|upgraded|fixed|released|migrated|merged|configured|created|opened a|retired|quit my)\b"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|costs?|takes?|has|have|starts?|ends?|opens?|closes?|begins?|runs?|expires?"
    r"|weighs?|measures?|holds?|lasts?|arrives?|leaves?|departs?|happens?|contains?|needs?|pays?|paid"
    r"|due|scheduled|moved|rose|fell|grew|set|=|will be)\b"
)


# Words without one of which a sentence is none of its kind: a set is seen sooner than a pattern.
_DECIDES = frozenset(
    "decided decision agreed settled opted concluded resolved voted committed chose chosen picked approved"
    " rejected selected elected went gone ruled adopted signed let resolution verdict conclusion outcome"
    " switching moving migrating going dropping adopting replacing discontinuing deprecating cancelling canceling"
    " postponing rolling sticking standardizing standardising phasing quitting resigning abandoning upgrading"
    " renaming merging closing shutting selling hiring gonna ll will won shall settled final official finalized finalised nailed locked plan choice consensus agreement"
    " idea pick fell made make came ended accepted declined turned leaving starting from effective reached landed cancelled canceled scrapped".split()
)
_PREFERS = frozenset(
    "prefer favor favour like love enjoy hate dislike adore loathe detest despise care rather sooner stand bear"
    " without fan lover keen fond into crazy partial obsessed hooked passionate averse comfortable picky person"
    " addict enthusiast buff junkie owl nut usually always normally typically generally tend mostly never rarely"
    " only avoid preference spot weakness passion tooth thing favourite favorite favourites favorites go tea"
    " preferred choice suits suit works work fits fit best better easier ideal perfect beats swear usual peeve"
    " pleasure taste over than when appreciate want need take my".split()
)


@cache
def _tables() -> tuple[re.Pattern[str], ...]:
    tables = (_DECISION, _INSTRUCTION, _PREFERENCE, tuple(p for p, _ in _IDENTITY))
    return tuple(re.compile("|".join(table)) for table in tables)


@cache
def _attributes() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), name) for pattern, name in _IDENTITY if name)


def kind_of(sentence: str) -> Kind | None:
    """Return what kind of statement *sentence* is, or None for none that is known.

    A question is for the caller to leave out.
    """
    low = sentence.lower()
    opening = _OPENING.match(low)
    start = opening.end() if opening else 0
    said = low[start:]
    decision, instruction, preference, identity = _tables()
    words = set(_LETTERS.findall(said))
    if not _DECIDES.isdisjoint(words) and decision.search(said) and not _UNDECIDED.search(said):
        return Kind("decision")
    if _is_order(said, instruction, words):
        return Kind("instruction")
    if not _PREFERS.isdisjoint(words) and (preference.search(said) or _FAVOURITES.search(said)):
        return Kind("preference", _favourite(said))
    own_name = _OWN_NAME.search(sentence[start:])
    if own_name is not None and own_name["name"].split()[0].lower() not in _FEELINGS:
        return Kind("identity", "name")
    if not _OF_ONESELF.isdisjoint(words) and identity.search(said):
        return Kind("identity", _attribute(said))
    return _of_the_world(sentence[start:], said, words)


_OF_ONESELF = frozenset("i im my we our born raised mother native first have got as".split())
_FEELINGS = frozenset(
    "good great fine ok okay happy sorry sure back here home done ready glad".split()
)


# Words that begin no order; what begins with them may still say what must be, or what "you" are to do.
_NO_OPENING = frozenset(
    "i i'm i've i'll i'd im we we're we've we'll it it's that that's this there there's they they're he he's she"
    " she's my our his her their the a an you you're you've your some these those what who and but because".split()
)
_OBLIGES = frozenset("must should shall may need needs me you has have".split())


def _is_order(said: str, instruction: re.Pattern[str], words: set[str]) -> bool:
    first = said.partition(" ")[0]
    if first in _NO_OPENING and _OBLIGES.isdisjoint(words):
        return False
    bare = said.removeprefix("please ").removeprefix("please, ")
    if _NO_ORDER.match(bare):
        return False
    if instruction.search(said):
        return True
    plain = _PLAIN_ORDER.match(said)
    if plain is None:
        return False
    rest = plain["rest"].split()
    if first not in _UNORDERED:
        return len(rest) > 1
    return len(rest) >= _ORDERED_BY and rest[0] not in _NO_OBJECT and words.isdisjoint(_WISHES)


def _favourite(said: str) -> str | None:
    found = _FAVOURITE.search(said)
    return f"favourite {found['what']}" if found else None


def _attribute(said: str) -> str | None:
    return next((name for pattern, name in _attributes() if pattern.search(said)), None)


def _of_the_world(sentence: str, said: str, words: set[str]) -> Kind | None:
    is_of_you = "you" in words or "your" in words
    if not is_of_you and not _PLACES.isdisjoint(words) and _ENVIRONMENT.search(sentence):
        return Kind("environment")
    if not words.isdisjoint(_OF_ONESELF) and _EVENT.search(said):
        return Kind("fact")
    if _FIGURE.search(said) and _STATES.search(said):
        return Kind("fact")
    return None
