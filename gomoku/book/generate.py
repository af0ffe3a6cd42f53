"""Making balanced openings with the package's own search.

Floor 9. Candidates are numbered; each is drawn from a random generator of its own, seeded with its number, and judged
by fresh searches of a fixed number of nodes. So the set depends on the recipe alone, and an interrupted run goes on
where it was: after the last candidate in the unfinished file.
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import NamedTuple, TextIO, TypeVar

from gomoku import __version__
from gomoku.book.openings import Opening, OpeningError
from gomoku.book.trial import is_even
from gomoku.engine import Engine
from gomoku.filelock import lock_file
from gomoku.info import Limit
from gomoku.progress import Progress as ProgressLine
from gomoku.types import IllegalMoveError, Move, Rule

_PLIES = (3, 4, 4, 5, 6, 6, 7)
"""Lengths to draw from; the even ones twice, because black is to move and few of them are balanced."""

_REACHES = (2, 3, 4)
"""Half sides of the box that holds the stones."""

_NEAR = 2
"""How far two of three boxes may be from the middle of the board; the others come to within ``_MARGIN`` of an edge."""

_MARGIN = 4
_GAP = 3
"""Each stone is at most so many points from an earlier one, so that there is one fight and not two."""

_SOLVER_SHARE = 10
"""Each solver call gets one part in so many of the nodes of the search that follows it."""

_HASH_BYTES = 16 << 20
_MOST_BARREN = 20_000

_RECORD = re.compile(r"# (\d+) ([+-]\d+)\n(\S[^#\n]*)\n")
_DATE = re.compile(r"^# date: (\S+)$", re.MULTILINE)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set of openings depends on.

    Args:
        rule: the rule under which the openings are legal and balanced.
        size: side of the square board, in points.
        count: openings to make.
        seed: any number; another one gives another set.
        band: largest score for either side, in points; 200 are one unit of log odds.
        screening_nodes: positions of the first search of a candidate, which throws out most.
        nodes: positions of the second search, whose score is the one that counts.
        games: games of the engine with itself from an opening, of which either side has to win a quarter; 0 for none.
        game_nodes: positions for a move in these games, on average.

    Raises:
        ValueError: a number makes no sense.
    """

    rule: Rule
    size: int
    count: int
    seed: int = 1
    band: int = 60
    screening_nodes: int = 5_000
    nodes: int = 500_000
    games: int = 8
    game_nodes: int = 5_000

    def __post_init__(self) -> None:
        for name in ("count", "band", "screening_nodes", "nodes", "games", "game_nodes"):
            value, least = getattr(self, name), int(name != "games")
            if value < least:
                raise OpeningError(f"{name} must be at least {least}, not {value}")
        Opening((), self.size, self.size)

    def command(self, name: str) -> str:
        """Return the command line that writes the set to a file of this name."""
        return (
            f"fukumi openings {name} --rule {self.rule.label} --size {self.size} --count {self.count} "
            f"--seed {self.seed} --band {self.band} --screening-nodes {self.screening_nodes} --nodes {self.nodes} "
            f"--games {self.games} --game-nodes {self.game_nodes}"
        )


class Found(NamedTuple):
    """A balanced opening.

    Attributes:
        candidate: its number.
        opening: the stones.
        score: value for the side to move, in points.
    """

    candidate: int
    opening: Opening
    score: int


class Progress(NamedTuple):
    """How far a run is: openings in the file, openings asked for, candidates drawn so far."""

    found: int
    asked: int
    candidates: int


ProgressCallback = Callable[[Progress], None]


def generate(recipe: Recipe, path: str | os.PathLike[str], on_progress: ProgressCallback | None = None) -> None:
    """Make a set of openings and write it to a file.

    The file has the offset format with comments: a header that states the recipe, and before each opening a line with
    its candidate number and its score. Until it is complete it is called ``PATH.part``; a run that finds such a file
    of the same recipe goes on with it.

    Args:
        recipe: what to make.
        path: the file to write.
        on_progress: called at the start and after every opening found.

    Raises:
        OpeningError: the file exists, the unfinished file is of another recipe, or hardly any candidate is balanced.
        OSError: the file cannot be written.
    """
    target = Path(path)
    if target.exists():
        raise OpeningError(f"{target} exists; remove it or choose another name")
    part = target.with_name(target.name + ".part")
    with part.open("a+", encoding="ascii", errors="replace", newline="\n") as file:
        if not lock_file(file):
            raise OpeningError(f"{part} is being written by another program; wait for its end or name another file")
        found = _resume(recipe, target.name, file)
        if on_progress:
            on_progress(Progress(len(found), recipe.count, found[-1].candidate + 1 if found else 0))
        for new in balanced(recipe, found):
            file.write(_record(new))
            file.flush()
            found.append(new)
            if on_progress:
                on_progress(Progress(len(found), recipe.count, new.candidate + 1))
    os.replace(part, target)


def balanced(recipe: Recipe, found: Sequence[Found] = ()) -> Iterator[Found]:
    """Yield the balanced openings of a recipe in the order of their candidate numbers.

    Args:
        recipe: what to make.
        found: the first of them, known from an earlier run; they are not yielded again.

    Raises:
        OpeningError: there was none among many candidates.

    Example:
        >>> recipe = Recipe(Rule.FREESTYLE, 15, count=2, screening_nodes=100, nodes=400, games=2, game_nodes=50)
        >>> first, second = balanced(recipe)
        >>> list(balanced(recipe, [first])) == [second]
        True
    """
    known = {one.opening.canonical_key for one in found}
    number = last = found[-1].candidate if found else -1
    while len(known) < recipe.count:
        number += 1
        if number - last > _MOST_BARREN:
            raise OpeningError(
                f"none of the candidates {last + 1} to {number - 1} is a new opening within {recipe.band} points; "
                f"ask for a wider band or fewer openings"
            )
        opening = draw(recipe, number)
        if opening is None or opening.canonical_key in known:
            continue
        score = balance(opening, recipe.rule, recipe.screening_nodes)
        if score is None or abs(score) > recipe.band:
            continue
        score = balance(opening, recipe.rule, recipe.nodes)
        if score is None or abs(score) > recipe.band:
            continue
        seed = f"{recipe.seed} {recipe.rule.label} {recipe.size} {number} games"
        if is_even(opening, recipe.rule, recipe.games, recipe.game_nodes, seed):
            known.add(opening.canonical_key)
            last = number
            yield Found(number, opening, score)


def draw(recipe: Recipe, number: int) -> Opening | None:
    """Return a candidate, or ``None`` if its stones break the rule.

    Example:
        >>> opening = draw(Recipe(Rule.FREESTYLE, 15, count=1), 0)
        >>> opening is not None and 3 <= len(opening.moves) <= 7
        True
    """
    # Only Random.random is promised to give the same numbers in every version of Python.
    rng = random.Random(f"{recipe.seed} {recipe.rule.label} {recipe.size} {number}")

    def pick(choices: Sequence[_T]) -> _T:
        return choices[int(rng.random() * len(choices))]

    plies, reach, size = pick(_PLIES), pick(_REACHES), recipe.size
    drift = _NEAR if rng.random() < 2 / 3 else max(0, size // 2 - _MARGIN)
    x, y = (size // 2 + pick(range(-drift, drift + 1)) for _ in range(2))
    columns, rows = (range(max(0, c - reach), min(size, c + reach + 1)) for c in (x, y))
    box = [Move(column, row) for row in rows for column in columns]
    stones = [pick(box)]
    while len(stones) < plies:
        stones.append(pick([point for point in box if point not in stones and _distance(point, stones) <= _GAP]))
    opening = Opening(tuple(stones), size, size)
    try:
        opening.board(recipe.rule)
    except IllegalMoveError:
        return None
    return opening


def _distance(point: Move, stones: list[Move]) -> int:
    return min(max(abs(point.x - stone.x), abs(point.y - stone.y)) for stone in stones)


def balance(opening: Opening, rule: Rule, nodes: int) -> int | None:
    """Return the score of an opening, or ``None`` if there is nothing left to play for.

    That is so if either side wins by continuous threats (VCT, of which VCF is a part) when it is to move, however
    the turn is, or if the search sees a win.

    Args:
        opening: legal under the rule.
        rule: the rule.
        nodes: positions to search; the same number gives the same score on every machine.

    Returns:
        Score for the side to move in points; 200 are one unit of log odds.

    Example:
        >>> balance(Opening.from_text("h8a1h9a2h10a3", 15, 15), Rule.FREESTYLE, 1_000) is None
        True
    """
    board = opening.board(rule)
    engine = Engine(hash_bytes=_HASH_BYTES)
    if any(engine.solve(side, nodes=max(1, nodes // _SOLVER_SHARE)).plies for side in (board, opening.passed(rule))):
        return None
    score = engine.analyse(board, Limit(nodes=nodes))[0].score.relative
    return score.points if score.mate is None else None


# --- The file ---


def _header(recipe: Recipe, name: str, made: str) -> str:
    centre = recipe.size // 2
    lines = (
        f"Balanced openings for engine matches, made with the search of Fukumi {__version__}.",
        f"rule: {recipe.rule.label}",
        f"size: {recipe.size}",
        f"openings: {recipe.count}, unique under the symmetries of the board",
        f"format: offset; pairs x,y from the centre {centre},{centre}, x to the right, y down, black first",
        f"band: {recipe.band} points for either side (200 points are one unit of log odds)",
        f"nodes: {recipe.screening_nodes} to screen, {recipe.nodes} to verify; no forced win (VCT), whoever moves",
        f"games: {recipe.games} of the engine with itself, {recipe.game_nodes} nodes a move; a quarter to either side",
        f"seed: {recipe.seed}",
        f"date: {made}",
        f"command: {recipe.command(name)}",
        "Before each opening: number of the candidate, score for the side to move.",
        "For programs that know no comments, take out the lines that begin with '#'.",
    )
    return "".join(f"# {line}\n" for line in lines)


def _record(found: Found) -> str:
    return f"# {found.candidate} {found.score:+d}\n{found.opening.text('offset')}\n"


def _resume(recipe: Recipe, name: str, file: TextIO) -> list[Found]:
    """Return what the unfinished file holds, and cut off a half-written end; begin it if it is empty."""
    file.seek(0)
    text = file.read()
    made = _DATE.search(text)
    header = _header(recipe, name, made[1] if made else date.today().isoformat())
    if not text.startswith(header) and not header.startswith(text):
        raise OpeningError(f"{file.name} was begun with other settings; remove it or use those in its header")
    found = []
    end = len(header)
    while match := _RECORD.match(text, end):
        opening = Opening.from_text(match[3], recipe.size, recipe.size, "offset")
        found.append(Found(int(match[1]), opening, int(match[2])))
        end = match.end()
    if len(text) < len(header):
        file.truncate(0)
        file.write(header)
    else:
        file.truncate(end)  # the text is ASCII up to there
    return found


# --- The command ---


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``fukumi openings`` to its parser."""
    defaults = {field.name: field.default for field in fields(Recipe)}
    parser.add_argument("output", metavar="FILE", help="file to write; FILE.part until it is complete")
    parser.add_argument("--rule", default="freestyle", help="freestyle, standard, renju, caro, exact-caro or 0 1 4 8 9")
    parser.add_argument("--size", type=int, default=15, metavar="N", help="side of the board (default 15)")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="openings to make (default 300)")
    for name, what in {
        "seed": "another seed gives another set",
        "band": "largest score for either side in points; 200 are one unit of log odds",
        "screening_nodes": "positions to search for each candidate",
        "nodes": "positions to search to verify those that passed",
        "games": "games to play from each; either side has to win a quarter",
        "game_nodes": "positions for a move of these games",
    }.items():
        option, value = "--" + name.replace("_", "-"), defaults[name]
        parser.add_argument(option, type=int, default=value, metavar="N", help=f"{what} (default {value})")


def run(options: argparse.Namespace) -> int:
    """Make a set of openings, with progress on standard error.

    Args:
        options: what :func:`add_arguments` describes.

    Returns:
        The exit status, 0.

    Raises:
        ValueError: there is no such rule or board, or see :func:`generate`.
    """
    settings = {name: getattr(options, name) for name in Recipe.__slots__}
    recipe = Recipe(**settings | {"rule": Rule.from_name(options.rule)})
    with ProgressLine(recipe.count, "openings") as line:
        generate(recipe, options.output, lambda p: line.update(p.found, f"{p.candidates} candidates"))
    return 0
