"""The report of a match: numbers computed by hand, pages that are well formed and obey nobody but their author."""

from __future__ import annotations

import argparse
import io
import math
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.match import Match, MatchError, MatchRecord, Player, Sprt, Terms, read_log
from gomoku.match.charts import Table, interval, interval_chart, progress_chart
from gomoku.match.log import MatchLog
from gomoku.match.report import MatchReport, add_arguments, run
from gomoku.match.result import End, GameResult, PairResult
from gomoku.match.stats import Estimate
from gomoku.types import BLACK, WHITE, Color, Move

MOVES = tuple(Move(x, y) for y in range(15) for x in range(15))
EVIL = "<script>alert('x')</script>\" onload=\"y"


def settings(*names: str, rounds: int = 10, sprt: Sequence[object] | None = None, **more: object) -> dict[str, object]:
    players = {name: f"nodes=300 '{name}'" for name in names}
    known = {"version": "1.2", "players": players, "terms": Terms().to_dict(), "openings": "abc", "rounds": rounds}
    return {**known, "gauntlet": False, "sprt": sprt, "seed": 7, "node_jitter": 0.0, **more}


def game(black: str, white: str, winner: Color | None, end: End | None = None, **more: object) -> GameResult:
    end = end or (End.FULL_BOARD if winner is None else End.FIVE)
    values = {"moves": MOVES[:10], "opening_plies": 3, "times_ms": (10, 20, 30, 40, 50, 60, 70), "depths": (5,) * 7}
    return GameResult(black=black, white=white, winner=winner, end=end, **{**values, **more})  # type: ignore[arg-type]


def pair(number: int, points: float, first: str = "new", second: str = "old") -> PairResult:
    """Both games: the first one decides what is over 1 point or under it."""
    winners = {0: (WHITE, BLACK), 0.5: (WHITE, None), 1: (BLACK, BLACK), 1.5: (BLACK, None), 2: (BLACK, WHITE)}[points]
    games = (game(first, second, winners[0]), game(second, first, winners[1]))
    return PairResult(number=number, first=first, second=second, games=games, host="here")


def forfeited(number: int, end: End = End.CRASH, detail: str = "old: gone") -> PairResult:
    games = (game("new", "old", BLACK, end, detail=detail), game("old", "new", BLACK))
    return PairResult(number=number, first="new", second="old", games=games, host="there")


def two_players(points: Sequence[float], **more: object) -> MatchRecord:
    return MatchRecord(settings("new", "old", **more), [pair(n, p) for n, p in enumerate(points)])  # type: ignore[arg-type]


def three_players() -> MatchRecord:
    results = [pair(0, 2, "a", "b"), pair(1, 1.5, "a", "c"), pair(2, 1, "b", "c"), pair(3, 0.5, "a", "b")]
    return MatchRecord(settings("a", "b", "c", rounds=2), results)


def evil_record() -> MatchRecord:
    names = (EVIL, "\x1b[31m\ud800\u202e")
    lost = game(*names, BLACK, End.ILLEGAL, detail=f"{EVIL}\x00\n\x1b[2J")
    result = PairResult(
        number=0, first=names[0], second=names[1], games=(lost, game(names[1], names[0], None)), host=EVIL
    )
    return MatchRecord(settings(*names, version=EVIL, openings=EVIL), [result])


RECORDS = {
    "nothing played": two_players([], sprt=[0, 5, 0.05, 0.05, "normalized"]),
    "one pair": two_players([2], sprt=[0, 5, 0.05, 0.05, "logistic"]),
    "won all": two_players([2] * 9, sprt=[-3, 5, 0.05, 0.05, "normalized"]),
    "lost all": two_players([0] * 9),
    "mixed": two_players([2, 1, 0.5, 1.5, 0, 1, 1] * 4, rounds=300, sprt=[0, 5, 0.05, 0.05, "normalized"]),
    "forfeits": MatchRecord(settings("new", "old"), [forfeited(n) for n in range(9)]),
    "three": three_players(),
    "three, nothing played": MatchRecord(settings("a", "b", "c"), []),
    "gauntlet": MatchRecord(settings("a", "b", "c", "d", gauntlet=True), [pair(0, 2, "a", "c")]),
    "evil": evil_record(),
    "evil three": MatchRecord(settings("a", "b", EVIL), [pair(0, 2, "a", EVIL)]),
}


def rows(report: str, title: str) -> list[list[str]]:
    """The cells of a table of the text, its heads first; cells have no double blanks."""
    blocks = [block.splitlines() for block in report.split("\n\n")]
    block = next(block for block in blocks if block[0].startswith(title))
    return [[cell for cell in (part.strip() for part in line.split("  ")) if cell] for line in block[1:]]


def figure(report: str, label: str) -> str:
    """The value and the note of a figure of the text."""
    lines = (line.strip() for line in report.splitlines())
    return next(line.removeprefix(label).strip() for line in lines if line.startswith(f"{label}  "))


def test_two_players_numbers_by_hand() -> None:
    # score 0.6, so 400 log10(0.6 / 0.4) = 70.44; the pair variance is (3 * 0.01 + 2 * 0.0225) / 5 = 0.015, the standard
    # error sqrt(0.015 / 4) = 0.06124, Student's factor for 4 degrees 2.7764, and the ends of the score 0.42998 and
    # 0.77002, in Elo -48.97 and 209.94; LOS is Student's distribution at 0.1 / 0.06124
    report = MatchReport(two_players([1, 1, 1, 1.5, 1.5]))
    text = report.text()
    assert "result: W=5 D=2 L=3 score=0.600 elo=70.4+-129.5 los=0.911 forfeits=0" in text.splitlines()
    assert figure(text, "pairs") == "5 of 10"
    assert "60.0%" in figure(text, "score")
    assert "[0, 0, 3, 2, 0]" in figure(text, "pair results")
    assert figure(text, "Elo").startswith("+70.4 ± 129.5")
    # 800 / ln 10 * 0.1 / (sqrt 2 * sqrt 0.015) = 200.6, error 347.4 * 1.96 / sqrt 10
    assert figure(text, "normalized Elo").startswith("+200.6 ± 215.3")
    assert figure(text, "LOS").startswith("91.1%")
    assert "LLR" not in text


def test_games_lengths_and_black() -> None:
    text = MatchReport(two_players([1, 1.5])).text()  # black wins 3 of 4 games, one is drawn
    assert figure(text, "score of black").startswith("87.5%")
    assert "1 game drawn" in figure(text, "score of black")
    assert figure(text, "mean length").startswith("10.0 plies")


@pytest.mark.parametrize(
    ("points", "says"),
    [([2] * 60, "H1 accepted: Elo 50 rather than 0"), ([0] * 60, "H0 accepted: Elo 0 rather than 50")],
)
def test_the_test_decides(points: list[float], says: str) -> None:
    record = two_players(points, rounds=100, sprt=[0, 50, 0.05, 0.05, "logistic"])
    report = MatchReport(record)
    assert report.result is not None
    assert report.result.complete
    assert report.result.llr == Sprt(0, 50).llr(report.tables["new", "old"])
    assert says in figure(report.text(), "LLR")
    assert "bounds -2.94 and 2.94" in figure(report.text(), "LLR")
    assert says in report.html()


def test_an_open_test_is_undecided() -> None:
    report = MatchReport(two_players([1, 1.5], sprt=[0, 5, 0.05, 0.05, "normalized"]))
    assert "undecided" in figure(report.text(), "LLR")
    assert report.result is not None
    assert not report.result.complete


def test_more_than_one_percent_of_forfeits_withholds_the_verdict() -> None:
    fair = [pair(n, 2) for n in range(49)]
    values = settings("new", "old", rounds=50, sprt=[0, 50, 0.05, 0.05, "logistic"])
    once = MatchReport(MatchRecord(values, [*fair, forfeited(49)]))
    assert once.forfeits == 1
    assert "WARNING" not in once.text()
    assert once.result is not None
    assert once.result.verdict == "H1"
    twice = MatchReport(MatchRecord(values, [*fair[:-1], forfeited(48), forfeited(49)]))
    assert "WARNING: 2 of 100 games (2.0%) were forfeited, more than 1%" in twice.text()
    assert twice.result is not None
    assert twice.result.verdict is None
    assert "no verdict" in figure(twice.text(), "LLR")
    assert "accepted" not in twice.text() + twice.html()
    assert 'role="alert"' in twice.html()
    assert 'role="alert"' not in once.html()


def test_how_games_ended() -> None:
    ends = [(BLACK, End.ADJUDICATION), (None, End.DRAW), (WHITE, End.FORBIDDEN), (BLACK, End.TIMEOUT)]
    games = [game("new", "old", winner, end) for winner, end in ends]
    results = [
        PairResult(number=n, first="new", second="old", games=(one, game("old", "new", None)))
        for n, one in enumerate(games)
    ]
    assert rows(MatchReport(MatchRecord(settings("new", "old"), results)).text(), "How games ended") == [
        ["engine", "forbidden", "full board", "draw", "adjudication", "timeout (forfeit)"],
        ["new", "0-1", "=4", "=1", "1-0", "1-0"],
        ["old", "1-0", "=4", "=1", "0-1", "0-1"],
    ]


def test_time_goes_to_who_moved() -> None:
    # three opening stones, so white moves first: 10 30 50 70 for white, 20 40 60 for black, in both games
    assert rows(MatchReport(two_players([1])).text(), "Time of a move") == [
        ["engine", "moves", "median ms", "max ms", "median depth"],
        ["new", "7", "40", "70", "5"],
        ["old", "7", "40", "70", "5"],
    ]
    one = game("new", "old", BLACK, times_ms=(9, 1, 9), depths=(0, 3, 0), opening_plies=4, moves=MOVES[:7])
    two = game("old", "new", BLACK, times_ms=(), depths=())
    record = MatchRecord(settings("new", "old"), [PairResult(number=0, first="new", second="old", games=(one, two))])
    assert rows(MatchReport(record).text(), "Time of a move")[1:] == [
        ["new", "2", "9", "9", "-"],
        ["old", "1", "1", "1", "3"],
    ]


def test_cross_table_and_meetings() -> None:
    text = MatchReport(three_players()).text()
    assert rows(text, "Cross table") == [
        ["#", "engine", "all", "1", "2", "3"],
        ["1", "a", "4/6", "x", "2.5/4", "1.5/2"],
        ["2", "b", "2.5/6", "1.5/4", "x", "1/2"],
        ["3", "c", "1.5/4", "0.5/2", "1/2", "x"],
    ]
    meetings = rows(text, "Meetings")
    assert [row[:8] for row in meetings[1:]] == [
        ["a", "b", "0", "1", "0", "0", "1", "62.5%"],
        ["a", "c", "0", "0", "0", "1", "0", "75.0%"],
        ["b", "c", "0", "0", "1", "0", "0", "50.0%"],
    ]
    assert [row[1] for row in rows(text, "Ratings")] == ["engine", "a", "b", "c"]
    assert "result:" not in text
    assert figure(text, "pairs") == "4 of 6"


def test_engines_that_are_not_linked_are_not_compared() -> None:
    record = MatchRecord(settings("a", "b", "c", "d"), [pair(0, 2, "a", "b"), pair(1, 2, "c", "d")])
    ratings = rows(MatchReport(record).text(), "Ratings")
    assert ratings[0][-1] == "group"
    assert {row[1]: row[-1] for row in ratings[1:]} == {"a": "1", "b": "1", "c": "2", "d": "2"}
    assert "cannot be compared" in MatchReport(record).html()


def test_a_gauntlet_has_fewer_meetings() -> None:
    report = MatchReport(RECORDS["gauntlet"])
    assert set(report.tables) == {("a", "b"), ("a", "c"), ("a", "d")}
    assert figure(report.text(), "pairs") == "1 of 30"
    with pytest.raises(MatchError, match="do not meet"):
        MatchReport(MatchRecord(settings("a", "b", "c", gauntlet=True), [pair(0, 2, "b", "c")]))


def test_columns_are_aligned_also_for_ideographs() -> None:
    lines = Table("t", ("engine", "n"), "lr", [("五子棋", "1"), ("ab", "222"), ("e\u0301", "3")]).lines()
    assert lines == ["t", "  engine    n", "  五子棋    1", "  ab      222", "  e\u0301         3"]


def test_forfeits_are_listed() -> None:
    record = MatchRecord(settings("new", "old", rounds=30), [forfeited(n) for n in range(25)])
    report = MatchReport(record)
    listed = rows(report.text(), "Forfeited games")
    assert listed[1] == ["1.1", "old", "white", "new", "crash", "10", "there", "old: gone"]
    assert len(listed) == 21
    assert "and 5 more" in report.text()
    assert report.html().count("old: gone") == 25
    assert "more; --html" not in report.html()


def test_settings_are_told() -> None:
    terms = Terms(draw_after=100, win_score=900, win_plies=4).to_dict()
    values = settings("new", "old", terms=terms, node_jitter=0.25, sprt=[0, 5, 0.1, 0.05, "normalized"])
    line = MatchReport(MatchRecord(values, [])).text().splitlines()[1]
    assert line == (
        "freestyle 15x15; 10 pairs a meeting; 0.2 s of tolerance; drawn after 100 plies; won at a score of 900 for "
        "4 plies; SPRT of normalized Elo 0 and 5, risks 0.1 and 0.05; openings abc; seed 7; nodes varied by 25%; "
        "fukumi 1.2"
    )


class Tags(HTMLParser):
    """All tags and attribute names, and whether every tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", RECORDS)
def test_pages_are_well_formed_and_need_nothing(name: str) -> None:
    page = MatchReport(RECORDS[name]).html()
    page.encode()
    root = ET.fromstring(page)
    parsed = Tags(page)
    assert not parsed.open
    assert parsed.tags.isdisjoint({"script", "link", "img", "iframe", "object", "image", "use", "a"})
    assert not {attribute for attribute in parsed.attributes if attribute.startswith("on")} | (
        parsed.attributes & {"src", "href", "style"}
    )
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page
    for chart in root.iterfind(".//svg[@role='img']"):
        assert chart.get("aria-label")
        for element in chart.iter():
            drawn = {key: value for key, value in element.items() if key not in ("aria-label", "class", "role")}
            numbers = " ".join(drawn.values()).replace(",", " ").split()
            assert all(math.isfinite(float(number)) for number in numbers), drawn


@pytest.mark.parametrize("name", RECORDS)
def test_texts_hold_nothing_that_a_terminal_obeys(name: str) -> None:
    text = MatchReport(RECORDS[name]).text()
    text.encode()
    assert text.replace("\n", "").isprintable()
    assert text.endswith("\n")


def test_names_and_details_are_shown_as_they_are() -> None:
    root = ET.fromstring(MatchReport(RECORDS["evil"]).html())
    cells = {"".join(cell.itertext()) for cell in root.iterfind(".//tr/*")}
    assert EVIL in cells
    assert f"{EVIL}\ufffd\ufffd\ufffd[2J" in cells


def charts(page: str) -> dict[str, ET.Element]:
    return {
        str(chart.get("aria-label")).split(":")[0]: chart
        for chart in ET.fromstring(page).iterfind(".//svg[@role='img']")
    }


def test_which_charts_there_are() -> None:
    both = {"Elo of new", "Pair results"}
    assert not charts(MatchReport(RECORDS["nothing played"]).html())
    assert set(charts(MatchReport(RECORDS["lost all"]).html())) == both
    assert set(charts(MatchReport(RECORDS["mixed"]).html())) == both | {"Log-likelihood ratio of the test"}
    assert set(charts(MatchReport(RECORDS["three"]).html())) == {"Elo of the engines"}


def test_columns_grow_with_their_counts() -> None:
    chart = charts(MatchReport(two_players([2, 2, 2, 2, 1, 1, 0])).html())["Pair results"]
    heights = [float(bar.get("height", "")) for bar in chart.iterfind("rect")]
    assert heights[1] == heights[3] == 0
    assert [height / heights[0] for height in heights] == pytest.approx([1, 0, 2, 0, 4], abs=0.01)
    assert [text.text for text in chart.iterfind("text")] == ["1", "0", "0", "0.5", "2", "1", "0", "1.5", "4", "2"]


def test_the_running_estimate_ends_with_the_result() -> None:
    record = two_players([2, 1, 0.5, 1.5, 0, 1, 1] * 100)
    chart = charts(MatchReport(record).html())["Elo of new"]
    hints = [title.text or "" for title in chart.iterfind(".//title")]
    assert 100 < len(hints) <= 150
    result = figure(MatchReport(record).text(), "Elo").split("  ")[0]
    assert hints[-1] == f"700 pairs: {result}"
    marks = chart.findall("circle")
    line = chart.find(".//polyline")
    assert line is not None
    last = line.get("points", "").split()[-1].split(",")
    frame = chart.find("svg")
    assert frame is not None
    assert float(marks[0].get("cx", "")) == float(last[0]) + float(frame.get("x", ""))
    assert float(marks[0].get("cy", "")) == pytest.approx(float(last[1]) + float(frame.get("y", "")))


def test_levels_and_intervals_lie_where_they_belong() -> None:
    points = [(n, Estimate(0.0, 0.0, 0.0, 0.0)) for n in (1, 2)]
    chart = ET.fromstring(progress_chart("LLR", points, [(-2.0, "H0"), (2.0, "H1")]))
    low, high = (float(line.get("y1", "")) for line in chart.iterfind(".//line[@class='level']"))
    middle = float(chart.find(".//circle").get("cy", ""))  # type: ignore[union-attr]
    assert high < middle < low
    assert middle == pytest.approx((low + high) / 2, abs=0.2)
    rows_chart = ET.fromstring(interval_chart("Elo", "", [("x" * 99, Estimate(50.0, 20.0, 30.0, 70.0))]))
    bar, dot = rows_chart.find(".//g/line"), rows_chart.find(".//circle")
    assert bar is not None
    assert dot is not None
    ends = [float(bar.get(key, "")) for key in ("x1", "x2")]
    assert float(dot.get("cx", "")) == pytest.approx(sum(ends) / 2, abs=0.2)
    assert max(len(text.text or "") for text in rows_chart.iterfind(".//g/text")) == 20


def test_intervals_as_text() -> None:
    assert interval(Estimate(-math.inf, math.inf, -math.inf, -20.0)) == "-inf, at most -20.0"
    assert interval(Estimate(0.0, math.inf, -math.inf, math.inf)) == "unknown"


@pytest.mark.parametrize(
    "change",
    [
        {"players": None},
        {"players": ["a", "b"]},
        {"players": {"a": "fukumi"}},
        {"terms": {"width": 15, "height": 15}},
        {"terms": {**Terms().to_dict(), "tolerance": None}},
        {"sprt": [5, 0]},
        {"sprt": 3},
        {"rounds": "many"},
        {"rounds": math.inf},
    ],
)
def test_settings_that_make_no_sense(change: dict[str, object]) -> None:
    with pytest.raises(MatchError):
        MatchReport(MatchRecord({**settings("a", "b"), **change}, []))


def test_results_that_make_no_sense() -> None:
    with pytest.raises(MatchError, match="pair 3 is of 'new' and 'x'"):
        MatchReport(MatchRecord(settings("new", "old"), [pair(3, 1, "new", "x")]))
    strange = PairResult(
        number=4, first="new", second="old", games=(game("new", "x", BLACK), game("old", "new", BLACK))
    )
    with pytest.raises(MatchError, match="pair 4 has a game"):
        MatchReport(MatchRecord(settings("new", "old"), [strange]))


def test_the_first_result_of_a_pair_counts() -> None:
    report = MatchReport(MatchRecord(settings("new", "old"), [pair(0, 2), pair(0, 0), pair(1, 1)]))
    assert list(report.tables["new", "old"]) == [0, 0, 1, 0, 1]


def test_a_real_log_says_what_the_match_says(tmp_path: Path) -> None:
    players = [
        Player(name=name, engine=Engine, limit=Limit(nodes=nodes)) for name, nodes in (("new", 300), ("old", 30))
    ]
    match = Match(players, pairs=2, sprt=Sprt(0, 5), out=tmp_path / "log.jsonl")
    expected = match.run()
    match.close()
    report = MatchReport(read_log(tmp_path / "log.jsonl"))
    assert report.result == expected
    assert report.tables == match.schedule.tables


def write_log(path: Path, record: MatchRecord) -> None:
    log = MatchLog(path, record.settings)
    for result in record.results:
        log.append(result)
    log.close()


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args(words))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "log.jsonl", tmp_path / "page.html"
    write_log(log, RECORDS["three"])
    assert call(str(log)) == 0
    assert capsys.readouterr().out == MatchReport(RECORDS["three"]).text()
    assert call(str(log), "--html", str(page)) == 0
    assert page.read_text(encoding="utf-8") == MatchReport(RECORDS["three"]).html()


def test_the_command_refuses(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_log(log, RECORDS["three"])
    before = log.read_bytes()
    with pytest.raises(MatchError, match="is the log itself"):
        call(str(log), "--html", str(tmp_path / "." / "log.jsonl"))
    assert log.read_bytes() == before
    with pytest.raises(OSError, match="none"):
        call(str(tmp_path / "none"))
    (tmp_path / "other").write_text("{}\n")
    with pytest.raises(MatchError, match="no match log"):
        call(str(tmp_path / "other"))


def test_a_terminal_without_all_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.jsonl"
    write_log(log, two_players([1, 1.5]))
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    assert call(str(log)) == 0
    assert rb"\xb1" in raw.getvalue()
