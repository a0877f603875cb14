from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.stored import count_terms, needle
from agent_memory_os.pure.text import QueryTerm, analyse, analyse_query, expand, index_terms

MIXED = st.text(st.sampled_from("abZ 9.-_éß投影仪会かナ회의วันจ✅\n"), max_size=40)


@given(st.one_of(st.text(), MIXED))
def test_what_is_stored_gives_back_every_index_term(text: str) -> None:
    stored = analyse(text)

    assert expand(stored).split() == index_terms(text)
    assert count_terms(stored) == len(index_terms(text))


@given(MIXED)
def test_each_term_of_a_query_is_counted_where_the_index_has_it(text: str) -> None:
    stored, terms = f" {analyse(text)} ", set(index_terms(text))

    for term in analyse_query(text).terms:
        if not term.prefix:
            assert (needle(term) in stored) == (term.text in terms)


def test_a_run_takes_no_more_room_than_its_characters() -> None:
    assert analyse("会议室的投影仪 needs a bulb") == "会议室的投影仪 need a bulb"


def test_a_short_query_of_an_unspaced_script_is_looked_for_within_runs() -> None:
    assert needle(QueryTerm("猫", prefix=True)) == "猫"
    assert needle(QueryTerm("tea")) == " tea "
    assert needle(QueryTerm("te", prefix=True)) == " te"
