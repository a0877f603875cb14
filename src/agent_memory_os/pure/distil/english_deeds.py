"""What people order, decide and state in English, as patterns."""

import re

from agent_memory_os.pure.distil.english_self import HOW, KIN

NO_ORDER = re.compile(  # what people tell each other to do, and do not mean as an order
    r"(?:don't|do not|never) (?:worry|be |mind|mention|forget to (?:have|take care|enjoy)|give up"
    r"|stop|hesitate|lose|sweat|get me wrong|let|feel|fear|know|think|tell me|underestimate|doubt"
    r"|overdo|work too|ever |miss |settle|say never|saw |beat yourself|look back|quit|fret)"
    r"|(?:always|never) (?:\w+ing|happy|glad|here|good|great|nice|fun|a|an|the|been|so|love[sd]?"
    r"|too|again|remember|wanted|had|felt|thought|in|at|there|up|something)\b|(?:check (?:it|this"
    r"|them|that|out)|send (?:my|him|her|them|everyone|love|pics?|photos?|me (?:pics?|photos?|some)"
    r"|a pic)|give (?:my|him|her|yourself|them|it|me a (?:shout|call|ring))|show me|show us|make"
    r" (?:yourself|it|memories|the most|some)|add me|call me (?:later|back|when|if|any|crazy"
    r"|tomorrow|tonight|soon)|follow your|start (?:\w+ing|your|small)|stop (?:it|by|worrying)|keep"
    r" (?:it|up|going|on|me (?:posted|updated)|in|your (?:chin|head|spirits)|\w+ing|that|at|rocking"
    r"|the (?:faith|good|great|spirit|vibes|momentum|dream|fire|passion|energy|awesome|amazing))"
    r"|set (?:your|yourself)|put your|leave it|return|close|say hi|print|book (?:it|club)|check in"
    r"|wait (?:for it|a|until|till|and)|remember (?:when|how|that|what|the|our|to (?:have|enjoy"
    r"|breathe|rest|take|be|smile|relax))|speak to you|talk to you|create (?:those|memories|some"
    r" memories|your own)|make sure (?:yours?|you(?:'re)?) (?:stand|have fun|enjoy|take care|get"
    r" some|rest|is|are)|post (?:it|pics?|photos?)|share (?:it|your|pics?|photos?|some)|open"
    r" (?:your|up)|turn (?:it|up)|don't forget to (?:take|prepare|dance|have|smile)|get|take|go"
    r"|come|enjoy|have|hang|hold|stay|rest|relax|tell me|let(?! me know (?:before|whenever|every"
    r"|each|as soon|immediately))|see|look|listen|guess|imagine)\b"
)
ORDER = (
    r"(?:use|write|reply|answer|respond|run|format|add|avoid|include|exclude|commit|push|deploy|ask"
    r"|notify|store|save|log|translate|summari[sz]e|cite|limit|return|name|put|check|test|review"
    r"|confirm|send|remind|schedule|set|show|give|provide|list|explain|speak|email|e-mail|ping|tag"
    r"|assign|wrap|indent|prefix|round|convert|quote|mark|label|sort|delete|remove|rename|back up"
    r"|restart|stop|start|skip|ignore|treat|refer|stick to|follow|consult|verify|validate"
    r"|double-check|escape|encrypt|mask|redact|replace|merge|rebase|squash|document|comment|publish"
    r"|post|upload|download|install|update|upgrade|monitor|alert|escalate|report|record|omit|leave"
    r"|cc|copy|attach|sign|address|pay|order|book|turn|close|lock|open|print|draft|generate|create"
    r"|make|output|present|structure|split|shorten|simplify|proofread|correct|fix|refactor"
    r"|implement|wait|prioriti[sz]e|restrict|default|keep|call|contact|inform|warn|read|tell|help"
    r"|do|don't|do not|never|always|only|be|start|end|begin|spell|express|display|describe|phrase"
    r"|forward|share|prefer|assume|consider|let|talk|work|stay|charge)"
)
HOW_TO_BE = (
    r"(?:concise|brief|short|polite|formal|informal|precise|specific|consistent|terse|direct"
    r"|neutral|strict|succinct|professional|casual|thorough|careful (?:with|when|not))"
)
_NOT_ADVISED = "".join(  # of what friends say that one should do
    rf"(?<!\b{verb})"
    for verb in "be get do give keep make start read check stay let share talk work post put tell"
    " consider call show book".split()
)
INSTRUCTION = (
    rf"^(?:always|never) (?:{ORDER}|\w+) \w",
    r"^(?:don't|do not|dont) \w+ \w",
    r"^please,? (?!excuse|forgive|wait\b|hold|accept|let me know|feel free|tell me|take|join|come"
    r"|sit|have|go\b|enjoy|pass my|pray|wish|send my|give my|share more|keep me|stop\b$)(?:always "
    r"|never |do not |don't |only )?[a-z]+ \w",
    rf"^{ORDER} .*,? please\b",
    r"^(?:please )?(?:make sure|be sure|ensure|remember to|don't forget to|do not forget to|see to"
    r" it)\b",
    r"^(?:from now on|going forward|in (?:the )?future|henceforth|by default|at all times|under no"
    rf" circumstances|starting (?:today|now|tomorrow)),? (?:please |you |always |never )?(?:must "
    rf"|should )?{ORDER}\b",
    rf"^{ORDER}\b.*\b(?:from now on|going forward|in (?:the )?future|at all times|every time|by"
    rf" default)\b",
    r"\byou (?:must|shall|are not to|are never to|should always|should never|must not|may not"
    r"|mustn't|need to always|always have to|have to always)(?: not| always| never)? (?!be\b|have\b"
    r"|feel|love|miss|know|think)\w+",
    rf"\byou (?:should|have to|need to|are to|shouldn't|can't|cannot|are expected to)(?: not)?"
    rf" (?:only |first )?{ORDER}{_NOT_ADVISED} \w",
    r"^(?:when|whenever|if|before|after|unless|until|once|every time|in case|for (?:each|every|all"
    r"|any))\b"
    rf"[^,]+, (?:then |please |you (?:must|should) )?(?:always |never |first )?{ORDER}\b"
    r"(?! (?:me know|the good|it|up|going|in touch|yourself)\b)",
    rf"^(?:please )?(?:be|keep|stay|make) (?:it |(?:your |all |the )?(?:\w+ )?(?:answers?|replies"
    rf"|responses?|messages?|summar(?:y|ies)|commits?|comments?|functions?|code|sentences?"
    rf"|paragraphs?|explanations?|titles?|names?|emails?|reports?|output) )?(?:as )?{HOW_TO_BE}\b",
    r"^keep (?:your |all |the )?(?:\w+ )?(?:answers?|replies|responses?|messages?|summar(?:y|ies)"
    r"|commits?|comments?|functions?|sentences?|paragraphs?|explanations?|titles?|reports?|output"
    r"|code|lines)\b",
    r"\b(?:call me|address me as|refer to me as) (?!later|back|when|if|any|crazy|tomorrow|tonight"
    r"|soon|out)",
    r"^no (?!worries|problem|way|idea|doubt|one|need|matter|wonder|kidding|rush|pressure"
    r"|thanks)\w+(?: \w+)* (?:please|in|on|before|after|without|unless|ever|allowed|at)\b",
    r"^(?!i\b|we\b|it\b|that\b|this\b|you\b|there\b)(?:\w+ ){1,6}(?:must|should|shall|has to|have"
    r" to|need to|needs to|may)(?: always| never| not| only)* be (?:\w+ly )?\w+(?:ed|en|pt|nt"
    r"|lt)\b",
    r"\bi (?:want|need|expect|require)(?: for)? you to (?!know|be happy|have)\w+",
    r"\bi(?:'d| would) (?:like|appreciate|prefer) (?:it if )?you (?:to|could|would)? ?(?!know)\w+",
    r"^let me know (?:before|whenever|every time|each time|as soon as|immediately)\b",
    r"^(?!i\b|we\b|it\b|that\b|this\b|you\b|there\b)(?:\w+ ){1,6}(?:must|should|shall|has to|have"
    r" to|need to|needs to|may)(?: always| never| not| only)* (?:be (?:no |not |at most|at least"
    r"|under|less|within|in |short|brief|concise|lower|upper)|(?:include|contain|use|follow|start"
    r" with|end with|fit|match|pass|exceed|return) )",
    r"^stop (?!worrying|by|being|doubting|comparing|overthinking|thinking|apologi|kidding"
    r"|playing)\w+ing \w",
    r"^(?:please )?only (?!if|when|because|the|a|an|one|two|three|time|you|thing|a few|just|that"
    r"|then|in|for|i|my|so|\d)[a-z]+ \w",
    r"^(?:before|after|when|whenever|while) (?:you )?\w+(?:ing)?\b[^,]*, (?:take|turn|switch|drop"
    r"|bring|try|go back|click|press|pick|build|lint|get|clean|clear|wipe) (?!care|your|it easy)\w",
    r"^(?:your (?:job|task) is to|it is forbidden to|it's forbidden to)\b",
)
PLAIN_ORDER = re.compile(rf"^(?:only |first )?{ORDER} (?P<rest>\w.*)")
# Of verbs that are in wishes and cheers as well, only a longer order, of something, is one.
ORDERED_BY = 4
NO_OBJECT = frozenset(
    "it that this them us you your yourself my me in up on out off some to with and a an".split()
)
WISHES = frozenset(
    "luck fun break rest care day night weekend trip safe soon later dream dreams heart life moment"
    " moments spirit faith you yourself love hope happy smile world difference together self goals"
    " positive strong passion".split()
)
UNORDERED = frozenset(
    "help do be call talk work stay share let tell read consider default put leave charge only"
    " always never don't start stop make keep give show set check post wait end begin turn open"
    " close test work pay book love order name mark sign report record help".split()
)
WHO_DECIDES = (
    r"(?:i|we|they|he|she|everyone|everybody|(?:the |our |my )(?:\w+ )?(?:team|board|committee"
    r"|council|management|company|group|client|customer|family|wife|husband|boss|manager|cto|ceo"
    r"|department|others|parents|class|club|partners?|owners?|staff)|management)"
)
MAKES_CHANGE = (
    r"(?:drop|use|move(?! (?:on|forward|up)\b)|migrate|switch|adopt|quit|renew|buy|sell|replace"
    r"|ship|launch|hire|rewrite|retire|deprecate|cancel|postpone|delay|choose|go with|go for|accept"
    r"|reject|resign|invest|build|open|merge|expand|close|stop|discontinue|standardi[sz]e|outsource"
    r"|release|roll (?:out|back)|phase out|stick (?:with|to)|support|hold (?:the|our|weekly|daily)"
    r"|keep using (?!my|our)|keep the|pay for|take the|learn|apply for|leave|sign|join|charge"
    r"|freeze|abandon|upgrade|rename|split|cut|raise|license|train|host|run|store|schedule|skip"
    r"|pick|sponsor|fund|organi[sz]e|introduce|implement|deploy|reduce|increase|ban|recruit"
    r"|redesign|extend|pilot|double|automate|consolidate|shut down|shut|cap|require|allow|bill|get"
    r" rid of|let go of|proceed|start using|begin using)"
)
IDLE = (
    r"(?! (?:a |an |the |some |my |your )?(?:you|touch|break|nap|shower|walk|bath|look|rest|peek"
    r"|call|in touch|it up|up|this|that|now|soon|here|home|early|late|one day|minute|moment)\b)"
)
DECISION_BEGINS = (
    r"(?:\b(?:i|we|they|he|she|it|my|our|the|everyone|everybody|management|i'm|we're|made|make|came"
    r"|reached)\b|^)"
)
DECISION = (
    rf"\b{WHO_DECIDES}(?: have| has| had|'ve|'s)? ?{HOW}(?:decided\b|(?:agreed|settled|opted"
    rf"|concluded"
    r"|resolved|voted|committed) (?:to|on|that|for|against|in favou?r|not|upon)\b)",
    rf"\b(?:we|the team|the company|management)(?:'re| are| is) {HOW}not (?:going to"
    rf"|gonna)\b{IDLE}",
    r"\b(?:i|we) (?:\w+ )?ended up (?:\w+ly )?(?:choosing|going|picking|buying|using|taking"
    r"|selecting|hiring)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:finally |already |just |both )?(?:accepted|declined|turned down"
    r"|rejected|signed up for|cancel+ed) (?:the|an?|our|my|their)\b",
    r"\b(?:i'm|i am|we're|we are) (?:leaving|quitting) (?:the|my|our) (?:job|company|team|project"
    r"|band|city|firm)\b",
    r"^(?:starting|from|as of|effective) [\w ]{3,24},? (?:we|the team|the company|everyone"
    r"|all)(?:'ll| will)?\b",
    rf"\b{WHO_DECIDES}(?: have| has| had|'ve|'s)? ?{HOW}(?:chose|chosen|picked|approved|rejected"
    rf"|selected"
    r"|elected|went with|gone with|ruled out|adopted|signed off)\b(?! (?:up|on|it up|at)\b)(?<!'s"
    r" adopted)(?! (?:a|an|this|him|her|two) (?:\w+ )*?(?:pup|puppy|dog|cat|kitten|child|baby"
    r"|pet)\b)",
    r"^let's (?:not )?(?:all |just |now |both )?(?:go with|go for the|use|stick (?:with|to)|stay"
    r" with|switch|move (?:to|the|our)|adopt|drop|pick|choose|keep (?:the|using|our (?:weekly|daily"
    r"|monthly))|ship|launch|postpone|delay|cancel|migrate|skip|hire|buy|sell|replace|rename"
    r"|release|rewrite|start with|set (?:the|a|up the)|schedule|hold (?:the|our)|remove|target"
    r"|merge|split|build|outsource|invest|upgrade|deploy|standardi[sz]e|proceed|do (?!it|this|that"
    r"|lunch|dinner|coffee)\w)\b(?!.*\b(?:each other|together|our dreams|touch|difference)\b)",
    r"^(?:the |our |my |final )*(?:decision|decided|resolution|resolved|verdict|conclusion|outcome"
    r"|agreed)(?: made| taken)?\s?[:-]",
    r"\bit (?:was|has been|is|'s been) (?:finally |officially )?(?:decided|agreed|settled|resolved"
    r"|approved)\b",
    rf"\b(?:we're|we are|the team is|the company is|i'm|i am|they're) {HOW}(?:not )?(?:switching"
    rf"|moving"
    r"|migrating|going with|dropping|adopting|replacing|discontinuing|deprecating|cancel(?:l)?ing"
    r"|postponing|rolling (?:back|out)|sticking with|standardi[sz]ing|phasing out|quitting"
    r"|resigning|abandoning|upgrading|renaming|merging|closing down|shutting down|selling"
    r"|hiring)\b",
    rf"(?:\bwe're|\bwe are|\bi'm|\bi am|\bthe team is|\bthe company is) {HOW}(?:not )?(?:going to"
    rf"|gonna) {HOW}{MAKES_CHANGE}\b{IDLE}",
    rf"\b(?:we|the team|the company|they)(?:'ll| will| won't| shall)(?: not| no longer)?"
    rf" {HOW}(?:not )?{MAKES_CHANGE}\b{IDLE}",
    rf"\bi(?:'ll| will| won't) (?:not |no longer |definitely )?(?:go with|stick with|take the"
    rf" (?:job|offer|\w+er|second|first|other)|accept the|choose|pick the|switch to|quit (?:my|the"
    rf"|smoking|drinking)|resign|renew|use|buy|move to)\b{IDLE}",
    r"^it's (?:settled|decided|official|final)\b|^that's settled\b",
    r"\bthe (?:plan|decision|choice|consensus|agreement|idea now) (?:is|was) (?:to|that|for)\b",
    r"\b(?:our|my|the) (?:final )?(?:choice|decision|pick|verdict) (?:is|was|fell)\b",
    r"\b(?:made|make) up (?:my|our|her|his|their) minds?\b|\b(?:came to|reached) (?:the|an|a)"
    r" (?:decision|agreement|conclusion|consensus)\b|\bmade (?:the|a|my|our) (?:\w+ )?(?:decision"
    r"|choice) (?:to|that|of)\b",
    r"\b(?:we|i)(?:'ve| have)? (?:finally )?(?:went with|gone with|landed on|cancel+ed|scrapped"
    r"|signed off on|finali[sz]ed|nailed down|locked in)\b",
)
UNDECIDED = re.compile(
    r"\b(?:maybe|perhaps|might|not sure|undecided|should we|thinking (?:about|of)|considering|if we"
    r"|if i|haven't|hasn't|hadn't|not yet|can't decide|still deciding|agreed with)\b"
)
PLACES = frozenset(
    "server servers port host hostname database db cluster repo repository branch endpoint api os"
    " runtime path directory folder region bucket container vm machine laptop workstation desktop"
    " editor ide shell network proxy vpn firewall deploy deployment staging production prod"
    " registry queue cache cdn domain dns gateway backend frontend codebase pipeline ci kernel"
    " compiler interpreter config configuration environment env virtualenv service app website"
    " project build cron webhook test tests docs stack infrastructure storage disk gpu cpu ram"
    " monitor router python node linux ubuntu debian windows macos aws azure gcp docker kubernetes"
    " postgres mysql redis github gitlab".split()
)
LETTERS = re.compile("[a-z]+")
VALUE = (  # a figure, a path, an address, a name
    r"(?:[\w.-]*\d[\w.:-]*|/[\w./-]+|~/[\w./-]+|https?://\S+|[\w-]+\.[a-z]{2,5}\b|[A-Z]\w+)"
)
ENVIRONMENT = re.compile(
    r"\b(?:is|are|runs?|uses?|listens?|lives?|points?|has|have|sits?|resides?|requires?|expects?"
    r"|stores?|connects?|expires?|resets?|deploys?|host|develop|builds?|keep|on|at|in|=)"
    rf"(?: [a-z]+){{0,4}} {VALUE}"
)
FIGURE = re.compile(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight)\b"
)
EVENT = re.compile(  # what happened to whom, once
    rf"\b(?:i|we|my {KIN}) {HOW}(?:have |has |'ve )?(?:bought|sold|moved (?:to|from|into|out)"
    rf"|adopted|joined|graduated|married"
    r"|divorced|founded|launched|published|signed up|enrol+ed|visited|travel+ed|flew|hired|fired"
    r"|broke my|inherited|(?:was|were|got) (?:promoted|married|engaged|divorced|hired|fired"
    r"|diagnosed|accepted|admitted|laid off|robbed|injured)|got (?:a|an|my|our) (?:new )?(?:job|dog"
    r"|cat|car|promotion|degree|puppy|kitten|licen[cs]e|visa|raise|offer)|started (?:a|an|my|our"
    r"|working|learning|taking|playing|studying|teaching)|finished (?:my|the|our|writing|reading)"
    r"|completed|passed (?:my|the)|failed (?:my|the)|won (?:a|an|the|my|our|first|second)|lost"
    r" (?:my|our|the)|became|deployed|installed|upgraded|fixed|released|migrated|merged|configured"
    r"|created|opened a|retired|quit my)\b"
)
STATES = re.compile(
    r"\b(?:is|are|was|were|costs?|takes?|has|have|starts?|ends?|opens?|closes?|begins?|runs?"
    r"|expires?|weighs?|measures?|holds?|lasts?|arrives?|leaves?|departs?|happens?|contains?|needs?"
    r"|pays?|paid|due|scheduled|moved|rose|fell|grew|set|=|will be)\b"
)
# Words without one of which a sentence is none of its kind: a set is seen sooner than a pattern.
DECIDES = frozenset(
    "decided decision agreed settled opted concluded resolved voted committed chose chosen picked"
    " approved rejected selected elected went gone ruled adopted signed let resolution verdict"
    " conclusion outcome switching moving migrating going dropping adopting replacing discontinuing"
    " deprecating cancelling canceling postponing rolling sticking standardizing standardising"
    " phasing quitting resigning abandoning upgrading renaming merging closing shutting selling"
    " hiring gonna ll will won shall settled final official finalized finalised nailed locked plan"
    " choice consensus agreement idea pick fell made make came ended accepted declined turned"
    " leaving starting from effective reached landed cancelled canceled scrapped".split()
)
# Words that begin no order, unless one of the words below says what must be.
NO_OPENING = frozenset(
    "i i'm i've i'll i'd im we we're we've we'll it it's that that's this there there's they"
    " they're he he's she she's my our his her their the a an you you're you've your some these"
    " those what who and but because".split()
)
OBLIGES = frozenset("must should shall may need needs has".split())
CALLS = frozenset(("call", "address", "refer"))
