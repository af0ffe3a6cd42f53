"""Matches between engines: who is stronger, and how sure is that?

Example:
    >>> from gomoku.match import Match
    >>> result = Match(["name=new nodes=400 fukumi", "name=old nodes=100 fukumi"], pairs=2).run()
    >>> result.wins + result.draws + result.losses, result.forfeits
    (4, 0)
"""

from gomoku.match.log import MatchRecord, read_log
from gomoku.match.match import Match, MatchResult
from gomoku.match.pair import PairTask, play_pair
from gomoku.match.player import MatchError, Player, Terms
from gomoku.match.result import End, GameResult, PairResult
from gomoku.match.sprt import Sprt
from gomoku.match.stats import Pentanomial

__all__ = [
    "End",
    "GameResult",
    "Match",
    "MatchError",
    "MatchRecord",
    "MatchResult",
    "PairResult",
    "PairTask",
    "Pentanomial",
    "Player",
    "Sprt",
    "Terms",
    "play_pair",
    "read_log",
]
