"""The English words that say how a statement is built, as tables."""

# What a word does in a statement. A word that is not here says what it is about.
_ROLES = """
be: am is are was were be been being
the: the our this that these those
a: a an
owner: my your his her its their
prep: about above across after against along among around as at before behind below beneath beside
prep: between beyond by down during except for from in inside into near of off on onto outside over
prep: past per since through throughout to toward towards under until till up upon via with within
prep: without every each than
sub: if when whenever unless while because although though whereas once whether so
relative: who which whose
filler: just really very quite actually simply already still currently officially then even exactly
filler: finally
not: not never cannot no neither nor
always: always
also: also too additionally another other besides furthermore moreover
maybe: maybe perhaps probably possibly apparently might could would seems seem likely thinks think
maybe: believes believe guess suspects hopes hope wonders wishes supposedly
must: must shall should ought
may: may can
will: will
plan: plan plans planning intends intend considers considering consider discussed discussing
plan: proposes proposed suggests suggested
decide: decided decide agreed agree chose opted
now: now nowadays henceforth today again
instead: instead
need: need
do: do does did
have: have has had having
get: get gets got gotten getting
=: = -> →
"""
ROLES = {
    word: role
    for role, _, words in (line.partition(": ") for line in _ROLES.strip().split("\n"))
    for word in words.split()
}
# "this week" may be what a statement is about, so it stays among its words.
RELATIVE_TIMES = (
    r"\b(?:since (?!(?:we|i|they|he|she|it|you|the|our|my|a)\b)(?:last |this )?\w+"
    r"|as of \w+(?: \w+)?|starting \w+(?: \w+)?"
    r"|effective (?:immediately|\w+)|from (?:next \w+|now|today|tomorrow)(?: on| onwards)?"
    r"|(?:last|next) (?:week|weekend|month|year|quarter|night|summer|winter|spring|sprint)(?:'s)?"
    r"|this (?:week|month|year|quarter)'s"
    r"|yesterday|tomorrow|recently|lately|a (?:week|month|year) ago|\d+ \w+ ago|today)\b"
)
TIME_OPENERS = frozenset(
    "since as starting effective from last next this yesterday tomorrow recently lately ago"
    " today".split()
)

# Nouns of which a thing has one: "the port of X is". The values may be any words.
ATTRIBUTES = frozenset(
    "port deadline version budget price cost rent salary address email phone number name title"
    " birthday timezone zone language color size limit timeout interval path url uri host hostname"
    " branch region owner lead leader manager boss supervisor ceo cto cfo maintainer director chair"
    " president captain mentor contact date time day password username login id key token priority"
    " level role job position location venue capital theme mode registry format encoding unit"
    " currency strategy policy method approach style convention codename code nickname channel"
    " target duration length width height weight age count total rate fee frequency schedule"
    " threshold quota capacity temperature retention license tier brand hotline extension"
    " birthplace hometown diet amount default status state".split()
)
# Roles that a thing fills: what is called after them is another one, what is said of them is not.
TOOLS = frozenset(
    "tool framework engine database editor ide formatter linter compiler runtime provider vendor"
    " supplier carrier bank stack toolchain shell os browser font image model mascot logo platform"
    " library server type kind category plan package place city country".split()
)
# Of these there are many, so that another value contradicts nothing.
MANY = frozenset(
    "goal problem issue reason rule idea concern advice tip risk feature requirement blocker lesson"
    " option example benefit downside advantage drawback challenge question member part"
    " friend colleague hobby skill task step bug todo warning decision action fix note hint cause"
    " thing way one some most more".split()
)
# Of these somebody has one, so that a new one takes the place of the one before.
REPLACED = frozenset(
    "dentist doctor gp physician therapist landlord teacher coach trainer tutor roommate flatmate"
    " assistant nanny lawyer accountant vet hairdresser barber employer wife husband spouse partner"
    " boyfriend girlfriend fiance school gym car laptop phone bike computer job office apartment"
    " house flat home commute routine".split()
)
NEWER = frozenset(("new", "newest", "latest"))
FORMER = frozenset(("former", "previous", "ex", "old"))
PERSONS = frozenset("user customer client employee person man woman boy girl guest".split())
ONE = frozenset("favorite default primary main current official preferred".split())
# Nouns that a number after them names: step 3 is another step than step 4.
NUMBERED = frozenset(
    "ticket issue pr bug task step phase stage chapter section page line item sprint iteration"
    " milestone lesson episode room floor invoice order case experiment shard node worker replica"
    " table figure question rule option scenario week day quarter gate building unit batch"
    " release part level lane track bay slot block group team apartment".split()
)
# What is said of a version that is the one in use, so that another excludes it.
CURRENT = frozenset(
    "deployed live current installed required latest used released production running pinned active"
    " default".split()
)
# What says how something is, and not what: the office is big, and it is in Lyon.
JUDGING = frozenset(
    "good bad great nice fine slow fast easy hard big small important useful ready broken flaky"
    " stable busy tired warm cold hot old new late early expensive cheap happy sad funny wrong"
    " right done finished complete red green full empty up down online offline available".split()
)
# What somebody alone does for a thing.
HEADING = frozenset("lead head chair own captain manag".split())

# Relations of which a thing has one at a time. Each line: the class, then verbs with the words
# that may stand before the value ("-" for none).
_SINGLE = """
place live/in,at,near,with reside/in,at base/in,at,out locate/in,at,on,near situate/in,at
place headquarter/in,at settle/in stand/in,at
host host/in,on,at,with,by deploy/to,on,in,at run/on,under store/in,on,at,under keep/in,at,under
host track/in,with save/in,to,under mount/at,on place/in,on,at put/in,on provision/with,by
work work/at,for employ/by,at
desk work/in,from
job work/as serve/as
report report/to answer/to
person own/by lead/by manage/by maintain/by handle/by write/by keep/by organize/by host/by teach/by
person require/from need/from approve/by review/by design/by develop/by chair/by moderate/by
person operate/by pay/by
made write/in implement/in build/in,on develop/in
school study/at enroll/at,in
time schedule/for,at,on,in plan/for,on,at set/for,at due/on,by,at,in happen/on,at,in hold/in,at,on
time run/every,at meet/at,on take/place move/to book/for rotate/every repeat/every
start start/at,on,in,- begin/at,on,in kick/off
end end/at,on,in finish/at,on,in
open open/at,on
close close/at,on
expire expire/at,on,in,after
depart leave/at,on depart/at,on
arrive arrive/at,on
born born/in,on
cost cost/- weigh/- last/- total/- equal/- consist/of comprise/-
out return/- emit/- output/-
name name/- call/- dub/-
net listen/on,at bind/to point/to default/to resolve/to redirect/to forward/to set/to limit/to
net cap/at assign/to belong/to map/to allocate/to
wed marry/to,-
"""
# The first class that has a verb decides.
_CLASSES = """
choose use utilize adopt choose pick select standardize contact consult
use install deploy run build test write send make track manage host store employ
prefer prefer favor
like like love enjoy hate dislike speak know buy visit meet see attend play learn study collect
like read watch eat drink have own support contain include depend bring
want want expect wish
do ask need require accept add agree allow apply avoid block cache call change check clean commit
do compile compress configure connect copy create crash cut delay delete deliver deny disable
do disagree drop emit enable encrypt enter exclude execute export fail fetch fill fire fix follow
do forbid format forward generate get give grant group grow handle help hold ignore import increase
do inherit keep label launch let list load lock log lower maintain mark merge migrate monitor move
do notify offer order pack parse pass pause pay permit post print process produce prohibit publish
do pull push raise reach rebase rebuild receive record reduce refuse reject release reload remove
do rename repeat replace replicate report request reset restart restore restrict retry return
do rotate save scan scrape seat sell serve set share ship show shut sign sit skip sleep smoke sort
do split stay stop strip submit sync tag take teach tell tolerate train trigger trust turn update
do upload validate verify wait wake walk warn wear wipe work squash exercise commute live start
do begin end finish expire open close leave last cost weigh default listen join quit carry become
do operate reply go come mean render retain oppose recommend drive ride fly happen occur land cook
do treat cover belong appear exist earn spend hire rent lease coach wash water feed rely rest
do retire cancel finalize adjust
"""
# Passives that hold of many at once, as in "is used by".
SHARED = frozenset(
    "used supported known tested connected called shared followed inspired related linked composed"
    " mentioned invited interested accepted sold seen found affected covered needed required liked"
    " visited loved read involved mirrored trained made compared filled based spoken helped"
    " joined attended blocked caused triggered".split()
)
UNCHANGED = frozenset("run set put cut read hit shut split let".split())  # also as participles
LOOKALIKES = {"lives": "live", "leaves": "leav"}  # that the stemmer takes for nouns

# Verbs of change, with the classes of relation whose value they replace ("*": of a figure, any).
_CHANGES = """
move: at place host time start net be person passive
relocate transfer: at place host work
migrate: at place host choose use made net be person passive
switch: choose use be host made prefer net
convert: use be made
change: be choose time start net name prefer cost person host
rename rebrand: be name
upgrade downgrade: be choose use host made *
update bump: be *
go: *
raise rise lower increase decrease reduce cut drop grow: be cost *
extend shorten: be time end expire *
postpone delay reschedule rebook slip defer push shift bring: time start be
reassign: be person net
replace: be choose use host made person
swap: be choose use host made
hand: be person
become: be
set: be net *
"""
CHANGES = {
    verb: tuple(classes.split())
    for verbs, _, classes in (line.partition(": ") for line in _CHANGES.strip().split("\n"))
    for verb in verbs.split()
}
ENDINGS = frozenset("stop quit cease".split())  # followed by -ing: it no longer holds
# Verbs that end a relation with what they name: "left Siemens", "dropped Zendesk".
LEAVING = dict.fromkeys("leave quit resign step retire".split(), "work at")
LEAVING |= dict.fromkeys("drop abandon ditch deprecate discontinue decommission".split(), "choose")
LEAVING |= {"vacate": "place", "jilt": "wed passive be at like"}
LEAVING |= dict.fromkeys("remove sunset".split(), "choose") | {"sell": "like"}
CUES = frozenset(
    "longer anymore any instead rather used new joined laid fired go elected appointed named"
    " promoted"
    " chosen over gave given".split()
)


def _relations() -> dict[tuple[str, str], str]:
    found = {}
    for line in _SINGLE.strip().split("\n"):
        name, *verbs = line.split()
        for verb, _, joints in (entry.partition("/") for entry in verbs):
            for joint in joints.split(","):
                found[verb, joint] = name
    return found


def _verbs() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _CLASSES.strip().split("\n"):
        name, *verbs = line.split()
        for verb in verbs:
            found.setdefault(verb, name)
    for verb in (*(verb for verb, _ in SINGLE), *CHANGES, *ENDINGS, *LEAVING):
        found.setdefault(verb, "do")
    return found


SINGLE = _relations()  # class by verb and what stands before the value
VERBS = _verbs()  # class by verb
