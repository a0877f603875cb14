"""Organising: atoms become scenes and a persona, which lose what a source has lost, at once."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from agent_memory_os import (
    AgentMemory,
    AsyncMemoryClient,
    InvalidInput,
    Memory,
    MemoryClient,
    NotPermitted,
    Settings,
)
from agent_memory_os.pure.organised import Document
from agent_memory_os.store.sqlite import SqliteStore
from agent_memory_os.testing import FakeClock, FakeEmbedder, memory_client

ALICE = "user:alice"
POTS = (
    "Alice fires pots in her studio",
    "The pots of Alice sell at the harbour",
    "Alice teaches a class on pots",
)
PROFILE = (
    ("identity", "Alice was born in 1990"),
    ("preference", "Alice prefers green tea"),
    ("instruction", "Always answer Alice in French"),
    ("decision", "Alice decided to move to Porto"),
    ("procedure", "Alice rehearses each release twice"),
)
GLOBAL = ["global"]
NEXT_YEAR = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM whose clock stands still, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


@pytest.fixture
def bot(m: MemoryClient) -> AgentMemory:
    """Return the view of an agent on one user, which knows some facts and a profile."""
    view = m.as_agent("bot", subject=ALICE)
    for content in POTS:
        view.add(content, type="fact")
    for kind, content in PROFILE:
        view.add(content, type=kind)
    return view


def id_of(view: AgentMemory, content: str) -> str:
    """Return the id of the atom that says this."""
    return next(each.id for each in view.browse(layers=[1]) if each.content == content)


def scene_of(view: AgentMemory, content: str) -> Document:
    """Return the scene that tells of an atom."""
    atom = id_of(view, content)
    return next(
        scene for scene in view.layers.scenes() if atom in [each.id for each in scene.sources]
    )


def persona_of(view: AgentMemory) -> Document:
    persona = view.layers.persona()
    assert persona is not None
    return persona


def everything(view: AgentMemory) -> str:
    """Return all that can be read of scenes and personas, and of what they said before."""
    held = view.browse(layers=[2, 3], limit=100)
    said = [each.content + str(each.metadata) for each in held]
    before = [str(change.before) for each in held for change in view.history(each.id)]
    told = [each.markdown for each in view.layers.scenes()]
    persona = view.layers.persona()
    return "\n".join([*said, *before, *told, persona.markdown if persona else ""])


# What is made


def test_atoms_that_all_hold_from_a_moment_on_are_organised(m: MemoryClient) -> None:
    since = datetime(2020, 1, 1, tzinfo=UTC)
    for content in POTS:
        m.add(content, subject=ALICE, valid_from=since)
        m.add(content, valid_from=since, visibility=GLOBAL)
    m.add("Alice prefers green tea", type="preference", subject=ALICE, valid_from=since)
    m.add("Alice prefers black tea", type="preference", subject="user:bo", valid_from=NEXT_YEAR)

    made = m.layers.organise()
    again = m.layers.organise()

    by_partition = {(each.subject, each.visibility) for each in m.layers.scenes()}
    assert by_partition == {(ALICE, ()), (None, ("global",))}
    persona = m.layers.persona(subject=ALICE)
    assert persona is not None
    assert "Alice prefers green tea" in persona.markdown
    assert (made.atoms, again.atoms, again.made, again.renewed) == (7, 0, 0, 0)


@pytest.mark.capability("OOM-018", "OOM-019", "OOM-030", "OOM-035")
def test_atoms_that_share_a_theme_become_a_scene_whose_index_resolves(bot: AgentMemory) -> None:
    bot.layers.organise()

    scene = scene_of(bot, POTS[0])
    assert scene.title == "Pots"
    assert scene.layer == 2
    assert [bot.get(each.id).content for each in scene.sources] == [*POTS]  # type: ignore[union-attr]
    assert scene.markdown.splitlines()[:5] == [
        "# Pots",
        "",
        "- Alice fires pots in her studio [^1]",
        "- The pots of Alice sell at the harbour [^2]",
        "- Alice teaches a class on pots [^3]",
    ]


@pytest.mark.capability("OOM-020", "OOM-021", "OOM-022", "OOM-035")
def test_a_persona_has_its_sections_and_leads_to_the_scenes(bot: AgentMemory) -> None:
    bot.layers.organise()

    persona = persona_of(bot)
    lines = [line for line in persona.markdown.partition("## Sources")[0].splitlines() if line]
    assert persona.title == "Persona of user:alice"
    assert lines == [
        "# Persona of user:alice",
        "## Identity",
        "- Alice was born in 1990 [^1]",
        "## Preferences",
        "- Alice prefers green tea [^2]",
        "## Instructions",
        "- Always answer Alice in French [^3]",
        "## Decisions",
        "- Alice decided to move to Porto [^4]",
        "## Ways of working",
        "- Alice rehearses each release twice [^5]",
        "## Scenes",
        "- Pots [^6]",
        "- Notes of January 2026 [^7]",
    ]
    assert [bot.get(each.id) is not None for each in persona.sources] == [True] * 7
    assert persona.sources[5].id == scene_of(bot, POTS[0]).id


@pytest.mark.capability("OOM-021")
def test_organising_twice_is_organising_once(bot: AgentMemory) -> None:
    first = bot.layers.organise()
    held = bot.browse(layers=[2, 3])

    second = bot.layers.organise()

    assert (first.made, first.atoms) == (3, 8)
    assert (second.made, second.renewed, second.withdrawn, second.atoms) == (0, 0, 0, 0)
    assert bot.browse(layers=[2, 3]) == held


def test_nothing_is_made_of_nothing(m: MemoryClient) -> None:
    assert m.layers.organise().ids == ()
    assert m.layers.scenes() == []
    assert m.layers.persona() is None


def test_one_atom_has_a_scene_of_its_month(m: MemoryClient) -> None:
    m.add("Tea at noon")

    m.layers.organise()

    assert [scene.title for scene in m.layers.scenes()] == ["Notes of January 2026"]


@pytest.mark.capability("OOM-021", "OOM-036")
def test_new_atoms_join_the_scenes_that_there_are(bot: AgentMemory) -> None:
    bot.layers.organise()
    before = scene_of(bot, POTS[0])
    bot.add("Alice broke two pots")

    bot.layers.organise()

    after = scene_of(bot, "Alice broke two pots")
    assert after.id == before.id
    assert [each.id for each in after.sources[:3]] == [each.id for each in before.sources]


def test_what_had_no_theme_leaves_the_month_for_one_that_comes_up(m: MemoryClient) -> None:
    first = m.add("The sail tore").id
    m.layers.organise()
    for content in ("A new mast for the sail", "Bo mends the sail"):
        m.add(content)

    report = m.layers.organise()

    (scene,) = m.layers.scenes()
    assert scene.title == "Sail"
    assert first in [each.id for each in scene.sources]
    assert report.withdrawn == 1


@pytest.mark.capability("OOM-018")
def test_a_scene_has_a_bounded_size_and_each_atom_one_scene(m: MemoryClient) -> None:
    m.add_many([{"content": f"Pots of kind {n}, fired"} for n in range(40)])

    m.layers.organise()

    sizes = [len(scene.sources) for scene in m.layers.scenes()]
    assert sum(sizes) == 40
    assert max(sizes) <= 16


def test_events_scenes_and_what_ends_are_no_part_of_a_scene(m: MemoryClient) -> None:
    m.add("Rain now", ttl=timedelta(hours=1))
    m.add("a turn", layer=0)
    m.add("# By hand", layer=2)

    assert m.layers.organise().ids == ()


@pytest.mark.capability("OOM-023", "OOM-028", "OOM-031", "OOM-034")
def test_a_persona_is_drilled_over_scenes_and_atoms_down_to_the_words(m: MemoryClient) -> None:
    m.capture([("user", "I prefer green tea over coffee.")], session="s1")
    m.layers.distil()
    m.layers.organise()
    persona = m.layers.persona()
    assert persona is not None

    below = m.layers.evidence(persona.id)

    assert [(each.depth, each.memory.layer) for each in below] == [(1, 2), (2, 1), (3, 0)]
    assert below[-1].memory.content == "I prefer green tea over coffee."
    above = m.layers.evidence(below[-1].id, direction="up")
    assert [(each.depth, each.memory.layer) for each in above] == [(1, 1), (2, 2), (3, 3)]


def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(bot: AgentMemory) -> None:
    report = bot.layers.organise(dry_run=True)

    assert report.dry_run
    assert report.markdown[0].startswith("# Pots\n")
    assert bot.browse(layers=[2, 3]) == []


@pytest.mark.capability("OOM-059")
def test_no_two_partitions_are_mixed(m: MemoryClient) -> None:
    for subject, visibility in ((ALICE, []), (ALICE, GLOBAL), ("user:bob", []), (None, [])):
        for n in range(3):
            m.add(f"pots of kind {n}", subject=subject, visibility=visibility, on_duplicate="store")

    m.layers.organise()

    made = m.browse(layers=[2])
    assert {(each.subject, each.visibility) for each in made} == {
        (ALICE, ()),
        (ALICE, ("global",)),
        ("user:bob", ()),
        (None, ()),
    }
    assert [len(m.layers.evidence(each.id)) for each in made] == [3] * 4


def test_of_one_subject_only_that_is_organised(m: MemoryClient) -> None:
    m.add("tea", subject=ALICE)
    m.add("rice", subject="user:bob")

    m.layers.organise(subject=ALICE)

    assert [each.subject for each in m.browse(layers=[2])] == [ALICE]


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_organises_its_own_subject_and_names_no_other(m: MemoryClient) -> None:
    m.add("rice", owner="bot", subject="user:bob")
    view = m.as_agent("bot", subject=ALICE)
    view.add("tea")

    view.layers.organise()

    assert [each.subject for each in m.browse(layers=[2], requester_agent_id="bot")] == [ALICE]
    with pytest.raises(NotPermitted):
        view.layers.organise(subject="user:bob")
    with pytest.raises(NotPermitted):
        view.layers.scenes(subject="user:bob")
    with pytest.raises(NotPermitted):
        view.layers.persona(subject="user:bob")


def test_into_a_team_that_one_has_left_nothing_is_made(m: MemoryClient) -> None:
    m.org.create_team("apollo")
    m.org.add_team_member("apollo", "neo")
    m.add("tea", owner="neo", visibility=["team:apollo"])
    m.add("rice", owner="neo")
    m.org.remove_team_member("apollo", "neo")

    report = m.layers.organise(owner="neo")

    assert [each.visibility for each in m.layers.scenes(requester_agent_id="neo")] == [()]
    assert "team:apollo" in report.notes[0]


# Edits


@pytest.mark.capability("OOM-036")
def test_an_edit_survives_being_organised_anew(bot: AgentMemory) -> None:
    bot.layers.organise()
    scene = scene_of(bot, POTS[0])
    edited = scene.markdown.replace("# Pots", "# Her pots")
    edited = edited.replace("fires pots in her studio", "fires pots at 1,200 degrees")
    edited = edited.replace(f"- {POTS[1]} [^2]\n", "- ask before you visit\n")
    bot.update(scene.id, content=edited)
    bot.add("Alice broke two pots")

    bot.layers.organise()

    again = next(each for each in bot.layers.scenes() if each.id == scene.id)
    assert again.markdown.partition("## Sources")[0].splitlines() == [
        "# Her pots",
        "",
        "- Alice fires pots at 1,200 degrees [^1]",
        "- ask before you visit",
        "- Alice teaches a class on pots [^3]",
        "- Alice broke two pots [^4]",
        "",
    ]


@pytest.mark.capability("OOM-036")
def test_a_persona_that_was_edited_keeps_the_edit(bot: AgentMemory) -> None:
    bot.layers.organise()
    persona = persona_of(bot)
    bot.update(persona.id, content=persona.markdown.replace("green tea", "tea, never coffee"))
    bot.add("Alice prefers short answers", type="preference")

    bot.layers.organise()

    told = persona_of(bot).markdown
    assert "- Alice prefers tea, never coffee [^2]\n- Alice prefers short answers [^8]" in told


def test_others_than_the_owner_do_not_edit(m: MemoryClient) -> None:
    m.add("tea", owner="neo", visibility=GLOBAL)
    m.layers.organise(owner="neo")
    (scene,) = m.layers.scenes(requester_agent_id="ada")

    with pytest.raises(NotPermitted):
        m.update(scene.id, content="# mine", requester_agent_id="ada")


def test_a_scene_that_was_deleted_is_not_made_again_of_the_same_atoms(bot: AgentMemory) -> None:
    bot.layers.organise()
    scene = scene_of(bot, POTS[0])
    bot.delete(scene.id)

    bot.layers.organise()

    assert POTS[0] not in "".join(each.markdown for each in bot.layers.scenes())
    assert scene.title not in persona_of(bot).markdown


def test_metadata_that_was_replaced_costs_no_edit(bot: AgentMemory) -> None:
    bot.layers.organise()
    scene = scene_of(bot, POTS[0])
    edited = scene.markdown.replace("fires pots", "throws clay")
    bot.update(scene.id, content=edited, metadata={"mine": 1})
    bot.add("Alice broke two pots")

    bot.layers.organise()

    assert "throws clay" in bot.get(scene.id).content  # type: ignore[union-attr]


# What a source loses

SECRET = "Alice keeps the spare kiln key under the blue pots"


def organised(view: AgentMemory, *, edited: bool) -> str:
    """Organise with a secret among the atoms, perhaps edit its lines; return the id of the secret.

    It stands in a scene with others, and in the persona.
    """
    secret = view.add(SECRET, type="instruction").id
    view.layers.organise()
    if edited:
        for told in (scene_of(view, SECRET), persona_of(view)):
            lines = told.markdown.replace(SECRET, "the kiln key is under the pots")
            view.update(told.id, content=f"{lines}\n\nSee the blue pots for the spare kiln key.")
    assert "kiln" in everything(view)
    return secret


@pytest.mark.capability("OOM-033", "OOM-036")
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(
    "how", ["delete", "forget", "reject", "archive", "expiry", "validity", "update", "supersede"]
)
def test_what_a_source_loses_is_gone_from_all_that_was_made_of_it_at_once(
    m: MemoryClient, bot: AgentMemory, how: str, edited: bool
) -> None:
    secret = organised(bot, edited=edited)

    lose: dict[str, Callable[[], object]] = {
        "delete": lambda: bot.delete(secret),
        "forget": lambda: bot.forget(secret),
        "reject": lambda: bot.reject(secret),
        "archive": lambda: m.admin.archive([secret]),
        "expiry": lambda: bot.update(secret, ttl=timedelta(hours=1)),
        "validity": lambda: bot.update(secret, valid_to=NEXT_YEAR),
        "update": lambda: bot.update(secret, content="Alice has moved the key away"),
        "supersede": lambda: bot.add("The key is with Bob", supersedes=[secret]),
    }
    lose[how]()

    assert "kiln" not in everything(bot)
    bot.layers.organise()
    assert "kiln" not in everything(bot)
    assert POTS[0] in everything(bot)


@pytest.mark.capability("OOM-033")
@pytest.mark.parametrize("edited", [False, True])
def test_not_a_byte_of_a_forgotten_source_is_left_in_the_file(tmp_path: Path, edited: bool) -> None:
    with MemoryClient(tmp_path / "m.db") as m:
        view = m.as_agent("bot", subject=ALICE)
        for content in POTS:
            view.add(content)
        secret = organised(view, edited=edited)
        view.layers.organise()

        receipt = view.forget(secret, verify=True)

        assert receipt.complete
        assert receipt.still_said == ()
        assert POTS[0] in everything(view)
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"kiln" not in files


def test_a_forgotten_source_takes_the_scene_along_that_has_no_other(tmp_path: Path) -> None:
    """The scene names the source by an id, which stays as a tombstone and is no trace."""
    with MemoryClient(tmp_path / "m.db") as m:
        secret = m.add(SECRET, type="preference").id
        m.layers.organise()

        receipt = m.forget(secret, verify=True)

        assert receipt.complete
        assert len(receipt.ids) == 3
    assert b"kiln" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("relation", ["derived_from", None])
def test_a_scene_is_not_parted_from_what_it_was_made_of(
    bot: AgentMemory, relation: str | None
) -> None:
    """Parted, it would go on saying what the other has lost."""
    bot.layers.organise()
    atom, scene = id_of(bot, POTS[0]), scene_of(bot, POTS[0]).id

    with pytest.raises(InvalidInput, match="take the lines out"):
        bot.unlink(scene, atom, relation=relation)

    bot.delete(atom)
    assert POTS[0] not in everything(bot)


@pytest.mark.capability("OOM-033")
def test_documents_that_were_deleted_lose_their_last_source_as_well(m: MemoryClient) -> None:
    secret = m.add(SECRET, type="preference").id
    made = m.layers.organise().ids
    for each in made:
        m.delete(each)

    m.admin.archive([secret])

    for each in made:
        with pytest.raises(InvalidInput, match="cannot come back"):
            m.undo(each)
    assert everything(m.as_agent("local")) == ""


def test_a_line_goes_with_what_takes_its_place_for_all_who_see_the_scene(m: MemoryClient) -> None:
    """The atom is shared with more than the scene is, and what takes its place is not."""
    old = m.add("The pot is blue", owner="neo").id
    m.layers.organise(owner="neo")
    m.share(old, GLOBAL, requester_agent_id="neo")

    m.add("The pot is red", owner="neo", supersedes=[old])

    assert "blue" not in str(m.browse(requester_agent_id="neo", layers=[2, 3]))


def test_a_line_goes_when_what_takes_its_place_is_shared_with_all_who_see_the_scene(
    m: MemoryClient,
) -> None:
    old = m.add("The pot is blue", owner="neo", visibility=GLOBAL).id
    m.layers.organise(owner="neo")
    new = m.add("The pot is red", owner="neo", supersedes=[old]).id
    before = str(m.browse(requester_agent_id="ada", layers=[2, 3]))

    m.share(new, GLOBAL, requester_agent_id="neo")

    assert "blue" in before
    assert "blue" not in str(m.browse(requester_agent_id="neo", layers=[2, 3]))


def test_a_line_goes_with_what_takes_its_place_after_something_else_had_and_was_forgotten(
    bot: AgentMemory,
) -> None:
    old = id_of(bot, POTS[0])
    bot.forget(bot.add("Alice fires nothing any more", supersedes=[old]).id)
    bot.layers.organise()
    before = everything(bot)

    bot.add("Alice fires pots no more", supersedes=[old])

    assert POTS[0] in before
    assert POTS[0] not in everything(bot)


def test_what_was_written_before_something_that_was_forgotten_finds_its_place(
    m: MemoryClient,
) -> None:
    m.add("tea at noon")
    last = m.add("rice at six").id

    m.forget(last)

    assert m.layers.organise().atoms == 1


def test_a_heading_of_a_writer_goes_with_any_of_what_stands_under_it(bot: AgentMemory) -> None:
    def headed(title: str, atoms: Sequence[Memory]) -> str:
        two_words = " ".join(atoms[-1].content.split()[3:5])
        return f"## {two_words}\n{bullet(title, atoms)}"

    secret = bot.add(SECRET).id
    bot.layers.organise(writer=headed)
    before = everything(bot)

    bot.forget(secret)

    assert "## spare kiln" in before
    assert "kiln" not in everything(bot)


@pytest.mark.capability("OOM-033")
def test_a_long_source_takes_the_beginning_along_that_a_line_tells(bot: AgentMemory) -> None:
    shards = " ".join(f"shard{number}" for number in range(200))
    long = bot.add(f"The kiln of pots is cold, and its {shards}").memory
    bot.layers.organise()
    scene = scene_of(bot, long.content)
    bot.update(scene.id, content=scene.markdown.replace("… [^", "! ["))

    bot.forget(long.id)

    assert "kiln" not in everything(bot)


def test_a_source_that_is_no_longer_shared_leaves_the_scene_to_the_others(m: MemoryClient) -> None:
    for content in POTS:
        m.add(content, owner="neo", visibility=GLOBAL)
    secret = m.add(SECRET, owner="neo", visibility=GLOBAL).id
    m.layers.organise(owner="neo")
    (before,) = m.layers.scenes(requester_agent_id="ada")

    m.revoke(secret, GLOBAL, requester_agent_id="neo")

    (after,) = m.layers.scenes(requester_agent_id="ada")
    assert "kiln" in before.markdown
    assert "kiln" not in after.markdown
    assert POTS[0] in after.markdown
    history = m.history(after.id, requester_agent_id="ada")
    assert "kiln" not in str([m.get(after.id, requester_agent_id="ada"), history])
    m.layers.organise(owner="neo")
    assert len(m.layers.scenes(requester_agent_id="neo")) == 2
    assert len(m.layers.scenes(requester_agent_id="ada")) == 1


def test_a_scene_leaves_with_its_last_source_and_comes_back_with_it(m: MemoryClient) -> None:
    tea = m.add("tea at noon").id
    m.layers.organise()
    (scene,) = m.layers.scenes()

    m.delete(tea)
    assert m.layers.scenes() == []
    m.undo(tea)

    assert [each.markdown for each in m.layers.scenes()] == [scene.markdown]


def test_a_twin_that_is_taken_in_leaves_its_line_to_the_other(m: MemoryClient) -> None:
    m.add("Pots are blue, said Bo", on_duplicate="store")
    m.layers.organise()
    m.add("Pots are blue, said Bo", on_duplicate="store")

    m.consolidate()
    m.layers.organise()

    (scene,) = m.layers.scenes()
    assert scene.markdown.count("- Pots are blue") == 1
    assert [m.get(each.id) is not None for each in scene.sources] == [True]


@pytest.mark.parametrize("lost", ["archived", "changed", "ended", "shared with fewer"])
@pytest.mark.parametrize("first", ["the scene", "its source"])
def test_a_scene_does_not_come_back_without_a_source(
    m: MemoryClient, lost: str, first: str
) -> None:
    tea = m.add("tea at noon", visibility=GLOBAL).id
    m.layers.organise()
    (scene,) = m.layers.scenes()
    lose: dict[str, Callable[[], object]] = {
        "archived": lambda: m.admin.archive([tea]),
        "changed": lambda: m.update(tea, content="lunch at one"),
        "ended": lambda: m.update(tea, ttl=timedelta(hours=1)),
        "shared with fewer": lambda: m.revoke(tea, GLOBAL),
    }
    if first == "the scene":
        m.delete(scene.id)
    lose[lost]()

    with pytest.raises(InvalidInput, match="cannot come back"):
        m.undo(scene.id)

    assert (m.get(scene.id), m.layers.scenes(), m.layers.persona()) == (None, [], None)


def test_a_scene_that_tells_of_nothing_any_more_leaves(m: MemoryClient) -> None:
    """Its owner took the line of the other source out, which is still there."""
    noon = m.add("Tea is served at noon").id
    house = m.add("The tea house is blue").id
    m.layers.organise()
    (scene,) = m.layers.scenes()
    m.update(scene.id, content=scene.markdown.replace("- Tea is served at noon [^1]\n", ""))

    m.admin.archive([house])

    assert (m.get(scene.id), m.layers.scenes()) == (None, [])
    assert m.get(noon) is not None
    with pytest.raises(InvalidInput, match="nothing of what it said is left"):
        m.undo(scene.id)


def test_a_scene_comes_back_without_what_is_still_gone(m: MemoryClient) -> None:
    """A rejection takes both sources along, and only one of them is taken back."""
    first = m.add("Tea is served at noon").id
    other = m.add("Tea is served at noon.", on_duplicate="store").id
    m.layers.organise()
    m.reject(first)

    m.undo(first)

    (scene,) = m.layers.scenes()
    assert [each.id for each in scene.sources] == [first]
    assert m.get(scene.id).content.count("Tea is served") == 1  # type: ignore[union-attr]
    assert other not in everything(m.as_agent("local"))
    persona = m.layers.persona()
    assert persona is not None
    assert scene.title in persona.markdown


def test_what_comes_back_finds_its_place_again(bot: AgentMemory) -> None:
    bot.layers.organise()
    gone = id_of(bot, POTS[0])
    bot.delete(gone)
    bot.undo(gone)

    bot.layers.organise()

    assert POTS[0] in scene_of(bot, POTS[0]).markdown


@pytest.mark.capability("OOM-016")
def test_a_private_new_value_hides_a_line_from_its_owner_and_from_nobody_else(
    m: MemoryClient,
) -> None:
    for content in POTS:
        m.add(content, owner="neo", visibility=GLOBAL)
    old = m.add("The kiln of pots takes 40 litres", owner="neo", visibility=GLOBAL).id
    m.layers.organise(owner="neo")
    before = m.layers.scenes(requester_agent_id="ada")

    m.add("The kiln of pots takes 60 litres", owner="neo", supersedes=[old])
    m.layers.organise(owner="neo")

    assert m.layers.scenes(requester_agent_id="ada") == before
    own = [each for each in m.layers.scenes(requester_agent_id="neo") if each.visibility]
    assert "40 litres" not in own[0].markdown


def test_the_title_of_a_scene_goes_with_the_words_that_made_it(m: MemoryClient) -> None:
    atoms = [m.add(content).id for content in ("zircon one", "zircon two", "a third zircon")]
    m.layers.organise()
    assert "Zircon" in m.layers.persona().markdown  # type: ignore[union-attr]

    for atom in atoms[:2]:
        m.forget(atom)
    m.update(atoms[2], content="a third stone")

    assert "ircon" not in everything(m.as_agent("local"))


def test_what_an_event_said_goes_from_the_scene_when_the_event_is_forgotten(
    m: MemoryClient,
) -> None:
    said = [("user", "I prefer green tea over coffee."), ("user", "I hate loud bars.")]
    m.capture(said, session="s1")
    m.layers.distil()
    m.layers.organise()
    event = next(each for each in m.browse(layers=[0]) if "tea" in each.content)

    m.forget(event.id)

    assert "tea" not in everything(m.as_agent("local"))
    assert "loud bars" in everything(m.as_agent("local"))


def test_forgetting_a_subject_takes_its_scenes_and_its_persona(
    m: MemoryClient, bot: AgentMemory
) -> None:
    bot.layers.organise()

    m.admin.forget_subject(ALICE)

    assert everything(bot) == ""


# Search is as it was


@pytest.mark.capability("OOM-016")
@pytest.mark.parametrize("query", ["which pots does Alice have?", "tea", "Porto", None, "studo"])
def test_scenes_and_personas_change_no_answer_of_a_plain_search(
    bot: AgentMemory, query: str | None
) -> None:
    before = bot.search(query, limit=20)

    bot.layers.organise()

    assert bot.search(query, limit=20) == before


@pytest.mark.capability("OOM-016", "OOM-024")
def test_a_search_that_asks_for_their_layers_finds_them(bot: AgentMemory) -> None:
    bot.layers.organise()

    assert bot.search("pots studio", layers=[2])[0].id == scene_of(bot, POTS[0]).id
    assert [hit.id for hit in bot.search("French", layers=[3])] == [persona_of(bot).id]
    assert [hit.id for hit in bot.search(None, layers=[3])] == [persona_of(bot).id]
    assert list(bot.search("submarine", layers=[2, 3])) == []


def test_no_vector_is_made_of_a_scene() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder()) as m:
        for content in POTS:
            m.add(content)
        m.layers.organise()
        scene = m.layers.scenes()[0]
        m.update(scene.id, content=f"{scene.markdown}\n\nmine")

        assert m.admin.reembed().embedded == 0
        assert scene.id not in m.search("mine", providers=["vector"], limit=20).ids


# A writer of the host


def bullet(title: str, atoms: Sequence[Memory]) -> str:
    """Write one line on all atoms, and one on the first."""
    return f"# On {title}\n\nAll {len(atoms)} of them.\nFirst: {atoms[0].content} [^1]"


@pytest.mark.capability("OOM-019")
def test_a_writer_writes_scenes_and_its_lines_cite_the_atoms(bot: AgentMemory) -> None:
    report = bot.layers.organise(writer=bullet)

    scene = scene_of(bot, POTS[0])
    assert report.by == "bullet, a writer of the host"
    assert scene.markdown.splitlines()[:4] == [
        "# On Pots",
        "",
        "- All 3 of them. [^1][^2][^3]",
        f"- First: {POTS[0]} [^1]",
    ]
    assert bot.layers.organise(writer=bullet).ids == ()


async def later(title: str, atoms: Sequence[Memory]) -> str:
    return f"Awaited: {title}"


def test_a_writer_may_be_a_coroutine_and_may_leave_it_to_the_rules(m: MemoryClient) -> None:
    m.add("tea at noon")
    m.layers.organise(writer=later)
    m.add("rice at six")
    (awaited,) = [each.markdown for each in m.layers.scenes()]

    m.layers.organise(writer=lambda title, atoms: None)

    (ruled,) = [each.markdown for each in m.layers.scenes()]
    assert "Awaited" in awaited
    assert "- rice at six" in ruled


@pytest.mark.capability("OOM-019")
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        *(("raises", ""), ("hangs", ""), ("answers otherwise", 7), ("is blank", "")),
        ("says nothing under a heading", "# Tea\n\n## Noon\n"),
        ("is no Unicode text", "Tea \ud800"),
    ],
)
def test_a_writer_that_fails_is_asked_once_more_and_then_loses_nothing(
    m: MemoryClient, fault: str, said: object
) -> None:
    m.add("tea at noon")
    asked, never = [], Event()

    def fails(title: str, atoms: Sequence[Memory]) -> object:
        asked.append(title)
        if fault == "raises":
            raise RuntimeError("the door code is 5521")
        if fault == "hangs":
            never.wait(5)
        return said

    report = m.layers.organise(writer=fails, timeout_s=0.05)
    never.set()

    assert len(asked) == 2
    assert (report.ids, len(report.skipped), len(report.notes)) == ((), 1, 1)
    assert "5521" not in str(report)
    assert m.layers.organise().made == 2


def test_a_line_of_a_writer_goes_with_any_of_what_it_cites(bot: AgentMemory) -> None:
    bot.layers.organise(writer=bullet)
    scene = scene_of(bot, POTS[0])

    bot.delete(id_of(bot, POTS[2]))

    told = next(each for each in bot.layers.scenes() if each.id == scene.id).markdown
    assert "All 3" not in told
    assert f"First: {POTS[0]}" in told


def test_two_that_organise_at_once_give_each_atom_one_place(m: MemoryClient) -> None:
    for n in range(5):
        m.add(f"pots of kind {n}")

    def overtaken(title: str, atoms: Sequence[Memory]) -> str:
        m.layers.organise()
        return "what came too late"

    report = m.layers.organise(writer=overtaken)

    (scene,) = m.layers.scenes()
    assert len(scene.sources) == 5
    assert "too late" not in scene.markdown
    assert len(m.browse(layers=[3])) == 1
    assert report.made == 0


class Overtaken(SqliteStore):
    """A store in which somebody is faster than the next one who writes."""

    meanwhile: Callable[[], object] | None = None

    def write(self, *args: Any, **named: Any) -> Any:
        """Begin to write when the other one has."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return super().write(*args, **named)


def test_a_persona_that_is_overtaken_tells_what_is_there_by_then() -> None:
    store = Overtaken(":memory:", settings=Settings(), clock=FakeClock())
    with MemoryClient(store=store) as m:
        view = m.as_agent("bot")
        tea = view.add("tea at noon", type="preference").id
        view.layers.organise()
        view.update(tea, type="decision")
        store.meanwhile = lambda: view.update(tea, content="tea at nine")

        report = view.layers.organise()

        assert "## Decisions\n- tea at nine" in persona_of(view).markdown
        assert (report.skipped, report.notes) == ((), ())
        assert m.admin.check() == []


def test_a_writer_is_no_word() -> None:
    with memory_client() as m, pytest.raises(InvalidInput, match="writer"):
        m.layers.organise(writer="model")  # type: ignore[arg-type]


# Elsewhere


def test_asyncio_has_the_same_verbs() -> None:
    async def held() -> tuple[object, ...]:
        async with AsyncMemoryClient(":memory:") as m:
            await m.add("Alice prefers tea", subject=ALICE, type="preference")
            report = await m.layers.organise(subject=ALICE)
            scenes = await m.layers.scenes(subject=ALICE)
            persona = await m.layers.persona(subject=ALICE)
            profile = await m.as_agent("local", subject=ALICE).profile_context()
            same = await m.profile_context(subject=ALICE)
            return (
                report.ids,
                (scenes[0].id, persona and persona.id),
                "tea" in profile,
                same == profile,
            )

    made, told, *rest = asyncio.run(held())

    assert (made, rest) == (told, [True, True])


def test_scenes_are_kept_over_a_restart_and_an_index_that_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with MemoryClient(path, clock=FakeClock()) as m:
        m.add_many([{"content": content} for content in POTS])
        m.layers.organise()
        before = m.layers.scenes()

    with MemoryClient(path, clock=FakeClock()) as m:
        m.rebuild_indexes()

        assert m.layers.scenes() == before
        assert m.admin.check() == []
