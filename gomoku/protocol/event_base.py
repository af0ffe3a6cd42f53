"""Frozen records without code generation: the base class of all events.

The standard data classes compile an ``__init__`` per class with ``exec``; for the forty events of this package that
costs some 30 ms, a tenth of what a brain may take to answer its first line. This base class reads the annotations
once per class and stores values in the instance; type checkers see ordinary data class semantics.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True)
class Event:
    """One line (or block of lines) of the protocol as a value: immutable, comparable, hashable, printable.

    Subclasses declare fields as annotations, defaults as class attributes, exactly as with a data class. Two events are
    equal when type and fields are equal.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = cls._fields + tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", cls._fields)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = self._fields
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {len(fields)} fields, not {len(args)}")
        values = dict(zip(fields, args, strict=False))
        for name, value in kwargs.items():
            if name not in fields or name in values:
                raise TypeError(f"{type(self).__name__} got an unexpected or repeated field {name!r}")
            values[name] = value
        for name in fields:
            if name not in values:
                if not hasattr(type(self), name):
                    raise TypeError(f"{type(self).__name__} misses the field {name!r}")
                values[name] = getattr(type(self), name)
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _values(self) -> tuple[object, ...]:
        return tuple(self.__dict__[name] for name in self._fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Event) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self._values(), strict=True))
        return f"{type(self).__name__}({fields})"


class Command(Event):
    """What a manager says to a brain."""


class Reply(Event):
    """What a brain says to a manager."""
