"""Openings: both formats there and back, every kind of bad line, the shipped sets, and how they are made."""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku import BLACK, WHITE, Board, IllegalMoveError, Move, Rule, book
from gomoku.book import generate, trial
from gomoku.book.generate import Found, Progress, Recipe, balance, balanced, draw
from gomoku.book.openings import FORMATS, Format, Opening, OpeningError
from gomoku.book.trial import is_even

SETS = [(rule, size) for rule in Rule for size in (15, 20)]
BY_SET = pytest.mark.parametrize(("rule", "size"), SETS, ids=lambda value: getattr(value, "label", str(value)))
BY_FORMAT = pytest.mark.parametrize("form", FORMATS)
CHEAP = Recipe(Rule.FREESTYLE, 15, count=4, band=100, screening_nodes=100, nodes=1_000, games=2, game_nodes=50)


@st.composite
def openings(draw_value: Callable[..., Any]) -> Opening:
    width, height = draw_value(st.integers(5, 22)), draw_value(st.integers(5, 22))
    points = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)).map(lambda point: Move(*point))
    return Opening(tuple(draw_value(st.lists(points, min_size=1, max_size=12, unique=True))), width, height)


def texts(found: list[Opening], form: Format = "pos") -> list[str]:
    return [opening.text(form) for opening in found]


# --- formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "pos", "size"),
    [
        ("8,-3, 6,-4, 9,-6", "s8q7t5", (20, 20)),
        ("0,0", "h8", (15, 15)),
        ("0,0", "k11", (20, 20)),
        ("-7,-7, 7,7, 7,-7", "a1o15o1", (15, 15)),
        ("-10,-10, 9,9", "a1t20", (20, 20)),
        ("-11,-7, 10,7", "a1v15", (22, 15)),
        ("-2,-2, 2,2", "a1e5", (5, 5)),
    ],
)
def test_known_openings(offset: str, pos: str, size: tuple[int, int]) -> None:
    opening = Opening.from_text(offset, *size)
    assert (opening.text(), opening.text("pos")) == (offset, pos)
    assert Opening.from_text(pos, *size) == opening
    assert Opening.from_text(offset, *size, "offset") == opening
    assert (opening.turn, opening.board(Rule.FREESTYLE).turn) == (opening.passed(Rule.RENJU).turn.other,) * 2


@given(openings(), st.sampled_from(FORMATS))
def test_round_trip_of_one(opening: Opening, form: Format) -> None:
    text = opening.text(form)
    assert book.detect_format(text) == form
    assert Opening.from_text(text, opening.width, opening.height) == opening


@BY_FORMAT
def test_round_trip_of_a_file(form: Format, tmp_path: Path) -> None:
    rng = random.Random(1)
    points = [Move(x, y) for x in range(20) for y in range(15)]
    written = [Opening(tuple(rng.sample(points, rng.randint(1, 8))), 20, 15) for _ in range(50)]
    path = tmp_path / "set.txt"
    book.write(written, path, form)
    assert book.read(path, 20, 15) == book.read(path, 20, 15, form) == written
    assert book.read(path.read_text(), 20, 15) == written
    content = path.read_bytes()
    assert content.count(b"\n") == 50
    assert b"\r" not in content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"0,0, 1,1\r\n0,0, 2,2\r\n", ["h8i9", "h8j10"]),
        (b"0,0, 1,1\n0,0, 2,2", ["h8i9", "h8j10"]),
        (b"0,0, 1,1\r0,0, 2,2\r", ["h8i9", "h8j10"]),
        (b"\xef\xbb\xbf0,0, 1,1\n", ["h8i9"]),
        (b"# caf\xe9 \xe2\x80\xa8 0,0\n\n  \t\n0,0,1,1 # +12\n#\n", ["h8i9"]),
        (b"  0 , 0 ,1 ,+1,\t\n", ["h8i9"]),
        (b"0 0 1 1\n", ["h8i9"]),
        (b"h8i9\nH8 I10\n", ["h8i9", "h8i10"]),
        (b"# a1\nh8i9 # b2", ["h8i9"]),
        (b"", []),
        (b"# nothing\n", []),
    ],
)
def test_what_files_look_like(text: bytes, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_bytes(text)
    assert texts(book.read(path, 15, 15)) == expected


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("0,0\n1,1, 2\n", 2, "3 numbers are not pairs"),
        ("# one\n\n0,0, 8,0", 3, "offset 8,0 is off a board of 15 columns and 15 rows"),
        ("0,-8", 1, "offset 0,-8 is off a board"),
        ("0,0, 1,1, 0,0", 1, "point h8 is used twice"),
        ("0,0\r\n1,,1", 2, "'' is not an offset"),
        ("0,0; 1,1", 1, "'0;' is not an offset"),
        ("0,99999999999999999999", 1, "is not an offset"),
        ("0.5,1", 1, "'0.5' is not an offset"),
        (",", 1, "'' is not an offset"),
        ("h8i9\n0,0", 2, "is not a point"),
        ("0,0\nh8i9", 2, "'h8i9' is not an offset"),
        ("h8h8", 1, "point h8 is used twice"),
        ("h8\nh16", 2, "'h16' is not on a board of 15 columns and 15 rows"),
        ("h8p1", 1, "'p1' is not on a board"),
        ("h8i", 1, "'i' at character 3 is not a point"),
        ("h0", 1, "'h0' is not on a board"),
        ("openings.txt", 1, "is not a point"),
    ],
)
def test_bad_lines_are_named(text: str, line: int, what: str, tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text(text, newline="")
    for source, name in ((text, "text"), (path, str(path))):
        with pytest.raises(OpeningError, match=re.escape(what)) as caught:
            book.read(source, 15, 15)
        assert str(caught.value).startswith(f"{name}, line {line}: ")


def test_bad_arguments() -> None:
    with pytest.raises(OpeningError, match="unknown format 'sgf'"):
        book.read("0,0", 15, 15, "sgf")  # type: ignore[arg-type]
    with pytest.raises(OpeningError, match="unknown format 'sgf'"):
        Opening((), 15, 15).text("sgf")  # type: ignore[arg-type]
    with pytest.raises(OpeningError, match="side of 23 is out of range"):
        book.read("0,0", 15, 23)
    with pytest.raises(OpeningError, match="stone 2 at 15,0 is off a board"):
        Opening((Move(0, 0), Move(15, 0)), 15, 15)
    with pytest.raises(FileNotFoundError):
        book.read(Path("no such file"), 15, 15)


def test_an_empty_opening_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(OpeningError, match="opening 2 has no stones"):
        book.write([Opening((Move(7, 7),), 15, 15), Opening((), 15, 15)], tmp_path / "set.txt")
    assert not (tmp_path / "set.txt").exists()


def test_the_board_knows_the_rule() -> None:
    double_three = Opening.from_text("g8a1i8c1h7e1h9g1h8", 15, 15)
    assert double_three.board(Rule.FREESTYLE).ply == 9
    with pytest.raises(IllegalMoveError, match="double-three"):
        double_three.board(Rule.RENJU)


# --- symmetry --------------------------------------------------------------------------------------------------------


@given(openings(), st.randoms(use_true_random=False))
def test_equal_positions_have_equal_keys(opening: Opening, rng: random.Random) -> None:
    square = opening.width == opening.height
    stones = [[m for m, color in opening.stones if color == side] for side in (BLACK, WHITE)]
    board = Board.from_stones(*stones, width=opening.width, height=opening.height)
    turned = board.transform(rng.randrange(8 if square else 4))
    black, white = (rng.sample(points, len(points)) for points in (turned.stones(BLACK), turned.stones(WHITE)))
    moves = [move for pair in zip(black, [*white, None], strict=False) for move in pair if move is not None]
    other = Opening(tuple(moves), opening.width, opening.height)
    assert other.canonical_key == opening.canonical_key
    assert book.unique([opening, other]) == [opening]


def test_unique_keeps_the_first_and_what_differs() -> None:
    found = book.read("h8i9g7\nh8i9g8\ng7i9h8\nh8g9i7\nh8i9\ni9h8g7", 15, 15)
    assert texts(book.unique(found)) == ["h8i9g7", "h8i9g8", "h8i9", "i9h8g7"]
    same_text = [Opening.from_text("c3", 5, 5), Opening.from_text("c3", 7, 5)]
    assert book.unique(same_text) == same_text


# --- the shipped sets ------------------------------------------------------------------------------------------------


def shipped(rule: Rule, size: int) -> str:
    return (files("gomoku") / "data" / "openings" / f"{rule.label}_{size}.txt").read_text(encoding="ascii")


def header(text: str, key: str) -> str:
    match = re.search(rf"^# {key}: (.*)$", text, re.MULTILINE)
    assert match, f"no {key} in the header"
    return match[1]


def records(text: str) -> list[tuple[int, int, str]]:
    """Candidate, score and line of every opening."""
    found = re.findall(r"^# (\d+) ([+-]\d+)\n([^#\n]+)$", text, re.MULTILINE)
    return [(int(candidate), int(score), line) for candidate, score, line in found]


def strict_offset(line: str, size: int) -> list[tuple[int, int]]:
    """The grammar that all programs share: numbers, commas and blanks; small offsets, in pairs, on the board."""
    assert re.fullmatch(r"-?\d+,-?\d+(, -?\d+,-?\d+)*", line)
    numbers = [int(word) for word in line.replace(",", " ").split()]
    assert len(numbers) % 2 == 0
    assert all(-16 <= number <= 15 for number in numbers)
    points = [(x + size // 2, y + size // 2) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    assert all(0 <= x < size and 0 <= y < size for x, y in points)
    return points


def test_there_is_a_set_for_every_rule_and_size() -> None:
    assert book.builtin_sets() == sorted(SETS)
    with pytest.raises(OpeningError, match=r"no set of openings for renju on size 19.*freestyle 15, .*exact-caro 20"):
        book.builtin(Rule.RENJU, 19)


@BY_SET
def test_shipped_set(rule: Rule, size: int) -> None:
    text = shipped(rule, size)
    found = book.builtin(rule, size)
    assert (header(text, "rule"), header(text, "size")) == (rule.label, str(size))
    assert header(text, "command").startswith(f"fukumi openings {rule.label}_{size}.txt --rule {rule.label} ")
    assert header(text, "openings").startswith(f"{len(found)},")
    assert len(found) == len(records(text)) == len(book.unique(found)) >= 200
    for opening in found:
        board = opening.board(rule)  # raises if a move is illegal
        assert board.outcome() is None
    assert {len(opening.moves) for opening in found} == {3, 4, 5, 6, 7}


@BY_SET
def test_shipped_set_is_plain_without_its_comments(rule: Rule, size: int) -> None:
    text = shipped(rule, size)
    plain = [line for line in text.splitlines() if not line.startswith("#")]
    assert [strict_offset(line, size) for line in plain] == [list(o.moves) for o in book.builtin(rule, size)]
    assert text.endswith("\n")


@BY_SET
def test_shipped_scores_are_within_the_band(rule: Rule, size: int) -> None:
    text = shipped(rule, size)
    band = int(header(text, "band").split()[0])
    found = records(text)
    assert band <= 60
    assert all(abs(score) <= band for _, score, _ in found)
    assert [candidate for candidate, _, _ in found] == sorted({candidate for candidate, _, _ in found})


@pytest.mark.slow
@BY_SET
def test_shipped_openings_are_still_balanced(rule: Rule, size: int) -> None:
    """The engine that made the sets finds every one in the band; a changed one may see some otherwise, but not many."""
    text = shipped(rule, size)
    band = int(header(text, "band").split()[0])
    nodes = int(re.findall(r"(\d+) to verify", header(text, "nodes"))[0])
    sample = random.Random(int(rule) * 100 + size).sample(book.builtin(rule, size), 12)
    scores = [balance(opening, rule, nodes) for opening in sample]
    decided = [score for score in scores if score is None]
    level = [score for score in scores if score is not None and abs(score) <= band]
    assert len(decided) <= 1, scores
    assert len(level) >= 9, scores


# --- making them -----------------------------------------------------------------------------------------------------


def test_balance_sees_wins_of_both_sides() -> None:
    assert balance(Opening.from_text("h8a1i8a15j8o1", 15, 15), Rule.FREESTYLE, 1_000) is None  # black is to move
    assert balance(Opening.from_text("h8a1i8a15j8", 15, 15), Rule.FREESTYLE, 1_000) is None  # black threatens
    level = Opening.from_text(shipped(Rule.RENJU, 15).splitlines()[-1], 15, 15)
    score = balance(level, Rule.RENJU, 1_000)
    assert score is not None
    assert score == balance(level, Rule.RENJU, 1_000)


def test_openings_that_one_side_wins_again_and_again_are_not_even() -> None:
    level = book.builtin(Rule.FREESTYLE, 15)[0]
    behind = Opening.from_text("h8i8h9a1g7", 15, 15)  # three open twos for black and no stone of white in the way
    for nodes, seed in ((60, "1"), (60, "2"), (200, "1")):
        assert not is_even(behind, Rule.FREESTYLE, 8, nodes, seed)
        assert is_even(behind, Rule.FREESTYLE, 0, nodes, seed)
    verdicts = [is_even(level, Rule.FREESTYLE, 8, 200, str(seed)) for seed in range(4)]
    assert any(verdicts)
    assert verdicts == [is_even(level, Rule.FREESTYLE, 8, 200, str(seed)) for seed in range(4)]


def test_black_loses_the_game_where_only_a_forbidden_point_is_left() -> None:
    rows = ("XXX.XXX", "OXXOOXO", "OOXOOOX", "XOOXXOO", "OXOXOOX")
    black, white = ([Move(x, y) for y, row in enumerate(rows) for x in range(7) if row[x] == side] for side in "XO")
    full = Opening(tuple(move for pair in zip(black, white, strict=True) for move in pair), 7, 5)
    assert full.board(Rule.RENJU).outcome() is None
    assert not is_even(full, Rule.RENJU, 2, 10, "1")


@pytest.mark.parametrize(
    ("games", "winners", "even"),
    [
        (4, "bw", True),
        (4, "dd", True),
        (4, "bbbw", True),
        (4, "bbbd", False),
        (4, "wwww", False),
        (8, "bbbbbbb", False),
        (8, "bbbbbbww", True),
        (8, "wwwwwwbd", False),
        (8, "bdbdbdbd", True),
    ],
)
def test_even_means_a_quarter_for_either_side(
    games: int, winners: str, even: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draw is half a point for both, and no game is played once the verdict is known."""
    left = iter(winners)
    sides = {"b": BLACK, "w": WHITE, "d": None}
    monkeypatch.setattr(trial, "_play", lambda *_: sides[next(left)])
    assert is_even(Opening.from_text("h8", 15, 15), Rule.FREESTYLE, games, 1, "1") is even
    assert not list(left)


@pytest.mark.parametrize("size", [5, 15, 20, 22])
def test_candidates_are_playable_varied_and_repeatable(size: int) -> None:
    recipe = Recipe(Rule.RENJU, size, count=1)
    candidates = [draw(recipe, number) for number in range(200)]
    assert candidates == [draw(recipe, number) for number in range(200)]
    drawn = [opening for opening in candidates if opening is not None]
    assert {len(opening.moves) for opening in drawn} == {3, 4, 5, 6, 7}
    assert len(book.unique(drawn)) > 190 - 100 * (size == 5)
    for opening in drawn:
        assert opening.board(Rule.RENJU).outcome() is None
        xs, ys = zip(*opening.moves, strict=True)
        assert max(max(xs) - min(xs), max(ys) - min(ys)) <= 8
    assert candidates != [draw(Recipe(Rule.RENJU, size, count=1, seed=2), number) for number in range(200)]


def test_the_draws_are_the_same_on_every_machine() -> None:
    recipe = Recipe(Rule.FREESTYLE, 15, count=1)
    first = book.builtin(Rule.FREESTYLE, 15)[:20]
    numbers = [candidate for candidate, _, _ in records(shipped(Rule.FREESTYLE, 15))][:20]
    assert [draw(recipe, number) for number in numbers] == first


def test_found_openings_are_unique_and_level() -> None:
    found = list(balanced(CHEAP))
    assert len(book.unique(one.opening for one in found)) == CHEAP.count
    assert all(abs(one.score) <= CHEAP.band for one in found)
    assert [balance(one.opening, CHEAP.rule, CHEAP.nodes) for one in found] == [one.score for one in found]


def test_a_narrow_band_gives_up_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "_MOST_BARREN", 30)
    monkeypatch.setattr(generate, "balance", lambda *_: 61)
    with pytest.raises(OpeningError, match=r"none of the candidates 0 to 29 .* within 60 points; ask for a wider band"):
        list(balanced(Recipe(Rule.FREESTYLE, 15, count=1)))


class InterruptedRunError(Exception):
    """What a broken run raises."""


@pytest.mark.parametrize("torn", ["", "# 77 +1", "# 77 +12\n", "# 77 +12\n0,0, 1,", "# 77 +12\n0,0, 1,1"])
def test_an_interrupted_run_gives_the_same_file(torn: str, tmp_path: Path) -> None:
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        if progress.found == 2:
            raise InterruptedRunError

    whole, broken = tmp_path / "set.txt", tmp_path / "broken" / "set.txt"
    broken.parent.mkdir()
    generate.generate(CHEAP, whole, seen.append)
    with pytest.raises(InterruptedRunError):
        generate.generate(CHEAP, broken, interrupt)
    part = broken.with_name("set.txt.part")
    assert not broken.exists()
    with part.open("a") as file:
        file.write(torn)
    generate.generate(CHEAP, broken)
    assert broken.read_bytes() == whole.read_bytes()
    assert not part.exists()
    assert [progress.found for progress in seen] == [0, 1, 2, 3, 4]
    assert all(progress.asked == 4 for progress in seen)
    assert texts(book.read(whole, 15, 15)) == [one.opening.text("pos") for one in balanced(CHEAP)]


@pytest.mark.parametrize("size", [0, 100])
def test_a_torn_header_is_begun_again(size: int, tmp_path: Path) -> None:
    whole, torn = tmp_path / "set.txt", tmp_path / "torn" / "set.txt"
    torn.parent.mkdir()
    recipe = Recipe(Rule.FREESTYLE, 15, count=1, band=200, screening_nodes=100, nodes=100, games=0)
    generate.generate(recipe, whole)
    torn.with_name("set.txt.part").write_bytes(whole.read_bytes()[:size])
    generate.generate(recipe, torn)
    assert torn.read_bytes() == whole.read_bytes()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("mine")
    with pytest.raises(OpeningError, match="exists; remove it"):
        generate.generate(CHEAP, path)
    part = tmp_path / "other.txt.part"
    part.write_text("mine")
    with pytest.raises(OpeningError, match="begun with other settings"):
        generate.generate(CHEAP, tmp_path / "other.txt")
    assert path.read_text() == part.read_text() == "mine"


@pytest.mark.parametrize("name", ["count", "band", "screening_nodes", "nodes", "games", "game_nodes"])
def test_recipes_that_make_no_sense(name: str) -> None:
    least = int(name != "games")
    with pytest.raises(OpeningError, match=f"{name} must be at least {least}, not {least - 1}"):
        Recipe(**{"rule": Rule.FREESTYLE, "size": 15, "count": 1, name: least - 1})
    with pytest.raises(OpeningError, match="side of 4 is out of range"):
        Recipe(Rule.FREESTYLE, 4, count=1)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.txt"
    parser = argparse.ArgumentParser()
    generate.add_arguments(parser)
    words = ["--rule", "caro", "--size", "12", "--count", "2", "--seed", "9", "--band", "150"]
    words += ["--screening-nodes", "100", "--nodes", "300", "--games", "1", "--game-nodes", "20"]
    assert generate.run(parser.parse_args([str(path), *words])) == 0
    recipe = Recipe(Rule.CARO, 12, 2, seed=9, band=150, screening_nodes=100, nodes=300, games=1, game_nodes=20)
    expected = [Found(*one) for one in balanced(recipe)]
    assert book.read(path, 12, 12) == [one.opening for one in expected]
    assert header(path.read_text(), "command") == "fukumi openings set.txt " + " ".join(words)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(r"2/2 openings 100% in 0:0\d \d+ candidates\n", captured.err)
    with pytest.raises(ValueError, match="unknown rule 'chess'"):
        generate.run(parser.parse_args([str(path), "--rule", "chess"]))
