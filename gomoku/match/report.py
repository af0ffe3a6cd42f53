"""What a match log says, for the terminal and for the browser, and the command ``fukumi report``.

Both outputs show the same figures and tables; the HTML page adds charts. Nothing but the log is needed, so a match can
be looked at while it is being played, or on another machine.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from gomoku.match import charts
from gomoku.match.charts import Figure, Table, counted, escaped, interval, printable
from gomoku.match.log import MatchRecord, read_log
from gomoku.match.match import MatchResult
from gomoku.match.player import MatchError, Terms
from gomoku.match.ratings import Rating, cross_table, rate
from gomoku.match.result import End, GameResult, PairResult
from gomoku.match.schedule import FORFEITS_ALLOWED, meetings
from gomoku.match.sprt import Sprt
from gomoku.match.stats import Estimate, Pentanomial, elo_estimate, los, nelo_estimate
from gomoku.types import Color

DESCRIPTION = "Say what a match log tells about its engines, also while the match is being played."

_CURVE_POINTS = 150
_FORFEITS_IN_TEXT = 20
_PAIR_KINDS = ("0", "0.5", "1", "1.5", "2")


class MatchReport:
    """What a match log says about its engines.

    Args:
        record: the log.

    Raises:
        MatchError: the log contradicts itself.

    Attributes:
        names: the players in the order of the match.
        pairs: the pairs in the order in which they ended.
        tables: for every two players that meet, their pairs by points of the first.
        forfeits: games that ended for a reason outside the game.
        result: what the match says about the first of two players; ``None`` with more of them.

    Example:
        >>> from gomoku.match.player import Terms
        >>> settings = {"players": {"a": "fukumi", "b": "fukumi"}, "terms": Terms().to_dict(), "rounds": 10}
        >>> print(MatchReport(MatchRecord(settings, [])).text().splitlines()[0])
        a against b
    """

    def __init__(self, record: MatchRecord) -> None:
        settings = record.settings
        try:
            self._commands = {str(name): str(command) for name, command in settings["players"].items()}
            self._terms = Terms.from_dict(settings["terms"])
            self._sprt = Sprt(*settings["sprt"]) if settings.get("sprt") else None
            self._gauntlet = bool(settings.get("gauntlet"))
            reach = settings.get("reach")
            places = meetings(len(self._commands), gauntlet=self._gauntlet, reach=None if reach is None else int(reach))
            self._rounds = int(settings["rounds"])
            self._description = self._describe(settings)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise MatchError(f"the log's settings make no sense ({type(error).__name__}: {error})") from None
        self.names = tuple(self._commands)
        if len(self.names) < 2:
            raise MatchError(f"the log names {len(self.names)} players; a match has two or more")
        self.tables = dict.fromkeys([(self.names[one], self.names[two]) for one, two in places], Pentanomial())
        numbered: dict[int, PairResult] = {}
        for pair in record.results:
            self._check(pair)
            numbered.setdefault(pair.number, pair)
        self.pairs = tuple(numbered.values())
        for pair in self.pairs:
            self.tables[pair.first, pair.second] += Pentanomial.from_pair_scores([pair.points])
        self._games = [game for pair in self.pairs for game in pair.games]
        self.forfeits = sum(pair.forfeits for pair in self.pairs)
        self.result = self._result() if len(self.names) == 2 else None

    @property
    def trustworthy(self) -> bool:
        """Whether so few games were forfeited that the others say something."""
        return self.forfeits <= FORFEITS_ALLOWED * max(2, len(self._games))

    def text(self) -> str:
        """Return the report for a terminal, in lines that end with a newline."""
        lines = [self._title(), self._description, ""]
        if self.result:
            lines.append(str(self.result))
        lines += [f"WARNING: {warning}" for warning in self._warnings()]
        figures = list(self._figures())
        broad = max(len(figure.label) for figure in figures)
        lines += [f"{figure.label:>{broad}}  {figure.value}  {figure.note}".rstrip() for figure in figures]
        for table in self._all_tables(_FORFEITS_IN_TEXT):
            lines += ["", *table.lines()]
        return "".join(f"{printable(line)}\n" for line in lines)

    def html(self) -> str:
        """Return the report as a page that needs no other file."""
        parts = [f"<h1>{escaped(self._title())}</h1>", f'<p class="quiet">{escaped(self._description)}</p>']
        parts += [f'<p class="warning" role="alert">Warning: {escaped(warning)}</p>' for warning in self._warnings()]
        parts += ["<dl>", *(figure.html() for figure in self._figures()), "</dl>"]
        parts += ['<div class="cards">', *self._charts(), *(table.html() for table in self._all_tables(None)), "</div>"]
        return charts.page(self._title(), "\n".join(parts))

    def _check(self, pair: PairResult) -> None:
        players = {pair.first, pair.second}
        if (pair.first, pair.second) not in self.tables:
            raise MatchError(f"pair {pair.number} is of {pair.first!r} and {pair.second!r}, who do not meet so")
        if any({game.black, game.white} != players for game in pair.games):
            raise MatchError(f"pair {pair.number} has a game that {pair.first!r} and {pair.second!r} did not play")

    def _result(self) -> MatchResult:
        table = self.tables[self.names[0], self.names[1]]
        points = [game.points(self.names[0]) for game in self._games]
        verdict = self._sprt.verdict(table) if self._sprt and self.trustworthy else None
        return MatchResult(
            pentanomial=table,
            wins=points.count(1.0),
            draws=points.count(0.5),
            losses=points.count(0.0),
            forfeits=self.forfeits,
            llr=None if self._sprt is None else self._sprt.llr(table),
            verdict=verdict,
            complete=verdict is not None or len(self.pairs) >= self._rounds,
            trustworthy=self.trustworthy,
        )

    def _title(self) -> str:
        if len(self.names) == 2:
            return " against ".join(self.names)
        if self._gauntlet:
            return f"Gauntlet of {self.names[0]} against {len(self.names) - 1} engines"
        return f"Round robin of {len(self.names)} engines"

    def _describe(self, settings: Mapping[str, Any]) -> str:
        terms, test = self._terms, self._sprt
        words = [f"{terms.rule.label} {terms.width}x{terms.height}", f"{counted(self._rounds, 'pair')} a meeting"]
        words.append(f"{terms.tolerance:g} s of tolerance")
        if terms.draw_after is not None:
            words.append(f"drawn after {terms.draw_after} plies")
        if terms.win_score is not None:
            words.append(f"won at a score of {terms.win_score} for {terms.win_plies} plies")
        if test is not None:
            risks = f"risks {test.alpha:g} and {test.beta:g}"
            words.append(f"SPRT of {test.model} Elo {test.elo0:g} and {test.elo1:g}, {risks}")
        words += [f"{key} {settings[key]}" for key in ("openings", "seed") if key in settings]
        if settings.get("node_jitter"):
            words.append(f"nodes varied by {settings['node_jitter']:.0%}")
        return "; ".join([*words, f"fukumi {settings.get('version', 'of unknown version')}"])

    def _warnings(self) -> Iterator[str]:
        if not self.trustworthy:
            games = len(self._games)
            yield (
                f"{self.forfeits} of {games} games ({self.forfeits / games:.1%}) were forfeited, more than "
                f"{FORFEITS_ALLOWED:.0%}: the result says little about strength, and there is no verdict"
            )

    def _figures(self) -> Iterator[Figure]:
        yield Figure("pairs", f"{len(self.pairs)} of {self._rounds * len(self.tables)}")
        if self.result and self.pairs:
            yield from self._strength(self.result)
        games = len(self._games)
        if games:
            black = sum(game.points(game.black) for game in self._games) / games
            drawn = sum(game.winner is None for game in self._games)
            plies = sum(len(game.moves) for game in self._games) / games
            yield Figure("score of black", f"{black:.1%}", f"{counted(drawn, 'game')} drawn")
            yield Figure("mean length", f"{plies:.1f} plies", "openings included")
            yield Figure("forfeits", str(self.forfeits), f"{self.forfeits / games:.1%} of the games")

    def _strength(self, result: MatchResult) -> Iterator[Figure]:
        table, name = result.pentanomial, self.names[0]
        won = f"{counted(result.wins, 'game')} won, {result.draws} drawn, {result.losses} lost"
        yield Figure("score", f"{table.score:.1%}", won)
        yield Figure("pair results", str(table), f"by points of {name}: {', '.join(_PAIR_KINDS)}")
        yield Figure("Elo", interval(elo_estimate(table)), "95% interval")
        yield Figure("normalized Elo", interval(nelo_estimate(table)), "95% interval")
        yield Figure("LOS", f"{result.los:.1%}", f"likelihood that {name} is stronger")
        if self._sprt and result.llr is not None:
            low, high = self._sprt.bounds
            elos = (self._sprt.elo1, self._sprt.elo0)[:: 1 if result.verdict == "H1" else -1]
            verdict = "undecided" if self.trustworthy else "no verdict, too many forfeits"
            if result.verdict:
                verdict = f"{result.verdict} accepted: Elo {elos[0]:g} rather than {elos[1]:g}"
            yield Figure("LLR", f"{result.llr:+.2f}", f"bounds {low:.2f} and {high:.2f}; {verdict}")

    def _charts(self) -> Iterator[str]:
        if not self.pairs:
            return
        if self.result is None:
            played = [rating for rating in rate(self.tables) if rating.games]
            rows = [(rating.name, _estimate(rating)) for rating in played]
            yield charts.interval_chart("Elo of the engines", "mean 0, with 95% intervals", rows)
            return
        tables = list(_running(self.pairs))
        curve = [(table.pairs, elo_estimate(table)) for table in tables]
        yield charts.progress_chart(f"Elo of {self.names[0]}", curve, [(0.0, "even")])
        if self._sprt is not None:
            low, high = self._sprt.bounds
            values = [(table.pairs, self._sprt.llr(table)) for table in tables]
            ratio = [(pairs, Estimate(value, 0.0, value, value)) for pairs, value in values]
            yield charts.progress_chart("Log-likelihood ratio of the test", ratio, [(low, "H0"), (high, "H1")])
        columns = list(zip(_PAIR_KINDS, self.result.pentanomial, strict=True))
        yield charts.column_chart("Pair results", f"pairs by the points of {self.names[0]}", columns)

    def _all_tables(self, most_forfeits: int | None) -> Iterator[Table]:
        if len(self.names) > 2:
            yield _rating_table(rate(self.tables))
            yield self._cross_table()
            yield self._meeting_table()
        yield Table("Engines", ("engine", "settings and command"), "ll", list(self._commands.items()))
        if self._games:
            yield self._end_table()
            yield self._time_table()
        if self.forfeits:
            yield self._forfeit_table(most_forfeits)

    def _cross_table(self) -> Table:
        names, cells, totals = cross_table(self.tables)
        rows = []
        for i, name in enumerate(names):
            row = ["x" if i == j else _points(cell) for j, cell in enumerate(cells[i])]
            rows.append((str(i + 1), name, _points(totals[i]), *row))
        numbers = tuple(str(i + 1) for i in range(len(names)))
        note = "points out of games; the columns are the engines by their numbers"
        return Table("Cross table", ("#", "engine", "all", *numbers), "rlr" + "r" * len(names), rows, note)

    def _meeting_table(self) -> Table:
        rows = [
            (*names, *map(str, pairs), f"{pairs.score:.1%}", interval(elo_estimate(pairs)), f"{los(pairs):.1%}")
            for names, pairs in self.tables.items()
            if pairs.pairs
        ]
        heads = ("engine", "opponent", *_PAIR_KINDS, "score", "Elo", "LOS")
        return Table("Meetings", heads, "llrrrrrrrr", rows, "pairs by points of the engine; Elo with 95% interval")

    def _end_table(self) -> Table:
        counts: Counter[tuple[str, End, float]] = Counter(
            (name, game.end, game.points(name)) for game in self._games for name in (game.black, game.white)
        )
        seen = [end for end in End if any(game.end is end for game in self._games)]
        rows = [
            (name, *(_balance(*(counts[name, end, points] for points in (1.0, 0.5, 0.0))) for end in seen))
            for name in self.names
        ]
        heads = tuple(f"{end.value} (forfeit)" if end.forfeit else end.value for end in seen)
        return Table("How games ended", ("engine", *heads), "l" + "r" * len(seen), rows, "won-lost, or =drawn")

    def _time_table(self) -> Table:
        times: defaultdict[str, list[int]] = defaultdict(list)
        depths: defaultdict[str, list[int]] = defaultdict(list)
        for game in self._games:
            said = zip(game.times_ms, game.depths, strict=False)
            for number, (time, depth) in enumerate(said, start=game.opening_plies):
                name = (game.black, game.white)[number % 2]
                times[name].append(time)
                depths[name] += [depth] if depth else []
        rows = []
        for name in self.names:
            used, reached = times[name], depths[name]
            spent = (f"{median(used):.0f}", str(max(used))) if used else ("-", "-")
            rows.append((name, str(len(used)), *spent, f"{median(reached):.0f}" if reached else "-"))
        return Table("Time of a move", ("engine", "moves", "median ms", "max ms", "median depth"), "lrrrr", rows)

    def _forfeit_table(self, most: int | None) -> Table:
        rows = [
            (f"{pair.number + 1}.{number}", *_blame(game), game.end.value, str(len(game.moves)), pair.host, game.detail)
            for pair in self.pairs
            for number, game in enumerate(pair.games, start=1)
            if game.end.forfeit
        ]
        shown = rows[:most]
        note = f"and {len(rows) - len(shown)} more; --html lists all" if len(shown) < len(rows) else ""
        heads = ("game", "lost by", "stones", "against", "reason", "plies", "host", "detail")
        return Table("Forfeited games", heads, "lllllrll", shown, note)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("log", metavar="LOG", help="what 'fukumi match --out' has written")
    parser.add_argument("--html", metavar="FILE", help="write a page with charts, too")


def run(options: argparse.Namespace) -> int:
    """Print the report and write the page.

    Raises:
        MatchError: the log is damaged, or the page would overwrite it.
        OSError: a file cannot be read or written.
    """
    report = MatchReport(read_log(options.log))
    encoding = sys.stdout.encoding or "utf-8"
    print(report.text().encode(encoding, "backslashreplace").decode(encoding), end="")
    if options.html:
        target = Path(options.html)
        if target.exists() and target.samefile(options.log):
            raise MatchError(f"{target} is the log itself; name another file for the page")
        target.write_text(report.html(), encoding="utf-8")
    return 0


def _running(pairs: Sequence[PairResult]) -> Iterator[Pentanomial]:
    """The result after every pair, or after every few of many."""
    total = Pentanomial()
    for done, pair in enumerate(pairs, start=1):
        total += Pentanomial.from_pair_scores([pair.points])
        if done * _CURVE_POINTS // len(pairs) > (done - 1) * _CURVE_POINTS // len(pairs):
            yield total


def _estimate(rating: Rating) -> Estimate:
    return Estimate(rating.elo, rating.error, rating.elo - rating.error, rating.elo + rating.error)


def _rating_table(ratings: Sequence[Rating]) -> Table:
    columns = 6 if any(rating.group for rating in ratings) else 5
    rows = []
    for number, rating in enumerate(ratings, start=1):
        numbers = interval(_estimate(rating)), str(rating.games), f"{rating.score:.1%}", str(rating.group + 1)
        rows.append((str(number), rating.name, *numbers)[:columns])
    note = "mean 0, with 95% intervals" + ("; engines of different groups cannot be compared" if columns == 6 else "")
    return Table("Ratings", ("#", "engine", "Elo", "games", "score", "group")[:columns], "rlrrrr"[:columns], rows, note)


def _points(pairs: Pentanomial) -> str:
    return f"{pairs.points:.1f}".removesuffix(".0") + f"/{pairs.games}" if pairs.pairs else "-"


def _balance(won: int, drawn: int, lost: int) -> str:
    decided = f"{won}-{lost}" if won or lost else ""
    return f"{decided} ={drawn}".strip() if drawn else decided or "-"


def _blame(game: GameResult) -> tuple[str, str, str]:
    """Who lost a game, with which stones, and against whom."""
    if game.winner is Color.BLACK:
        return game.white, "white", game.black
    return (game.black, "black", game.white) if game.winner else ("-", "-", "-")
