"""The words that thesaurus.py relates: one group a line, by what it is about."""

# "= a b c": any of them may stand for another.
# "~ a b c": the first may mean the others, which mostly mean something else or something narrower.
# "> a b c": the others are kinds, parts or examples of the first.
# In the last two a/x is two lines in one, and a first word may come again on another line.
# Left out: words whose commonest sense is another one (fall as autumn is only reached), words
# that the stemmer joins already (injury, injured), names of persons, and words whose stem is also
# that of an unlike word (personality, person; policy, police; statue, status).
ENGLISH = """
# Family and other people
= child kid youngster
> child son daughter toddler baby infant boy girl teenager
= baby infant newborn
= dad father daddy papa
= mom mother mama
> parent mother father mom dad
> sibling brother sister twin
> relative aunt uncle cousin grandmother grandfather grandma grandpa niece nephew brother sister
> relative mother father son daughter
> family wife husband mother father mom dad brother sister son daughter parent sibling child
> family aunt uncle cousin
= grandma grandmother granny
= grandpa grandfather granddad
> grandparent grandma grandmother grandpa grandfather
> grandchild grandson granddaughter
= husband hubby
> spouse husband wife
~ spouse partner married
> partner husband wife boyfriend girlfriend spouse fiance
> relationship married dating boyfriend girlfriend partner single divorced engaged husband wife
= fiance fiancee
~ fiance engaged propose
~ engagement propose fiance
= marry marriage wedding
~ married husband wife spouse
> wedding bride groom honeymoon bridesmaid vows
= divorce separated breakup
~ breakup split
= single unmarried
= pregnant pregnancy maternity
~ pregnant expecting due baby
= birth born
~ birth baby newborn labor
~ adopt foster
= orphan orphanage
= ancestor ancestry heritage descendant
~ ancestry roots immigrant
= childhood youth upbringing
~ childhood grew raised young kid
= young youth
= teenager teen adolescent
= man guy male
= woman lady female
~ elderly old aged senior retired
> gender male female transgender nonbinary
= gay homosexual
= trans transgender
~ identity gender transgender
> orientation gay lesbian bisexual straight queer
= lgbtq lgbt
> lgbtq gay lesbian bisexual transgender queer pride
= friend friendship buddy pal
~ friend mate companion
~ colleague coworker co-worker teammate
= coworker co-worker teammate
= roommate flatmate housemate
= guest visitor
= visit visitor
~ neighborhood neighbor area district suburb
= citizen citizenship
= foreign overseas abroad
= nickname alias
~ name called nickname
= birthday birthdate bday
~ birthday born age turned
~ age old birthday born
= romantic romance
~ romantic love date boyfriend girlfriend crush
= member membership
= mentor coach
> mentor teacher tutor advisor
= inspire motivate
= lead leader leadership
= community society
= reunion get-together
# Work
= job work career profession occupation employment
~ job hired employed role position
> job/profession/occupation/career engineer teacher nurse doctor lawyer manager
> profession/occupation designer chef programmer journalist
~ work worker
= company firm business corporation
~ company startup employer agency
= employer employ
= employee staff worker personnel
= hire recruit
= layoff redundancy
~ layoff fired dismissed
= resign quit
~ resign left
= pension retirement
~ promotion raise
= salary wage paycheck income
~ salary pay earn compensation
~ income earn
= boss manager supervisor
> executive ceo cto cfo president director
= intern internship
= apprentice trainee apprenticeship
~ cv resume
~ meeting standup appointment conference session
= standup stand-up
~ standup meeting
~ conference meeting convention summit
~ appointment booking reservation meeting visit
= booking reservation
= schedule timetable calendar agenda
~ schedule planned
~ itinerary route trip schedule
~ deadline due cutoff
= task chore todo assignment
= project initiative
= customer client buyer
= freelance self-employed contractor
= entrepreneur entrepreneurship
~ entrepreneur startup business founded
~ business startup store shop venture
= lawyer attorney solicitor
= teach teacher instructor tutor educator
~ teacher professor
= professor lecturer
= programmer coder developer
~ programmer engineer
= police cop policeman
~ police officer sheriff detective
= firefighter fireman
> military army navy marine soldier veteran troops
= soldier army veteran
= waiter waitress
~ chef cook
= actor actress
= author writer novelist
= write writer
~ author wrote
= journalist reporter
= scientist researcher
~ volunteer charity shelter helped
= charity nonprofit ngo
= donate donor
~ donate gave contribute
= farm farmer agriculture ranch
= office workplace
~ office headquarters
= wfh telecommute
~ wfh remote
= skill ability talent expertise
= expert specialist
= beginner novice newbie
= certificate diploma
~ certificate license
# Striving, thinking, speaking
= goal aim objective ambition aspiration
~ goal dream hope target
~ ambition dream
= achieve accomplish
~ achievement award milestone won
= succeed success
= fail failure
= try attempt
= improve enhance
~ improve better progress
~ progress advance headway
= challenge obstacle hurdle hardship
~ challenge struggle difficult tough hard
= struggle difficulty
= difficult hard tough tricky
= easy simple effortless ease
= problem issue trouble
~ problem bug error difficulty
= solve solution resolve
= repair fix mend
= help assist aid support
= advise advice guidance tip
= advisor adviser
= recommend suggest
~ advice suggest recommend
= decide decision choice choose
~ decide opted picked
= plan intend intention
~ plan future hope want
= idea concept
= think opinion
~ opinion believe view feel
= believe belief
~ belief faith religion
= know knowledge
= learn study
~ learn lesson course
= remember recall recollect
~ remember memory remind
= explain explanation clarify
= describe description
= talk chat conversation discuss speak
= speak speech speaker
~ speech talk presentation
= argue argument quarrel
~ argument fight disagreement dispute
= conflict dispute
= agree agreement
= disagree disagreement
= promise pledge vow
= apologize sorry
= thank grateful gratitude appreciate
= enroll register signup
= register registration
= participate attend
~ participate joined
= depart departure
~ depart leave
~ leave leaves
= live reside
~ live lives home house apartment
= relocate move
= immigrate migrate emigrate
= begin start commence
~ begin opened launched
= finish complete
~ finish end
= stop quit cease
= continue resume
= cancel abort
= postpone reschedule delay
~ late delayed
= happen occur
= change alter modify
~ change switched replaced
= replace substitute swap
= grow growth
= expand expansion
= increase raise
= reduce reduction decrease
= remove delete erase
= retain retention
= give gift
~ gift present
= lend borrow
= search seek
= discover discovery
= lose loss
~ create made built wrote designed
= build construct
= close shut
= send deliver mail
= deliver delivery shipment
= forbid prohibit ban
= permit allow permission
= refuse reject decline
= save rescue
= attack assault
= win victory triumph
~ win award prize medal champion trophy
= prize trophy medal award
= champion championship
= compete competition competitor contest
~ competition tournament race match championship
~ celebrate birthday anniversary festival
= expect anticipate
~ surprise unexpected
= practice rehearse
~ practice train
> collection stamps coins vinyl antique figurines
= collector collect
= answer reply respond
= require need
= say mention
~ mention told
= call phone
= compare comparison
= weigh weight
= receive receipt
# Qualities, time and place
= strong strength
= long length
= wide width
= deep depth
= high height tall
= big large huge
= small tiny
= fast quick rapid speed
= slow sluggish
= true truth
= real reality genuine
= fake counterfeit
= mistake error
= different distinct
= rare uncommon
~ often frequently usually daily weekly regularly
= daily everyday
~ recent lately latest
~ previous former past
= currently nowadays
= necessary essential
= important crucial significant
~ favorite love best
= prefer favorite
= famous fame
= reason cause
~ reason motivated
= result outcome consequence
= effect impact influence
= method approach technique
~ location place city address near street
~ place location restaurant park beach museum city
~ symbol represent meaning reminder
~ meaning symbol represent
> event party concert wedding festival conference meetup parade ceremony workshop
~ event attended happened
= party celebration
~ organize arranged planned
= safe safety
= danger risk
~ freedom free
= luck lucky fortunate
~ accident crash collision injured
= damage harm
= destroy destruction
= story anecdote
= announcement news
= confidential secret
# Home
= home house residence
> home apartment condo flat
= apartment condo
~ apartment flat
~ house property mortgage
= landlord landlady
~ landlord rent lease
= tenant renter
= rent lease
~ loan mortgage borrow
> room kitchen bedroom bathroom basement attic garage balcony
= bathroom toilet restroom
= couch sofa
> furniture couch sofa table chair desk bed bookshelf wardrobe dresser
= wardrobe closet
= rug carpet
> appliance fridge oven dishwasher microwave washer dryer toaster vacuum
= fridge refrigerator
= stove oven
= tv television
~ heating warm
= hot heat
= warm warmth
~ elevator lift
= garbage trash rubbish
= yard garden backyard lawn
~ garden plant flower vegetable
= basement cellar
= tidy clean
= clean cleaner
= dirty filthy messy
= laundry washing
= chore housework
> chore/housework cleaning laundry dishes vacuuming ironing cooking
= renovate remodel refurbish
> tool hammer drill wrench screwdriver
= blanket quilt duvet
= plumber plumbing
= electricity electrician
~ electricity power
# Food and drink
= food cuisine
~ food eat cook
> food pizza pasta sushi rice bread soup salad chicken burger steak noodles tacos
= meal dish
> meal breakfast lunch dinner brunch supper
> dish pasta curry soup salad lasagna risotto stew casserole
> cuisine italian mexican chinese indian thai japanese french
= dinner supper
~ eat food meal
= eat dine
> snack chips popcorn nuts cookies crackers
= dessert pastry
> dessert cake pie cookie pudding tiramisu cheesecake chocolate
= cookie biscuit
> candy chocolate gummy lollipop caramel
= drink beverage
> drink/beverage coffee tea beer wine juice water soda milk cocktail whiskey smoothie lemonade
> coffee espresso latte cappuccino mocha
> tea matcha chai
> alcohol beer wine whiskey vodka rum gin cocktail tequila
= alcohol liquor booze
= drunk tipsy
= sober sobriety
= beer brewery ale
= wine winery vineyard
= bar pub
= restaurant diner eatery
~ restaurant cafe dinner ate
~ cafe coffee
> fruit apple banana orange strawberry mango grape peach pear blueberry cherry pineapple lemon
= vegetable veggie
> vegetable carrot tomato potato broccoli spinach onion cucumber lettuce pepper cabbage bean
> meat beef pork chicken steak lamb bacon turkey ham sausage
> seafood fish shrimp lobster crab salmon oyster tuna
> spice cinnamon pepper ginger garlic turmeric paprika cumin
> dairy milk cheese yogurt butter cream
> grain rice wheat oats barley corn
~ cook recipe bake grill kitchen
~ recipe ingredient cook
~ bake cake bread cookies oven
= bake baker
= grill barbecue bbq
= taste flavor
= delicious tasty yummy
= salt salty
= hungry hunger starving
= vegan vegetarian
> diet vegan vegetarian keto gluten-free paleo
~ diet weight eating calories
= gluten celiac
= grocery supermarket
= noodle ramen
= nut peanut
# Health and body
= hurt injury wound
~ injured broke fracture sprained accident
> injury concussion bruise burn cut
= fracture broken
= pain ache sore
~ hurt pain
> pain headache backache migraine
= headache migraine
= sick ill unwell
~ sick flu fever hospital
= illness disease sickness
> illness/disease flu cancer diabetes pneumonia covid asthma arthritis dementia
> condition asthma diabetes arthritis anxiety depression allergy autism adhd
= flu influenza
= covid coronavirus
= cancer tumor
~ cancer chemotherapy
= chemotherapy chemo
~ diabetes insulin sugar
= asthma asthmatic inhaler
= allergy allergen
> allergy/allergen peanut pollen dust gluten shellfish
= dementia alzheimer
= vaccine immunization
= medicine medication drug pill
~ medication prescribed dose antibiotic tablet
> medication aspirin ibuprofen insulin painkiller
= painkiller ibuprofen aspirin
= prescribe prescription
= pharmacy pharmacist
= doctor physician
~ doctor hospital clinic
> doctor surgeon dentist pediatrician dermatologist cardiologist psychiatrist
= dentist dental orthodontist
= tooth dental
= hospital clinic
~ hospital surgery emergency doctor nurse
= ambulance paramedic
= surgery surgeon surgical
~ surgery operation
~ diagnosis disease condition
> symptom fever cough headache nausea fatigue rash dizziness
= treatment therapy
= therapy therapist
= therapist counselor psychologist psychiatrist
= counseling counselor
= psychology psychologist
= psychiatrist psychiatric
= recover recovery heal
~ recovery better rehab
= rehab rehabilitation physiotherapy
= physiotherapist physiotherapy
= nausea vomit
= dizzy vertigo
= bleed blood
= disabled handicapped
~ disability wheelchair blind deaf
= healthy wellness
~ health diet exercise doctor sick
~ fitness gym workout exercise
= exercise workout
> exercise run yoga gym swim jog weightlifting pilates cardio cycling walk hike
~ gym workout fitness
~ jog run
= run runner
~ run marathon jog
~ marathon race
= meditate mindfulness
~ yoga pilates
= sleep asleep nap
~ sleep bed night insomnia
= insomnia sleepless
= wake awake
= tired exhausted fatigue
= sleepy drowsy
= overweight obese
= thin slim skinny
= hair hairstyle haircut
= barber hairdresser
~ haircut barber salon
= eye eyesight
= glasses eyeglasses spectacles
= stomach belly abdomen
~ smoke cigarette tobacco vaping
= die death dead
~ die funeral killed lost deceased
= funeral burial grave
= bury burial
= survive survivor
# Feelings and character
= feeling emotion mood
> feeling/emotion/mood happy sad angry stressed anxious excited scared proud lonely nervous
= happy glad joyful cheerful
= joy joyful delight
~ happy excited joy pleased
= sad unhappy upset
~ sad depressed crying heartbroken disappointed
~ cry weep tears
= angry anger mad furious
~ angry upset annoyed
= annoy annoyance irritate frustrating
~ stress anxiety anxious pressure worry
= overwhelmed stressed
= destress de-stress unwind
~ destress relax calm stress
= relax unwind
~ relax calm soothing peaceful leisure
= peace calm
= anxious anxiety nervous worried
= worry concern
= afraid scared fear frightened
~ fear phobia terrified
= terrified terror
= brave courage bravery
= proud pride
= ashamed shame
= embarrassed awkward
= lonely alone loneliness
= solo alone
= bored boredom
= excited thrilled
= grief grieve mourning
~ grief loss death
= jealous envy jealousy
= like enjoy
~ like love prefer favorite fond fan
~ enjoy love fun
= fun enjoyment
= enjoy enjoyment
~ love adore like
= hate dislike loathe
= hate hatred
~ dislike avoid
= passion enthusiasm
~ passion love interest
~ interest hobby passion curious enjoy
= curious curiosity
= shy introvert timid
= outgoing extrovert sociable
= generous generosity
= compassion empathy
= loyal loyalty
= patience patient
= joke humor
= funny hilarious
~ funny joke laugh
= laugh laughter
= smart intelligent clever
= wise wisdom
= stupid dumb foolish
= beautiful gorgeous
~ beautiful pretty
= amazing wonderful fantastic
~ amazing awesome
= respect admire
~ satisfied content happy
= regret remorse
# Animals and nature
> pet dog cat puppy kitten hamster turtle rabbit parrot goldfish guinea bunny
= dog puppy
> dog labrador poodle retriever beagle husky bulldog shepherd corgi
~ breed labrador poodle retriever beagle husky shepherd siamese
= cat kitten kitty
= rabbit bunny
= vet veterinarian
= animal creature
> animal dog cat bird horse fish bear elephant lion tiger deer wolf monkey snake
~ wildlife animal
> bird parrot owl eagle pigeon duck penguin crow sparrow hummingbird
> reptile snake lizard turtle gecko tortoise
= turtle tortoise
> insect bee butterfly ant mosquito beetle
> livestock cow sheep goat pig chicken horse
= cow cattle
= horse pony
~ horse riding equestrian
> nature forest mountain lake river ocean beach waterfall park
~ outdoors hiking camping nature park
= forest woods
= sea ocean
= beach coast shore seaside
= lake pond
= island isle
= flower blossom
> flower tulip sunflower lily orchid daisy lavender
> tree oak pine maple willow birch palm
> plant tree flower cactus fern succulent herb
> weather rain snow sun storm wind cloud fog hot cold sunny humid
~ weather forecast climate
= rain rainy
= snow snowy blizzard
= wind windy
= fog foggy
= sun sunny sunshine
= storm thunderstorm
> storm hurricane typhoon tornado blizzard
= hurricane typhoon cyclone
= lightning thunder
= cold chilly freezing
> disaster earthquake flood hurricane wildfire tornado tsunami
= earthquake quake
= wildfire bushfire
= sunrise dawn
= sunset dusk
~ astronomy telescope planet star
> planet mars jupiter saturn earth
~ environment climate pollution recycling sustainability
= environment environmental
> season spring summer autumn winter
~ autumn fall
> month january february march april june july august september october november december
> weekday monday tuesday wednesday thursday friday
> weekend saturday sunday
= noon midday
= year annual
# Money and shopping
= buy purchase
~ buy ordered shopping
~ purchase ordered shopping
= shop store
> shop bakery bookstore supermarket boutique mall
~ shopping bought
= sell sale
= seller vendor
= price cost
~ cost fee paid
~ fee charge
= expensive pricey costly
= cheap inexpensive affordable
= discount coupon
~ money dollars budget savings fund
= cash money
> currency dollar euro pound yen yuan rupee
= pay payment
= bill invoice
= refund reimbursement
= spend expense expenditure
~ budget spending
= rich wealthy
= poor poverty
= debt loan owe
= invest investor
> investment stocks bonds crypto
= crypto cryptocurrency bitcoin
~ finance money budget savings debt
= souvenir keepsake memento
= warranty guarantee
# Clothing
= clothes apparel outfit
> clothes/outfit/wear shirt dress jacket coat shoes jeans sweater skirt pants hat suit
= pants trousers jeans
= shirt t-shirt tshirt
= sweater jumper hoodie
= jacket coat
> shoe sneakers boots sandals heels
~ hat cap
> jewelry necklace ring bracelet earrings
= necklace pendant
= purse handbag
> bag backpack purse handbag suitcase
= fashion style stylish
= makeup cosmetics
> accessory hat scarf belt sunglasses
> color red blue green yellow purple black white pink orange brown gray teal
= color hue
# Transport and travel
= car automobile vehicle
> vehicle truck bike motorcycle bus van suv scooter
> car suv sedan hatchback
= truck lorry
~ truck pickup
= bike bicycle cycling cyclist
= motorcycle motorbike
= taxi cab
~ railway train
~ subway metro underground
= plane airplane aircraft
= fly flight
~ flight plane airport airline
= boat ship
> boat kayak canoe sailboat yacht ferry
= drive driver
= ride rider
~ commute drive train bus
= highway freeway motorway
= road street
= gas petrol gasoline fuel
= vacation holiday getaway
~ vacation trip travel beach
> holiday christmas thanksgiving easter halloween diwali hanukkah
= christmas xmas
= trip journey travel tour excursion
~ trip visited vacation
~ travel visited abroad flew
= roadtrip road-trip
= tour tourist tourism
~ destination trip travel
= hotel hostel inn motel
~ hotel stayed booked
= accommodation lodging hotel
= luggage suitcase baggage
~ explore adventure
= sightseeing landmark
> landmark tower museum monument castle bridge
= camp campsite tent
~ camping campfire hike
= campfire bonfire
= hike trail trek hiker
= walk stroll
= climb climber
> country america canada mexico england france germany italy spain japan china india brazil
> country australia russia ireland sweden
> continent europe asia africa australia antarctica
> city london paris tokyo beijing york berlin rome sydney chicago boston shanghai
~ city town
~ abroad country
~ hometown grew born raised
~ origin country born native
= native indigenous
# Countries and languages
= usa america american
= uk britain british
~ british england english london
= england english
= scotland scottish
= wales welsh
= ireland irish
= france french
= germany german
= italy italian
= spain spanish
= portugal portuguese
= netherlands dutch holland
= belgium belgian
= switzerland swiss
= austria austrian
= sweden swedish
= norway norwegian
= denmark danish
= finland finnish
~ poland polish
= greece greek
= russia russian
= ukraine ukrainian
= hungary hungarian
= czech czechia
= romania romanian
~ turkish turkey
= egypt egyptian
= israel israeli
= iran iranian persian
= iraq iraqi
= saudi arabia
= india indian
= china chinese
= japan japanese
= korea korean
= vietnam vietnamese
= thailand thai
= philippines filipino
= indonesia indonesian
= malaysia malaysian
= taiwan taiwanese
= australia australian aussie
= canada canadian
= mexico mexican
= brazil brazilian
= argentina argentinian
= colombia colombian
= peru peruvian
= chile chilean
= cuba cuban
= africa african
= kenya kenyan
= nigeria nigerian
= ethiopia ethiopian
= europe european
= asia asian
> language english spanish french german italian chinese mandarin japanese korean arabic russian
> language portuguese hindi
= mandarin chinese
~ bilingual language fluent speaks
= fluent fluency
= accent dialect
~ ethnicity race
> ethnicity asian african hispanic latino caucasian
# Sport, games and hobbies
= hobby pastime
~ hobby enjoy leisure interest
> hobby/pastime reading painting gardening cooking photography hiking knitting gaming fishing
> hobby pottery dancing chess
> activity hiking swimming camping painting running yoga dancing cycling pottery fishing
> craft knitting sewing pottery crochet woodworking embroidery quilting origami
= leisure recreation
= sport athletic
> sport basketball soccer football tennis baseball golf hockey volleyball swimming cricket rugby
> sport badminton boxing
= soccer football
= ski skier snowboarding
= swim swimmer
~ swim pool
= surf surfer
= golf golfer
> martial karate judo taekwondo boxing
= coach trainer
~ play player
= team squad crew
= stadium arena
= videogame gamer gaming
> game chess poker scrabble monopoly
> console xbox playstation nintendo switch
= puzzle jigsaw
~ puzzle crossword
> toy lego doll puzzle teddy
= gamble casino
= fish fisherman
= hunt hunter
= knit crochet
= sew tailor
= pottery ceramics clay
= woodworking carpentry carpenter
= wood wooden timber
= photo picture photograph
~ photo camera album
= dance dancer
> dance ballet salsa tango hip-hop waltz
= ballet ballerina
# Arts
= art artist artwork
> art painting drawing sculpture pottery sketch watercolor photography
> artist painter sculptor singer musician
= paint painter
> painting portrait landscape watercolor mural
= draw sketch
= sculpture sculptor
= gallery exhibition museum
= music musician
> music/genre jazz rock classical pop rap
> music song concert
= song tune melody
~ song track
= sing singer vocalist
> musician/band singer guitarist pianist drummer violinist
~ band musician album concert orchestra
= choir chorus
= concert gig
~ concert show live tour festival
> instrument guitar piano violin drums flute cello saxophone trumpet ukulele clarinet bass
= guitar guitarist
= piano pianist
= violin violinist
= drum drummer
= movie film cinema
~ movie watched actor theater
> movie comedy thriller documentary drama horror animation
> genre fantasy mystery romance thriller
~ show series
> show sitcom drama episode
= comedy comedian
= cartoon animation
~ theater play drama stage
~ book read author wrote novel
> book series memoir biography fantasy thriller mystery
= novel fiction
= read reader
~ read book novel
= poem poetry poet
= memoir autobiography biography
= library librarian
= bookstore bookshop
~ newspaper press article
= diary journal
= blog blogger
= publish publication
= scifi sci-fi
= magic magician
# Education
> school kindergarten preschool elementary college university highschool
= university college campus
~ college degree studied graduate
= kindergarten preschool
~ kindergarten nursery
= education schooling
~ education college degree studied university
= student pupil
= class course lesson
~ class taught teacher workshop
~ course training workshop
= workshop seminar
~ graduate degree finished
> degree bachelor master phd mba diploma
= thesis dissertation
~ major studied degree
> subject/major math history biology chemistry physics psychology economics engineering
= math mathematics
= biology biologist
= chemistry chemist
= physics physicist
= history historian historical
= economics economist
= exam test quiz
~ exam passed grade score
= homework assignment
= scholar scholarship
= science scientific scientist
> science physics chemistry biology astronomy geology
~ research study experiment
= invent inventor
= analyze analysis
~ apply application
= admit admission
# Religion, politics and law
= religion faith religious
~ religion belief church god
> religion/religious christian muslim jewish buddhist hindu islam judaism catholic
> religious church pray
= mosque islam muslim
= synagogue jewish
= jewish judaism jew
~ christian church
~ church christian mass priest
= pastor priest minister
= hindu hinduism
= pray prayer
= atheist agnostic
> worship church mosque temple synagogue
= politics politician
~ politics election vote government
> politics democrat republican liberal conservative
= election vote ballot
= vote voter
= senator congressman congress
= protest demonstration
~ protest march rally
= law legal
= illegal unlawful
= discrimination prejudice racism
= racism racist
= feminism feminist
= refugee asylum
= war battle
= gun weapon
= democracy democratic
= crime criminal
> crime theft murder robbery fraud assault burglary
= steal theft thief robbery
~ stolen robbed burglary
= arrest jail prison
= court judge
~ court trial
= lawsuit sue
= contract agreement deal
= sign signature
= witness testify
= prove proof
= punish penalty
= fraud scam
= comply compliance
= privacy private gdpr
= confidential nda
# Technology
= computer laptop pc
> computer desktop macbook
= phone smartphone mobile cellphone
> phone iphone android
> device laptop phone tablet computer iphone ipad
= device gadget
= wifi wireless
= internet online
= website webpage site
= email e-mail
~ email mail inbox
= password passphrase
~ credential password secret token key
~ password credential login
= login signin log-in
= ui interface
= display screen
~ screen monitor
= app application
~ software app program
= charger charging
= ai llm
> social facebook instagram twitter tiktok linkedin
= hack hacker
= spam phishing
= notification alert
= configuration config setting
~ setting preference option
~ preference like
= shortcut hotkey
> browser chrome firefox safari edge
> editor/ide vim emacs vscode neovim
= edit editor
= download upload
# Software
= programming coding
> programming python javascript java rust typescript golang kotlin ruby
> language python javascript java
= javascript js
~ typescript ts
~ golang go
= cpp c++
= csharp c#
= nodejs node.js
> framework react django flask rails spring angular vue fastapi
= frontend front-end
= backend back-end
> frontend react css html javascript vue
~ library package dependency
= dependency package
= repository repo
> repository github gitlab monorepo
~ pr merge review
= bug defect
~ bug issue error broken crash fix
~ issue bug defect ticket
= error exception
~ error failure bug
> error crash timeout traceback
= exception traceback stacktrace
= crash segfault
~ crash panic
= debug troubleshoot
~ debug logs trace
~ fix patch resolved solution
= hotfix patch
= feature functionality
= spec specification
= document doc
> documentation readme wiki guide manual
= guide tutorial manual
= refactor rewrite cleanup
= deprecate legacy
~ test pytest jest junit unittest qa
= flaky intermittent
~ ci pipeline
> ci jenkins circleci github buildkite
= lint linter
> linter/lint ruff eslint flake8 pylint
> formatter black ruff gofmt
= formatter prettier
= api endpoint
> api rest graphql grpc
= yaml yml
~ indent tabs spaces
= convention guideline
~ convention style standard
> architecture microservice monolith serverless
~ architecture design
~ microservice service
= concurrency parallel
= async asynchronous
> queue kafka rabbitmq sqs celery redis
> broker kafka rabbitmq
> cache redis memcached cdn
= database db
~ database table schema sql
> database/db postgres postgresql mysql sqlite mongodb redis mariadb dynamodb oracle cassandra
= postgres postgresql
= mongo mongodb
= orm sqlalchemy
= replica replication
= shard partition
~ dashboard grafana chart
= spreadsheet excel
= report summary
= telemetry monitoring
> monitoring prometheus grafana datadog sentry
~ performance slow fast latency throughput optimize
~ slow latency timeout
= latency delay
= scale scalable
= cpu processor
~ gpu cuda
~ storage disk bucket
= directory folder
# Operations
= deploy deployment release rollout
~ deploy ship launched production
= rollback revert
= production prod
> environment staging production dev
= outage incident downtime
~ outage unavailable broken
~ incident alert postmortem crash failure
= postmortem post-mortem
~ postmortem retrospective incident
= oncall on-call pager
= alert alarm
= priority urgent
= urgent emergency
= runbook playbook
= sla slo
~ server host machine
~ backup restore snapshot
= k8s kubernetes
~ kubernetes cluster
> kubernetes/k8s helm pod kubectl
~ container docker
> cloud aws azure gcp
> os linux windows macos ubuntu android ios
= macos mac
= linux ubuntu debian
= terminal shell
> shell/terminal bash zsh fish powershell
= automate automatic
= infrastructure infra
> infrastructure terraform ansible kubernetes
~ certificate tls ssl
= tls ssl
= auth authentication
> auth/authentication oauth sso password saml jwt
= 2fa mfa
= vulnerability cve exploit
~ security vulnerability breach
~ retry backoff
= throttle rate-limit
= feature-flag toggle
= uninstall remove
= upgrade update
= admin administrator
~ metric kpi measured
# Teams and customers
= owner ownership
~ owner responsible maintainer
= maintain maintenance
= assign assignee
= sprint iteration
> tracker jira linear github
= complaint complain
~ complaint unhappy angry refund
= survey questionnaire
~ survey feedback
= demo demonstration
~ presentation slides demo talk
> slides powerpoint keynote
> chat slack teams discord whatsapp
= supplier vendor supply
= subscription subscribe
= marketing advertising campaign
= advertise advertisement ad
= merger acquisition
= acquire acquisition
= shareholder investor
= factory manufacturing
= process procedure workflow
"""

# Text is indexed by its pairs of characters, so each word is one pair, or a telling pair of a
# longer word: 西红 of 西红柿.
CHINESE = """
# 家庭与人
= 爸爸 父亲 老爸
= 妈妈 母亲 老妈
> 父母 爸爸 妈妈 父亲 母亲
> 家人/亲戚 爸爸 妈妈 父亲 母亲 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 叔叔 阿姨
> 家人 妻子 丈夫 儿子 女儿
= 孩子 小孩 儿童
> 孩子 儿子 女儿 宝宝 婴儿
> 兄弟 哥哥 弟弟
> 姐妹 姐姐 妹妹
= 爷爷 祖父
= 奶奶 祖母
= 外公 姥爷
= 外婆 姥姥
= 妻子 老婆 太太
= 丈夫 老公
> 配偶/伴侣 妻子 丈夫 老婆 老公
= 结婚 婚礼 婚姻
~ 已婚 结婚 妻子 丈夫
= 离婚 分手
= 怀孕 孕期
~ 怀孕 生子 宝宝
= 出生 诞生
= 生日 寿辰
= 去世 死亡 逝世 过世
= 朋友 好友 友人
= 同事 同僚
= 室友 舍友
= 邻居 街坊
= 恋人 情侣
> 恋人/对象 男友 女友
~ 恋爱 男友 女友 约会
= 年龄 年纪 岁数
= 童年 儿时
= 老人 长辈
= 性格 脾气
= 名字 姓名
= 籍贯 家乡 老家 故乡
# 工作
= 工作 职业 职位 上班
> 职业 老师 医生 护士 律师 工程 会计 司机
= 老师 教师
= 医生 大夫
= 老板 上司 领导 经理
= 公司 企业
= 员工 职员
= 薪水 工资 薪资 收入
= 辞职 离职
= 招聘 招人
= 解雇 裁员 开除
= 升职 晋升
= 会议 开会
~ 会议 例会 评审 讨论
= 日程 安排 行程
~ 期限 截止
= 任务 待办
= 客户 顾客
= 创业 初创
= 合同 协议 合约
= 出差 差旅
= 面试 应聘
= 目标 目的
= 计划 打算 规划
= 成功 成就
= 困难 难题 挑战
= 问题 毛病
= 解决 处理
= 帮助 帮忙 协助
= 建议 意见
= 决定 选择
= 同意 赞成
= 开始 启动
= 结束 完成
= 取消 作废
= 推迟 延期 延迟
= 修改 更改 变更
= 增加 增长
= 减少 降低
= 讨论 商量 谈论
= 记得 记住
= 比赛 竞赛
= 获奖 得奖
= 参加 参与
~ 搬家 搬到
~ 居住 住在
~ 地址 住在 住址
= 原因 理由
= 结果 结局
= 重要 关键
= 经常 常常
= 最近 近来
# 家居
= 房子 住房 房屋
> 房子 公寓 别墅
= 房租 租金 租房
~ 厕所 洗手 卫生
> 家具 沙发 桌子 椅子 床铺 书架 衣柜
> 家电/电器 冰箱 洗衣 空调 电视 烤箱
= 打扫 清洁 扫地
> 家务 打扫 洗碗 做饭 洗衣
= 装修 翻新
= 垃圾 废物
= 花园 院子
# 饮食
= 食物 食品
~ 食物 吃的
> 食物 米饭 面条 饺子 面包 火锅 包子
= 做饭 烹饪 做菜
= 餐厅 餐馆 饭店
> 三餐 早餐 午餐 晚餐
= 早餐 早饭
= 午餐 午饭
= 晚餐 晚饭
> 饮料 咖啡 果汁 可乐 牛奶 奶茶 茶叶
= 喝酒 饮酒
> 喝酒 啤酒 白酒 红酒
> 水果 苹果 香蕉 橙子 草莓 葡萄 西瓜 芒果
> 蔬菜 白菜 西红 土豆 胡萝 菠菜 黄瓜
> 肉类 牛肉 猪肉 羊肉 鸡肉
> 海鲜 虾仁 螃蟹 三文 生蚝
> 甜点/甜品 蛋糕 饼干 冰淇 巧克
= 甜点 甜品
= 味道 口味
= 好吃 美味
= 素食 吃素
# 健康
= 受伤 伤到 负伤
~ 受伤 骨折 扭伤 摔伤
= 生病 患病 得病
> 疾病 感冒 癌症 糖尿 高血 肺炎 哮喘
= 疾病 病情
= 感冒 流感
= 发烧 发热
> 疼痛 头疼 头痛 牙疼 腰痛
= 头疼 头痛
> 过敏 花生 花粉 青霉
= 药物 药品 吃药
= 医院 诊所
= 手术 开刀
= 诊断 确诊
= 治疗 医治
= 康复 恢复
= 疫苗 接种
= 牙医 牙科
= 锻炼 健身 运动
> 锻炼/运动 跑步 游泳 瑜伽 爬山 骑车
= 减肥 瘦身
= 睡觉 睡眠
~ 睡眠 失眠
= 疲惫 疲劳 劳累
= 抽烟 吸烟
# 情感
= 感受 心情 情绪
> 心情/情绪/感受 高兴 开心 难过 生气 焦虑 害怕 孤独 紧张
= 高兴 开心 快乐 愉快
= 难过 伤心 悲伤
= 生气 愤怒 恼火
= 害怕 恐惧
= 焦虑 担心 担忧
~ 压力 紧张 焦虑
= 放松 解压 减压
= 孤独 寂寞
= 骄傲 自豪
= 后悔 遗憾
= 喜欢 喜爱 爱好
~ 喜欢 最爱 偏好 热爱
= 偏好 偏爱
= 讨厌 厌恶
~ 讨厌 反感 不爱
= 漂亮 美丽
= 聪明 聪慧
# 动物与自然
> 宠物 小狗 小猫 狗狗 猫咪 仓鼠 兔子 乌龟 金鱼 鹦鹉 养狗 养猫
= 小狗 狗狗
= 小猫 猫咪
> 动物 小狗 小猫 老虎 狮子 大象 熊猫 猴子
= 大海 海洋
= 海边 海滩 沙滩
= 森林 树林
> 天气 下雨 下雪 晴天 刮风 台风 气温
= 下雨 降雨
= 下雪 降雪
> 灾害 地震 洪水 台风 火灾
> 季节 春天 夏天 秋天 冬天
> 周末 周六 周日
> 花卉 玫瑰 百合 郁金 牡丹
# 金钱与购物
= 购买 买入
~ 购买 买了
= 购物 逛街
= 出售 卖掉 售卖
= 商店 店铺
= 价格 价钱 费用
= 便宜 实惠
~ 昂贵 很贵
= 打折 优惠 折扣
= 付款 支付 付钱
= 退款 退钱
= 贷款 借款
= 投资 理财
> 投资 股票 基金 债券
= 预算 开支
= 礼物 礼品
> 衣服 裤子 裙子 衬衫 外套 毛衣
= 衣服 服装
= 鞋子 球鞋
> 颜色 红色 蓝色 绿色 黄色 紫色 黑色 白色 粉色
# 出行
= 汽车 轿车
> 交通 地铁 公交 火车 飞机 汽车 高铁
= 飞机 航班
= 旅行 旅游 度假
~ 旅行 出国 景点
= 酒店 宾馆 旅馆
= 行李 箱子
= 爬山 登山 徒步
= 散步 走路
> 国家 中国 美国 英国 法国 德国 日本 韩国 意大 加拿 澳大 印度
> 城市 北京 上海 广州 深圳 杭州 成都 武汉 南京
> 语言 英语 中文 法语 德语 日语 韩语 西班
= 中文 汉语
= 英语 英文
= 日语 日文
= 国外 海外
# 爱好与文艺
= 爱好 兴趣
> 爱好/兴趣 画画 摄影 阅读 唱歌 跳舞 钓鱼 下棋 游戏 看书
> 运动 篮球 足球 网球 羽毛 乒乓
= 画画 绘画
= 摄影 拍照
= 照片 相片 图片
= 电影 影片
= 书籍 图书 小说
~ 书籍 看书 读书
= 阅读 读书 看书
> 音乐 歌曲 古典 摇滚 爵士
> 乐器 钢琴 吉他 提琴 古筝
= 歌曲 唱歌
= 歌手 演唱
= 作家 作者
= 演员 明星
> 节日 春节 中秋 端午 圣诞 元旦
= 春节 过年
= 聚会 派对
# 教育、宗教、法律
= 学校 校园
> 学校 大学 中学 小学 幼儿
= 学习 读书
~ 学历 大学 本科 硕士 博士 毕业
= 专业 主修
= 考试 测验
= 课程 上课
= 学生 同学
> 科目 数学 语文 英语 物理 化学 历史
= 宗教 信仰
> 宗教/信仰 佛教 基督 伊斯 道教
= 法律 法规
= 起诉 诉讼
= 隐私 保密
# 技术与运维
~ 电脑 笔记 台式
= 手机 电话
= 邮件 邮箱
= 密码 口令
= 软件 程序 应用
= 网站 网页
= 账号 账户
= 错误 报错 异常
= 缺陷 漏洞
= 故障 事故 宕机
~ 故障 报警 崩溃 中断
= 报警 告警
= 崩溃 闪退
= 修复 修理
= 部署 上线 发布
= 回滚 回退
= 升级 更新
= 配置 设置
= 备份 快照
= 接口 端点
= 文档 手册
= 测试 单测
= 编程 写码
= 性能 速度
= 延迟 卡顿
= 权限 授权
= 登录 登陆
= 监控 观测
= 负责 主管
= 投诉 抱怨
= 反馈 评价
"""
