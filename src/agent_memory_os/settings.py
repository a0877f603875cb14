"""Every tunable number, with its unit, range, default and source."""

from dataclasses import field

from agent_memory_os.errors import InvalidInput
from agent_memory_os.noun import Noun

DAY_MS = 86_400_000
MOST = 1_000_000_000  # of anything that is counted
_SHARES = (
    "vector_weight",
    "vector_least",
    "vector_alone",
    "abstain_below",
    "foreign_weight",
    "narrow_share",
    "resonance_threshold",
    "resonance_decay",
    "co_recall_rate",
    "co_recall_ceiling",
    "co_recall_reach",
    "concept_link",
    "doubt_step",
    "doubt_floor",
    "core_share",
    "bedrock_share",
    "session_share",
    "warnings_share",
    "procedures_share",
    "task_graph_share",
    "offload_mild_ratio",
    "offload_aggressive_ratio",
    "fold_share",
)
_COUNTS = (
    "max_content_chars",
    "max_query_chars",
    "max_metadata_bytes",
    "max_tags",
    "max_limit",
    "index_every",
    "candidate_budget",
    "candidate_postings",
    "walked_postings",
    "ranked_candidates",
    "vector_documents",
    "vector_candidates",
    "vector_cache_mb",
    "foreign_candidates",
    "resonance_seeds",
    "resonance_front",
    "resonance_fan",
    "resonance_looked_at",
    "co_recall_first",
    "co_recall_seeds",
    "co_recall_kept",
    "co_recall_looked_at",
    "concept_least",
    "concept_most",
    "scene_atoms",
    "profile_tokens",
    "pack_items",
    "excerpt_tokens",
    "max_payload_bytes",
    "handle_tokens",
    "task_graph_events",
    "offload_keep_turns",
    "offload_result_tokens",
    "offload_text_tokens",
    "history_per_memory",
    "history_rows",
    "audit_rows",
    "receipt_rows",
)


class Settings(Noun):
    """The numbers that a host may tune; the defaults are what the benchmarks measure.

    >>> Settings(busy_wait_ms=250).busy_wait_ms
    250

    Attributes:
        busy_wait_ms: how long a write waits for another writer; 0 or more.
        durability: "normal" survives a killed process, "full" also a power cut.
        purge_wait_ms: how long a forget goes on removing bytes before it says that some are left.
        max_content_chars: longest content of one memory, in characters.
        max_query_chars: what is read of a query; the rest is ignored.
        max_metadata_bytes: longest metadata of one memory, as JSON in UTF-8.
        max_tags: most tags of one memory.
        max_limit: most hits of one call; a larger ``limit`` is cut to it.
        index_every: rows that wait until they are taken into the word index together; meanwhile
            searches look through them (source: SPEC.md, "The file").
        candidate_budget: most matches that are scored exactly; beyond it FTS5's own
            bm25 chooses which are looked at (SPEC.md, "Candidates").
        candidate_postings: most memories that may be expected to match what they are chosen from
            (source: the curve in docs/benchmarks.md).
        walked_postings: most index entries of common words that are walked for it, in pairs.
        ranked_candidates: how many it then chooses.
        vector_documents: most visible memories that the arm of hashed embeddings looks at, one by
            one; when there are more, it looks at those that share a word with the query.
        vector_candidates: how many visible memories, the nearest, are looked at by their vectors.
        vector_weight: what the relevance by vectors is worth beside that of words, 0 to 1 (source:
            docs/benchmarks.md; likewise the next two).
        vector_least: relevance by vectors from which a memory comes in that no word found, 0 to 1.
        vector_alone: the same of the best, from which vectors answer though words found nothing.
        vector_cache_mb: most memory, in 2**20 bytes, that whole vectors may take in a process; when
            there are more as it first searches, it holds one bit for each number.
        foreign_candidates: most rows that are read of what a provider of the host proposes.
        foreign_weight: what the relevance that it tells is worth beside that of words, 0 to 1; both
            together are worth more than either (SPEC.md, "Providers of the host").
        word_repair: whether a word of a query that no visible memory has is looked for as what it
            may be a misspelling of.
        abstain_below: relevance that the best match of a short query must reach, 0 to 1, or nothing
            is answered (source: the curve in docs/benchmarks.md); 0 answers whatever matches.
        narrow_share: below this share of all rows that the caller sees, rights are part of the
            word query; above it, they are joined (source: docs/benchmarks.md).
        narrow_scopes: above this many scopes they are joined in any case.
        importance_span: the most that importance can take from a score, 0 to 1; likewise the
            next three. Bounded, so that they reorder near-ties and never bury a match.
        confidence_span: see above.
        freshness_span: see above.
        reinforcement_span: see above.
        profile_span: the same for the weights of a recall profile, which somebody chose.
        prefer_span: the same for what a call prefers.
        decay: how freshness fades: "exponential" halves it with each half-life, "linear" ends it
            with the second.
        half_life_days: days in which freshness halves, when nothing below says otherwise; more
            than 0, as in all that follow; None in these means that it never fades.
        half_life_days_by_class: the same by the word that a memory has in its metadata as
            ``decay``; it goes before the next two.
        half_life_days_by_type: the same by type; it goes before the next.
        half_life_days_by_layer: the same by layer.
        authority_types: types that say what holds until it is changed; they neither fade nor are
            archived for their age (source: SPEC.md, "Age").
        retention_half_lives: after how many half-lives without use retention archives; 0 archives
            what has expired alone.
        retention_half_lives_by_layer: the same by layer, in place of it.
        temporary_days: days without a change after which retention archives what has ``temporary``
            in its metadata; more than 0.
        delete_archived_days: days after which retention deletes what was archived; None never does.
        delete_archived_days_by_layer: the same by layer, in place of it.
        history_per_memory: most replaced states of one memory that retention keeps, the last ones.
        history_rows: the same of all memories together.
        audit_rows: most acts that it keeps of the audit, the last ones.
        receipt_rows: most first answers to idempotency keys that it keeps, the last ones.
        resonance_seeds: how many of the best matches pass activation on over their links.
        resonance_front: how many of those that they activate pass it on once more, the most active.
        resonance_threshold: activation below which they pass nothing on, 0 to 1.
        resonance_fan: how many links of one memory carry activation, the heaviest.
        resonance_looked_at: how many links of hubs are looked at in all, the heaviest, whoever may
            see them, where twice the fan holds too few that the reader may see.
        resonance_decay: what is left of activation after one link, 0 to 1.
        co_recall_first: how many of the memories of one recall are linked with each other, the
            first that are named (source: SPEC.md, "Feedback and profiles"; likewise the next).
        co_recall_rate: what a helpful recall gives such a link of what it lacks of 1, and an
            unhelpful one takes from it, 0 to 1.
        co_recall_ceiling: the most that recalling makes of its weight, 0 to 1.
        co_recall_half_life_days: days without a recall after which half of its weight is left;
            more than 0, or None, which never fades.
        link_half_life_days: the same of links that somebody made, since they were linked last.
        co_recall_kept: how many such links of one agent lead to one memory, the heaviest.
        co_recall_seeds: how many of the best matches pass activation on over them.
        co_recall_reach: the most activation that a memory receives over them, 0 to 1.
        co_recall_looked_at: how many of those of hubs are looked at in all; otherwise as
            ``resonance_looked_at``.
        concept_link: weight of such a link from which `consolidate` takes both ends for often
            recalled together, 0 to 1 (source: SPEC.md, "Consolidating"; likewise the next two).
        concept_least: how many memories that are linked so get a concept of their own.
        concept_most: most memories that one concept is made of.
        scene_atoms: most atoms that one scene is made of, when they are organised.
        doubt_step: what a recall that did not help takes from the confidence of a memory when its
            owner says so, 0 to 1.
        doubt_floor: confidence that this does not go below, 0 to 1.
        pack_tokens: budget of a context pack that names none.
        profile_tokens: budget of a `profile_context` that names none.
        pack_items: most items of a pack, whatever its budget.
        core_share: most of a pack's budget that pinned memories may take.
        bedrock_share: the same of an orchestrated pack, for what holds always; likewise the next
            three. What a section leaves is for those after it, and the task has the rest.
        session_share: see above, for the last turns of the session.
        warnings_share: see above.
        procedures_share: see above.
        fold_share: of an event's score that what was derived from it must reach to take it in as
            its evidence, 0 to 1.
        excerpt_tokens: longest item of a pack before it is cut to an excerpt.
        max_payload_bytes: largest payload that is put away.
        handle_tokens: longest text of its handle.
        task_graph_share: what of ``pack_tokens`` a task graph takes that names no budget, 0 to 1.
        task_graph_events: how many events of a session it looks at, the last ones.
        offload_mild_ratio: share of the context from which ``offload.fold`` moves out heavy results
            of tools, 0 to 1 (source: SPEC.md, "Offload"; likewise the next).
        offload_aggressive_ratio: share from which it leaves the last turn alone.
        offload_keep_turns: how many last turns it leaves as they are until then.
        offload_result_tokens: longest result of a tool that stays until then; afterwards none stays
            that is longer than its handle may be.
        offload_text_tokens: longest text of the assistant that stays afterwards.
    """

    busy_wait_ms: int = 5_000
    durability: str = "normal"
    purge_wait_ms: int = 2_000
    max_content_chars: int = 1_048_576
    max_query_chars: int = 10_000
    max_metadata_bytes: int = 65_536
    max_tags: int = 256
    max_limit: int = 1_000
    index_every: int = 64
    candidate_budget: int = 2_000
    candidate_postings: int = 40_000
    walked_postings: int = 200_000
    ranked_candidates: int = 320
    vector_documents: int = 2_000
    vector_candidates: int = 300
    vector_weight: float = 0.5
    vector_least: float = 0.25
    vector_alone: float = 0.35
    vector_cache_mb: int = 1_024
    foreign_candidates: int = 1_000
    foreign_weight: float = 0.5
    word_repair: bool = True
    abstain_below: float = 0.2
    narrow_share: float = 0.2
    narrow_scopes: int = 100
    importance_span: float = 0.08
    confidence_span: float = 0.06
    freshness_span: float = 0.01
    reinforcement_span: float = 0.04
    profile_span: float = 0.4
    prefer_span: float = 0.3
    decay: str = "exponential"
    half_life_days: float = 90.0
    half_life_days_by_class: dict[str, float | None] = field(
        default_factory=lambda: {"short-term": 7.0, "long-term": 365.0}, hash=False
    )
    half_life_days_by_type: dict[str, float | None] = field(
        default_factory=lambda: {
            "preference": None,
            "instruction": None,
            "procedure": None,
            "persona": None,
            **dict.fromkeys(("fact", "decision", "environment", "lesson", "warning"), 180.0),
            "task": 14.0,
            "event": 30.0,
        },
        hash=False,
    )
    half_life_days_by_layer: dict[int, float | None] = field(
        default_factory=lambda: {0: 30.0, 2: 180.0, 3: None}, hash=False
    )
    authority_types: tuple[str, ...] = (
        *("authority", "instruction", "permission", "persona", "policy", "rule"),
    )
    retention_half_lives: float = 4.0
    retention_half_lives_by_layer: dict[int, float] = field(default_factory=dict, hash=False)
    temporary_days: float = 30.0
    delete_archived_days: float | None = None
    delete_archived_days_by_layer: dict[int, float | None] = field(default_factory=dict, hash=False)
    history_per_memory: int = 200
    history_rows: int = 1_000_000
    audit_rows: int = 100_000
    receipt_rows: int = 1_000_000
    resonance_seeds: int = 50
    resonance_front: int = 32
    resonance_threshold: float = 0.05
    resonance_fan: int = 32
    resonance_looked_at: int = 2_000
    resonance_decay: float = 0.5
    co_recall_first: int = 8
    co_recall_rate: float = 0.2
    co_recall_ceiling: float = 0.8
    co_recall_half_life_days: float | None = 60.0
    link_half_life_days: float | None = None
    co_recall_kept: int = 32
    co_recall_seeds: int = 16
    co_recall_reach: float = 0.2
    co_recall_looked_at: int = 500
    concept_link: float = 0.3
    concept_least: int = 3
    concept_most: int = 12
    scene_atoms: int = 16
    doubt_step: float = 0.1
    doubt_floor: float = 0.2
    pack_tokens: int = 1_200
    profile_tokens: int = 600
    pack_items: int = 100
    core_share: float = 0.3
    bedrock_share: float = 0.2
    session_share: float = 0.25
    warnings_share: float = 0.1
    procedures_share: float = 0.15
    fold_share: float = 0.5
    excerpt_tokens: int = 200
    max_payload_bytes: int = 67_108_864
    handle_tokens: int = 200
    task_graph_share: float = 0.2
    task_graph_events: int = 10_000
    offload_mild_ratio: float = 0.5
    offload_aggressive_ratio: float = 0.85
    offload_keep_turns: int = 3
    offload_result_tokens: int = 500
    offload_text_tokens: int = 800

    def __post_init__(self) -> None:
        if self.durability not in ("normal", "full"):
            raise InvalidInput(f'durability must be "normal" or "full", not {self.durability!r}')
        for name in ("importance", "confidence", "freshness", "reinforcement", "profile", "prefer"):
            span = getattr(self, f"{name}_span")
            if not 0 <= span <= 1:
                raise InvalidInput(f"{name}_span must be from 0 to 1, not {span!r}")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")
        for name in _COUNTS:
            count = getattr(self, name)
            if type(count) is not int or not 1 <= count <= MOST:
                raise InvalidInput(f"{name} must be a whole number from 1 to {MOST}, not {count!r}")
        for name in ("busy_wait_ms", "purge_wait_ms", "pack_tokens", "narrow_scopes"):
            if getattr(self, name) < 0:
                raise InvalidInput(f"{name} must be 0 or more, not {getattr(self, name)!r}")
        if not isinstance(self.word_repair, bool):
            raise InvalidInput(f"word_repair must be True or False, not {self.word_repair!r}")
        if self.decay not in ("exponential", "linear"):
            raise InvalidInput(f'decay must be "exponential" or "linear", not {self.decay!r}')
        self._check_ages()

    def _check_ages(self) -> None:
        by_name = (
            self.half_life_days_by_class,
            self.half_life_days_by_type,
            self.half_life_days_by_layer,
        )
        others = (self.half_life_days, self.co_recall_half_life_days, self.link_half_life_days)
        for days in (*others, *(each for named in by_name for each in named.values())):
            if days is not None and not days > 0:
                raise InvalidInput(f"a half-life must be more than 0 days, not {days!r}")
        kept = (self.delete_archived_days, *self.delete_archived_days_by_layer.values())
        for days in (self.temporary_days, *kept):
            if days is not None and not days > 0:
                raise InvalidInput(f"days of retention must be more than 0, not {days!r}")
        for count in (self.retention_half_lives, *self.retention_half_lives_by_layer.values()):
            if not count >= 0:
                raise InvalidInput(f"half-lives of retention must be 0 or more, not {count!r}")
