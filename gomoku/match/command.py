"""The command ``fukumi match``."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace

from gomoku.info import Limit
from gomoku.match.export import GameFolder
from gomoku.match.match import Match, MatchResult
from gomoku.match.player import MatchError, Player, Terms, parse_bytes, parse_positive, parse_tc
from gomoku.match.ratings import rate
from gomoku.match.result import PairResult
from gomoku.match.schedule import FORFEITS_ALLOWED
from gomoku.match.sprt import Sprt
from gomoku.notation import parse_size
from gomoku.progress import Progress
from gomoku.types import Rule

DESCRIPTION = """\
Let engines play each other in pairs of games with swapped colours, and say which is stronger.

An ENGINE is 'fukumi' or any Gomocup brain: a command with its arguments, before it, settings of its own:
  name=old nodes=20000 fukumi            tc=1/60+0.5 memory=350m 'brains/pbrain-x --book'
Settings: name, tc, nodes, depth, memory, hash, threads, pause (ms before each question), info.KEY.
Three engines and more play a round robin, or with --gauntlet the first plays all others."""


_DEFAULT_TC = "1"
"""For players without any limit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("engines", nargs="+", metavar="ENGINE", help="two engines or more")
    game = parser.add_argument_group("games")
    game.add_argument("--rule", default="freestyle", help="freestyle, standard, renju, caro, exact-caro or 0 1 4 8 9")
    game.add_argument("--size", default="15", metavar="N[xM]", help="columns and rows (default 15)")
    game.add_argument("--tc", metavar="TURN[/MATCH[+INC]]", help="seconds a move, a game, added a move (default 1)")
    game.add_argument("--nodes", metavar="N", help="positions to search a move; repeatable (instead of --tc)")
    game.add_argument("--memory", metavar="BYTES", help="max_memory for every engine, such as 350m")
    game.add_argument("--openings", metavar="FILE", help="openings, offset or pos format (default: the built-in set)")
    game.add_argument(
        "--tolerance", type=float, default=0.2, metavar="S", help="accepted delay of a move (default 0.2)"
    )
    game.add_argument("--patience", type=float, default=60.0, metavar="S", help="for START and unlimited moves (60)")
    game.add_argument("--draw-after", type=int, metavar="PLIES", help="the game is a draw after so many stones")
    game.add_argument("--win-score", type=int, metavar="N", help="a side wins when both have agreed about such a score")
    game.add_argument("--win-plies", type=int, default=6, metavar="N", help="for so many moves in a row (default 6)")
    match = parser.add_argument_group("match")
    match.add_argument("--pairs", type=int, default=100, metavar="N", help="pairs for every two engines (default 100)")
    match.add_argument("--gauntlet", action="store_true", help="the first engine against all others")
    match.add_argument("--sprt", metavar="ELO0,ELO1", help="stop as soon as it is clear which Elo fits better")
    match.add_argument("--alpha", type=float, default=0.05, help="error of accepting ELO1 wrongly (default 0.05)")
    match.add_argument("--beta", type=float, default=0.05, help="error of accepting ELO0 wrongly (default 0.05)")
    match.add_argument("--elo-model", choices=("logistic", "normalized"), default="logistic", help="what ELO0 is in")
    match.add_argument("--seed", type=int, default=0, metavar="N", help="order of the openings (default 0)")
    match.add_argument("--concurrency", type=int, default=1, metavar="N", help="pairs at a time (default 1)")
    match.add_argument("--cluster", metavar="ADDRESS", help="play on the workers of a dask scheduler, tcp://HOST:8786")
    out = parser.add_argument_group("output")
    out.add_argument("--out", metavar="FILE.jsonl", help="log of all games; the same command continues from it")
    out.add_argument("--psq", metavar="FOLDER", help="write every game as .psq")
    out.add_argument("--sgf", metavar="FOLDER", help="write every game as .sgf")
    out.add_argument("--quiet", action="store_true", help="no progress display")


def run(options: argparse.Namespace) -> int:
    """Play the match.

    Returns:
        0 when the match is complete and may be trusted, 1 when forfeits forbid a verdict.

    Raises:
        ValueError: an argument makes no sense, or the match cannot be played (:class:`MatchError`).
        OSError: a file cannot be read or written.
    """
    _end_engines_on_signals()
    match = _match(options)
    folders = [
        GameFolder(path, suffix, match.settings["terms"])
        for suffix, path in (("psq", options.psq), ("sgf", options.sgf))
        if path
    ]
    schedule = match.schedule
    for folder in folders:
        for result in schedule.results:  # of an earlier run, which may have been cut off before it wrote them
            folder.write(result)
    try:
        with contextlib.ExitStack() as stack:
            executor, concurrency = stack.enter_context(_workers(options))
            progress = None
            if not options.quiet:
                progress = stack.enter_context(Progress(schedule.total, "pairs", done=schedule.done))

            def on_progress(result: PairResult | None) -> None:
                if result:
                    for folder in folders:
                        folder.write(result)
                if progress:
                    progress.update(schedule.done, _note(match.result()))

            match.run(executor, concurrency=concurrency, on_progress=on_progress)
    except KeyboardInterrupt:
        if options.out:
            print(f"interrupted; the same command goes on from {options.out}", file=sys.stderr)
        raise
    finally:
        match.close()
    _print_result(match)
    return 0 if match.result().trustworthy else 1


def _end_engines_on_signals() -> None:
    """Have the signals that end a command end the engines too, as Ctrl-C does; nohup stays nohup."""
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)


def _match(options: argparse.Namespace) -> Match:
    width, height = parse_size(options.size)
    limit = parse_tc(options.tc) if options.tc else Limit()
    if options.nodes is not None:
        limit = limit._replace(nodes=parse_positive("nodes", options.nodes))
    if options.concurrency < 1:
        raise MatchError(f"concurrency {options.concurrency} is less than 1")
    shared = {"max_memory": parse_bytes(options.memory)} if options.memory else {}
    players = [_completed(Player.parse(text, limit), shared) for text in options.engines]
    if options.cluster is None:
        for player in players:
            if shutil.which(player.words[0]) is None:
                raise MatchError(f"there is no program {player.words[0]!r} (engine {player.name!r})")
    return Match(
        players,
        terms=Terms(
            rule=Rule.from_name(options.rule),
            width=width,
            height=height,
            tolerance=options.tolerance,
            patience=options.patience,
            draw_after=options.draw_after,
            win_score=options.win_score,
            win_plies=options.win_plies,
        ),
        openings=options.openings,
        pairs=options.pairs,
        gauntlet=options.gauntlet,
        sprt=_sprt(options),
        seed=options.seed,
        out=options.out,
    )


def _completed(player: Player, shared: dict[str, int]) -> Player:
    """The player with the settings that all have, and with a limit in any case."""
    limit = parse_tc(_DEFAULT_TC) if player.limit == Limit() else player.limit
    return replace(player, limit=limit, settings={**shared, **player.settings})


def _sprt(options: argparse.Namespace) -> Sprt | None:
    if options.sprt is None:
        return None
    elo0, _, elo1 = options.sprt.partition(",")
    try:
        bounds = float(elo0), float(elo1)
    except ValueError:
        raise MatchError(f"--sprt {options.sprt!r} is not two numbers such as 0,10") from None
    return Sprt(*bounds, alpha=options.alpha, beta=options.beta, model=options.elo_model)


@contextlib.contextmanager
def _workers(options: argparse.Namespace) -> Iterator[tuple[Executor | None, int | Callable[[], int]]]:
    """Where the pairs are played, and how many at a time."""
    if options.cluster is None:
        yield None, options.concurrency
        return
    from gomoku.match.cluster import connect  # noqa: PLC0415  # needs an optional package

    with connect(options.cluster) as cluster:
        yield cluster.executor, cluster.width


def _note(result: MatchResult) -> str:
    llr = "" if result.llr is None else f" LLR {result.llr:.2f}"
    forfeits = f" forfeits {result.forfeits}" if result.forfeits else ""
    return f"score {result.pentanomial.score:.3f} Elo {result.elo:.0f}+-{result.elo_error:.0f}{llr}{forfeits}"


def _print_result(match: Match) -> None:
    schedule, result = match.schedule, match.result()
    if len(schedule.players) > 2:
        for rating in rate(schedule.tables):
            print(
                f"{rating.name:24s} {rating.elo:7.1f} +- {rating.error:5.1f}"
                f"  {rating.games:5d} games {rating.score:.3f}"
            )
    print(f"pairs: {result.pentanomial} by points of {schedule.players[0].name}")
    if not result.trustworthy:
        print(f"no verdict: {result.forfeits} of {2 * schedule.done} games were forfeited, over {FORFEITS_ALLOWED:.0%}")
    elif schedule.sprt is not None:
        low, high = schedule.sprt.bounds
        bounds = f"Elo {schedule.sprt.elo0:g} against {schedule.sprt.elo1:g}, bounds {low:.2f} and {high:.2f}"
        print(f"test: {result.verdict or 'undecided'} ({bounds})")
    print(result)
