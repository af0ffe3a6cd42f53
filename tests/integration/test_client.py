"""The clients against real processes: our brain and brains that misbehave."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path

import pytest

from brain_process import COMMAND
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
    with SimpleEngine.popen(COMMAND) as engine:
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
    with SimpleEngine.popen(COMMAND) as engine:
        result = engine.play(Board.from_text("h8i9", origin="top"), Limit(nodes=3000), on_info=heard.append)
    assert heard[-1] == result.info
    assert [info.depth for info in heard] == sorted(info.depth for info in heard)


def test_analysis_streams_and_stops() -> None:
    with SimpleEngine.popen(COMMAND) as engine:
        with engine.analysis(Board.from_text("h8i9", origin="top"), multipv=2) as analysis:
            for lines in analysis:
                assert [line.multipv for line in lines] == list(range(1, len(lines) + 1))
                if lines[0].depth >= 4:
                    break
        # The brain is free again.
        assert engine.play(Board.from_text("h8i9", origin="top"), Limit(nodes=500)).lines


def test_analysis_stopped_from_outside_yields_to_the_end() -> None:
    with SimpleEngine.popen(COMMAND) as engine:
        analysis = engine.analysis(Board.from_text("h8i9", origin="top"))
        timer = threading.Timer(0.3, analysis.stop)
        timer.start()
        depths = [lines[0].depth for lines in analysis]
        assert depths
        assert depths == sorted(depths)
        timer.join()


def test_analysis_that_is_stopped_before_it_begins() -> None:
    async def main() -> Move:
        async with await AsyncEngine.popen(COMMAND) as engine:
            analysis = engine.analysis(Board.from_text("h8i9", origin="top"))
            analysis.stop()
            return await analysis.wait()

    assert asyncio.run(main()) not in (Move(7, 7), Move(8, 8))


def test_a_cancelled_search_is_stopped_and_its_move_is_not_taken_for_the_next_one() -> None:
    win = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")

    async def main() -> str:
        async with await AsyncEngine.popen(COMMAND) as engine:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await engine.play(Board.from_text("a1b2", origin="top"), Limit())
            return (await engine.play(win, Limit(time=1.0))).move.text

    assert asyncio.run(main()) in ("g8", "l8")


def test_calls_wait_for_each_other() -> None:
    boards = [Board.from_text(text, origin="top") for text in ("h8h9i8i9j8j9k8k9", "a1a2b1b2c1c2d1d2")]

    async def main() -> list[str]:
        async with await AsyncEngine.popen(COMMAND) as engine:
            return [r.move.text for r in await asyncio.gather(*(engine.play(b, Limit(nodes=500)) for b in boards))]

    first, second = asyncio.run(main())
    assert first in ("g8", "l8")
    assert second == "e1"


@pytest.mark.parametrize("stones", ["", "h8i9g7", "h8i9g7f9j9"])
def test_swap2(stones: str) -> None:
    board = Board.from_text(stones, origin="top")
    own = Engine().swap2(board, Limit(nodes=2000))
    with SimpleEngine.popen(COMMAND) as engine:
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
        board = Board.from_text("h8", origin="top", rule=Rule.RENJU)
        brain.engine.play(board, Limit(time=1.0, nodes=50))
        brain.engine.play(board, Limit(time=1.0, match_time=60.0, time_left=59.5, increment=0.5))
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
        ("Silence", EngineTimeoutError, "no answer to BEGIN within 0.6 s"),
        ("Flood", EngineTimeoutError, "no answer to BEGIN"),
        ("EndlessLine", EngineTimeoutError, "no answer to BEGIN"),
        ("NoStart", EngineTimeoutError, "no answer to START within 0.5 s"),
        ("Refuses", EngineError, "refused BEGIN: ERROR I do not like"),
        ("OtherProtocol", EngineError, "refused START: UNKNOWN command"),
    ],
)
def test_every_failure_has_its_error(way: str, error: type[Exception], message: str) -> None:
    with strange(way, timeout=0.5) as engine:
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
    with SimpleEngine.popen(COMMAND) as engine:
        threading.Timer(0.3, engine.stop).start()
        assert engine.play(Board.from_text("h8i9", origin="top"), Limit()).lines


def test_limits_of_earlier_questions_do_not_survive_a_new_game() -> None:
    board = Board.from_text("h8i9", origin="top")
    with SimpleEngine.popen(COMMAND) as engine:
        assert engine.play(board, Limit(nodes=100)).info.nodes < 1000
        engine.new_game()
        assert engine.play(board, Limit(time=0.4)).info.nodes > 3000
        engine.play(Board(19), Limit(depth=1))
        assert engine.play(board, Limit(time=0.4)).info.depth > 2


def test_the_position_is_the_one_that_was_given(tmp_path: Path) -> None:
    async def main() -> Move:
        async with await AsyncEngine.popen(COMMAND) as engine:
            board = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
            question = asyncio.ensure_future(engine.play(board, Limit(nodes=200)))
            analysis_board = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
            await asyncio.sleep(0)
            board.push("a1")
            first = (await question).move
            analysis = engine.analysis(analysis_board, Limit(nodes=200))
            analysis_board.push("a1")
            assert await analysis.wait() == first
            return first

    assert asyncio.run(main()).text in ("g8", "l8")
    inside = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
    analysis = Engine().analysis(inside, Limit(nodes=200))
    inside.push("a1")
    assert [lines[0].pv[0].text for lines in analysis][-1] in ("g8", "l8")


def test_stop_before_the_question_was_asked_is_not_lost() -> None:
    async def main(delay: float) -> float:
        async with await AsyncEngine.popen(COMMAND) as engine:
            question = asyncio.ensure_future(engine.play(Board.from_text("h8i9", origin="top"), Limit(time=30.0)))
            await asyncio.sleep(delay)
            engine.stop()
            result = await question
            return result.info.time

    assert all(asyncio.run(main(delay)) < 10.0 for delay in (0.0, 0.02, 0.2))
    with SimpleEngine.popen(COMMAND) as engine:
        for delay in (0.05, 0.3):
            threading.Timer(delay, engine.stop).start()
            engine.play(Board.from_text("h8i9", origin="top"), Limit(time=30.0))


def test_swap2_can_be_stopped_and_cancelled() -> None:
    async def main() -> Move:
        async with await AsyncEngine.popen(COMMAND) as engine:
            question = asyncio.ensure_future(engine.swap2(Board(), Limit(time=60.0)))
            await asyncio.sleep(0.3)
            engine.stop()
            assert len((await question).moves) == 3
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await engine.swap2(Board(), Limit(time=60.0))
            return (await engine.play(Board(), Limit(time=0.2))).move

    assert asyncio.run(main()) == Move(7, 7)


def test_another_question_ends_an_analysis() -> None:
    with SimpleEngine.popen(COMMAND) as engine:
        analysis = engine.analysis(Board.from_text("h8i9", origin="top"))
        next(analysis)
        assert engine.play(Board.from_text("h8h9i8i9j8j9k8k9", origin="top"), Limit(time=1.0)).move.text in ("g8", "l8")
        list(analysis)


def test_an_analysis_yields_what_a_brain_has_even_if_lines_are_missing() -> None:
    won = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
    with SimpleEngine.popen(COMMAND) as engine:
        lines = list(engine.analysis(won, Limit(nodes=300), multipv=400))
        assert lines
        assert lines[-1][0].score.relative.mate == 1


def test_an_error_in_the_callback_ends_the_call() -> None:
    def raises(_: Info) -> None:
        raise ZeroDivisionError

    with SimpleEngine.popen(COMMAND) as engine:
        with pytest.raises(ZeroDivisionError):
            engine.play(Board.from_text("h8i9", origin="top"), Limit(nodes=500), on_info=raises)
        assert engine.play(Board(), Limit(time=0.2)).move == Move(7, 7)


def test_closing_ends_the_calls_of_other_threads() -> None:
    engine = SimpleEngine.popen(COMMAND)
    errors: list[Exception] = []

    def ask() -> None:
        try:
            engine.play(Board.from_text("h8i9", origin="top"), Limit())
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    engine.close()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert len(errors) == 8
    engine.stop()  # harmless
    engine.close()


def test_a_close_that_is_cancelled_still_ends_the_brain() -> None:
    async def main() -> int:
        engine = await AsyncEngine.popen([sys.executable, "-u", STRANGE, "Immortal"])
        closing = asyncio.ensure_future(engine.close(grace=30.0))
        await asyncio.sleep(0.3)
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
        await engine.close()
        with pytest.raises(EngineTerminatedError):
            await engine.play(Board(), Limit(time=0.1))
        return engine.pid

    pid = asyncio.run(main())
    assert not Path(f"/proc/{pid}").exists()


def test_brains_that_speak_before_they_are_asked(capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        engine = SimpleEngine.popen(["sh", "-c", "echo MESSAGE hello; exec cat"], timeout=0.2)
        with engine, pytest.raises(EngineError):
            engine.play(Board(), Limit(time=0.1))
    assert capfd.readouterr() == ("", "")


def test_a_program_relative_to_its_working_directory(tmp_path: Path) -> None:
    script = tmp_path / "brain.sh"
    script.write_text(f"#!/bin/sh\nexec '{sys.executable}' -u '{STRANGE}' Brain\n")
    script.chmod(0o755)
    with SimpleEngine.popen("./brain.sh", cwd=tmp_path) as engine:
        assert engine.play(Board(), Limit(time=5.0)).move == Move(0, 0)
