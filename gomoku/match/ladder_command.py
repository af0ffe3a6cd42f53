"""The command ``fukumi levels``: the levels and their measured strength, or the measurement itself."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

import gomoku
from gomoku.levels import LEVELS
from gomoku.match.charts import printable
from gomoku.match.ladder import Ladder, is_monotone, ladder_chart, ladder_from, ladder_match, measured_ladder
from gomoku.match.log import read_log
from gomoku.match.result import PairResult
from gomoku.progress import Progress

DESCRIPTION = """\
Show the levels and how strong they were measured to be.

With --calibrate the levels play each other again, every one those up to two steps away, and the ladder that comes with
the package is replaced. An interrupted measurement goes on from its log."""

_DATA = Path(gomoku.__file__).parent / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--calibrate", action="store_true", help="measure the levels")
    parser.add_argument("--pairs", type=int, default=50, metavar="N", help="pairs for every two levels (default 50)")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="pairs at a time (default 1)")
    parser.add_argument("--log", default="levels.jsonl", metavar="FILE", help="games (default levels.jsonl)")
    parser.add_argument(
        "--also", action="append", default=[], metavar="FILE", help="log of 'fukumi match' with other engines to place"
    )
    parser.add_argument("--data", default=str(_DATA / "levels.json"), metavar="FILE", help="ladder to write")
    parser.add_argument("--chart", default=str(_DATA / "levels.svg"), metavar="FILE", help="picture of it to write")


def run(options: argparse.Namespace) -> int:
    """Print the ladder, after measuring it if that is asked for.

    Returns:
        0, or 1 if a measured level is weaker than the one before it.

    Raises:
        MatchError: a log is of another match, or damaged.
        OSError: a file cannot be read or written.
    """
    if not options.calibrate:
        _print(measured_ladder())
        return 0
    for path in (options.data, options.chart):
        with open(path, "a", encoding="utf-8"):
            pass  # find out before hours of matches, not after them, whether it may be written
    _measure(options)
    ladder = ladder_from([read_log(path) for path in (options.log, *options.also)])
    Path(options.data).write_text(ladder.to_json() + "\n", encoding="utf-8")
    Path(options.chart).write_text(ladder_chart(ladder), encoding="utf-8")
    _print(ladder)
    if not is_monotone(ladder):
        print("the ladder is not monotone: a level is weaker than the one before it", file=sys.stderr)
        return 1
    return 0


def _measure(options: argparse.Namespace) -> None:
    with contextlib.closing(ladder_match(options.pairs, options.log)) as match:
        schedule = match.schedule
        with Progress(schedule.total, "pairs", done=schedule.done) as progress:

            def on_progress(_: PairResult | None) -> None:
                progress.update(schedule.done)

            match.run(concurrency=options.concurrency, on_progress=on_progress)


def _print(ladder: Ladder) -> None:
    before: float | None = None
    print("level        Elo  error  games   step  for")
    for level in LEVELS:
        rung = ladder.rung(f"level-{level.number}")
        if rung is None:
            print(f"{level.number:5d}  not measured              {level.description}")
            continue
        step = "" if before is None else f"{rung.elo - before:+.0f}"
        print(f"{level.number:5d} {rung.elo:10.0f} {rung.error:6.0f} {rung.games:6d} {step:>6s}  {level.description}")
        before = rung.elo
    for rung in ladder.rungs:
        if not rung.name.startswith("level-"):
            print(f"      {rung.elo:10.0f} {rung.error:6.0f} {rung.games:6d}         {printable(rung.name)}")
    print("Elo above level 1, with half the width of the 95 % interval; other engines stand below the levels")
    print(", ".join(f"{key} {value}" for key, value in ladder.conditions.items()))
