"""English word forms that no suffix rule reaches, each with the word it is a form of."""

# One word a line, then its forms. Left out: forms that are commoner as another word (lay, found
# as "establish", wound, ground, bore), since a wrong merge hides more than a missed one.
_FORMS = """
arise arose arisen
awake awoke awoken
be am is are was were been being
bear borne
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
do does did done doing
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown flies
forbid forbade forbidden
foresee foresaw foreseen
forget forgot forgotten forgetting
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go goes went gone
grind grinding
grow grew grown
hang hung
have has had having
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lying lain lies
lose lost
make made
mean meant
meet met
mislead misled
mistake mistook mistaken
misunderstand misunderstood
mow mown
outgrow outgrew outgrown
overcome overcame
oversee oversaw overseen
overtake overtook overtaken
overthrow overthrew overthrown
pay paid
prove proven
quit quitting
rebuild rebuilt
redo redid redone
rewrite rewrote rewritten
rid ridding
ride rode ridden
ring rang rung
rise rose risen
run ran
say said says
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
slay slew slain
sleep slept
slide slid
smell smelt
sow sown
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spit spat
spoil spoilt
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank stunk
strike struck stricken
string strung
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undertake undertook undertaken
undo undid undone
unwind unwound
uphold upheld
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
withhold withheld
withstand withstood
wring wrung
write wrote written
die dying dies died
tie tying ties tied
pie pies
lie lied
child children
person people
man men
woman women
mouse mice
goose geese
tooth teeth
foot feet
ox oxen
louse lice
wife wives
knife knives
life lives
half halves
calf calves
self selves
shelf shelves
wolf wolves
thief thieves
loaf loaves
leaf leaves
elf elves
scarf scarves
hoof hooves
potato potatoes
tomato tomatoes
hero heroes
echo echoes
photo photos
video videos
piano pianos
studio studios
radio radios
bus buses bused
gas gases
lens lenses
plus pluses
virus viruses
status statuses
campus campuses
bonus bonuses
crisis crises
analysis analyses
basis bases
thesis theses
diagnosis diagnoses
hypothesis hypotheses
oasis oases
axis axes
index indices
matrix matrices
appendix appendices
vertex vertices
criterion criteria
phenomenon phenomena
medium media
datum data
bacterium bacteria
stratum strata
curriculum curricula
memorandum memoranda
cactus cacti
fungus fungi
nucleus nuclei
stimulus stimuli
alumnus alumni
radius radii
focus foci
formula formulae
larva larvae
antenna antennae
sky skies
ski skis
shoe shoes
toe toes
dye dyed
eye eyed
singe singeing
age ageing
good better best
bad worse worst
far further furthest farther farthest
color colour colours coloured colouring colourful colorful
favor favour favours favoured favouring
favorite favourite favourites
flavor flavour flavours flavoured
honor honour honours honoured honouring
humor humour humorous
labor labour labours laboured
neighbor neighbour neighbours neighbouring
neighborhood neighbourhood neighbourhoods
behavior behaviour behaviours behavioral behavioural
harbor harbour harbours
rumor rumour rumours
center centre centres centred centring
theater theatre theatres
liter litre litres
meter metre metres
kilometer kilometre kilometres
fiber fibre fibres
caliber calibre
gray grey greys
program programme programmes programmed
catalog catalogue catalogues
dialog dialogue dialogues
check cheque cheques
defense defence defences
offense offence offences
license licence licences
practice practise practised practising
tire tyre tyres
plow plough ploughs
pajamas pyjamas
mom mum mums moms mommy mummy
donut doughnut doughnuts
aluminum aluminium
jewelry jewellery
skeptic sceptic sceptics sceptical
cozy cosy
okay ok
january jan
february feb
april apr
august aug
september sept sep
october oct
november nov
december dec
monday mon
tuesday tue tues
wednesday wed
thursday thu thur thurs
friday fri
"""

# Words that Porter's rules would merge with another word ("news" with "new"), each line one stem.
_APART = """
news
experiment experiments experimented experimenting experimental
important importantly importance
university universities
general generally
use uses used using
useful usefulness
evening evenings
county counties
germany
official officials officially
recipient recipients
treaty treaties
generic generics
several
community communities
emergency emergencies
authority authorities
animation animations animated
"""


def _bases(table: str) -> dict[str, str]:
    lines = map(str.split, table.strip().split("\n"))
    return {form: base for base, *forms in lines for form in (base, *forms)}


IRREGULAR = _bases(_FORMS)
APART = _bases(_APART)
