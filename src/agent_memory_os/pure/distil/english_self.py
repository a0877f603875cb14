"""What people say of themselves in English, as patterns: what they like, and who they are."""

import re

OPENING = re.compile(
    r"(?:(?:well|so|ok|okay|yes|yeah|yep|oh|hey|hi|hello|thanks|thank you|sure|btw|by the way|also"
    r"|and|but|actually|honestly|personally|fyi|note|in general|generally|overall|to be honest|no"
    r"|please note|for the record|just so you know)(?:[,:!;.-]+\s*|\s+(?=i\b|we\b|my\b"
    r"|please\b)))+",
)
HOW = (  # adverbs that may stand before a verb
    r"(?:really |also |just |still |always |never |usually |generally |normally |typically |often "
    r"|definitely |absolutely |totally |actually |truly |personally |mostly |especially |now "
    r"|particularly |already |currently |finally |recently |simply |strongly |much |quite |so "
    r"|sometimes |even |honestly |both |all |rather |very |kind of |unanimously |formally |jointly"
    r" )*"
)
SPEAKS = rf"\b(?:i|we)(?:'ve| have)?(?: do)? {HOW}"
I_AM = rf"\b(?:i'm|i am|im|we're|we are) {HOW}"
# What one likes in passing: what the other has just said, wears or does.
PASSING = (
    r"(?!(?:to (?:hear|see|think|say|know|meet|talk)|how|when you|this|it|you|your|him|her|them"
    r"|that|the (?:idea|sound|look|way|vibe|new)|what|hearing|seeing|talking|chatting|and|each)\b)"
)
PREFERENCE_BEGINS = (
    r"(?:\b(?:i|we|my|our|im|is|are|was|of|suits?|works?|fits?|best|better|easier|ideal|perfect|for"
    r"|what|which|that|nothing|over)\b|'s|^)"
)
PREFERENCE = (
    rf"{SPEAKS}(?:don't |do not |didn't |can't say i |tend to )?{HOW}(?:prefer|favou?r|like|love"
    rf"|enjoy|hate|dislike|adore|loathe|detest|despise|care for) {PASSING}",
    r"\bi(?:'d| would) (?:much |definitely |always )?(?:rather|prefer|sooner) ",
    rf"{SPEAKS}(?:can't|cannot|can not|couldn't) (?:stand|bear|live without|do without|function"
    rf" without) ",
    rf"{I_AM}(?:not )?{HOW}(?:a |an )?(?:big |huge |great |massive |total |real )?"
    r"(?:fan of|lover of|keen on|fond of|into|crazy about|partial to|obsessed with|hooked on"
    r"|passionate about|averse to|comfortable with|picky about)\b(?! (?:you|that|this|it)\b)",
    rf"{I_AM}(?:more of )?(?:a|an) (?:\w+ )?(?:person|lover|addict|enthusiast|buff|junkie|owl"
    rf"|nut)\b",
    rf"{SPEAKS}(?:usually|always|normally|typically|generally|tend to|mostly|never|rarely|only"
    rf"|avoid)"
    r" (?:tend to )?(?:drink|eat|order|choose|pick|take|use|wear|listen|watch|read|buy|go for|opt"
    r" for|write|start|travel|fly|sit|cook|drive|sleep|book|eating|drinking|using|read)\b",
    rf"{SPEAKS}(?:have|had) (?:a|an|no) (?:strong |slight |clear )?(?:preference|soft spot|weakness"
    rf"|passion"
    r"|sweet tooth|thing) ?(?:for|of)?\b",
    r"\b(?:is|are|was|'s) (?:not )?(?:my|our) (?:all-time |absolute |personal )?(?:favou?rites?"
    r"|go-to|preference|thing|cup of tea|preferred)\b",
    r"\bof choice\b",
    r"\b(?:suits?|works?|fits?) (?:me|us) (?:best|better|well)\b",
    r"\b(?:works?|best|better|easier|ideal|perfect) (?:best |better )?for me\b(?! to)",
    r"^for me\b.*\b(?:better|best|over|than|beats?)\b",
    r"\b(?:what|which|that) (?:i|we) (?:really |most )?(?:like|love|enjoy|prefer|hate)\b",
    r"\bnothing beats\b",
    r"\bi(?:'d| would|'ll| will)? (?:always |rather |usually )*(?:choose|pick|take|go for) (?:\w+"
    r" ){1,6}over ",
    r"\bover (?:\w+ ){1,5}any (?:day|time)\b",
    r"\bi (?:like|love|hate|prefer|appreciate) it when\b",
    r"\bi appreciate (?!it|that|this|the|you|your|how|everything|all|any|him|her|them|having"
    r"|hearing|and)[a-z]",
    r"\bi(?:'d| would) (?:like|want) (?:my|all|our) \w|\bi (?:want|like|need|take) my [a-z]+"
    r" (?!to\b|back)",
    r"\bi (?:find|think|believe|feel|consider) (?:that )?(?:\w+ ){1,5}?(?:much |far |a lot |way "
    r"|more )*(?:better|nicer|easier|tastier|superior|comfortable|enjoyable|relaxing|pleasant"
    r"|prettier|cooler|clearer) than\b",
    r"^[a-z' -]{2,30} over [a-z' -]{2,30}, (?:always|any day|every time|for me|please)\b",
    r"\bi swear by\b",
    r"\b(?:my|our) (?:usual|go-to|preferred|preference|pet peeve|guilty pleasure|taste)\b",
)
FAVOURITE = re.compile(
    r"\bmy (?:all-time |absolute )?favou?rite (?P<what>\w+(?: \w+)?) (?:is|are|'s)\b"
)
FAVOURITES = re.compile(r"\b(?:my|our) (?:all-time |absolute |new )?favou?rites?\b")
PREFERS = frozenset(
    "prefer favor favour like love enjoy hate dislike adore loathe detest despise care rather"
    " sooner stand bear without fan lover keen fond into crazy partial obsessed hooked passionate"
    " averse comfortable picky person addict enthusiast buff junkie owl nut usually always normally"
    " typically generally tend mostly never rarely only avoid preference spot weakness passion"
    " tooth thing favourite favorite favourites favorites go tea preferred choice suits suit works"
    " work fits fit best better easier ideal perfect beats swear usual peeve pleasure taste over"
    " than when appreciate want need take my".split()
)
KIN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|daughters?|sons?|kids?|child"
    r"|children|brothers?|sisters?|siblings?|twins?|mother|father|mom|mum|dad|parents|grandmother"
    r"|grandfather|grandma|grandpa|cats?|dogs?|pets?|puppy|puppies|kitten|parrot|rabbit|nephews?"
    r"|nieces?|aunt|uncle|cousins?|grandson|granddaughter|grandchildren|stepson|stepdaughter)"
)
NO_TRADE = (  # "I'm a ..." that says how one feels or is just now
    r"(?!(?:an?|the) (?:bit|little|fan|huge|big|lot|few|mess|wreck|idiot|fool|firm|sucker|tad|great"
    r"|good|bad|happy|lucky|proud|sure|touch|work in progress|only one|one|same|way|best|worst"
    r"|stranger|true believer|believer)\b)"
)
STATE = (
    r"(?:single|married|divorced|engaged|widowed|retired|vegetarian|vegan|pescatarian|left-handed"
    r"|right-handed|colou?r-?blind|deaf|blind|pregnant|diabetic|allergic to|intolerant|lactose"
    r"|gluten|celiac|coeliac|asthmatic|self-employed|unemployed|freelance|bilingual|trilingual"
    r"|autistic|dyslexic|gay|trans|transgender|nonbinary|non-binary|bisexual|lesbian|jewish|muslim"
    r"|christian|catholic|buddhist|hindu|atheist|american|british|english|scottish|irish|welsh"
    r"|french|german|italian|spanish|portuguese|chinese|japanese|korean|indian|canadian|australian"
    r"|mexican|brazilian|polish|dutch|swedish|norwegian|danish|finnish|russian|ukrainian|turkish"
    r"|greek|egyptian|nigerian|kenyan|vietnamese|thai|taiwanese|swiss|austrian|belgian|swedish)\b"
)
NUMBER = (
    r"(?:\d{1,3}|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?)|one|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh"
    r"|nine)teen)"
)
# Pattern, and the attribute that it gives a value of.
IDENTITY_BEGINS = r"\b(?:i|we|my|im|born|mother|native|first|have|got|as)\b"
IDENTITY: tuple[tuple[str, str | None], ...] = (
    (
        r"\bi(?:'ve| have)? (?:just |recently |finally )?(?:moved|relocated) to (?!the (?:next"
        r"|other|back|front)|a |this|that)\w",
        "residence",
    ),
    (r"\bi play (?:the )?\w+ (?:in|for|at|on) (?:an?|the|my|our) \w", None),
    (rf"{SPEAKS}(?:study|studied|major in) [a-z]+(?:[.!,]|$| and\b)", None),
    (
        r"\bi(?:'ve| have) been \w+ing (?:\w+ )?(?:for (?:\w+ ){1,3}(?:years|decades)|since (?:19"
        r"|20)\d\d)\b",
        None,
    ),
    (
        r"\bi (?:hold|have) (?:dual |double |british |us |eu )?(?:citizenship|nationality"
        r"|passport)",
        None,
    ),
    (r"\bi have \w+ years of\b", None),
    (r"\bi (?:was|used to be) an? [a-z]+(?: \w+)? (?:before|until)\b", None),
    (
        r"\bi (?:joined|founded|co-founded) (?:the|this|our|my|a) (?:company|firm|team|band|startup"
        r"|club|army|navy|police)\b",
        None,
    ),
    (r"\bmy (?:full |real |given )?name(?:'s| is) ", "name"),
    (r"\bmy (?:last |first |middle |maiden )?(?:surname|nickname|name)(?:'s| is) ", None),
    (
        r"\b(?:i|we)(?:'m|'re| am| are)? (?:now |currently |still |both )?(?:live|living|reside"
        r"|residing) (?:alone |together )?(?:in|near|at|on|with|outside)\b",
        "residence",
    ),
    (
        rf"{I_AM}(?:not )?(?:originally |now )?(?:from|based in|based out of|a native of|born)\b"
        r"(?! (?:here|there|this|that|it|you|the (?:start|beginning))\b)",
        None,
    ),
    (
        r"\b(?:i|we) (?:was|were) (?:born|raised|brought up)\b|\bborn and raised\b|\bi grew up\b",
        None,
    ),
    (rf"{I_AM}{NUMBER}(?: years? old| y/?o\b|[.!]|$)|\bi (?:just )?turned {NUMBER}\b", "age"),
    (rf"{I_AM}(?:not )?(?:a |an )?{STATE}", None),
    (rf"{I_AM}{NO_TRADE}(?:an?|the) [a-z]", None),
    (
        rf"{SPEAKS}(?:work|worked|teach|study|studied|major in|majored in|graduated|volunteer"
        rf"|intern)"
        r" (?:\w+ )?(?:as|at|for|in|with|from|under)\b(?! (?:it|this|that|home|me|you|the"
        r" moment)\b)",
        None,
    ),
    (rf"{SPEAKS}(?:studied|teach|study|coach) [a-z]+(?: \w+)? (?:at|in|to|for)\b", None),
    (
        rf"{SPEAKS}(?:run|own|manage|lead|founded|head) (?:an?|the|my own|our own|two|three) (?:\w+"
        rf" )*?"
        r"(?:shop|store|company|business|bakery|restaurant|team|studio|startup|start-up|firm|farm"
        r"|cafe|agency|department|clinic|practice|school|gym|hotel|group)\b",
        None,
    ),
    (
        rf"\bmy {KIN}(?:'s name)? (?:is|are|was|were)(?: called| named)? (?!so |very |doing"
        rf"|happy)\w",
        None,
    ),
    (
        rf"\bi(?: have|'ve got| have got|'ve) (?:an?|no|one|two|three|four|five|six|several|\d+)"
        rf" (?:\w+ )?(?:{KIN}|degree|ph\.?d|master's|bachelor's|diploma|certification)\b",
        None,
    ),
    (rf"\b(?:have|got) (?:a|an|one|two|three|\d+) {KIN} (?:called|named)\b", None),
    (
        rf"{SPEAKS}(?:speak|am fluent in) (?:fluent |some |a little |native )?[a-z]+"
        r"|\b(?:mother tongue|native language|first language)\b|\bi'm fluent in\b",
        None,
    ),
    (
        rf"{SPEAKS}(?:lived|worked|taught|served|studied|practi[sc]ed) (?:in|at|as|for|here)\b"
        rf"|{I_AM}(?:studying|majoring in|training (?:as|to be)|doing (?:a|my) (?:phd|master'?s"
        rf"|residency|degree))\b"
        r"(?! (?:for (?:the|my|an?) (?:test|exam|final)|hard|all|now|late)\b)",
        None,
    ),
    (
        r"\bi (?:have|suffer from|live with|got) (?:a |an |chronic |severe |mild |bad )*(?:type \w+"
        r" )?(?:diabetes|asthma|adhd|autism|dyslexia|c[oe]+liac|epilepsy|arthritis|eczema|insomnia"
        r"|anxiety|migraines?|disabilit\w+|allerg\w+|condition|hearing loss|astigmatism|high blood"
        r" pressure)\b",
        None,
    ),
    (
        rf"\bmy {KIN} (?:works?|lives?|teaches|teach|stud(?:y|ies)|runs?|owns?|comes? from|was born"
        rf"|were born)\b",
        None,
    ),
    (
        r"^as an? (?!result|rule|matter|whole|kid|child|team|family|reminder|bonus|side|last|first"
        r"|test)[a-z]+(?: \w+)?, i\b",
        None,
    ),
    (r"\bi (?:retired|was discharged|emigrated|immigrated) (?:from|to|in)\b", None),
    (r"\bmy birthday(?:'s| is) ", "birthday"),
    (
        r"\bmy (?:age|job|profession|occupation|job title|title|role|e-?mail(?: address)?|phone(?:"
        r" number)?|address|pronouns|hometown|home town|nationality|zodiac sign|star sign|blood"
        r" type|height|weight|employer|time ?zone|background|major|degree|ethnicity|religion|faith"
        r"|family name)(?:'s| is| are|:) ",
        None,
    ),
    (
        r"\bi(?:'ve| have) been (?:an? |the |working |living |teaching |practi[sc]ing |employed "
        r"|married )(?!bit|lot|little|while|fan|long|busy|great|good|tough)",
        None,
    ),
    (r"\bi (?:hold|have|got) (?:a|an|my) (?:\w+ )?(?:degree|phd|doctorate|licen[cs]e)\b", None),
    (
        r"\bi (?:served in|belong to|come from|moved here from|was diagnosed with|identify as)\b",
        None,
    ),
)
OWN_NAME = re.compile(
    r"(?:\A|[,!.] )(?:I'm|I am|[Tt]his is) (?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?= here\b|,?"
    r" (?:and|the|from|a|an|your|I)\b|[,.!]|\Z)"
)
FEELINGS = frozenset(
    "good great fine ok okay happy sorry sure back here home done ready glad".split()
)
OF_ONESELF = frozenset("i im my we our born raised mother native first have got as".split())
