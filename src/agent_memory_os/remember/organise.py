"""Organising: atoms become scenes, and scenes and atoms a persona, of each partition."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON, Draft, Memory, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import access, bounds, document, portrait, revision, themes
from agent_memory_os.pure.document import Wanted
from agent_memory_os.pure.layer import KEY_PREFIX, PERSONA, SCENE, Partition, is_document
from agent_memory_os.pure.organised import Organised, Writer
from agent_memory_os.remember.listen import heard
from agent_memory_os.remember.placing import KIND, MOST_SCENES, Group, Placing
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store, Transaction

RULES = "built-in rules, no model"
_PERSONA = "persona"  # in place of what a scene is of
_MOST_SAYING = 2_000  # documents and others that rest on one atom
_MOST_TOLD = 500  # atoms of which a persona is made, the last ones
_MOST_ROUNDS = 1_000
_MOST_TRIES = 5  # of a persona, while others are faster
_MOST_SHOWN = 100  # documents of a report
_ATTEMPTS, _MOST_FAILURES = 2, 3
_CHANGED = "some atoms were changed meanwhile, and find their place with the next call"


class Task(Noun):
    """What is to be organised, and how.

    Attributes:
        subject: only what is about it; None for all.
        writer: writes scenes; None for the built-in rules.
        timeout_s: seconds that the writer has for each attempt.
        dry_run: whether nothing is written.
    """

    subject: str | None
    writer: Writer | None
    timeout_s: float
    dry_run: bool


class _Tally:
    """What was done so far."""

    def __init__(self) -> None:
        self.atoms = 0
        self.scenes: dict[str, None] = {}
        self.personas: dict[str, None] = {}
        self.made = self.renewed = self.withdrawn = 0
        self.markdown: list[str] = []
        self.skipped: dict[str, None] = {}
        self.notes: dict[str, None] = {}
        self.failures = 0  # of the writer, on end

    def show(self, content: str) -> None:
        if len(self.markdown) < _MOST_SHOWN:
            self.markdown.append(content)

    def report(self, task: Task) -> Organised:
        name = getattr(task.writer, "__name__", type(task.writer).__name__)
        return Organised(
            by=RULES if task.writer is None else f"{name}, a writer of the host",
            atoms=self.atoms,
            scenes=tuple(self.scenes),
            personas=tuple(self.personas),
            made=self.made,
            renewed=self.renewed,
            withdrawn=self.withdrawn,
            markdown=tuple(self.markdown),
            skipped=tuple(self.skipped),
            notes=tuple(self.notes),
            dry_run=task.dry_run,
        )


def organise(store: Store, task: Task, visibility: Visibility, settings: Settings) -> Organised:
    """Make and renew the scenes and the personas of the reader's own atoms, and say which.

    What is decided is decided while nothing is locked; each scene is written in a transaction of
    its own, in which its atoms are looked at again. Done again it does nothing.

    Args:
        store: where the atoms are.
        task: which, and how.
        visibility: who asks: the owner of the atoms, and of what is made of them.
        settings: how many atoms a scene holds.
    """
    tally = _Tally()
    about = task.subject if visibility.subject is None else visibility.subject  # a bound view's own
    with store.read() as snapshot:
        partitions = snapshot.partitions(visibility.agent, subject=about, apart=about is not None)
        lost = {
            scope
            for each in partitions
            for scope in each.visibility
            if scope.startswith(access.CLOSED) and not snapshot.holds(visibility.agent, scope)
        }
    for scope in sorted(lost):
        tally.notes[f"what is shared with {scope!r} was left: you are no member of it now"] = None
    for partition in partitions:
        if not lost.isdisjoint(partition.visibility):
            continue
        _Organising(store, task, partition, visibility.now_ms, settings, tally).run()
    return tally.report(task)


class _Organising(Noun):
    """Organises one partition."""

    store: Store
    task: Task
    partition: Partition
    now_ms: int
    settings: Settings
    tally: _Tally

    def run(self) -> None:
        """Bring scenes up to date until there is nothing to do, then the persona."""
        stale: list[Group] = []
        placing = Placing(self.partition, self.now_ms, self.settings.scene_atoms)
        for number in range(_MOST_ROUNDS):
            with self.store.read() as snapshot:
                new = placing.unplaced(snapshot, self.tally.skipped)
                groups = placing.groups(snapshot, new) if new or number else []
            # What another group has changed meanwhile comes with the next round.
            stale = [group for group in groups if not self._write(group)]
            if self.task.dry_run or len(stale) == len(groups):
                break
        left = {atom.id: None for group in stale for atom in group.atoms}
        if not self.task.dry_run and not left.keys() <= self.tally.skipped.keys():
            self.tally.skipped |= left
            self.tally.notes[_CHANGED] = None
        self._portray()

    def _write(self, group: Group) -> bool:
        """Write what comes into one scene; False where it was not written."""
        members = {atom.id: atom for atom in group.atoms}
        if group.into is not None:
            with self.store.read() as snapshot:
                held = snapshot.members(self.partition, [group.into.id], now_ms=self.now_ms)
            members |= {atom.id: atom for _, atom in held}
        atoms = sorted(members.values(), key=lambda atom: (atom.occurred_ms, atom.id))
        wanted = self._wanted(atoms)
        if wanted is None:
            self.tally.skipped |= dict.fromkeys(atom.id for atom in group.atoms)
            return False
        if self.task.dry_run:
            self._preview(group, wanted)
            return False
        with self.store.write() as tx:
            if not self._stand(tx, group, atoms):
                return False
            self._put(tx, group.into, wanted, SCENE, {KIND: group.kind}, atoms)
            for scene in group.leaves:
                self._take_out(tx, scene, {atom.id for atom in group.atoms})
        self.tally.atoms += len(group.atoms)
        return True

    def _wanted(self, atoms: Sequence[Memory]) -> Wanted | None:
        """Return what a scene of *atoms* shall say; None where the writer failed."""
        statements = [document.statement(atom) for atom in atoms]
        index = {atom.id: note(atom) for atom in atoms}
        title = self._titled([each.text for each in statements], [*index.values()])
        ruled = Wanted(title, (("", tuple(statements)),), index)
        writer, tally = self.task.writer, self.tally
        if writer is None:
            return ruled
        if tally.failures >= _MOST_FAILURES:
            return None
        problem = ""
        for _ in range(_ATTEMPTS):
            said, problem = heard(writer, title, list(atoms), timeout_s=self.task.timeout_s)
            if problem:
                continue
            if said is None:
                return ruled
            made, problem = _composed(said, title, index)
            if made is not None:
                tally.failures = 0
                return made
        tally.failures += 1
        tally.notes[f"{len(atoms)} atoms found no place: the writer {problem}, twice"] = None
        return None

    def _titled(self, lines: Sequence[str], notes: Sequence[str]) -> str:
        names = (self.partition.subject or "", self.partition.owner)
        return themes.title(lines, notes, names=names)

    def _preview(self, group: Group, wanted: Wanted) -> None:
        into = group.into
        content, _ = _merged(into, {}, wanted)
        self.tally.atoms += len(group.atoms)
        self.tally.made += into is None
        self.tally.renewed += into is not None
        self.tally.show(content)
        if into is not None:
            self.tally.scenes[into.id] = None

    def _stand(self, tx: Transaction, group: Group, atoms: Sequence[Memory]) -> bool:
        """Return whether the atoms and the scenes are there as they were read."""
        owner = Visibility(
            self.partition.owner, tx.now_ms, states=("active", "superseded"), timeless=True
        )
        scenes = [*([] if group.into is None else [group.into]), *group.leaves]
        found = {each.id: each for each in tx.read([each.id for each in (*atoms, *scenes)], owner)}
        are_there = all(each.id in found and _same(found[each.id], each) for each in atoms)
        are_there = are_there and all(
            each.id in found and found[each.id].version == each.version for each in scenes
        )
        return are_there and not self._are_placed(tx, group, owner)

    def _are_placed(self, tx: Transaction, group: Group, owner: Visibility) -> bool:
        """Return whether somebody else has found a place for them meanwhile."""
        if group.kind == _PERSONA:
            now = tx.organised_of(self.partition, layer=PERSONA, most=1)
            return [each.id for each in now] != [each.id for each in (group.into,) if each]
        ids = [atom.id for atom in group.atoms]
        known = {scene.id for scene in (*group.leaves, *([group.into] if group.into else []))}
        made = tx.evidence(ids, owner, up=True, most=_MOST_SAYING * len(ids))
        return any(
            is_document(each) and each.layer == SCENE and each.id not in known
            for _, each in made
            if each.visibility == self.partition.visibility
        )

    def _put(
        self,
        tx: Transaction,
        found: Memory | None,
        wanted: Wanted,
        layer: int,
        more: dict[str, JSON],
        sources: Sequence[Memory],
    ) -> Memory:
        """Write a scene or a persona, with links to what it was made of."""
        content, metadata = _merged(found, more, wanted)
        latest = min(max(each.occurred_ms for each in sources), tx.now_ms)
        owner = self.partition.owner
        if found is None:
            written = tx.insert(self._draft(tx, content, metadata, layer, latest, sources))
            self.tally.made += 1
        else:
            changed = replace(
                found,
                content=content,
                metadata=metadata,
                occurred_ms=latest,
                valid_from_ms=latest,
            )
            written = tx.renew(changed, by=owner)
            self.tally.renewed += 1
        for each in sources:
            tx.link(written.id, each.id, relation="derived_from", weight=1.0, by=owner)
        (self.tally.scenes if layer == SCENE else self.tally.personas)[written.id] = None
        self.tally.show(content)
        return written

    def _draft(
        self,
        tx: Transaction,
        content: str,
        metadata: dict[str, JSON],
        layer: int,
        latest: int,
        sources: Sequence[Memory],
    ) -> Draft:
        kind = "scene" if layer == SCENE else "persona"
        named = f"{KEY_PREFIX}{kind}:{sources[0].id}"
        key, number = named, 1
        while tx.keyed(self.partition.owner, self.partition.subject, key) is not None:
            number += 1
            key = f"{named}:{number}"
        return Draft(
            content,
            self.partition.owner,
            subject=self.partition.subject,
            type=kind,
            layer=layer,
            visibility=self.partition.visibility,
            metadata=metadata,
            key=key,
            occurred_ms=latest,
            valid_from_ms=latest,  # so it counts in no statistics: its words are those of others
        )

    def _take_out(self, tx: Transaction, scene: Memory, gone: set[str]) -> None:
        """Take atoms that found another place out of a scene, which leaves with the last one."""
        owner = self.partition.owner
        for each in sorted(gone):
            tx.unlink(scene.id, each, relation="derived_from", by=owner)
        if not tx.members(self.partition, [scene.id], now_ms=tx.now_ms):
            tx.set_state(scene, "deleted", by=owner)
            self.tally.withdrawn += 1
            self.tally.scenes.pop(scene.id, None)
            return
        content, metadata = revision.cut(
            scene.content,
            scene.metadata,
            dict.fromkeys(gone, ""),
            retitled={},
            titled=self._titled,
        )
        tx.renew(replace(scene, content=content, metadata=metadata), by=owner)
        self.tally.renewed += 1
        self.tally.scenes[scene.id] = None

    def _portray(self) -> None:
        """Bring the persona of the partition up to date, as things are when it is written."""
        for _ in range(_MOST_TRIES):
            overtaken = self._overtaken()
            if not overtaken:
                return
        self.tally.skipped |= dict.fromkeys(overtaken)
        self.tally.notes[_CHANGED] = None

    def _overtaken(self) -> set[str]:
        """Write the persona; return the atoms that it would tell if others were faster."""
        with self.store.read() as snapshot:
            told = snapshot.telling(
                self.partition, types=portrait.TYPES, now_ms=self.now_ms, most=_MOST_TOLD
            )
            scenes = snapshot.organised_of(self.partition, layer=SCENE, most=MOST_SCENES)
            found = next(iter(snapshot.organised_of(self.partition, layer=PERSONA, most=1)), None)
        atoms = portrait.chosen(told)
        chosen = {atom.id for some in atoms.values() for atom in some}
        leading = _leading(scenes, chosen)
        if not chosen and not leading:
            return set()
        name = portrait.title(self.partition.subject, self.partition.owner)
        wanted = portrait.wanted(name, atoms, leading, note)
        content, metadata = _merged(found, {}, wanted)
        if found is not None and (content, metadata) == (found.content, found.metadata):
            return set()
        if self.task.dry_run:
            self.tally.show(content)
            self.tally.made += found is None
            self.tally.renewed += found is not None
            return set()
        sources = [*(atom for some in atoms.values() for atom in some), *leading]
        group = Group(tuple(sources), found, _PERSONA)
        with self.store.write() as tx:
            if not self._stand(tx, group, sources):
                return chosen or {each.id for each in leading}
            written = self._put(tx, found, wanted, PERSONA, {}, sources)
            kept = document.members(written.content, written.metadata)
            for _, each in tx.members(self.partition, [written.id], now_ms=tx.now_ms):
                if each.id not in kept:
                    tx.unlink(written.id, each.id, relation="derived_from", by=self.partition.owner)
        return set()


def _composed(said: object, title: str, index: dict[str, str]) -> tuple[Wanted | None, str]:
    """Return what a writer of the host wants said, or what is wrong with that."""
    if not isinstance(said, str):
        return None, f"gave {type(said).__name__[:60]}, and not a text"
    try:
        bounds.encodable(said, "the text")
    except InvalidInput:
        return None, "gave what is no Unicode text"
    made = revision.composed(said, title, [*index], index)
    return (made, "") if made.sections else (None, "gave no line")


def _merged(
    found: Memory | None, more: dict[str, JSON], wanted: Wanted
) -> tuple[str, dict[str, JSON]]:
    if found is None:
        return revision.merged(None, more, wanted)
    return revision.merged(found.content, {**found.metadata, **more}, wanted)


def note(memory: Memory) -> str:
    """Return what an index says of a memory: its day, and who said it."""
    day = f"{memory.occurred_at:%Y-%m-%d}"
    return f"{day}, {'scene' if memory.layer == SCENE else memory.actor or memory.owner}"


def _leading(scenes: Sequence[Memory], chosen: set[str]) -> list[Memory]:
    """Return the scenes that a persona leads to: those of what it tells, then the largest."""

    def rank(scene: Memory) -> tuple[bool, int, str]:
        held = document.members(scene.content, scene.metadata)
        return chosen.isdisjoint(held), -len(held), scene.id

    best = sorted(scenes, key=rank)[: portrait.MOST_SCENES]
    return sorted(best, key=lambda scene: scene.id)


def _same(found: Memory, read: Memory) -> bool:
    is_alike = found.content == read.content and found.visibility == read.visibility
    return is_alike and found.expires_ms is found.valid_to_ms is None
