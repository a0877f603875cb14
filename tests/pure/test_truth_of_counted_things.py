"""What is only counted says nothing about the one before: memory 3 and memory 4 are two."""

import pytest

from agent_memory_os.pure.truth import Assertion, weigh

COUNTED = """
memory {i}
tea {i}
fact {i}
note {i}
fact number {i}
item {i}
note #{i}
deploy note {i}
memory number {i}
memory number {i} about deploys
fact {i} about the deploy
Fact {i}: the deploy runs
this is memory {i}
This is fact number {i}
this is note number {i} of many
event {i} happened
message {i} from the agent
message {i}
User {i} likes tea
user {i} prefers dark mode
Project {i} uses Python
server {i} is down
server {i} runs nginx
agent {i} wrote this
written by process {i}
process 3 wrote row {i}
row {i} of 500
row {i} from worker 2
worker 2 row {i}
thread {i} writes
writer 1 note {i}
the quick brown fox {i}
The quick brown fox number {i} jumps
deploy port {i}
the deploy port note {i}
Deployment log entry {i}
log entry {i}: all fine
chatter {i}
chatter about the weather {i}
daily chatter {i} about lunch
lunch on day {i} was good
Day {i}: we deployed
on day {i} the build passed
step {i} of the plan
step {i} is done
task {i} done
Task {i} is complete
ticket {i} closed
closed ticket {i}
issue {i} was fixed
bug {i} is fixed
version {i} notes
turn {i}
turn {i}: hello
filler {i}
filler text number {i}
noise {i}
noise row {i}
noise {i} with port and deploy
random note {i} with words
private note {i}
secret {i}
hidden {i}
alpha {i}
alpha beta {i}
lorem ipsum {i}
Alice's note {i}
Alice said thing {i}
Alice visited place {i}
Alice has item {i}
Alice bought book {i}
likes color {i}
doc {i} is about cats
document {i} talks about cats
page {i} is long
The cache entry {i} expires
entry {i}
key {i}
value {i}
content {i}
some content {i}
content number {i}
m{i}
memory-{i}
fact_{i}
fact-{i} is true
deploy fact_{i} is true
a{i} b{i}
x {i} y
{i}
{i} bottles of beer
{i} apples
number {i}
the number {i}
记忆 {i}
第{i}条记忆
第{i}条
笔记{i}
事实{i}
用户{i}喜欢茶
部署笔记{i}
部署端口 {i}
服务器{i}宕机了
消息{i}
今天聊了{i}
Meeting {i} notes
memory {i} shared with the team
session note {i} about the deploy pipeline
old value {i}
stale fact {i}
superseded {i}
archived note {i}
needle {i}
hay {i}
haystack row {i} deploy port
the port of service {i} is open
service {i} listens on port 80
service-{i} listens on port 80
host{i} is up
db{i} is up
Rule {i}: never deploy on Friday
lesson {i}: check the logs
warning {i}: disk full
Remember thing {i}
remember to do thing {i}
todo {i}: buy milk
buy milk {i}
concurrent add {i}
proc {i} item 7
proc 1 item {i}
p1-{i}
p{i}
w1 i{i}
writer=1 seq={i}
worker-1 memory {i}
memory {i} by agent neo
recall test {i}
batch row {i}
bulk memory {i}
bulk item {i} for the store
preference {i}
prefers option {i}
decision {i}
decided on option {i}
child {i}
parent {i}
source {i}
event {i} of session
user says hello {i}
hello {i}
hello world {i}
I like number {i}
observation {i}: temperature is fine
sample {i} passed
run {i} failed
build {i} failed
build {i} passed
test {i} passed
PR {i} merged
merged PR {i}
chapter {i} is long
""".strip().split("\n")


@pytest.mark.parametrize("subject", [None, "user:alice"])
@pytest.mark.parametrize("template", COUNTED)
@pytest.mark.parametrize(("one", "other"), [(3, 4), (997, 12), ("one", "two")])
def test_what_is_counted_contradicts_nothing(
    template: str, one: object, other: object, subject: str | None
) -> None:
    old, new = template.format(i=one), template.format(i=other)

    weighing = weigh(Assertion(new, "neo", subject=subject), Assertion(old, "neo", subject=subject))

    assert weighing.relation == "unrelated", weighing.why
