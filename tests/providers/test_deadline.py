"""Deadlines: what is left by a clock that only grows, and what was left out."""

from agent_memory_os.providers.deadline import Deadline


class Watch:
    """A stopwatch that stands where it is put; in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_it_counts_from_the_moment_at_which_it_is_made() -> None:
    watch = Watch()
    deadline = Deadline(50, watch)
    watch.seconds = 0.020

    assert (deadline.spent_ms(), deadline.left_ms()) == (20, 30)


def test_nothing_is_left_when_it_is_over() -> None:
    watch = Watch()
    deadline = Deadline(50, watch)
    watch.seconds += 3.0

    assert (deadline.spent_ms(), deadline.left_ms()) == (3_000, 0)


def test_an_arm_is_allowed_until_the_last_millisecond_and_named_from_then_on() -> None:
    watch = Watch()
    deadline = Deadline(50, watch)
    watch.seconds = 0.049
    in_time = deadline.allows("vector")
    watch.seconds = 0.051

    assert in_time
    assert not deadline.allows("resonance")
    assert deadline.left_out == ("resonance: left out after 51 ms",)


def test_an_arm_is_named_once_with_the_first_moment() -> None:
    watch = Watch()
    deadline = Deadline(1, watch)
    watch.seconds += 0.5
    deadline.allows("resonance")
    watch.seconds += 0.5
    deadline.allows("resonance")

    assert deadline.left_out == ("resonance: left out after 500 ms",)
