"""Descriptions, schedule and log of matches, and the match on threads and other executors."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
import pickle
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gomoku.book import Opening
from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.match import (
    End,
    GameResult,
    Match,
    MatchError,
    PairResult,
    PairTask,
    Player,
    Sprt,
    Terms,
    play_pair,
    read_log,
    referee,
)
from gomoku.match.pair import PairStoppedError
from gomoku.match.player import format_tc, parse_tc, with_unique_names
from gomoku.match.schedule import Schedule
from gomoku.types import BLACK, WHITE, Color, Move, Rule

OPENINGS = [Opening.from_text(text, 15, 15) for text in ("h8i9g7", "h8h9j10", "h8g6j6")]


def small_engine() -> Engine:
    return Engine(hash_bytes=1 << 20)


def own(name: str, nodes: int = 60) -> Player:
    return Player(name=name, engine=small_engine, limit=Limit(nodes=nodes))


def pair_result(task: PairTask, winners: tuple[Color | None, Color | None], end: End = End.FIVE) -> PairResult:
    """A made-up result: who won the first and the second game."""
    names = [(task.first.name, task.second.name), (task.second.name, task.first.name)]
    games = [
        GameResult(
            black=black,
            white=white,
            moves=task.opening.moves,
            opening_plies=len(task.opening.moves),
            winner=winner,
            end=End.DRAW if winner is None else end,
        )
        for (black, white), winner in zip(names, winners, strict=True)
    ]
    return PairResult(number=task.number, first=names[0][0], second=names[0][1], games=(games[0], games[1]))


class TestPlayer:
    @pytest.mark.parametrize(
        "text",
        [
            "nodes=2000 fukumi",
            "tc=1 fukumi",
            "tc=0.5/60 pbrain-x",
            "tc=0/60+0.5 depth=9 max_memory=367001600 threads=2 info.caution=3 pause=5 'a b/pbrain-x' --book=1",
        ],
    )
    def test_text_round_trip(self, text: str) -> None:
        player = Player.parse(text)
        assert player.text == text
        assert Player.parse(player.text) == player

    def test_names(self) -> None:
        assert Player.parse("/brains/pbrain-x.exe -v").name == "x"
        assert Player.parse("name=y /brains/pbrain-x.exe").name == "y"
        players = [Player.parse("fukumi"), Player.parse("x"), Player.parse("nodes=1 fukumi")]
        assert [player.name for player in with_unique_names(players)] == ["fukumi-1", "x", "fukumi-2"]

    def test_limits_of_the_match_apply_unless_the_player_has_its_own(self) -> None:
        shared = Limit(time=2.0, nodes=500)
        assert Player.parse("fukumi", shared).limit == shared
        assert Player.parse("tc=1/9 fukumi", shared).limit == Limit(time=1.0, match_time=9.0, nodes=500)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "names no program"),
            ("nodes=5", "names no program"),
            ("nodes=-5 fukumi", "nodes '-5' is no positive number"),
            ("nodes=x fukumi", "nodes 'x'"),
            ("tc=fast fukumi", "'fast' is no time control"),
            ("memory=5t fukumi", "'5t' is no number of bytes"),
            ("colour=red fukumi", "unknown setting 'colour'"),
            ("'open fukumi", "No closing quotation"),
            ("threads=two fukumi", "threads 'two' is no positive number"),
            ("pause=0.5 fukumi", "pause '0.5' is no positive number"),
            ("info.rule=1 fukumi", "'rule' is no setting of its own"),
            ("info.=1 fukumi", "'' is no setting"),
        ],
    )
    def test_bad_players(self, text: str, message: str) -> None:
        with pytest.raises(MatchError, match=message):
            Player.parse(text)

    @pytest.mark.parametrize("text", ["1", "0.25", "5/180", "0/60", "2/60+0.5"])
    def test_time_controls_round_trip(self, text: str) -> None:
        assert format_tc(parse_tc(text)) == text

    @pytest.mark.parametrize("text", ["", "0", "-1", "1/x", "0/0", "1/-2", "1+1", "nan", "inf", "1/2/3", "1/60+nan"])
    def test_bad_time_controls(self, text: str) -> None:
        with pytest.raises(MatchError, match="time control"):
            parse_tc(text)

    def test_commands_may_name_environment_variables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BRAINS", "/opt/brains")
        assert Player.parse("$BRAINS/pbrain-x").words == ("/opt/brains/pbrain-x",)

    @pytest.mark.parametrize(
        "change",
        [{"tolerance": -1.0}, {"tolerance": math.nan}, {"patience": math.nan}, {"draw_after": 0}, {"win_plies": 0}],
    )
    def test_terms_that_make_no_sense(self, change: dict[str, Any]) -> None:
        with pytest.raises(MatchError, match=r"makes no sense|is less than 1"):
            Terms(**change)


class TestSchedule:
    def test_every_two_meet_with_every_opening_in_both_colours(self) -> None:
        schedule = Schedule([own("a"), own("b"), own("c")], OPENINGS, Terms(), rounds=3)
        tasks = []
        while task := schedule.next_task():
            tasks.append(task)
        assert schedule.total == len(tasks) == 9
        assert [task.number for task in tasks] == list(range(9))
        for meeting in (("a", "b"), ("a", "c"), ("b", "c")):
            played = [task.opening for task in tasks if (task.first.name, task.second.name) == meeting]
            assert {opening.moves for opening in played} == {opening.moves for opening in OPENINGS}

    def test_gauntlet(self) -> None:
        schedule = Schedule([own("a"), own("b"), own("c")], OPENINGS, Terms(), rounds=1, gauntlet=True)
        assert [schedule.task(number).second.name for number in range(schedule.total)] == ["b", "c"]

    def test_neighbours_only(self) -> None:
        players = [own(name) for name in "abcd"]
        schedule = Schedule(players, OPENINGS, Terms(), rounds=1, reach=2)
        tasks = [schedule.task(number) for number in range(schedule.total)]
        assert [task.first.name + task.second.name for task in tasks] == ["ab", "ac", "bc", "bd", "cd"]

    def test_openings_come_again_under_other_symmetries(self) -> None:
        schedule = Schedule([own("a"), own("b")], OPENINGS, Terms(), rounds=24)
        boards = {schedule.task(number).board().key for number in range(24)}
        assert len(boards) > 18  # some openings are symmetric themselves
        assert len({schedule.task(number).board().canonical_key for number in range(24)}) == 3

    def test_the_seed_decides_the_order(self) -> None:
        def order(seed: int) -> list[tuple[Move, ...]]:
            many = [Opening((Move(7, 7), Move(x, 3)), 15, 15) for x in range(15)]
            schedule = Schedule([own("a"), own("b")], many, Terms(), rounds=15, seed=seed)
            return [schedule.task(number).opening.moves for number in range(15)]

        assert order(1) == order(1)
        assert order(1) != order(2)

    def test_a_test_ends_the_match(self) -> None:
        schedule = Schedule([own("a"), own("b")], OPENINGS, Terms(), rounds=500, sprt=Sprt(0, 200))
        while task := schedule.next_task():
            schedule.finish(pair_result(task, (BLACK, WHITE)))
        assert schedule.verdict == "H1"
        assert schedule.done < 100
        assert schedule.over

    def test_forfeits_forbid_a_verdict(self) -> None:
        schedule = Schedule([own("a"), own("b")], OPENINGS, Terms(), rounds=60, sprt=Sprt(0, 200))
        while task := schedule.next_task():
            schedule.finish(pair_result(task, (BLACK, WHITE), End.TIMEOUT if task.number % 20 == 0 else End.FIVE))
        assert schedule.done == schedule.total
        assert schedule.forfeits == 6
        assert not schedule.trustworthy
        assert schedule.verdict is None

    def test_a_result_counts_once_and_must_belong_to_the_match(self) -> None:
        schedule = Schedule([own("a"), own("b")], OPENINGS, Terms(), rounds=2)
        task = schedule.task(0)
        assert schedule.finish(pair_result(task, (BLACK, None)))
        assert not schedule.finish(pair_result(task, (WHITE, WHITE)))
        assert list(schedule.table) == [0, 0, 0, 1, 0]
        with pytest.raises(MatchError, match="pair 7 is not one"):
            schedule.finish(dataclasses.replace(pair_result(task, (None, None)), number=7))
        with pytest.raises(MatchError, match="is of 'a' and 'b', not of 'b' and 'a'"):
            schedule.finish(dataclasses.replace(pair_result(task, (None, None)), number=1, first="b", second="a"))

    def test_lost_pairs_are_played_again_but_not_for_ever(self) -> None:
        schedule = Schedule([own("a"), own("b")], OPENINGS, Terms(), rounds=1)
        for _ in range(2):
            assert schedule.next_task() is not None
            assert schedule.give_back(0)
        assert schedule.next_task() is not None
        assert not schedule.give_back(0)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"players": [own("a")]}, "two or more players"),
            ({"players": [own("a"), own("a")]}, "different names"),
            ({"players": [own("a"), own("b"), own("c")], "sprt": Sprt(0, 5)}, "compares 2 players"),
            ({"rounds": 0}, "0 pairs"),
            ({"openings": []}, "no openings"),
            ({"terms": Terms(width=20, height=20)}, "board of 15x15"),
            (
                {"openings": [Opening.from_text("h8h9i7i9h10i6i11i12g9", 15, 15)], "terms": Terms(rule=Rule.RENJU)},
                "double-three",
            ),
            ({"openings": [Opening.from_text("a1o1b1o2c1o3d1o4e1", 15, 15)]}, "the game is over"),
        ],
    )
    def test_matches_that_cannot_be_played(self, change: dict[str, Any], message: str) -> None:
        arguments = {"players": [own("a"), own("b")], "openings": OPENINGS, "terms": Terms(), "rounds": 1, **change}
        with pytest.raises(MatchError, match=message):
            Schedule(**arguments)


class TestPair:
    def test_node_limited_pairs_are_repeatable_and_survive_pickling(self) -> None:
        task = PairTask(number=3, first=own("a", 300), second=own("b", 200), opening=OPENINGS[0], terms=Terms())
        again = pickle.loads(pickle.dumps(task))
        one, two = play_pair(task), play_pair(again)
        assert [game.moves for game in one.games] == [game.moves for game in two.games]
        assert [game.scores for game in one.games] == [game.scores for game in two.games]

    def test_jitter_makes_the_games_of_equal_players_differ_repeatably(self) -> None:
        task = PairTask(number=0, first=own("a", 300), second=own("b", 300), opening=OPENINGS[0], terms=Terms())
        same = play_pair(task)
        assert same.games[0].moves == same.games[1].moves
        varied = [play_pair(dataclasses.replace(task, node_jitter=0.5, seed=seed)) for seed in (1, 1, 2)]
        assert varied[0].games[0].moves != varied[0].games[1].moves
        assert varied[0].games == dataclasses.replace(varied[1]).games or [g.moves for g in varied[0].games] == [
            g.moves for g in varied[1].games
        ]
        assert varied[0].games[0].moves != varied[2].games[0].moves

    def test_a_pair_can_be_stopped(self) -> None:
        slow = Player(name="slow", engine=small_engine, limit=Limit(time=60.0))
        task = PairTask(number=0, first=slow, second=own("b"), opening=OPENINGS[0], terms=Terms())
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        with pytest.raises(PairStoppedError):
            play_pair(task, stop)

    def test_an_overdrawn_clock_ends_the_game(self) -> None:
        class Slow(Engine):
            def play(self, *args: Any, **kwargs: Any) -> Any:
                time.sleep(0.06)
                return super().play(*args, **kwargs)

        slow = Player(name="slow", engine=Slow, limit=Limit(match_time=0.2, nodes=20))
        task = PairTask(
            number=0, first=slow, second=own("b"), opening=OPENINGS[0], terms=Terms(tolerance=0.1, draw_after=100)
        )
        for game in play_pair(task).games:
            assert game.end is End.TIMEOUT
            assert game.points("slow") == 0
            assert sum(game.times_ms[0::2]) < 1000 or sum(game.times_ms[1::2]) < 1000

    def test_a_pause_comes_before_every_question_and_is_not_on_the_clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now, pauses = 0.0, 0

        async def sleep(seconds: float) -> None:
            nonlocal now, pauses
            now += seconds
            pauses += seconds > 0

        monkeypatch.setattr(referee.asyncio, "sleep", sleep)
        monkeypatch.setattr(asyncio.BaseEventLoop, "time", lambda _: now)
        patient = dataclasses.replace(own("patient"), pause_ms=400, limit=Limit(match_time=1.0, nodes=60))
        task = PairTask(number=0, first=patient, second=own("b"), opening=OPENINGS[0], terms=Terms(draw_after=15))
        pair = play_pair(task)
        for game in pair.games:
            assert game.end in (End.DRAW, End.FIVE)
            assert set(game.times_ms) == {0}
        asked = [ply for game in pair.games for ply in range(game.opening_plies, len(game.moves))
                 if ply % 2 == (game.white == "patient")]  # fmt: skip
        assert pauses == len(asked) + 2

    def test_adjudication_needs_both_sides(self) -> None:
        task = PairTask(
            number=0,
            first=own("a", 3000),
            second=own("b", 3000),
            opening=Opening.from_text("h8a1i8a3j8a5", 15, 15),  # an open three, and white has nothing
            terms=Terms(win_score=1000, win_plies=2),
        )
        for game in play_pair(task).games:
            assert game.end is End.ADJUDICATION
            assert game.winner is BLACK
            assert len(game.moves) - game.opening_plies == 2


class TestLog:
    def match(self, path: Path, **changes: Any) -> Match:
        arguments = {"pairs": 3, "openings": OPENINGS, "out": path, **changes}
        return Match([own("a"), own("b")], **arguments)

    def test_a_match_goes_on_where_it_was(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        whole = self.match(path)
        expected = whole.run()
        whole.close()
        lines = path.read_bytes().splitlines(keepends=True)
        assert len(lines) == 4
        path.write_bytes(b"".join(lines[:2]) + lines[2][: len(lines[2]) // 2])  # the second pair was being written
        again = self.match(path)
        assert again.schedule.done == 1
        played = []
        result = again.run(on_progress=lambda pair: played.append(pair.number) if pair else None)
        again.close()
        assert result.pentanomial == expected.pentanomial
        assert sorted(played) == sorted({json.loads(line)["pair"] for line in lines[2:]})
        assert sorted(json.loads(line)["pair"] for line in path.read_bytes().splitlines()[1:]) == [0, 1, 2]
        record = read_log(path)
        assert record.settings["players"].keys() == {"a", "b"}
        assert len(record.results) == 3

    def test_a_match_can_be_made_longer_but_not_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        self.match(path, pairs=1).close()
        longer = self.match(path, pairs=2)
        assert longer.run().complete
        longer.close()
        before = path.read_bytes()
        for change in (
            {"seed": 5},
            {"terms": Terms(rule=Rule.RENJU)},
            {"openings": OPENINGS[:1]},
            {"sprt": Sprt(0, 5)},
        ):
            with pytest.raises(MatchError, match="holds a match with other"):
                self.match(path, **change)
        assert path.read_bytes() == before

    def test_two_matches_cannot_share_a_log(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        first = self.match(path)
        with pytest.raises(MatchError, match="is being written by another match"):
            self.match(path)
        first.close()
        self.match(path).close()

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"hello\n", "line 1, is damaged"),
            (b"{}\n", "is no match log"),
            (b"[]\n", "is no match log"),
            (b'{"format": "fukumi match 1"}\n', "line 1, is damaged .KeyError"),
            (b"\xff\xfe\n", "line 1, is damaged"),
            (b"my thesis, written on one line", "is no match log; name another file"),
        ],
    )
    def test_other_files_are_left_alone(self, tmp_path: Path, content: bytes, message: str) -> None:
        path = tmp_path / "games.jsonl"
        path.write_bytes(content)
        with pytest.raises(MatchError, match=message):
            self.match(path)
        with pytest.raises(MatchError, match=r"is damaged|is no match log"):
            read_log(path)
        assert path.read_bytes() == content

    def test_a_damaged_line_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        match = self.match(path)
        match.run()
        match.close()
        lines = path.read_bytes().splitlines(keepends=True)
        for damage in (
            b"{}\n",
            b'{"pair": 1\n',
            lines[2].replace(b'"five"', b'"fife"'),
            lines[2].replace(b'"moves":"', b'"moves":"?'),
        ):
            path.write_bytes(lines[0] + lines[1] + damage + lines[3])
            with pytest.raises(MatchError, match="line 3, is damaged"):
                read_log(path)

    def test_a_header_that_was_being_written_is_begun_anew(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        path.write_bytes(b'{"format":"fukumi match 1","vers')
        with self.match(path) as match:
            assert match.run().complete

    def test_numbers_out_of_range_are_damage(self, tmp_path: Path) -> None:
        path = tmp_path / "games.jsonl"
        with self.match(path) as match:
            match.run()
        text = path.read_text()
        for old, new in (('"pair":1', '"pair":1e999'), ('"opening_plies":3', '"opening_plies":Infinity')):
            path.write_text(text.replace(old, new))
            with pytest.raises(MatchError, match="is damaged"):
                read_log(path)

    def test_results_round_trip(self) -> None:
        match = Match([own("a"), own("b")], pairs=1, openings=OPENINGS)
        match.run()
        (result,) = match.schedule.results
        assert PairResult.from_dict(json.loads(json.dumps(result.to_dict(15))), 15, 15) == result


class FailingExecutor(Executor):
    """Loses every pair once, as a cluster does whose workers die."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.lost: dict[int, int] = {}

    def submit(self, work: Any, task: PairTask, /) -> Future[PairResult]:  # type: ignore[override]
        future: Future[PairResult] = Future()
        self.lost[task.number] = self.lost.get(task.number, 0) + 1
        if self.lost[task.number] <= self.failures:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(work(task))
        return future


class TestMatch:
    def test_the_stronger_player_wins(self) -> None:
        result = Match([own("strong", 2000), own("weak", 30)], pairs=6, openings=OPENINGS).run(concurrency=2)
        assert result.complete
        assert result.wins >= 10
        assert result.elo > 100
        assert result.wins + result.draws + result.losses == 12
        score = (result.wins + result.draws / 2) / 12
        assert str(result).startswith(f"result: W={result.wins} D={result.draws} L={result.losses} score={score:.3f} ")

    def test_any_executor_plays_the_same_match(self) -> None:
        expected = Match([own("a", 200), own("b", 100)], pairs=4, openings=OPENINGS).run()
        with ProcessPoolExecutor(2) as pool:
            match = Match([own("a", 200), own("b", 100)], pairs=4, openings=OPENINGS)
            assert match.run(pool, concurrency=3).pentanomial == expected.pentanomial

    def test_lost_workers_cost_time_and_no_pair(self) -> None:
        executor = FailingExecutor(failures=1)
        match = Match([own("a"), own("b")], pairs=3, openings=OPENINGS)
        assert match.run(executor, concurrency=2).pentanomial.pairs == 3
        assert executor.lost == {0: 2, 1: 2, 2: 2}

    def test_a_pair_that_fails_again_and_again_is_an_error(self) -> None:
        with pytest.raises(MatchError, match="failed again and again: the worker is gone"):
            Match([own("a"), own("b")], pairs=3, openings=OPENINGS).run(FailingExecutor(failures=9))

    def test_a_missing_program_is_an_error_and_no_forfeit(self) -> None:
        players = [Player(name="a", command=("pbrain-nobody",)), own("b")]
        with pytest.raises(MatchError, match="no program 'pbrain-nobody'"):
            Match(players, pairs=1, openings=OPENINGS).run()

    def test_an_exception_ends_the_games_in_progress(self) -> None:
        slow = Player(name="slow", engine=small_engine, limit=Limit(time=60.0))
        match = Match([slow, own("b")], pairs=2, openings=OPENINGS)

        def interrupt(_: PairResult | None) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            match.run(concurrency=2, on_progress=interrupt)  # would take minutes if the games went on

    def test_openings_of_the_package_and_from_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "openings.txt"
        path.write_text("0,0, 1,1\n")
        assert Match([own("a"), own("b")], openings=path, pairs=1).schedule.task(0).opening.moves == (
            Move(7, 7),
            Move(8, 8),
        )
        assert len(Match([own("a"), own("b")], pairs=200).schedule.task(150).opening.moves) >= 3
        with pytest.raises(MatchError, match="20x15"):
            Match([own("a"), own("b")], terms=Terms(width=20, height=15))
