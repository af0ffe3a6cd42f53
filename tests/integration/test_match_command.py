"""The command ``fukumi match`` as users run it: to its end, killed in the middle, on a cluster."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomoku import cli
from gomoku.match import read_log
from gomoku.records import read

COMMAND = [sys.executable, "-P", "-m", "gomoku", "match"]
RESULT = re.compile(
    r"result: W=\d+ D=\d+ L=\d+ score=[01]\.\d{3} elo=-?[\d.inf]+\+-[\d.inf]+ los=[01]\.\d{3}"
    r"( llr=-?[\d.]+)? forfeits=\d+"
)


def run(*arguments: str, code: int = 0) -> list[str]:
    """Run a match to its end; returns the lines of its output."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout.splitlines()


def pair_numbers(log: Path) -> list[int]:
    """The pairs in a log that may still be in the writing."""
    lines = log.read_bytes().split(b"\n")[1:-1] if log.exists() else []
    return [json.loads(line)["pair"] for line in lines]


def wait_for_pairs(log: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(pair_numbers(log)) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_match_with_everything(tmp_path: Path) -> None:
    log, psq, sgf = tmp_path / "games.jsonl", tmp_path / "psq", tmp_path / "sgf"
    lines = run(
        "name=a nodes=300 fukumi", "name=b nodes=100 fukumi", "--pairs", "3", "--rule", "renju", "--sprt", "0,50",
        "--concurrency", "2", "--out", str(log), "--psq", str(psq), "--sgf", str(sgf),
    )  # fmt: skip
    assert RESULT.fullmatch(lines[-1]), lines
    assert " llr=" in lines[-1]
    assert lines[-1].endswith("forfeits=0")
    assert len(read_log(log).results) == 3
    games = {game.moves for result in read_log(log).results for game in result.games}
    for folder in (psq, sgf):
        records = [read(path)[0] for path in sorted(folder.iterdir())]
        assert {record.moves for record in records} == games
        assert all(record.finished for record in records)


def test_a_node_limited_match_is_repeatable(tmp_path: Path) -> None:
    logs = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    lines = [
        run("nodes=90 fukumi", "nodes=60 fukumi", "--pairs", "3", "--out", str(log), "--concurrency", concurrency)[-1]
        for log, concurrency in zip(logs, ("1", "2"), strict=True)
    ]
    assert lines[0] == lines[1]
    games = [sorted((r.number, *(g.moves for g in r.games)) for r in read_log(log).results) for log in logs]
    assert games[0] == games[1]


def test_three_players(tmp_path: Path) -> None:
    engines = ["name=a nodes=20 fukumi", "name=b nodes=10 fukumi", "name=c nodes=5 fukumi"]
    lines = run(*engines, "--pairs", "2", "--quiet", "--concurrency", "2")
    assert [line.split()[0] for line in lines[:3]].count("a") == 1
    assert lines[-1].startswith("result: W=")
    assert sum(int(number) for number in re.findall(r"[WDL]=(\d+)", lines[-1])) == 8
    gauntlet = run(*engines, "--pairs", "1", "--gauntlet")
    assert sum(int(number) for number in re.findall(r"[WDL]=(\d+)", gauntlet[-1])) == 4


def test_too_many_forfeits_are_no_result() -> None:
    strange = Path(__file__).with_name("strange_brain.py")
    bad = f"name=bad '{sys.executable}' -u '{strange}' Crash"
    lines = run("fukumi", bad, "--pairs", "1", "--nodes", "50", "--sprt", "0,10", code=1)
    assert any(line.startswith("no verdict: 2 of 2 games were forfeited") for line in lines)
    assert lines[-1].endswith("forfeits=2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fukumi"], "two or more players"),
        (["fukumi", "pbrain-nobody"], "there is no program 'pbrain-nobody'"),
        (["fukumi", "fukumi", "--size", "wide"], "size 'wide'"),
        (["fukumi", "fukumi", "--sprt", "5"], "--sprt '5' is not two numbers"),
        (["fukumi", "fukumi", "--sprt", "5,0"], "elo0 must be below elo1"),
        (["fukumi", "fukumi", "--tc", "fast"], "'fast' is no time control"),
        (["fukumi", "fukumi", "--openings", "nowhere.txt"], "nowhere.txt"),
        (["fukumi", "fukumi", "--size", "17"], "no set of openings"),
        (["fukumi", "fukumi", "--rule", "chess"], "unknown rule 'chess'"),
        (["fukumi", "fukumi", "--nodes", "0"], "nodes '0' is no positive number"),
        (["fukumi", "fukumi", "--concurrency", "0"], "concurrency 0 is less than 1"),
        (["fukumi", "fukumi", "--cluster", "nonsense"], "'nonsense' is no address of a scheduler"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["match", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert message in lines[-1]
    assert "Traceback" not in "".join(lines)


def test_what_cannot_be_played_is_the_exit_status_of_the_process() -> None:
    done = subprocess.run([*COMMAND, "fukumi"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "two or more players" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_killed_match_is_finished_by_the_same_command(tmp_path: Path, number: signal.Signals) -> None:
    log = tmp_path / "games.jsonl"
    arguments = ["nodes=300 fukumi", "nodes=200 fukumi", "--pairs", "5", "--concurrency", "2", "--out", str(log)]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_pairs(log, 1)
    process.send_signal(number)
    process.communicate(timeout=30)
    before = pair_numbers(log)
    assert 1 <= len(before) < 5
    lines = run(*arguments)
    assert sorted(pair_numbers(log)) == list(range(5))
    assert pair_numbers(log)[: len(before)] == before
    assert lines[-1] == run(*arguments[:-2])[-1]  # what an uninterrupted match says


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(n, marks=pytest.mark.slow) for n in (signal.SIGINT, signal.SIGHUP))]
)
def test_no_engine_outlives_an_interrupted_match(tmp_path: Path, number: signal.Signals) -> None:
    strange = Path(__file__).with_name("strange_brain.py")
    marker = f"{tmp_path}/nobody"
    hung = f"'{sys.executable}' -u '{strange}' Immortal {marker}"
    process = subprocess.Popen(
        [*COMMAND, f"name=a {hung}", f"name=b {hung}", "--pairs", "4", "--concurrency", "2", "--tc", "30"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def brains() -> int:
        found = 0
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != process.pid:
                try:
                    found += marker.encode() in (entry / "cmdline").read_bytes()
                except OSError:
                    continue
        return found

    deadline = time.monotonic() + 30
    while brains() < 4:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(30) == 130
    assert brains() == 0


def test_records_that_were_not_written_are_made_up_for(tmp_path: Path) -> None:
    log, folder = tmp_path / "games.jsonl", tmp_path / "sgf"
    arguments = ["nodes=50 fukumi", "nodes=40 fukumi", "--pairs", "2", "--out", str(log)]
    run(*arguments)
    run(*arguments, "--sgf", str(folder))
    assert len(list(folder.iterdir())) == 4


class TestCluster:
    """A real scheduler and real workers."""

    @pytest.fixture
    def scheduler(self, tmp_path: Path) -> object:
        pytest.importorskip("distributed")
        file = tmp_path / "scheduler.json"
        arguments = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        with _process("scheduler", *arguments, folder=tmp_path):
            deadline = time.monotonic() + 60
            while not file.exists() or not file.read_text():
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield json.loads(file.read_text())["address"]

    def test_a_killed_worker_costs_no_pair_and_doubles_none(self, scheduler: str, tmp_path: Path) -> None:
        log = tmp_path / "games.jsonl"
        worker = ["worker", scheduler, "--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        with _process(*worker, folder=tmp_path), _process(*worker, folder=tmp_path) as doomed:
            arguments = ["nodes=300 fukumi", "nodes=200 fukumi", "--pairs", "4", "--out", str(log)]
            match = subprocess.Popen(
                [*COMMAND, *arguments, "--cluster", scheduler],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            wait_for_pairs(log, 1)
            doomed.kill()
            output, errors = match.communicate(timeout=120)
        assert match.returncode == 0, errors
        assert sorted(pair_numbers(log)) == list(range(4))
        assert RESULT.fullmatch(output.splitlines()[-1])
        assert output.splitlines()[-1] == run(*arguments[:-2])[-1]

    @pytest.mark.slow
    def test_no_scheduler(self) -> None:
        pytest.importorskip("distributed")
        command = [*COMMAND, "fukumi", "fukumi", "--cluster", "tcp://127.0.0.1:1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "no dask scheduler at 'tcp://127.0.0.1:1'" in done.stderr.splitlines()[-1]

    @pytest.mark.slow
    def test_a_pair_that_failed_is_really_played_again(self, scheduler: str, tmp_path: Path) -> None:
        count = tmp_path / "count"
        flaky = tmp_path / "flaky"  # exists from the second try on
        script = f"#!/bin/sh\necho x >> {count}\nexec '{sys.executable}' -P -m gomoku.frontends.pbrain\n"
        worker = ["worker", scheduler, "--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        with _process(*worker, folder=tmp_path):
            match = subprocess.Popen(
                [*COMMAND, "nodes=50 fukumi", f"nodes=50 {flaky}", "--pairs", "3", "--cluster", scheduler],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            # The program appears while the first pair is being tried.
            flaky.write_text(script)
            flaky.chmod(0o755)
            output, errors = match.communicate(timeout=120)
        assert match.returncode == 0, errors
        assert RESULT.fullmatch(output.splitlines()[-1])

    @pytest.mark.slow
    def test_a_decided_test_calls_back_what_is_not_needed(self, scheduler: str, tmp_path: Path) -> None:
        worker = ["worker", scheduler, "--nworkers", "1", "--nthreads", "2", "--no-dashboard", "--no-nanny"]
        with _process(*worker, folder=tmp_path):
            engines = ["nodes=2000 fukumi", "nodes=10 fukumi", "--pairs", "200"]
            lines = run(*engines, "--sprt", "0,200", "--cluster", scheduler)
        assert "test: H1" in lines[-2]


class _process:  # noqa: N801  # used as a function
    """One of dask's commands, ended with the block."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self.command = [sys.executable, "-P", "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
        self.folder = folder

    def __enter__(self) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(self.command, cwd=self.folder, stdout=null, stderr=null)
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
