"""The clients against real processes: our brain and brains that misbehave."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path

import pytest

from gomoku import Board
from gomoku.engine import (
    AsyncEngine,
    Engine,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Info,
    Limit,
    SimpleEngine,
)
from gomoku.types import Move, Rule

OWN = [sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]
STRANGE = str(Path(__file__).with_name("strange_brain.py"))


def strange(way: str, timeout: float = 10.0, env: dict[str, str] | None = None) -> SimpleEngine:
    environment = None if env is None else {**os.environ, **env}
    return SimpleEngine.popen([sys.executable, "-u", STRANGE, way], timeout=timeout, env=environment)


class Recording:
    """A brain that writes down what it is told."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "record.txt"
        self.engine = strange("Recorder", timeout=5.0, env={"RECORD": str(self.path)})

    def told(self) -> list[str]:
        """What it was told since the last call, without settings."""
        lines = [line for line in self.path.read_text().splitlines() if not line.startswith("INFO")]
        self.path.write_text("")
        return lines

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()


def test_play_and_analyse_like_the_engine_in_the_process() -> None:
    board = Board.from_text("h8i9i8g8h9", origin="top", rule=Rule.STANDARD)
    own = Engine()
    with SimpleEngine.popen(OWN) as engine:
        result = engine.play(board, Limit(nodes=3000))
        expected = own.play(board, Limit(nodes=3000))
        assert result.move == expected.move
        assert result.info.score == expected.info.score
        assert result.info.pv == expected.info.pv
        assert engine.about is not None
        assert engine.about.name == "Fukumi"
        engine.new_game()
        own.new_game()
        lines = engine.analyse(board, Limit(nodes=3000), multipv=3)
        assert [(line.multipv, line.score, line.pv) for line in lines] == [
            (line.multipv, line.score, line.pv) for line in own.analyse(board, Limit(nodes=3000), multipv=3)
        ]


def test_on_info_hears_every_line() -> None:
    heard: list[Info] = []
    with SimpleEngine.popen(OWN) as engine:
        result = engine.play(Board.from_text("h8i9", origin="top"), Limit(nodes=3000), on_info=heard.append)
    assert heard[-1] == result.info
    assert [info.depth for info in heard] == sorted(info.depth for info in heard)


def test_analysis_streams_and_stops() -> None:
    with SimpleEngine.popen(OWN) as engine:
        with engine.analysis(Board.from_text("h8i9", origin="top"), multipv=2) as analysis:
            for lines in analysis:
                assert [line.multipv for line in lines] == list(range(1, len(lines) + 1))
                if lines[0].depth >= 4:
                    break
        # The brain is free again.
        assert engine.play(Board.from_text("h8i9", origin="top"), Limit(nodes=500)).lines


def test_analysis_stopped_from_outside_yields_to_the_end() -> None:
    with SimpleEngine.popen(OWN) as engine:
        analysis = engine.analysis(Board.from_text("h8i9", origin="top"))
        timer = threading.Timer(0.3, analysis.stop)
        timer.start()
        depths = [lines[0].depth for lines in analysis]
        assert depths
        assert depths == sorted(depths)
        timer.join()


def test_analysis_that_is_stopped_before_it_begins() -> None:
    async def main() -> Move:
        async with await AsyncEngine.popen(OWN) as engine:
            analysis = engine.analysis(Board.from_text("h8i9", origin="top"))
            analysis.stop()
            return await analysis.wait()

    assert asyncio.run(main()) not in (Move(7, 7), Move(8, 8))


def test_a_cancelled_search_is_stopped_and_its_move_is_not_taken_for_the_next_one() -> None:
    win = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")

    async def main() -> str:
        async with await AsyncEngine.popen(OWN) as engine:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await engine.play(Board.from_text("a1b2", origin="top"), Limit())
            return (await engine.play(win, Limit(time=1.0))).move.text

    assert asyncio.run(main()) in ("g8", "l8")


def test_calls_wait_for_each_other() -> None:
    boards = [Board.from_text(text, origin="top") for text in ("h8h9i8i9j8j9k8k9", "a1a2b1b2c1c2d1d2")]

    async def main() -> list[str]:
        async with await AsyncEngine.popen(OWN) as engine:
            return [r.move.text for r in await asyncio.gather(*(engine.play(b, Limit(nodes=500)) for b in boards))]

    first, second = asyncio.run(main())
    assert first in ("g8", "l8")
    assert second == "e1"


@pytest.mark.parametrize("stones", ["", "h8i9g7", "h8i9g7f9j9"])
def test_swap2(stones: str) -> None:
    board = Board.from_text(stones, origin="top")
    own = Engine().swap2(board, Limit(nodes=2000))
    with SimpleEngine.popen(OWN) as engine:
        choice = engine.swap2(board, Limit(nodes=2000))
    for answer in (own, choice):
        assert answer.swap != bool(answer.moves)
        assert len(answer.moves) == (0 if answer.swap else 1 if stones else 3)
        assert all(board.stone(move) is None for move in answer.moves)


def test_swap2_needs_a_brain_that_knows_it() -> None:
    with strange("OtherProtocol") as engine, pytest.raises(EngineError, match="refused START: UNKNOWN"):
        engine.swap2(Board(), Limit(time=1.0))


def test_the_position_is_told_in_the_shortest_way(tmp_path: Path) -> None:
    with Recording(tmp_path) as brain:
        board = Board()
        board.push(brain.engine.play(board, Limit(time=1.0)).move)
        assert brain.told() == ["ABOUT", "START 15", "BEGIN"]
        board.push("h8")
        board.push(brain.engine.play(board, Limit(time=1.0)).move)
        assert brain.told() == ["TURN 7,7"]
        board.push("i8")
        board.pop()
        board.push("j8")
        board.push(brain.engine.play(board, Limit(time=1.0)).move)
        assert brain.told() == ["TURN 9,7"]
        board.pop()
        board.push("a15")  # not the brain's move: it has to be told everything
        board.push("b15")
        brain.engine.play(board, Limit(time=1.0))
        cells = ["0,0,2", "7,7,1", "1,0,2", "9,7,1", "0,14,2", "1,14,1"]
        expected = [f"{x},{y},{3 - int(who)}" for x, y, who in (cell.split(",") for cell in cells)]
        assert brain.told() == ["BOARD", *expected, "DONE"]
        brain.engine.play(Board(20), Limit(time=1.0))
        assert brain.told() == ["START 20", "BEGIN"]
        brain.engine.new_game()
        walled = Board.from_stones(["h8"], [], walls=["a1"], width=20)
        brain.engine.play(walled, Limit(time=1.0))
        assert brain.told() == ["START 20", "BOARD", "7,7,2", "0,0,3", "DONE"]


def test_settings_are_sent_when_they_change(tmp_path: Path) -> None:
    with Recording(tmp_path) as brain:
        brain.engine.configure({"max_memory": 1000, "thread_num": 2})
        brain.engine.play(Board(rule=Rule.RENJU), Limit(time=1.0, nodes=50))
        brain.engine.play(Board(rule=Rule.RENJU), Limit(time=1.0, match_time=60.0, time_left=59.5, increment=0.5))
        lines = [line[5:] for line in brain.path.read_text().splitlines() if line.startswith("INFO")]
    first = ["rule 4", "max_memory 1000", "thread_num 2", "timeout_turn 1000", "timeout_match 0", "max_node 50"]
    assert lines[:7] == [*first, "time_left 2147483647"]
    assert lines[7:] == ["timeout_match 60000", "time_increment 500", "max_node 0", "time_left 59500"]


def test_configure_refuses_what_fits_on_no_line() -> None:
    with strange("Brain") as engine:
        for key, value in (("rule", 1), ("two words", 1), ("", 1), ("key", "a\nEND")):
            with pytest.raises(ValueError, match=r"setting|line"):
                engine.configure({key: value})


def test_a_nonsense_pv_is_cut_and_an_unknown_score_is_no_error(tmp_path: Path) -> None:
    with Recording(tmp_path) as brain:
        info = brain.engine.play(Board(), Limit(time=1.0)).info
    assert [move.text for move in info.pv] == ["h8", "i9"]  # then it repeats h8
    assert str(info.score.relative) == "17"


def test_a_brain_that_says_nothing_gives_no_lines() -> None:
    with strange("Brain") as engine:
        result = engine.play(Board(), Limit(time=1.0))
        assert result.lines == ()
        assert engine.analyse(Board(), Limit(time=1.0)) == []
    with pytest.raises(ValueError, match="closed"):
        engine.play(Board(), Limit(time=1.0))


@pytest.mark.parametrize(
    ("way", "error", "message"),
    [
        ("Crash", EngineTerminatedError, "status 3"),
        ("Killed", EngineTerminatedError, "status -9"),
        ("Fork", EngineTerminatedError, "status 0"),
        ("Disconnect", EngineTerminatedError, "closed its output"),
        ("Silence", EngineTimeoutError, "no answer to BEGIN within 1.1 s"),
        ("Flood", EngineTimeoutError, "no answer to BEGIN"),
        ("EndlessLine", EngineTimeoutError, "no answer to BEGIN"),
        ("NoStart", EngineTimeoutError, "no answer to START within 1 s"),
        ("Refuses", EngineError, "refused BEGIN: ERROR I do not like"),
        ("OtherProtocol", EngineError, "refused START: UNKNOWN command"),
    ],
)
def test_every_failure_has_its_error(way: str, error: type[Exception], message: str) -> None:
    with strange(way, timeout=1.0) as engine:
        if way == "Crash":  # at its second move
            engine.play(Board(), Limit(time=0.1))
            engine.new_game()
        with pytest.raises(error, match=message):
            engine.play(Board(), Limit(time=0.1))


def test_a_dead_brain_stays_dead() -> None:
    with strange("Killed") as engine:
        for _ in range(2):
            with pytest.raises(EngineTerminatedError):
                engine.play(Board(), Limit(time=0.1))


def test_a_program_that_does_not_exist() -> None:
    threads = threading.active_count()
    with pytest.raises(FileNotFoundError, match="no program 'pbrain-nobody'"):
        SimpleEngine.popen("pbrain-nobody --fast")
    with pytest.raises(ValueError, match="names no program"):
        SimpleEngine.popen("")
    assert threading.active_count() == threads


def test_stop_makes_a_search_without_limit_move() -> None:
    with SimpleEngine.popen(OWN) as engine:
        threading.Timer(0.3, engine.stop).start()
        assert engine.play(Board.from_text("h8i9", origin="top"), Limit()).lines
