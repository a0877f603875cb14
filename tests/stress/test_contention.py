"""A small size of `contention.py`: nothing is lost and nothing is raised; speed is not judged."""

import os

import contention
import pytest


@pytest.mark.capability("AIM-53", "MEMU-63")
def test_16_processes_open_a_new_file_and_all_work() -> None:
    run = contention.opening(16)

    assert (run.lost, run.raised) == (0, ())


def test_16_processes_open_a_file_that_is_there_and_none_takes_the_write_lock() -> None:
    assert contention.opened_while_written(16) == ()


@pytest.mark.capability("AIM-53", "MEMU-63")
def test_processes_add_while_others_read_and_nothing_is_lost() -> None:
    run = contention.together(4, 50, 2)

    assert (run.lost, run.raised) == (0, ())
    assert run.reads > 0


@pytest.mark.capability("AIM-63")
def test_threads_share_a_client_and_each_finds_what_it_added() -> None:
    run = contention.threads(8, 10)

    assert (run.lost, run.raised) == (0, ())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_children_and_their_parent_write_with_one_client() -> None:
    run = contention.forks(4, 10)

    assert (run.lost, run.raised) == (0, ())


def test_a_log_grows_beside_a_reader_and_shrinks_after_it() -> None:
    log = contention.long_reader(100)

    assert log.held > log.after == log.closed == 0
    assert log.file < log.held


def test_a_stuck_writer_is_told_within_the_wait_and_how_to_find_it() -> None:
    waited_ms, said = contention.stuck_writer(200)

    assert 200 <= waited_ms < 2_000
    assert "waited 2" in said
    assert "lsof" in said
    assert "busy_wait_ms" in said
