"""Who plays for the brain: the engine, a level of it, or a classic, as the command line or the manager asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gomoku.engine import Engine
from gomoku.frontends.settings import Settings

if TYPE_CHECKING:
    from gomoku.levels import Thinker

ENGINE = "fukumi"


class Cast:
    """Knows the player whose turn it is to play.

    Args:
        engine: plays when nobody else is asked for.
        name: the player that plays when the manager asks for none; see :func:`gomoku.levels.make_player`.
        seed: decides what players leave to chance.
    """

    def __init__(self, engine: Engine, name: str = ENGINE, seed: int | None = None) -> None:
        self._engine = engine
        self._default = name
        self._seed = seed
        self._name = ENGINE
        self._player: Thinker = engine

    @property
    def player(self) -> Thinker:
        """The player chosen last."""
        return self._player

    def choose(self, settings: Settings) -> Thinker:
        """Return the player for the next move.

        Raises:
            GomokuError: there is no player of the name that was asked for.
        """
        name = self._asked(settings)
        if name != self._name:
            # Only now, since a manager may count what is loaded against the first move.
            from gomoku.levels import make_player  # noqa: PLC0415

            self._player = self._engine if name == ENGINE else make_player(name, self._seed)
            self._name = name
        return self._player

    def _asked(self, settings: Settings) -> str:
        if settings.player:
            return settings.player.strip().lower()
        strength = settings.strength
        if strength is None or strength >= 100:
            return self._default
        from gomoku.levels import player_for_strength  # noqa: PLC0415

        return player_for_strength(strength)
