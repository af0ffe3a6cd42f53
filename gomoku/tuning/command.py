"""The command ``fukumi tune``: games for tuning, what they are like, and tuning by games."""

from __future__ import annotations

import argparse
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from gomoku.progress import Progress
from gomoku.types import Rule

if TYPE_CHECKING:
    from gomoku.tuning.format import Pair

_BUILTIN = "builtin"
_RANDOM = "random"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``fukumi tune`` to its parser."""
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    selfplay = commands.add_parser("selfplay", help="have the engine play against itself and write the games to a file")
    selfplay.add_argument(
        "--rule", default="freestyle", help="freestyle, standard, renju, caro, exact-caro or 0 1 4 8 9"
    )
    selfplay.add_argument("--size", type=int, default=15, metavar="N", help="side of the board (default 15)")
    selfplay.add_argument("--pairs", type=int, default=1_000, metavar="N", help="pairs of games in the file in the end")
    selfplay.add_argument("--nodes", type=int, default=2_000, metavar="N", help="positions a move (default 2000)")
    selfplay.add_argument(
        "--jitter", type=float, default=0.5, metavar="X", help="share by which nodes vary either way (default 0.5)"
    )
    selfplay.add_argument(
        "--openings",
        default=_BUILTIN,
        metavar="WHICH",
        help="builtin (balanced, the default), random (another for each pair), or a file of openings",
    )
    selfplay.add_argument("--seed", type=int, default=1, metavar="N", help="another seed gives other games (default 1)")
    selfplay.add_argument("--concurrency", type=int, default=1, metavar="N", help="pairs at the same time (default 1)")
    selfplay.add_argument("--out", required=True, metavar="FILE", help="file to write; continued if it exists")
    selfplay.set_defaults(tune=_selfplay)

    fit = commands.add_parser("fit", help="fit the engine's weights of a rule on games (needs scipy: fukumi[tune])")
    fit.add_argument("files", nargs="+", metavar="FILE", help="files of one rule and size")
    fit.add_argument("--out", required=True, metavar="FOLDER", help="where to write the weights, RULE.bin")
    fit.add_argument("--positions", type=int, default=1_000_000, metavar="N", help="positions to read at most (10^6)")
    fit.add_argument(
        "--later-share",
        type=float,
        default=0.9,
        metavar="X",
        help="share of what a game said later in the target (default 0.9)",
    )
    fit.add_argument(
        "--start", metavar="FOLDER", help="weights to start from, RULE.bin (default: none, everything from these games)"
    )
    fit.set_defaults(tune=_fit)

    spsa = commands.add_parser("spsa", help="tune constants of the search by games between variations of them (SPSA)")
    spsa.add_argument("--rule", default="freestyle", help="freestyle, standard, renju, caro, exact-caro or 0 1 4 8 9")
    spsa.add_argument("--size", type=int, default=15, metavar="N", help="side of the board, 15 or 20 (default 15)")
    spsa.add_argument("--pairs", type=int, default=2_000, metavar="N", help="pairs of games in all (default 2000)")
    spsa.add_argument("--nodes", type=int, default=20_000, metavar="N", help="positions a move (default 20000)")
    spsa.add_argument("--only", metavar="NAMES", help="constants to tune, with commas between them (default all)")
    spsa.add_argument(
        "--rate", type=float, default=0.02, metavar="X", help="steps that the last pair moves a constant (default 0.02)"
    )
    spsa.add_argument("--seed", type=int, default=1, metavar="N", help="another seed gives other games (default 1)")
    spsa.add_argument("--concurrency", type=int, default=1, metavar="N", help="pairs at the same time (default 1)")
    spsa.add_argument("--out", required=True, metavar="FILE", help="file to write (JSON); continued if it exists")
    spsa.set_defaults(tune=_spsa)

    stats = commands.add_parser("stats", help="print what the games of files are like")
    stats.add_argument("files", nargs="+", metavar="FILE", help="files of one rule and size, counted together")
    stats.set_defaults(tune=_stats)


def run(options: argparse.Namespace) -> int:
    """Run one of the commands.

    Args:
        options: what :func:`add_arguments` describes.

    Returns:
        The exit status, 0.

    Raises:
        ValueError: bad arguments, or a file that cannot be read or continued.
        OSError: a file cannot be opened.
    """
    status: int = options.tune(options)
    return status


# numpy, asyncio and the engine are loaded when they are needed: most commands need none of them.


def _selfplay(options: argparse.Namespace) -> int:
    from gomoku import book  # noqa: PLC0415
    from gomoku.tuning.selfplay import SelfPlay  # noqa: PLC0415

    rule = Rule.from_name(options.rule)
    openings = None
    if options.openings == _BUILTIN:
        openings = book.builtin(rule, options.size)
    elif options.openings != _RANDOM:
        openings = book.read(Path(options.openings), options.size, options.size)
    games = SelfPlay(
        rule=rule,
        size=options.size,
        nodes=options.nodes,
        jitter=options.jitter,
        openings=openings,
        seed=options.seed,
    )
    with _Display(options.pairs) as display:
        games.run(
            options.out, options.pairs, concurrency=options.concurrency, command=_command(options), on_progress=display
        )
    return 0


class _Display:
    """Shows the progress, once it is known how many pairs were there before."""

    def __init__(self, pairs: int) -> None:
        self._pairs = pairs
        self._progress: Progress | None = None
        self._stack = ExitStack()

    def __call__(self, done: int, _: Pair | None = None) -> None:
        if self._progress is None:
            progress = Progress(max(self._pairs, done), "pairs", done=done)
            self._progress = self._stack.enter_context(progress)
        self._progress.update(done)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _command(options: argparse.Namespace) -> str:
    """Return the command line without folders, which are nobody else's business."""
    words = ["fukumi", "tune", "selfplay"]
    for name in ("rule", "size", "pairs", "nodes", "jitter", "openings", "seed", "concurrency", "out"):
        value = str(getattr(options, name))
        words += [f"--{name}", Path(value).name if name in ("openings", "out") else value]
    return shlex.join(words)


def _fit(options: argparse.Namespace) -> int:
    from gomoku.tuning.dataset import Dataset  # noqa: PLC0415
    from gomoku.tuning.samples import read_samples  # noqa: PLC0415
    from gomoku.tuning.weights import SHIPPED, Weights  # noqa: PLC0415

    try:
        from gomoku.tuning.fit import Settings, fit, quality, split  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ValueError(f"{error.name} is not installed; it comes with: pip install 'fukumi[tune]'") from error

    if not 0 <= options.later_share <= 1:
        raise ValueError(f"a share of {options.later_share} makes no sense; --later-share must be 0 to 1")
    data = Dataset(*options.files)
    settings = Settings(later_share=options.later_share)
    name = f"{data.rule.label}.bin"
    start = Weights.read(Path(options.start) / name) if options.start else None
    with Progress(options.positions, "positions") as progress:
        samples = read_samples(data, options.positions, progress.update)
    training, validation = split(samples, settings)
    if not training.positions or not validation.positions:
        raise ValueError(f"{samples.positions} quiet positions are too few to fit on; make more games")
    weights = fit(training, data.rule, settings, start)
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(weights.to_bytes())
    print(f"{training.positions} positions to fit on, {validation.positions} to compare on:")
    for label, compared in (("shipped", Weights.read(SHIPPED / name)), ("fitted", weights)):
        print(f"{label:8s} {quality(compared, validation, settings)}")
    print(f"written to {folder / name}; play with it: pbrain-fukumi --weights {folder}")
    return 0


def _spsa(options: argparse.Namespace) -> int:
    from gomoku import book  # noqa: PLC0415
    from gomoku.tuning.spsa import Tuning  # noqa: PLC0415

    rule = Rule.from_name(options.rule)
    tuning = Tuning(
        rule=rule,
        size=options.size,
        pairs=options.pairs,
        nodes=options.nodes,
        openings=book.builtin(rule, options.size),
        seed=options.seed,
        rate=options.rate,
        only=None if options.only is None else [name.strip() for name in options.only.split(",")],
        concurrency=options.concurrency,
    )
    with _Display(options.pairs) as display:
        tuning.run(options.out, on_progress=display)
    print(tuning.table())
    print(f"written to {options.out}; play with them: pbrain-fukumi --constants {options.out}")
    return 0


def _stats(options: argparse.Namespace) -> int:
    from gomoku.match.charts import printable  # noqa: PLC0415
    from gomoku.tuning.dataset import Dataset  # noqa: PLC0415

    data = Dataset(*options.files)
    for path, description in zip(data.paths, data.descriptions, strict=True):
        print(f"{path}: " + ", ".join(printable(f"{key} {value}") for key, value in description.items()))
    print(data.statistics())
    if data.unfinished_bytes:
        print(f"{data.unfinished_bytes} bytes at the end are of pairs that are not finished")
    return 0
