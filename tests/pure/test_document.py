"""Documents: an edit outlives being written anew, and what a source has lost is gone with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure import document, revision
from agent_memory_os.pure.document import Statement, Wanted

TEA, POTS, PORTO, LATER = ("0" * 24 + digit for digit in "1234")
NOTES = dict.fromkeys((TEA, POTS, PORTO, LATER), "2026-03-02, user:ana")
SAID = {
    TEA: "Ana prefers tea",
    POTS: "Ana fires pots in her studio",
    PORTO: "Ana moves to Porto",
    LATER: "Ana sells pots",
}


def wanted(*ids: str, title: str = "Ana", **said: str) -> Wanted:
    """Return a document of what these say, without headings."""
    lines = tuple(Statement(said.get(each, SAID[each]), (each,)) for each in ids)
    return Wanted(title, (("", lines),), {each: NOTES[each] for each in ids})


def made(*ids: str, title: str = "Ana") -> tuple[str, dict[str, object]]:
    content, metadata = revision.merged(None, {}, wanted(*ids, title=title))
    return content, {**metadata}


def body(content: str) -> list[str]:
    """Return the lines above the index."""
    return [line for line in content.partition(document.SOURCES)[0].splitlines() if line]


@pytest.mark.capability("OOM-019", "OOM-030")
def test_each_line_cites_its_source_and_the_index_resolves_it() -> None:
    content, metadata = made(TEA, POTS)

    assert content == (
        "# Ana\n\n"
        "- Ana prefers tea [^1]\n"
        "- Ana fires pots in her studio [^2]\n\n"
        "## Sources\n\n"
        f"[^1]: {TEA}, 2026-03-02, user:ana\n"
        f"[^2]: {POTS}, 2026-03-02, user:ana"
    )
    assert [(each.number, each.id) for each in document.sources(content, metadata)] == [
        (1, TEA),
        (2, POTS),
    ]


def test_the_same_again_changes_nothing() -> None:
    content, metadata = made(TEA, POTS)

    assert revision.merged(content, metadata, wanted(TEA, POTS)) == (content, metadata)


@pytest.mark.capability("OOM-036")
def test_a_changed_line_stays_changed() -> None:
    content, metadata = made(TEA, POTS)
    edited = content.replace("prefers tea", "prefers green tea")

    again, _ = revision.merged(edited, metadata, wanted(TEA, POTS, LATER))

    assert body(again) == [
        "# Ana",
        "- Ana prefers green tea [^1]",
        "- Ana fires pots in her studio [^2]",
        "- Ana sells pots [^3]",
    ]


@pytest.mark.capability("OOM-036")
def test_a_line_that_was_taken_out_does_not_come_back() -> None:
    content, metadata = made(TEA, POTS)
    edited = content.replace("- Ana prefers tea [^1]\n", "")

    again, kept = revision.merged(edited, metadata, wanted(TEA, POTS, LATER))
    third, _ = revision.merged(again, kept, wanted(TEA, POTS, LATER))

    assert "tea" not in again
    assert third == again


@pytest.mark.capability("OOM-036")
@pytest.mark.parametrize("place", ["above the index", "below the index"])
def test_an_added_line_stays(place: str) -> None:
    content, metadata = made(TEA)
    own = "- and no sugar"
    edited = {
        "above the index": content.replace("\n\n## Sources", f"\n{own}\n\n## Sources"),
        "below the index": f"{content}\n\n{own}",
    }[place]

    again, kept = revision.merged(edited, metadata, wanted(TEA, POTS))

    assert own in again.splitlines()
    assert "- Ana fires pots in her studio [^2]" in again.splitlines()
    assert revision.merged(again, kept, wanted(TEA, POTS))[0] == again


def test_a_title_that_somebody_gave_stays_and_else_it_is_renewed() -> None:
    content, metadata = made(TEA)

    named, _ = revision.merged(
        content.replace("# Ana", "# Our Ana"), metadata, wanted(TEA, title="Pots")
    )
    renewed, _ = revision.merged(content, metadata, wanted(TEA, title="Pots"))

    assert (document.title(named), document.title(renewed)) == ("Our Ana", "Pots")


def test_a_line_is_renewed_in_its_place_and_what_is_not_wanted_leaves() -> None:
    content, metadata = made(TEA, POTS, PORTO)
    other = Wanted(
        "Ana",
        (("", (Statement("Ana drinks tea", (TEA,)), Statement(SAID[PORTO], (PORTO,)))),),
        NOTES,
    )

    again, _ = revision.merged(content, metadata, other)

    assert body(again) == ["# Ana", "- Ana drinks tea [^1]", "- Ana moves to Porto [^3]"]
    assert POTS not in again


def test_a_number_is_never_given_to_another_source() -> None:
    content, metadata = made(TEA, POTS)
    content, metadata = revision.cut(content, metadata, {POTS: ""}, retitled={}, titled=None)

    again, _ = revision.merged(content, metadata, wanted(TEA, PORTO))

    assert "- Ana moves to Porto [^3]" in again


def test_headings_stand_in_their_order_and_only_above_a_line() -> None:
    def of(*sections: tuple[str, str]) -> Wanted:
        held = tuple(
            (heading, (Statement(SAID[each], (each,)),) if each else ())
            for heading, each in sections
        )
        return Wanted("Ana", held, NOTES)

    content, metadata = revision.merged(None, {}, of(("A", ""), ("B", POTS), ("C", "")))
    again, _ = revision.merged(content, metadata, of(("A", TEA), ("B", POTS), ("C", PORTO)))

    assert body(content) == ["# Ana", "## B", "- Ana fires pots in her studio [^2]"]
    assert [line for line in body(again) if line.startswith("##")] == ["## A", "## B", "## C"]


def test_a_line_whose_heading_is_another_now_moves_and_one_below_an_own_heading_stays() -> None:
    def of(tea: str) -> Wanted:
        lines = {"A": (), "B": (Statement(SAID[POTS], (POTS,)),)}
        lines[tea] = (Statement(SAID[TEA], (TEA,)), *lines[tea])  # type: ignore[assignment]
        return Wanted("Ana", tuple(lines.items()), NOTES)

    content, metadata = revision.merged(None, {}, of("A"))
    moved, _ = revision.merged(content, metadata, of("B"))
    own, _ = revision.merged(content.replace("## A", "## Mine"), metadata, of("B"))

    assert body(moved)[1:] == [
        "## B",
        "- Ana fires pots in her studio [^2]",
        "- Ana prefers tea [^1]",
    ]
    assert body(own)[1:3] == ["## Mine", "- Ana prefers tea [^1]"]


# What is lost


def lose(content: str, metadata: dict[str, object], *ids: str) -> str:
    lost = {each: SAID[each] for each in ids}
    return revision.cut(content, metadata, lost, retitled={}, titled=None)[0]


@pytest.mark.capability("OOM-030", "OOM-033")
def test_a_lost_source_takes_its_lines_and_its_entry_along() -> None:
    content, metadata = made(TEA, POTS)

    assert body(lose(content, metadata, TEA)) == ["# Ana", "- Ana fires pots in her studio [^2]"]
    assert TEA not in lose(content, metadata, TEA)


def test_a_lost_source_takes_a_line_along_that_was_changed() -> None:
    content, metadata = made(TEA, POTS)
    edited = content.replace("fires pots in her studio", "throws clay")

    assert "clay" not in lose(edited, metadata, POTS)


def test_a_lost_source_takes_what_quotes_it_without_a_number_along() -> None:
    content, metadata = made(TEA, POTS)
    edited = content.replace("# Ana", "# Ana\n\n- mind her studio: pots are fired there by Ana")

    assert "mind" not in lose(edited, metadata, POTS)
    assert "mind" in lose(edited, metadata, TEA)


def test_a_line_of_several_sources_goes_with_the_first_that_is_lost() -> None:
    content, metadata = made(TEA, POTS)
    edited = content.replace("prefers tea [^1]", "has tea and pots [^1][^2]")

    assert body(lose(edited, metadata, POTS)) == ["# Ana"]


def test_a_title_is_made_anew_of_what_is_left() -> None:
    content, metadata = made(TEA, POTS, title="Tea, pots")

    left, kept = revision.cut(
        content, metadata, {TEA: SAID[TEA]}, retitled={}, titled=lambda lines, notes: lines[0]
    )

    assert document.title(left) == "Ana fires pots in her studio"
    assert revision.merged(left, kept, wanted(POTS, title="Pots"))[0].startswith("# Pots\n")


def test_a_title_that_somebody_gave_goes_if_it_quotes_what_is_lost() -> None:
    content, metadata = made(TEA, POTS)
    named = content.replace("# Ana", "# The studio where Ana fires pots")

    assert (
        "studio"
        not in revision.cut(
            named, metadata, {POTS: SAID[POTS]}, retitled={}, titled=lambda lines, notes: "Ana"
        )[0]
    )


def test_the_line_of_a_scene_is_renewed_with_its_title() -> None:
    content, metadata = made(TEA, POTS)

    left, _ = revision.cut(content, metadata, {}, retitled={POTS: "Clay"}, titled=None)

    assert body(left) == ["# Ana", "- Ana prefers tea [^1]", "- Clay [^2]"]


def test_what_is_kept_may_be_gone_and_the_index_is_believed_instead() -> None:
    content, _ = made(TEA, POTS)

    assert body(lose(content, {"organised": {"sources": 7}}, TEA)) == [
        "# Ana",
        "- Ana fires pots in her studio [^2]",
    ]


def test_a_content_cannot_pass_for_a_citation() -> None:
    other = Wanted("Ana", (("", (Statement("x [ ^2]", (TEA,)),)),), NOTES)
    content, metadata = revision.merged(None, {}, other)

    assert [each.id for each in document.sources(content, metadata)] == [TEA]


@pytest.mark.parametrize("digits", [6, 9])
def test_whatever_number_somebody_writes_into_the_index_the_next_one_is_cited(digits: int) -> None:
    content, metadata = made(TEA)
    edited = f"{content}\n[^{'9' * digits}]: {PORTO}, mine"

    once, held = revision.merged(edited, metadata, wanted(TEA, POTS))
    twice, _ = revision.merged(once, held, wanted(TEA, POTS))

    assert [each.id for each in document.sources(once, held)] == [TEA, POTS]
    assert twice == once


@pytest.mark.parametrize("last", [10**9, 10**30, float("inf")])
def test_a_number_that_cannot_be_cited_is_no_number_that_was_given(last: float) -> None:
    content, metadata = made(TEA)
    metadata["organised"] = {**metadata["organised"], "last": last}  # type: ignore[dict-item]

    once, held = revision.merged(content, metadata, wanted(TEA, POTS))

    assert [each.id for each in document.sources(once, held)] == [TEA, POTS]


def test_without_what_was_kept_the_same_twice_is_once() -> None:
    """A line is the library's by what it says; it moves with its heading the first time."""
    content, _ = revision.merged(None, {}, headed("A"))

    once, held = revision.merged(content, {}, headed("B"))
    twice, _ = revision.merged(once, held, headed("B"))

    assert body(once) == ["# Ana", "## B", "- Ana prefers tea [^1]"]
    assert twice == once


def headed(of_tea: str) -> Wanted:
    """Return a document of two sections, one of which is empty."""
    line = Statement(SAID[TEA], (TEA,))
    sections = tuple((heading, (line,) * (heading == of_tea)) for heading in "AB")
    return Wanted("Ana", sections, NOTES)


# What a writer of the host wrote


def test_a_line_of_a_writer_cites_by_place_and_else_comes_from_all() -> None:
    found = revision.composed(
        "# Clay\n\nShe fires pots. [^2]\n## More\nAll of it.", "Ana", [TEA, POTS], NOTES
    )

    assert found.title == "Clay"
    assert found.sections == (
        ("", (Statement("She fires pots.", (POTS,)),)),
        ("More", (Statement("All of it.", (TEA, POTS)),)),
    )


@pytest.mark.parametrize("line", ["She fires pots. [[^9]^1] [^2]", "## [[^9]^1]\nTea. [^2]"])
def test_what_a_writer_makes_of_numbers_cites_nothing_else(line: str) -> None:
    found = revision.composed(line, "Ana", [TEA, POTS], {TEA: "", POTS: ""})
    content, metadata = revision.merged(None, {}, found)

    assert [each.id for each in document.sources(content, metadata)] == [POTS]


def test_a_heading_of_a_writer_is_renewed_with_what_stands_under_it() -> None:
    def written(heading: str) -> Wanted:
        return revision.composed(f"## {heading}\nTea at noon. [^1]", "Ana", [TEA], {TEA: ""})

    content, metadata = revision.merged(None, {}, written("Tea"))
    edited = content.replace("## Sources", "- mine\n\n## Sources")

    renewed, _ = revision.merged(content, metadata, written("Noon"))
    kept, _ = revision.merged(edited, metadata, written("Noon"))

    assert body(renewed) == ["# Ana", "## Noon", "- Tea at noon. [^1]"]
    assert body(kept) == ["# Ana", "## Tea", "- mine", "## Noon", "- Tea at noon. [^1]"]
    assert not document.is_edited(content, metadata)


@pytest.mark.parametrize("said", ["To be or not to be", "🔥"])
def test_what_has_no_word_that_says_something_is_known_as_it_was_said(said: str) -> None:
    content, metadata = revision.merged(None, {}, wanted(TEA, POTS, **{TEA: said}))

    left, _ = revision.cut(
        f"{content}\n{said}, she said\nIt is not to be",
        metadata,
        {TEA: said},
        retitled={},
        titled=None,
    )

    assert left.endswith("\n\nIt is not to be")
    assert said not in left


# Laws

LINES = st.lists(st.text("ab [^1]#-\n", max_size=12), max_size=6)


@given(LINES, st.sets(st.sampled_from([TEA, POTS, PORTO]), min_size=1))
def test_whatever_was_edited_twice_is_once(lines: list[str], kept: set[str]) -> None:
    content, metadata = made(TEA, POTS)
    edited = content + "\n" + "\n".join(lines)
    asked = wanted(*sorted(kept))

    once, held = revision.merged(edited, metadata, asked)
    twice, _ = revision.merged(once, held, asked)

    assert twice == once


@given(LINES, st.sampled_from([TEA, POTS]))
def test_whatever_was_edited_no_line_cites_what_is_lost(lines: list[str], lost: str) -> None:
    content, metadata = made(TEA, POTS)
    edited = "\n".join(lines) + "\n" + content + "\n" + "\n".join(lines)

    left, held = revision.cut(edited, metadata, {lost: SAID[lost]}, retitled={}, titled=None)

    assert lost not in left
    assert lost not in {each.id for each in document.sources(left, held)}
