"""Themes: atoms that share a word that says something come together, the rest by the month."""

import pytest

from agent_memory_os import Memory
from agent_memory_os.pure import themes
from agent_memory_os.pure.themes import Theme
from agent_memory_os.testing import memory_client

POTS = ("Ana fires pots", "The pots of Ana sell", "Ana has a class on pots")
SAILS = ("A new mast for the sail", "The sail tore", "Bo mends a sail")


def atoms(*contents: str, **fields: object) -> list[Memory]:
    """Return an atom of each, about Ana."""
    m = memory_client()
    return [m.add(each, subject="user:ana", **fields).memory for each in contents]  # type: ignore[arg-type]


def told(found: list[themes.Group], of: list[Memory]) -> list[list[str]]:
    """Return what the atoms of each group say."""
    says = {atom.id: atom.content for atom in of}
    return [[says[each] for each in group.ids] for group in found]


@pytest.mark.capability("OOM-018", "OOM-019")
def test_what_shares_a_word_is_a_theme_and_what_shares_none_is_left() -> None:
    held = atoms(*POTS, *SAILS, "Tea at noon")

    found, left = themes.grouped(held, [], most=16)

    assert told(found, held) == [[*POTS], [*SAILS]]
    assert [atom.content for atom in left] == ["Tea at noon"]


def test_the_name_of_who_it_is_about_and_words_of_every_day_are_no_theme() -> None:
    held = atoms("Ana wants a good day", "Ana got a new lamp", "Ana likes the good lake")

    assert themes.grouped(held, [], most=16) == ([], held)


def test_a_tag_is_a_theme_whatever_is_said() -> None:
    held = [*atoms("one", "two", tags=["boat"]), *atoms("three", tags=["boat"])]

    found, left = themes.grouped(held, [], most=16)

    assert [len(group.ids) for group in found] == [3]
    assert left == []


def test_a_large_theme_is_parted_into_like_sizes() -> None:
    held = atoms(*(f"pots of kind {n}" for n in range(20)))

    found, _ = themes.grouped(held, [], most=16)

    assert [len(group.ids) for group in found] == [10, 10]


def test_what_fits_a_scene_joins_it_while_there_is_room() -> None:
    held = atoms("Ana broke two pots", "Ana paints pots")
    scene = Theme("s", 1, POTS)

    found, left = themes.grouped(held, [scene], most=16)

    assert [(group.into, group.ids) for group in found] == [("s", (held[0].id,))]
    assert left == held[1:]


def test_what_is_left_of_a_grouping_makes_no_group() -> None:
    held = atoms(*POTS, *SAILS, "Tea at noon", "Rain at six", "Bread")

    _, left = themes.grouped(held, [], most=16)

    assert themes.grouped(left, [], most=16) == ([], left)


def test_chinese_is_grouped_by_pairs_of_characters() -> None:
    held = atoms("用户在学陶艺", "陶艺课在周三", "她的陶艺老师很好", "今天下雨")

    found, left = themes.grouped(held, [], most=16)

    assert [len(group.ids) for group in found] == [3]
    assert [atom.content for atom in left] == ["今天下雨"]


@pytest.mark.parametrize(
    ("lines", "notes", "title"),
    [
        (POTS, [], "Pots"),
        (("Tea", "Rain"), ["2026-03-02, bot", "2026-03-09, bot"], "Notes of March 2026"),
        (
            ("Tea", "Rain"),
            ["2025-11-30, x", "2026-03-09, x"],
            "Notes of November 2025 to March 2026",
        ),
        (("Ana sings", "Ana swims"), ["2026-03-02, user:ana"] * 2, "Notes of March 2026"),
        ((), [], "Notes"),
    ],
)
def test_a_title_is_what_half_of_the_lines_share_else_the_month(
    lines: tuple[str, ...], notes: list[str], title: str
) -> None:
    assert themes.title(lines, notes, names=["user:ana"]) == title


def test_the_order_of_atoms_does_not_matter() -> None:
    held = atoms(*POTS, *SAILS, "Tea at noon")
    moved = [*held[3:], *held[:3]]

    (one, _), (other, _) = (themes.grouped(each, [], most=16) for each in (held, moved))

    assert {frozenset(group.ids) for group in one} == {frozenset(group.ids) for group in other}
