"""Where managers disagree: the two families of the protocol, and who we say we are.

The official protocol and the one that grew around Yixin's front end share the lines but not all meanings. A
conversation is in Yixin's dialect from the first line on that only such a front end sends.

Source: protocol_docs/yixin.md.
"""

from __future__ import annotations

from typing import NamedTuple

from gomoku.protocol.events import AboutReply
from gomoku.types import Rule

_CONTINUOUS_BIT = 2
_OFFICIAL_RULES = {
    0: Rule.FREESTYLE,
    1: Rule.STANDARD,
    4: Rule.RENJU,
    5: Rule.RENJU,
    8: Rule.CARO,
    9: Rule.CARO_EXACT,
}
_YIXIN_RULES = {2: Rule.RENJU, 5: Rule.FREESTYLE, 6: Rule.FREESTYLE}


class RuleChoice(NamedTuple):
    """What an ``INFO rule`` number means.

    Attributes:
        rule: the rule of the game.
        continuous: the game goes on after a five, whose stones become walls.
    """

    rule: Rule
    continuous: bool = False


def resolve_rule(value: int, *, yixin: bool) -> RuleChoice | None:
    """Return the meaning of an ``INFO rule`` number, ``None`` for one that has none.

    Resolve late, when a game begins or a move is asked for: a front end may send the number before the line that
    gives its dialect away.

    Args:
        value: the number.
        yixin: whether the conversation is in Yixin's dialect (``Connection.yixin``).

    Example:
        >>> resolve_rule(2, yixin=True).rule.label
        'renju'
        >>> resolve_rule(2, yixin=False)
        RuleChoice(rule=<Rule.FREESTYLE: 0>, continuous=True)
        >>> resolve_rule(16, yixin=False) is None
        True
    """
    if yixin and value in _YIXIN_RULES:
        return RuleChoice(_YIXIN_RULES[value])
    if value < 0:
        return None
    rule = _OFFICIAL_RULES.get(value & ~_CONTINUOUS_BIT)
    return None if rule is None else RuleChoice(rule, bool(value & _CONTINUOUS_BIT))


def is_yixin(word: str, args: str) -> bool:
    """Return whether a command line gives away a front end of Yixin's family.

    Args:
        word: the command word in capitals.
        args: the rest of the line.

    Example:
        >>> is_yixin("YXSHOWINFO", ""), is_yixin("START", "15 15"), is_yixin("START", "15")
        (True, True, False)
        >>> is_yixin("INFO", "show_detail 1")
        True
    """
    if word.startswith("YX"):
        return True
    parts = args.lower().split()
    if word == "INFO":
        return parts[:1] == ["show_detail"]
    return word == "START" and len(parts) == 2 and all(part.isdecimal() for part in parts)


def about(version: str) -> AboutReply:
    """Return Fukumi's answer to ``ABOUT``."""
    return AboutReply(name="Fukumi", version=version, author="The Fukumi developers", country="International")
