"""Placing: which atoms come into which scene of a partition."""

from collections.abc import Iterable, Mapping, Sequence

from agent_memory_os.model import Memory
from agent_memory_os.noun import Noun
from agent_memory_os.pure import document, themes
from agent_memory_os.pure.layer import SCENE, Partition
from agent_memory_os.pure.themes import Theme
from agent_memory_os.store.contract import Snapshot

KIND = "scene"  # in the metadata of a scene: of a theme, or of a month
THEME, MONTH = "theme", "month"
MOST_SCENES = 500  # that atoms may join, the last made ones
_PAGE = 2_000  # atoms that are looked at together


class Group(Noun):
    """Atoms that come into a scene.

    Attributes:
        atoms: that come into it.
        into: a scene that is there; None for a new one.
        kind: what it is of: a theme, or a month.
        leaves: scenes of a month that they leave for it.
    """

    atoms: tuple[Memory, ...]
    into: Memory | None
    kind: str
    leaves: tuple[Memory, ...] = ()


class Placing(Noun):
    """Finds places in one partition.

    Attributes:
        partition: which.
        now_ms: at what moment.
        most: atoms of a scene.
    """

    partition: Partition
    now_ms: int
    most: int

    def unplaced(self, snapshot: Snapshot, skipped: Mapping[str, object]) -> list[Memory]:
        """Return the next atoms that are in no scene, without those that were *skipped*."""
        most = _PAGE + len(skipped)
        found = snapshot.unplaced(self.partition, now_ms=self.now_ms, after="", most=most)
        return [atom for atom in found if atom.id not in skipped]

    def groups(self, snapshot: Snapshot, new: Sequence[Memory]) -> list[Group]:
        """Return what comes into which scene, themes first."""
        scenes = snapshot.organised_of(self.partition, layer=SCENE, most=MOST_SCENES)
        months = [each for each in scenes if each.metadata.get(KIND) == MONTH]
        open_ = [each for each in months if not document.is_edited(each.content, each.metadata)]
        held = snapshot.members(self.partition, [each.id for each in open_], now_ms=self.now_ms)
        home = {atom.id: scene for scene, atom in held}
        atoms = {atom.id: atom for atom in (*(atom for _, atom in held), *new)}
        pool = sorted(atoms.values(), key=lambda atom: (atom.occurred_ms, atom.id))
        joinable = [
            theme
            for scene in scenes
            if scene.metadata.get(KIND) != MONTH and (theme := self._theme(scene))
        ]
        themed, left = themes.grouped(pool, joinable, most=self.most)
        by_id = {scene.id: scene for scene in scenes}
        groups = [
            Group(
                tuple(atoms[each] for each in group.ids),
                None if group.into is None else by_id[group.into],
                THEME,
                tuple(by_id[each] for each in sorted({home[i] for i in group.ids if i in home})),
            )
            for group in themed
        ]
        return groups + self._by_month([atom for atom in left if atom.id not in home], months)

    def _theme(self, scene: Memory) -> Theme | None:
        """Return a scene as one that others may join; None where it has no room."""
        room = self._room(scene)
        if not room:
            return None
        told = document.told(scene.content, scene.metadata)
        return Theme(scene.id, room, tuple(line.text for line in told))

    def _room(self, scene: Memory) -> int:
        held = len(document.members(scene.content, scene.metadata))
        return max(self.most - held, 0)

    def _by_month(self, atoms: Sequence[Memory], months: Iterable[Memory]) -> list[Group]:
        """Return where atoms go that share nothing: to a scene of their month that has room."""
        open_: dict[str, list[tuple[int, Memory]]] = {}
        for scene in months:
            room = self._room(scene)
            if room:
                open_.setdefault(_month(scene), []).append((room, scene))
        of_month: dict[str, list[Memory]] = {}
        for atom in atoms:
            of_month.setdefault(_month(atom), []).append(atom)
        groups = []
        for month, some in sorted(of_month.items()):
            for room, scene in open_.get(month, ()):
                if some:
                    groups.append(Group(tuple(some[:room]), scene, MONTH))
                    some = some[room:]
            for start in range(0, len(some), self.most):
                groups.append(Group(tuple(some[start : start + self.most]), None, MONTH))
        return groups


def _month(memory: Memory) -> str:
    return f"{memory.occurred_at:%Y-%m}"
