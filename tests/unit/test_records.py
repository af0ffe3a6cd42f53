"""Game records: what is written comes back, files of the field are read, and no bytes do harm."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("hypothesis")

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gomoku.notation import parse_moves
from gomoku.records import Game, psq, read, sgf, write
from gomoku.types import BLACK, WHITE, Color, IllegalMoveError, Move, Rule


def stones(text: str, size: int = 15) -> tuple[Move, ...]:
    return tuple(parse_moves(text, width=size, height=size))


FIVE = stones("h8a1i8b1j8c1k8d1l8")
"""Black wins with the last stone."""


# --- Games ---


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"width": 4}, "width 4 .* 5 to 22"),
        ({"height": 23}, "height 23 .* 5 to 22"),
        ({"opening_plies": 10}, "opening_plies 10 .* 9 moves"),
        ({"opening_plies": -1}, "opening_plies -1"),
        ({"times_ms": (1, 2)}, "times_ms has 2 items for 9 moves"),
        ({"times_ms": (1,) * 8 + (-3,)}, "times_ms holds -3"),
        ({"times_ms": (1,) * 9, "opening_plies": 1}, "the 1 opening stones"),
        ({"comments": ("a",)}, "comments has 1 items for 9 moves"),
        ({"winner": BLACK}, "winner black in an unfinished game"),
    ],
)
def test_games_refuse_contradictions(fields: dict[str, object], message: str) -> None:
    game = Game(width=15, height=15, moves=FIVE)
    with pytest.raises(ValueError, match=message):
        replace(game, **fields)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move(15, 0), "move 10 is off the board of 15 by 14"),
        (Move(0, 14), "move 10 is off the board of 15 by 14"),
        (Move(-1, 0), "move 10 is off the board"),
        (FIVE[3], "move 10 is on an occupied point"),
    ],
)
def test_games_refuse_impossible_moves(move: Move, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        Game(width=15, height=14, moves=(*FIVE, move))


def test_turn_alternates_from_black() -> None:
    assert [Game(width=15, height=15, moves=FIVE[:plies]).turn for plies in range(3)] == [BLACK, WHITE, BLACK]


# --- Round trips ---

WORDS = (
    "five",
    "full board",
    "forbidden",
    "illegal",
    "timeout",
    "memory",
    "crash",
    "disconnect",
    "start",
    "adjudication",
)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from("[]\\;()BW "), max_size=12)
LINE = TEXT.map(lambda text: " ".join(text.split()))


@st.composite
def games(draw: st.DrawFn) -> Game:
    width, height = draw(st.integers(5, 22)), draw(st.integers(5, 22))
    numbers = draw(st.lists(st.integers(0, width * height - 1), unique=True, max_size=30))
    plies = len(numbers)
    opening_plies = draw(st.integers(0, min(plies, 7)))
    times: tuple[int, ...] = ()
    if draw(st.booleans()) and plies > opening_plies:
        played = draw(st.lists(st.integers(1, 10**7), min_size=plies - opening_plies, max_size=plies - opening_plies))
        times = (0,) * opening_plies + tuple(played)
    comments = tuple(draw(LINE) + "." for _ in numbers) if draw(st.booleans()) else ()
    finished = draw(st.booleans())
    return Game(
        width=width,
        height=height,
        rule=draw(st.sampled_from([None, *Rule])),
        moves=tuple(Move(number % width, number // width) for number in numbers),
        opening_plies=opening_plies,
        times_ms=times,
        comments=comments,
        black=draw(LINE),
        white=draw(LINE),
        winner=draw(st.sampled_from([None, *Color])) if finished else None,
        finished=finished,
        termination=draw(st.sampled_from(WORDS)) if finished else "",
        event=draw(LINE),
        date=draw(st.dates().map(str) | st.just("")),
        round=draw(LINE),
    )


@settings(deadline=None, max_examples=60)
@given(game=games())
@example(game=Game(width=15, height=15, black="B\\", white="]RE[B+", event="[a", moves=FIVE))
@example(game=Game(width=15, height=15, black="x\\]RE[B", white="];B[aa", moves=FIVE, comments=("])(;W[aa]",) * 9))
def test_sgf_keeps_everything(game: Game) -> None:
    assert sgf.loads(sgf.dumps(game)) == [game]
    assert sgf.loads(sgf.dumps(game).encode()) == [game]


def has_five(game: Game) -> bool:
    """Whether five stones of the side that moved last lie in a row, anywhere."""
    own = set(game.moves[::-2])
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(all(Move(m.x + n * dx, m.y + n * dy) in own for n in range(5)) for m in own for dx, dy in steps)


@settings(deadline=None, max_examples=60)
@given(game=games())
@example(game=Game(width=5, height=5, black="1,2,3", white="-1"))
@example(game=Game(width=5, height=5, white="w", finished=True, winner=WHITE, termination="memory", event="0,x"))
@example(game=Game(width=15, height=15, moves=FIVE[:4], opening_plies=3, times_ms=(0, 0, 0, 9), finished=True))
def test_psq_keeps_what_it_can(game: Game) -> None:
    if has_five(game):  # psq tells such a game's end by its stones: see the tests below
        game = replace(game, moves=game.moves[:4], opening_plies=0, times_ms=(), comments=())
    data = psq.dumps(game)
    assert data.count(b"\n") == data.count(b"\r\n")
    kept = {"full board" if game.winner is None else "", "timeout", "memory", "illegal"}
    full = game.finished and game.winner is None and game.termination == "five"
    expected = replace(
        game,
        opening_plies=game.opening_plies if game.times_ms else 0,
        comments=(),
        black=game.black.replace(",", ";") if game.black == "1,2,3" else game.black,
        termination="full board" if full else game.termination if game.termination in kept else "",
        event=game.event if game.finished else "",
        date="",
        round="",
    )
    assert psq.loads(data, rule=game.rule) == expected


@pytest.mark.parametrize("suffix", [".psq", ".sgf", ".PSQ", ".SGF"])
def test_files_keep_a_game(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"game{suffix}"
    game = Game(
        width=20, height=15, rule=Rule.RENJU, moves=FIVE, times_ms=tuple(range(1, 10)), black="Jörg", white="王",
        winner=BLACK, finished=True, termination="five", event="Cup",
    )  # fmt: skip
    write(game, str(path))
    assert read(path, rule=Rule.RENJU) == [game]
    path.rename(tmp_path / "renamed")
    assert read(tmp_path / "renamed", rule=Rule.RENJU) == [game]


def test_files_of_no_known_format(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with pytest.raises(ValueError, match=r"no format for the suffix '.txt' .* use .psq or .sgf"):
        write(Game(width=15, height=15), path)
    path.write_text("h8i9")
    with pytest.raises(ValueError, match=r"game\.txt' is neither a psq nor an SGF file"):
        read(path)
    for suffix in (".psq", ".sgf"):
        other = path.rename(path.with_suffix(suffix))
        with pytest.raises(ValueError, match="h8i9"):
            read(other)
        path = other


def test_read_fills_in_the_rule_where_the_file_is_silent(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;SZ[15]RU[renju];B[hh])(;SZ[15];B[hh])")
    assert [game.rule for game in read(path, rule=Rule.CARO)] == [Rule.RENJU, Rule.CARO]


# --- psq ---


def psq_text(*tail: str, moves: str = "8,8,0 7,7,5 9,9,6", header: str = "Piskvorky 15x15, 11:11, 0") -> bytes:
    return "\r\n".join([header, *moves.split(), *tail, ""]).encode()


def psq_moves(moves: tuple[Move, ...], time: int = 5) -> str:
    return " ".join(f"{move.x + 1},{move.y + 1},{time}" for move in moves)


def test_psq_of_a_piskvork_tournament() -> None:
    moves = "10,10,456 11,12,4500 10,13,60 11,13,4261 9,11,65 12,12,5037 8,12,65 11,9,5060 11,11,66 13,11,131"
    moves += " 14,10,62 14,12,41 12,10,60 13,12,36 10,12,62 15,12,32"
    data = psq_text("first.exe", "second.ZIP", "0", moves=moves, header="Piskvorky 20x20, 7:7, 0")
    game = psq.loads(data, rule=Rule.FREESTYLE)
    assert (game.width, game.height, game.rule) == (20, 20, Rule.FREESTYLE)
    assert (game.moves[0], game.moves[-1], game.times_ms[0]) == (Move(9, 9), Move(14, 11), 456)
    assert (game.black, game.white) == ("first.exe", "second.ZIP")
    assert (game.finished, game.winner, game.termination) == (True, WHITE, "five")
    assert (game.opening_plies, game.errors) == (0, ())
    assert psq.loads(data.replace(b"\r", b""), rule=Rule.FREESTYLE) == game
    assert psq.loads(data.replace(b"\r", b"\r\r"), rule=Rule.FREESTYLE) == game
    assert psq.loads(b"\xef\xbb\xbf\r\n" + data, rule=Rule.FREESTYLE) == game


def test_psq_header_tells_who_began() -> None:
    game = psq.loads(psq_text("a b", "homo-2", "-1", header="Piskvorky 15x9, 0:3, 1"), rule=None)
    assert (game.width, game.height, game.black, game.white) == (15, 9, "homo-2", "a b")
    broken = psq.loads(psq_text("a", "b", "-1", header="Piskvorky 15x15"), rule=None)
    assert (broken.black, len(broken.errors)) == ("a", 1)


def test_psq_opening_stones_have_no_time_or_far_too_much() -> None:
    game = psq.loads(psq_text(moves="8,8,0 7,7,4294967295 9,9,0 1,1,30 2,2,0"), rule=None)
    assert (game.opening_plies, game.times_ms, game.errors) == (3, (0, 0, 0, 30, 0), ())
    strange = psq.loads(psq_text(moves="8,8,3 7,7,-4 9,9,4294967295"), rule=None)
    assert (strange.times_ms, len(strange.errors)) == ((3, 0, 0), 1)
    unknown = psq.loads(psq_text(moves="8,8,0 7,7,0"), rule=None)
    assert (unknown.opening_plies, unknown.times_ms) == (0, ())


@pytest.mark.parametrize(
    ("tail", "winner", "termination"),
    [
        (("15",), BLACK, "timeout"),
        (("a", "b", "15"), BLACK, "timeout"),
        (("a", "b", "16"), BLACK, "memory"),
        (("a", "b", "7"), BLACK, "illegal"),
        (("a", "b", "-2"), BLACK, ""),
        (("a", "b", "-1", "0,Freestyle15_1"), None, ""),
        (("a", "b", "0", "0,x"), None, "full board"),
        (("a", "b", "15", "1,x"), WHITE, "timeout"),
    ],
)
def test_psq_result_codes(tail: tuple[str, ...], winner: Color | None, termination: str) -> None:
    game = psq.loads(psq_text(*tail), rule=None)
    assert (game.finished, game.winner, game.termination, game.errors) == (True, winner, termination, ())


def test_psq_a_five_does_not_overrule_what_the_file_says() -> None:
    late = psq.loads(psq_text("a", "b", "15", "2,x", moves=psq_moves(FIVE)), rule=None)
    assert (late.winner, late.termination) == (WHITE, "timeout")
    drawn = psq.loads(psq_text("a", "b", "-1", "0,x", moves=psq_moves(FIVE)), rule=None)
    assert (drawn.finished, drawn.winner) == (True, None)


@pytest.mark.parametrize("tail", [(), ("-1",), ("a", "b", "-1")])
def test_psq_of_a_running_game(tail: tuple[str, ...]) -> None:
    game = psq.loads(psq_text(*tail), rule=None)
    assert (game.finished, len(game.moves), game.errors) == (False, 3, ())


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (("a", "b", "0"), "running or ended by a foul"),
        (("a", "b", "3"), "result code 3 is unknown"),
        (("a",), "ends within the names"),
        (("a", "b"), "ends within the names or after"),
        (("a", "b", "c"), "'c' is no result code"),
        (("a", "b", "-1", "0,x", "more", "still more"), "2 lines after the result"),
        (("-1", "junk"), "1 lines after the result"),
        (("9,1",), "within a move, '9,1'"),
        (("9,1,",), "within a move"),
    ],
)
def test_psq_repairs_are_told(tail: tuple[str, ...], words: str) -> None:
    game = psq.loads(psq_text(*tail), rule=None)
    assert len(game.moves) == 3
    assert [words in error for error in game.errors] == [True]


@pytest.mark.parametrize(("line", "words"), [("8,8,9", "occupied"), ("16,1,9", "off the board"), ("0,1,9", "off")])
def test_psq_moves_end_before_an_impossible_one(line: str, words: str) -> None:
    game = psq.loads(psq_text("a", "b", "15", moves=f"8,8,1 7,7,2 {line} 1,1,4"), rule=None)
    assert (game.moves, game.black, game.termination) == ((Move(7, 7), Move(6, 6)), "a", "timeout")
    assert f"move 3, '{line}'" in game.errors[0]
    assert words in game.errors[0]


@pytest.mark.parametrize("opening", [0, 1, 2, 3])
@pytest.mark.parametrize("winner", Color)
def test_psq_result_line_counts_the_players_of_the_match(opening: int, winner: Color) -> None:
    number = int(winner) if opening % 2 == 0 else 3 - int(winner)
    moves = psq_moves(FIVE[:opening], 0) + " " + psq_moves(FIVE[opening:6])
    game = psq.loads(psq_text("a", "b", "-1", f"{number},Cup, final", moves=moves), rule=None)
    assert (game.winner, game.event, game.opening_plies) == (winner, "Cup, final", opening)
    assert len(game.errors) == opening % 2  # a swap2 game looks the same and counts otherwise


@pytest.mark.parametrize("number", [1, 2])
def test_psq_winning_stone_decides_where_the_result_line_may_mean_either(number: int) -> None:
    moves = psq_moves(FIVE[:3], 0) + " " + psq_moves(FIVE[3:])
    game = psq.loads(psq_text("a", "b", "-1", f"{number},Cup", moves=moves), rule=None)
    assert (game.winner, game.termination, game.errors) == (BLACK, "five", ())


@pytest.mark.parametrize(
    ("moves", "winners"),
    [
        (FIVE, {None, *Rule}),
        (FIVE[:8], set()),
        (stones("h8a1i8b1j8c1l8d1m8e2k8"), {None, Rule.FREESTYLE, Rule.CARO}),  # six
        (stones("a15h8a1i8b1j8d1l8e2m8f3k8"), {None, Rule.FREESTYLE, Rule.CARO, Rule.RENJU}),  # six, by white
        (stones("h8g8i8m8j8c1k8d1l8"), {None, Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU}),  # closed at both ends
        (stones("a1b14b2c14c3d14d4e14e5"), {None, *Rule}),
        (stones("a5b14b4c14c3d14d2e14e1"), {None, *Rule}),
    ],
)
def test_psq_last_stone_wins_by_the_rule(moves: tuple[Move, ...], winners: set[Rule | None]) -> None:
    data = psq_text("a", "b", "0", moves=psq_moves(moves))
    last = BLACK if len(moves) % 2 else WHITE
    for rule in (None, *Rule):
        game = psq.loads(data, rule=rule)
        assert (game.finished, game.winner) == ((True, last) if rule in winners else (False, None)), rule


def test_psq_draws() -> None:
    order = [Move(x, y) for y in range(5) for x in (0, 2, 4, 1, 3)]
    rows = sorted(order, key=lambda move: ((move.x + 2 * move.y) % 4 > 1, move))
    black, white = rows[:13], rows[13:]
    moves = [move for pair in zip(black, [*white, None], strict=True) for move in pair if move]
    header = "Piskvorky 5x5, 11:11, 0"
    game = psq.loads(psq_text("a", "b", "-1", moves=psq_moves(tuple(moves)), header=header), rule=None)
    assert (game.finished, game.winner, game.termination, len(game.moves)) == (True, None, "full board", 25)
    early = psq.loads(psq_text("a", "b", "0", header=header, moves="1,1,5 2,2,6"), rule=None)
    assert (early.finished, early.winner, early.termination) == (True, None, "full board")  # Piskvork's margin of 25


def test_psq_writes_names_as_single_lines_and_played_moves_with_a_time() -> None:
    game = Game(
        width=15, height=15, moves=FIVE[:2], opening_plies=1, times_ms=(0, 0), black="a\r\nb\x1a c", white="8,8,0"
    )
    lines = psq.dumps(game).decode().split("\r\n")
    assert lines == ["Piskvorky 15x15, 11:11, 0", "8,8,0", "1,1,1", "a b c", "8;8;0", "-1", ""]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is no header of a psq file"),
        (b"(;GM[4])", "is no header"),
        (b"Piskvorky 30x30, 11:11, 0\n", "width 30 is not supported"),
        (b"Piskvorky 15x4, 11:11, 0\n", "height 4 is not supported"),
    ],
)
def test_psq_refuses_what_it_is_not(data: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        psq.loads(data, rule=None)


def test_psq_encodings() -> None:
    data = "Piskvorky 15x15, 11:11, 0\r\n8,8,9\r\n王\r\nb\r\n-1\r\n".encode("gbk")
    assert psq.loads(data, rule=None, encoding="gbk").black == "王"
    replaced = psq.loads(data, rule=None)
    assert (replaced.moves, replaced.white, len(replaced.errors)) == ((Move(7, 7),), "b", 1)
    with pytest.raises(ValueError, match="unknown text encoding 'klingon'"):
        psq.loads(data, rule=None, encoding="klingon")


# --- SGF ---


def sgf_game(text: str) -> Game:
    (game,) = sgf.loads(text)
    return game


def test_sgf_of_a_match_runner() -> None:
    game = sgf_game(
        "(;FF[4]GM[4]GN[1]EV[a x b]DT[2026.11.29 10:20:30]RO[3.1]RU[4]SZ[15]PB[a]PW[b]RE[W+1]"
        "TE[White win by time forfeit]\n;B[hh]C[opening move];W[ig]C[opening move]\n;B[ii]C[123ms];W[gg]C[4ms])\n\n"
    )
    assert game == Game(
        width=15, height=15, rule=Rule.RENJU, moves=stones("h8i7i9g7"), opening_plies=2, times_ms=(0, 0, 123, 4),
        black="a", white="b", winner=WHITE, finished=True, termination="timeout", event="a x b",
        date="2026-11-29 10:20:30", round="3.1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("RE[B+]", (True, BLACK, "")),
        ("RE[b+1]RE[W+1]", (True, BLACK, "")),
        ("RE[w+R]", (True, WHITE, "resignation")),
        ("RE[White+T]", (True, WHITE, "timeout")),
        ("RE[B+five]", (True, BLACK, "five")),
        ("RE[B+F]TE[crash]", (True, BLACK, "crash")),
        ("RE[0]TE[Draw by fullfilled board]", (True, None, "full board")),
        ("RE[0]TE[Draw by adjudication]", (True, None, "adjudication")),
        ("RE[W+1]TE[Black play forbidden move - double four]", (True, WHITE, "forbidden")),
        ("RE[B+1]TE[Black win by opponent illegal move]", (True, BLACK, "illegal")),
        ("RE[*]TE[Unterminated]", (False, None, "")),
        ("RE[?]", (False, None, "")),
        ("", (False, None, "")),
    ],
)
def test_sgf_results(result: str, expected: tuple[bool, Color | None, str]) -> None:
    game = sgf_game(f"(;GM[4]SZ[15]{result};B[hh])")
    assert (game.finished, game.winner, game.termination) == expected
    assert game.errors == ()


def test_sgf_several_games_and_what_is_between_them() -> None:
    games = sgf.loads("Subject: games (two)\n(;SZ[15];B[hh])\nand\n( ; SZ [20:9] ; B [ti] ; W [aa] )")
    assert [(game.width, game.height, len(game.moves), game.errors) for game in games] == [
        (15, 15, 1, ()),
        (20, 9, 2, ()),
    ]


def test_sgf_variations_are_left_out() -> None:
    game = sgf_game("(;SZ[15];B[hh](;W[ii]C[main](;B[gg])(;B[ff];W[ee](;B[aa])(;B[bb])))(;W[jj]))")
    assert game.moves == stones("h8i9g7")
    assert game.comments == ("", "main", "")
    assert game.errors == ("variations are left out: 4 with 5 nodes",)


@pytest.mark.parametrize(
    ("text", "moves", "words"),
    [
        ("(;SZ[15];B[hh];W[ii]", "h8i9", ["not closed"]),
        ("(;SZ[15];B[hh];W[i", "h8", ["not closed", "move 2: 'i' is not a point"]),
        ("(;SZ[15];B[hh];W[];B[];W[ii])", "h8i9", ["passes are left out: 2"]),
        ("(;SZ[15];B[hh];W[tt];B[TT])", "h8", ["passes are left out: 2"]),
        ("(;SZ[15];B[hh];W[ll]W[kk])", "h8l12", ["move 3 is white's out of turn"]),
        ("(;SZ[15];B[hh];B[ll];W[kk])", "h8", ["move 2 is black's out of turn"]),
        ("(;SZ[15];W[hh];B[ll])", "", ["move 1 is white's out of turn"]),
        ("(;SZ[15];B[hh];W[hh];B[ii])", "h8", ["move 2, 'hh', is on an occupied point"]),
        ("(;SZ[15];B[hh];W[pa];B[ii])", "h8", ["move 2: 'pa' is not on a board"]),
        ("(;SZ[15];B[hh];W[?!];B[ii])", "h8", ["move 2: '?!' is not a point"]),
        ("(;SZ[15]AB[aa][bb]AW[cc];B[hh])", "h8", ["set-up stones (AB, AW, AE) are left out: 3"]),
        ("(;B[hh])", "h8", ["SZ[] tells no board size; 15"]),
        ("(;SZ[big];B[hh])", "h8", ["SZ[big] tells no board size; 15"]),
        ("(;SZ[37];B[hh])", "", ["37 by 37 points are not supported"]),
        ("(;SZ[15]GM[1];B[hh])", "h8", ["GM[1] is another game"]),
        ("(;SZ[15]RU[Pente];B[hh])", "h8", ["RU[Pente] is unknown"]),
        ("(;SZ[15]RE[maybe];B[hh])", "h8", ["RE[maybe] is unknown"]),
        ("(;SZ[15] what ;B[hh])", "h8", ["belongs to no property is left out, in 1 places"]),
        ("(;SZ[15];B[H1];W[a15])", "h15a1", ["row 1 at the bottom"]),
    ],
)
def test_sgf_repairs_are_told(text: str, moves: str, words: list[str]) -> None:
    game = sgf_game(text)
    assert game.moves == stones(moves)
    assert [word in error for word, error in zip(words, game.errors, strict=True)] == [True] * len(words)


def test_sgf_points_in_other_spellings() -> None:
    assert sgf_game("(;SZ[15];B[HH];W[7,8])").moves == stones("h8h9")
    (top,) = sgf.loads("(;SZ[15];B[h1])", origin="top")
    assert (top.moves, top.errors) == (stones("h1"), ("points such as 'h8' were read with row 1 at the top",))
    with pytest.raises(ValueError, match="'middle'"):
        sgf.loads("(;SZ[15])", origin="middle")


def test_sgf_tt_is_a_point_of_large_boards() -> None:
    assert sgf_game("(;SZ[20];B[tt])").moves == (Move(19, 19),)


@pytest.mark.parametrize(
    ("properties", "black", "white"),
    [
        (r"PB[a\]b]PW[c\\]", "a]b", "c\\"),
        ("PB[a]b]PW[[c] d]", "a]b", "[c] d"),
        ("PB[B\\]PW[w]", "B\\", "w"),
        ("PB[b]PW[W\\]", "b", "W\\"),
        (r"PB[a\:b]PW[w (2.1; x64)]", "a:b", "w (2.1; x64)"),
        ("PlayerBlack[b]PlayerWhite[two\nlines]", "b", "two lines"),
        ("pb[b]\nPW \t[soft\\\nbreak]", "b", "softbreak"),
    ],
)
def test_sgf_texts_escaped_and_not(properties: str, black: str, white: str) -> None:
    game = sgf_game(f"(;SZ[15]{properties};B[hh];W[ii])")
    assert (game.black, game.white, game.moves, game.errors) == (black, white, stones("h8i9"), ())


def test_sgf_comments_times_and_openings() -> None:
    game = sgf_game(
        "(;SZ[15]C[of the game];C[opening move; given]B[hh];W[ii]C[ +0.1\\]/9\r\nbest]C[15ms ];B[gg]C[opening move])"
    )
    assert game.comments == ("given", "+0.1]/9\nbest", "opening move")
    assert (game.times_ms, game.opening_plies) == ((0, 15, 0), 1)
    assert sgf_game(sgf.dumps(game)).comments == game.comments


def test_sgf_a_game_that_was_cut_off_does_not_hide_the_next() -> None:
    games = sgf.loads("(;FF[4]SZ[15];B[hh]\n(;FF[4]SZ[15];B[aa])")
    assert [game.moves for game in games] == [stones("h8"), stones("a1")]
    assert [len(game.errors) for game in games] == [1, 0]


def test_sgf_encodings() -> None:
    text = "(;GM[4]CA[GBK]SZ[15]PB[王];B[hh])"
    assert sgf.loads(text.encode("gbk"))[0].black == "王"
    assert sgf.loads(text.encode("utf-16"))[0].black == "王"
    assert sgf.loads(b"\xef\xbb\xbf" + text.encode(), encoding="utf-8")[0].black == "王"
    assert sgf.loads(text.replace("GBK", "shift-jis").encode("gbk"), encoding="gbk")[0].black == "王"
    for charset in ("punycode", "klingon"):
        (game,) = sgf.loads(text.replace("GBK", charset).encode())
        assert game.black == "王"
        assert game.errors == (f"the character set CA[{charset}] is unknown; UTF-8 was taken",)
    (replaced,) = sgf.loads(text.replace("CA[GBK]", "").encode("gbk"))
    assert (replaced.moves, len(replaced.errors)) == (stones("h8"), 1)
    with pytest.raises(ValueError, match="unknown text encoding 'klingon'"):
        sgf.loads(text.encode(), encoding="klingon")


@pytest.mark.parametrize("text", ["", "h8i9", "(B[hh])", b"\xff\xfe", "[;](", ")"])
def test_sgf_refuses_what_it_is_not(text: str | bytes) -> None:
    with pytest.raises(ValueError, match="no SGF game in the text"):
        sgf.loads(text)


@pytest.mark.parametrize(
    "piece",
    [
        "(;",
        "(;B[hh]",
        ")",
        "]",
        "C[",
        "C[a]\\]",
        "PB[x\\]",
        "PB[x\\]RE[y",
        "a",
        " ",
        "(;FF[4]",
        "AB[aa]",
        "\\",
        "5A[b]",
    ],
)
def test_sgf_deep_and_long_texts_take_no_recursion_and_no_square_time(piece: str) -> None:
    assert len(sgf.loads("(;SZ[15];B[hh]" + piece * 10_000)) >= 1


# --- Any bytes ---

FRAGMENTS = [
    "(",
    ";",
    ")",
    "[",
    "]",
    "\\",
    "B[",
    "W[",
    "hh",
    "tt",
    "h8",
    "SZ[15]",
    "SZ[",
    "PB[",
    "C[",
    "RE[B+",
    "AB[aa]",
]
FRAGMENTS += ["FF[4]", "CA[gbk]", "8,8,0", "9,9,", ",5", "-1", "15", "0,x", "\r\n", "\n", " ", "a"]
PIECES = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
ANYTHING = st.binary(max_size=200) | PIECES.map(str.encode) | PIECES.map(lambda text: text.encode("utf-16"))


@settings(deadline=None)
@given(data=ANYTHING, rule=st.sampled_from([None, *Rule]))
def test_psq_of_any_bytes(data: bytes, rule: Rule | None) -> None:
    game = psq.loads(b"Piskvorky 15x15, 11:11, 0\n" + data, rule=rule)
    assert psq.loads(psq.dumps(game), rule=rule).moves == game.moves
    with pytest.raises(ValueError, match="is no header"):
        psq.loads(b"." + data, rule=rule)


@settings(deadline=None)
@given(data=ANYTHING)
def test_sgf_of_any_bytes(data: bytes) -> None:
    (game, *_) = sgf.loads(b"(;" + data)
    (again,) = sgf.loads(sgf.dumps(game))
    assert again.moves == game.moves
    with suppress(ValueError):  # and nothing else
        sgf.loads(data)


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_sgf_of_any_text(text: str) -> None:
    (game, *_) = sgf.loads("(;SZ[15]PB[" + text)
    assert sgf.loads(sgf.dumps(game))[0].black == game.black


@settings(deadline=None, max_examples=50)
@given(game=games(), length=st.integers(40, 400))
def test_files_that_are_cut_off_keep_their_beginning(game: Game, length: int) -> None:
    from_psq = psq.loads(psq.dumps(game)[:length], rule=None)
    (from_sgf,) = sgf.loads(sgf.dumps(game).encode()[:length])
    for found in (from_psq, from_sgf):
        assert found.moves == game.moves[: len(found.moves)]
    assert len(from_psq.moves) >= min(len(game.moves), (length - 40) // 16)  # a line has 16 bytes at most


@settings(deadline=None, max_examples=50)
@given(game=games(), start=st.integers(0, 400), stop=st.integers(0, 400), filler=st.binary(max_size=3))
def test_files_with_holes(game: Game, start: int, stop: int, filler: bytes) -> None:
    for data, load in (
        (psq.dumps(game), lambda data: psq.loads(data, rule=None)),
        (sgf.dumps(game).encode(), sgf.loads),
    ):
        with suppress(ValueError):  # and nothing else
            load(data[:start] + filler + data[stop:])
