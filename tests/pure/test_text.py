from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.bm25 import relevance
from agent_memory_os.pure.text import (
    MOST_QUERY_TERMS,
    QueryTerm,
    analyse_query,
    index_terms,
)

SENTENCES = {
    "english": "Alice's children went to the theatre, didn't they, and bought naïve e-mails",
    "code": "getUserName reads conf/app.prod.ini via std::vector, #include, .NET and PR-1234",
    "russian": "Договор аренды истекает в марте",
    "greek": "Η άδεια λήγει τον Ιούνιο",
    "hebrew": "פגישת צוות נדחתה לרביעי",
    "arabic": "كلمة المرور تنتهي كل تسعين يوما",
    "hindi": "बैठक सोमवार को है",
    "tamil": "கூட்டம் திங்கட்கிழமை நடைபெறும்",
    "vietnamese": "Người dùng thích chế độ tối",
    "emoji": "deploy ✅ rollback ❌ 👩‍💻 🇫🇷",
}
ANY_TEXT = st.text() | st.text("aZ'é.-/+#9 \u0301你が\ud800\x00✅", max_size=40)


def found(query: str, *texts: str) -> list[str]:
    """The texts that share a term with *query*, best first."""
    asked = analyse_query(query)
    documents = [" ".join(index_terms(text)) for text in texts]
    scores = relevance(asked, documents, rows=0, mean_terms=0)
    order = sorted(range(len(texts)), key=lambda at: -scores[at])
    return [texts[at] for at in order if scores[at]]


def asked_terms(query: str) -> list[str]:
    return [term.text for term in analyse_query(query).terms]


def is_one_token(term: str) -> bool:
    return 0 < len(term) <= 64 and not any(
        category(character) in ("Cc", "Cs", "Zs", "Zl", "Zp") or "A" <= character <= "Z"
        for character in term
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The children went home", "the child go home"),
        ("I don't, won't; you've", "i dont wont you"),
        ("Caroline’s and the students' books", "carolin and the student book"),
        ("l'amour O'Brien", "lamour amour obrien brien"),
        ("snake_case", "snake_case snake case"),
        ("mail-to-sheet", "mail-to-sheet mail to sheet"),
        ("getUserName HTTPServer", "getusernam get user name httpserver http server"),
        ("IDs iPhone", "id iphon phone"),
        ("conf/app.prod.ini", "conf/app.prod.ini conf app.prod.ini app prod ini"),
        ("ops@example.org,", "ops@example.org op example.org exampl org"),
        ("https://a.example/x_y?q=1", "https://a.example/x_y http a.example exampl x_y q=1 1"),
        ("C++, C# and F#.", "c++ c# and f#"),
        ("Use .NET 8 or .env", "use .net net 8 or .env env"),
        ("v1.2.3 61.5% 8,000 -5", "v1.2.3 1.2.3 61.5% 61.5 8000 -5 5"),
        ("E1234 5km utf8 PR-1234", "e1234 1234 5km km 5 utf8 utf pr-1234 pr 1234"),
        ("09:15 km/h 2024-05-08", "09:15 09 15 km/h km 2024-05-08 2024 05 08"),
        ("#include @user U.S.A.", "#include includ @user user u.s.a usa"),
        ("Nuñez Straße ＡＢＣ", "nunez nuñez strass abc"),
        ("Ёлка й", "елка ёлка й"),
        ("٤٢ كُتُب", "42 ٤٢ كتب كُتُب"),
        ("बैठक हिन्दी", "बैठक हिन्दी"),
        ("投影仪 猫", "投影 影仪 仪 猫"),
        ("焼き鳥", "焼き き鳥 鳥"),
        ("회의록은", "회의 의록 록은 은"),
        ("用Python3写", "用 python3 python 写"),
        ("มากกว่า", "มาก ากก กกว กว่ ว่า ่า า"),
        ("✅👍🏽❌ 👨\u200d👩\u200d👧🇫🇷", "✅ 👍 ❌ 👨 👩 👧 🇫🇷"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("a\x00b\ud800c", "a b c"),
    ],
)
def test_a_text_has_these_terms(text: str, terms: str) -> None:
    assert " ".join(index_terms(text)) == terms


@given(ANY_TEXT)
def test_every_term_of_every_text_is_one_token(text: str) -> None:
    terms = index_terms(text) + asked_terms(text)

    assert [term for term in terms if not is_one_token(term)] == []
    assert index_terms(text) == index_terms(text)


@given(ANY_TEXT)
def test_composed_and_decomposed_texts_have_the_same_terms(text: str) -> None:
    """FC-027."""
    assert index_terms(normalize("NFC", text)) == index_terms(normalize("NFD", text))
    assert asked_terms(normalize("NFC", text)) == asked_terms(normalize("NFD", text))


@given(ANY_TEXT)
def test_what_a_query_looks_for_is_among_the_terms_of_the_same_text(text: str) -> None:
    terms = index_terms(text)
    query = analyse_query(text)

    assert [
        term
        for term in query.terms
        if term.text not in terms
        and not (term.prefix and any(known.startswith(term.text) for known in terms))
    ] == []
    assert not terms or query.terms


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES.keys())
def test_every_word_asked_alone_finds_its_sentence(sentence: str) -> None:
    """FC-021."""
    unfound = [word for word in sentence.split() if not found(word, sentence)]

    assert unfound == []


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("投影仪", "会议室的投影仪需要更换灯泡"),
        ("灯泡", "会议室的投影仪需要更换灯泡"),
        ("泡", "会议室的投影仪需要更换灯泡"),
        ("会", "会议室的投影仪需要更换灯泡"),
        ("歓迎会", "来週の歓迎会は駅前の焼き鳥屋で行います"),
        ("焼き鳥", "来週の歓迎会は駅前の焼き鳥屋で行います"),
        ("회의록", "회의록은 매주 금요일에 공유합니다"),
        ("금요일", "회의록은 매주 금요일에 공유합니다"),
        ("วันจันทร์", "ประชุมทีมทุกวันจันทร์เวลาเก้าโมง"),
        ("ประชุม", "ประชุมทีมทุกวันจันทร์เวลาเก้าโมง"),
        ("ทีม", "ประชุมทีมทุกวันจันทร์เวลาเก้าโมง"),
        ("ມື້", "ປະຊຸມມື້ນີ້"),
        ("报销", "报销单优先走电子流程"),
        ("电子", "报销单优先走电子流程"),
    ],
)
def test_a_word_inside_an_unspaced_sentence_finds_it_alone(query: str, sentence: str) -> None:
    """FC-019, FC-023, FC-025."""
    others = ["今天天气很好", "雨が降っている", "날씨가 좋다", "ฝนตก", "The rain falls"]

    assert found(query, *others, sentence) == [sentence]


@pytest.mark.parametrize("query", ["Nuñez", "nunez", "crème", "creme", "NUÑEZ", "budget"])
def test_accents_are_folded_on_both_sides(query: str) -> None:
    """FC-031."""
    assert found(query, "Nuñez approves Crème budgets", "Nothing here")


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("Nuñez", "Call Nuñez"),
        ("C++", "Port the parser to C++"),
        ("c#", "Port the parser to C#"),
        ("vitamin C", "Vitamin C in the morning"),
        (".NET", "Use .NET 8"),
        (".net", "Use .NET 8"),
        ("km/h", "cart limit is 8 km/h"),
        ("✅", "tests ✅"),
        ("-5", "It was -5 outside"),
    ],
)
def test_the_exact_form_ranks_first(query: str, best: str) -> None:
    """FC-033, FC-035."""
    world = (
        *("Call Nunez", "Call Nuñez", "Port the parser to C", "Port the parser to C++"),
        *("Port the parser to C#", "Vitamin C in the morning", "A net of 8", "Use .NET 8"),
        *("the kmh sensor is broken", "cart limit is 8 km/h", "tests ❌", "tests ✅"),
        *("It was 5 outside", "It was -5 outside"),
    )

    assert found(query, *world)[0] == best


@pytest.mark.parametrize(
    "query", ["", "   ", "???", "-", '""', "()", "...", "—", "\n\t", "。！", "\x00"]
)
def test_punctuation_asks_for_nothing(query: str) -> None:
    """FC-009."""
    assert analyse_query(query) == analyse_query(query)
    assert analyse_query(query).terms == ()


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("don't restart", ["restart"]),
        ("What did Caroline research?", ["carolin", "research"]),
        ("status: blocked", ["statu", "block"]),
        ('retry "wait', ["retri", "wait"]),
        ("waiting OR", ["wait"]),
        ("mail-to-sheet", ["mail-to-sheet", "mail", "sheet"]),
        ("What did Will buy in the US?", ["will", "bui", "us"]),
        ("US economy", ["us", "econom"]),
        ("¿Dónde está la oficina?", ["oficina"]),
        ("one evening in may, use ale", ["evening", "mai", "use", "al"]),
        ("What's Carol's id? I'd ask", ["carol", "id", "ask"]),
        ("Wo ist der Schlüssel für das Auto?", ["schlussel", "schlüssel", "auto"]),
        ("где ключ", ["ключ"]),
        ("锣鼓经是什么？", ["锣鼓", "鼓经"]),
        ("请问猫叫什么名字呢", ["名字"]),
        ("歓迎会はいつですか", ["歓迎", "迎会", "会は"]),
        ("언제 회의", ["회의"]),
    ],
)
def test_words_that_only_ask_leave_the_query(query: str, terms: list[str]) -> None:
    assert asked_terms(query) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("who is it", ["who", "be", "it"]),
        ("don't", ["dont"]),
        ("AND", ["and"]),
        ("WHERE IS IT", ["where", "be", "it"]),
        ("什么", ["什么"]),
    ],
)
def test_stop_words_stay_if_nothing_else_is_asked(query: str, terms: list[str]) -> None:
    assert asked_terms(query) == terms


def test_one_character_is_asked_as_a_prefix() -> None:
    assert analyse_query("猫").terms == (QueryTerm("猫", prefix=True),)
    assert analyse_query("猫在哪里？").terms == (QueryTerm("猫", prefix=True),)
    assert analyse_query("的").terms == (QueryTerm("的", prefix=True),)


def test_characters_re_rank_and_are_no_terms() -> None:
    query = analyse_query("2008年锣鼓经 plan")

    assert query.text == "2008年锣鼓经 plan"
    assert query.characters == ("年", "锣", "鼓", "经")
    assert asked_terms("2008年锣鼓经 plan") == ["2008", "年锣", "锣鼓", "鼓经", "plan"]


def test_a_word_that_comes_twice_counts_twice() -> None:
    query = analyse_query("tea or coffee? Teas!")

    assert query.terms == (QueryTerm("tea", 2.0), QueryTerm("coffe"))


def test_a_long_query_keeps_its_first_terms() -> None:
    query = analyse_query(" ".join(f"word{number}x" for number in range(1000)))

    assert len(query.terms) == MOST_QUERY_TERMS
    assert query.terms[0] == QueryTerm("word0x")


@pytest.mark.parametrize(
    "text",
    [
        *("x" * 10_000, "x" * 1_000_000, "a.b-" * 250_000, "aB" * 500_000, "é'" * 300_000),
        *("你" * 1_000_000, "👍" * 300_000, "The " * 250_000, "in\x00" * 10_000 + " after"),
    ],
    ids=lambda text: text[:6],
)
def test_a_huge_text_has_terms_like_any_other(text: str) -> None:
    """FC-029 and others: nothing here may take more than linear time."""
    terms = index_terms(text)

    assert terms
    assert max(map(len, terms)) <= 64
    assert analyse_query(text).terms


def test_long_runs_that_differ_at_the_end_have_different_terms() -> None:
    assert index_terms("x" * 100) != index_terms("x" * 99 + "y")
    assert index_terms("x" * 100) == index_terms("X" * 100)
