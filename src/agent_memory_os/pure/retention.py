"""What has aged so far that it leaves recall, decided from stored facts."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeGuard

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import State
from agent_memory_os.noun import Noun
from agent_memory_os.pure import decay
from agent_memory_os.settings import DAY_MS, MOST, Settings

LAYERS = (0, 1, 2, 3)
Reason = Literal["expired", "temporary", "idle", "archived"]
Spared = Literal["", "pinned", "authority"]


class Ageing(Noun):
    """What is needed of a memory to say whether it has aged out.

    changed_ms is when it was written, changed, archived or brought back, whichever came last;
    used_ms the same, or when it happened, or was said to be recalled. marks are the parts of its
    metadata that say how it ages.
    """

    id: str
    type: str
    layer: int
    state: State
    pinned: bool
    changed_ms: int
    used_ms: int
    expires_ms: int | None
    marks: Mapping[str, object]


class Due(Noun):
    """What becomes of a memory, and why.

    spared names what keeps it from that: then nothing becomes of it.
    """

    state: Literal["archived", "deleted"]
    reason: Reason
    spared: Spared


class Policy(Noun):
    """After how long memories leave, by layer; a layer that is not named keeps all it has.

    Attributes:
        half_lives: after how many half-lives without use they are archived; 0: only when they have
            expired.
        delete_days: days after which what was archived is deleted; None: never.
    """

    half_lives: Mapping[int, float]
    delete_days: Mapping[int, float | None]


def policy(settings: Settings, *, half_lives: object, layers: object) -> Policy:
    """Return the policy of the settings, or of what a call says in their place.

    Args:
        settings: what holds where the call says nothing.
        half_lives: a number, 0 or more, for all layers; None for those of the settings.
        layers: the layers that are dealt with; None for all.

    Raises:
        InvalidInput: *half_lives* is no such number, or *layers* no list of layers.
    """
    wanted = _layers(layers)
    if half_lives is not None and not _is_count(half_lives):
        raise InvalidInput(f"half_lives must be a number from 0 to {MOST}, not {half_lives!r}")
    by_layer, usual = settings.retention_half_lives_by_layer, settings.retention_half_lives
    kept, kept_usual = settings.delete_archived_days_by_layer, settings.delete_archived_days
    return Policy(
        {
            layer: by_layer.get(layer, usual) if half_lives is None else float(half_lives)
            for layer in wanted
        },
        {layer: kept.get(layer, kept_usual) for layer in wanted},
    )


def _is_count(value: object) -> TypeGuard[float]:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= MOST


def _layers(layers: object) -> tuple[int, ...]:
    if layers is None:
        return LAYERS
    if isinstance(layers, str | bytes | Mapping) or not isinstance(layers, Iterable):
        raise InvalidInput(f"layers must be a list of layers, not {layers!r}")
    wanted = list(layers)
    for layer in wanted:
        if isinstance(layer, bool) or not isinstance(layer, int) or layer not in LAYERS:
            raise InvalidInput(f"a layer must be one of {LAYERS}, not {layer!r}")
    return tuple(sorted(set(wanted)))


def due(memory: Ageing, now_ms: int, policy: Policy, settings: Settings) -> Due | None:
    """Return what becomes of *memory* at *now_ms*; None when it has not aged that far.

    What is archived may be deleted; what is deleted stays so; anything else may be archived.
    A moment in the future counts as now, so that a clock that was set back moves nothing.
    """
    if memory.layer not in policy.half_lives:
        return None
    if memory.state == "archived":
        days = policy.delete_days[memory.layer]
        if days is None or now_ms - memory.changed_ms < days * DAY_MS:
            return None
        return Due("deleted", "archived", _spared(memory, settings))
    if memory.state == "deleted":
        return None
    reason = _reason(memory, now_ms, policy.half_lives[memory.layer], settings)
    return None if reason is None else Due("archived", reason, _spared(memory, settings))


def _reason(memory: Ageing, now_ms: int, half_lives: float, settings: Settings) -> Reason | None:
    if memory.expires_ms is not None and memory.expires_ms <= now_ms:
        return "expired"
    if not half_lives:
        return None
    is_temporary = decay.is_set(memory.marks.get(decay.TEMPORARY))
    if is_temporary and now_ms - memory.changed_ms >= settings.temporary_days * DAY_MS:
        return "temporary"
    # As if it faded: what spares it is said by `_spared`.
    days = decay.usual_half_life_days(memory.type, memory.layer, memory.marks, settings)
    if days is None:
        return None
    return "idle" if now_ms - memory.used_ms >= half_lives * days * DAY_MS else None


def _spared(memory: Ageing, settings: Settings) -> Spared:
    if memory.pinned:
        return "pinned"
    mark = memory.marks.get(decay.AUTHORITY)
    return "authority" if decay.is_authority(memory.type, mark, settings) else ""
