"""The command line, ``fukumi``.

Commands of whole packages are described where they live; they are imported when they are asked for, so that no command
waits for another one's modules.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from gomoku import __version__
from gomoku._core.board import Board
from gomoku.bench import read_suite, run, run_suite, suite_table, summarise
from gomoku.engine import Engine, Limit
from gomoku.notation import parse_size
from gomoku.params import HASH, MULTIPV
from gomoku.progress import Progress
from gomoku.types import GomokuError, Rule

_PACKAGES = {
    "match": ("gomoku.match.command", "let engines play each other and say which is stronger"),
    "report": ("gomoku.match.report", "tables and charts of a match"),
    "levels": ("gomoku.match.ladder_command", "the levels and how strong they are"),
    "openings": ("gomoku.book.generate", "make balanced openings"),
    "tune": ("gomoku.tuning.command", "self-play games as training data; weights and constants tuned by games"),
}
"""Commands that live in other packages: their modules and what they do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after the program's name; those of the process when left out.

    Returns:
        The exit status: 0 for success, 1 when something asked for was not found, 2 for bad arguments.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    options = _parser(words[0] if words else "").parse_args(words)
    try:
        status: int = options.run(options)
    except BrokenPipeError:
        # Whoever read the output has enough, such as head; nothing may be written when the interpreter ends either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (GomokuError, ValueError, OSError) as error:
        print(f"fukumi: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def _parser(command: str) -> argparse.ArgumentParser:
    """Return the parser, with the arguments of a package's command if it is the one that is asked for."""
    parser = argparse.ArgumentParser(prog="fukumi", description="Gomoku engine and tools.")
    parser.add_argument("--version", action="version", version=f"fukumi {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    analyse = commands.add_parser("analyse", help="search a position and print the best lines as they are found")
    _add_position(analyse)
    analyse.add_argument("--time", type=float, metavar="S", help="seconds to think (default 5 without other limits)")
    analyse.add_argument("--depth", type=int, metavar="N", help="deepest iteration in plies")
    analyse.add_argument("--nodes", type=int, metavar="N", help="positions to search")
    analyse.add_argument("--lines", type=int, default=MULTIPV.default, metavar="N", help="lines to print (default 1)")
    analyse.add_argument("--hash", type=int, default=HASH.default >> 20, metavar="MIB", help="table size in MiB")
    analyse.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N", help="threads (default all)")
    analyse.set_defaults(run=_analyse)

    solve = commands.add_parser("solve", help="look for a forced win by fours (VCF) or by threats (VCT)")
    _add_position(solve)
    solve.add_argument("--vcf", action="store_true", help="wins by continuous fours only")
    solve.add_argument(
        "--nodes", type=int, default=2_000_000, metavar="N", help="positions to search (default 2000000)"
    )
    solve.set_defaults(run=_solve)

    bench = commands.add_parser("bench", help="search fixed positions; prints node counts, their signature and speed")
    bench.add_argument("--shallower", type=int, default=0, metavar="N", help="take N plies off every depth")
    bench.add_argument(
        "--suite", metavar="WHICH", help="solve positions instead: freestyle, standard, renju, or a file of a suite"
    )
    bench.add_argument("--nodes", type=int, default=100_000, metavar="N", help="for each of them (default 100000)")
    bench.set_defaults(run=_bench)

    brain = commands.add_parser("brain", help="speak the Gomocup protocol on standard input and output")
    brain.add_argument("--player", default="fukumi", metavar="NAME", help="fukumi, winlines, chains, field or level-N")
    brain.add_argument("--seed", type=int, metavar="N", help="decides what players leave to chance")
    brain.add_argument("--weights", metavar="FOLDER", help="play with other weights, as 'fukumi tune fit' makes them")
    brain.add_argument(
        "--constants", metavar="FILE", help="play with other constants, as 'fukumi tune spsa' finds them"
    )
    brain.set_defaults(run=_brain)

    for name, (module_name, help_text) in _PACKAGES.items():
        package = commands.add_parser(name, help=help_text)
        if name == command:
            module = importlib.import_module(module_name)
            package.description = getattr(module, "DESCRIPTION", help_text)
            package.formatter_class = argparse.RawDescriptionHelpFormatter
            module.add_arguments(package)
            package.set_defaults(run=module.run)
    return parser


def _add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moves", nargs="?", default="", help="moves so far, black first, such as h8i9g7")
    parser.add_argument("--rule", default="freestyle", help="freestyle, standard, renju, caro, exact-caro or 0 1 4 8 9")
    parser.add_argument("--size", default="15", metavar="N[xM]", help="columns and rows (default 15)")
    parser.add_argument("--origin", choices=("top", "bottom"), default="top", help="where row 1 is (default top)")


def _board(options: argparse.Namespace) -> Board:
    width, height = parse_size(options.size)
    return Board.from_text(
        options.moves,
        origin=options.origin,
        width=width,
        height=height,
        rule=Rule.from_name(options.rule),
    )


def _line(board: Board, options: argparse.Namespace, moves: Sequence[object]) -> str:
    return " ".join(move.to_text(origin=options.origin, height=board.height) for move in moves)  # type: ignore[attr-defined]


def _analyse(options: argparse.Namespace) -> int:
    board = _board(options)
    print(board)
    if board.is_game_over():
        print(f"the game is over: {board.outcome()}")
        return 0
    seconds = options.time
    if seconds is None and options.depth is None and options.nodes is None:
        seconds = 5.0
    limit = Limit(time=seconds, depth=options.depth, nodes=options.nodes)
    engine = Engine(hash_bytes=options.hash << 20, threads=options.threads)
    for lines in engine.analysis(board, limit, multipv=options.lines):
        for info in lines:
            print(
                f"depth {info.depth:2d}-{info.seldepth:<3d} ev {info.score.relative!s:>6} "
                f"n {info.nodes:>10d} {info.time:7.2f} s  {_line(board, options, info.pv)}"
            )
    return 0


def _solve(options: argparse.Namespace) -> int:
    board = _board(options)
    print(board)
    solution = Engine().solve(board, fours_only=options.vcf, nodes=options.nodes)
    if solution.moves:
        print(f"{board.turn.name.lower()} wins in {solution.plies} plies: {_line(board, options, solution.moves)}")
        return 0
    print("there is no such win" if solution.exhausted else f"no win found in {options.nodes} nodes")
    return 1


def _solve_suite(options: argparse.Namespace) -> int:
    suite = read_suite(options.suite)
    lines = []
    with Progress(len(suite), "positions") as progress:
        for line in run_suite(suite, options.nodes):
            lines.append(line)
            progress.update(len(lines), f"{sum(line.plies > 0 for line in lines)} solved")
    missed = [line.position.id for line in lines if not line.plies]
    if missed:
        print("not solved:", *missed)
    print(suite_table(lines))
    return 0


def _bench(options: argparse.Namespace) -> int:
    if options.suite is not None:
        return _solve_suite(options)
    lines = []
    for line in run(-options.shallower):
        position = line.position
        board = position.board
        print(
            f"{board.rule.label:10s} {board.width:2d} depth {position.depth - options.shallower:2d} "
            f"nodes {line.nodes:9d} ev {line.score:>5s} move {line.move:>3s} {line.seconds:6.2f} s  {position.text}",
            flush=True,
        )
        lines.append(line)
    result = summarise(lines)
    print(f"bench: nodes={result.nodes} signature={result.signature:08x} nps={result.nps}")
    return 0


def _brain(options: argparse.Namespace) -> int:
    from gomoku.frontends.pbrain import main as brain_main  # noqa: PLC0415  # takes over the standard streams

    seed = ["--seed", str(options.seed)] if options.seed is not None else []
    weights = ["--weights", options.weights] if options.weights else []
    constants = ["--constants", options.constants] if options.constants else []
    brain_main(["--player", options.player, *seed, *weights, *constants])
    return 0
