"""What every value is made of: a frozen dataclass with slots, cheap to define."""

# `dataclass` inspects each class, makes it twice for its slots and compiles up to seven methods for
# it, which took half the time of importing this package (docs/benchmarks.md). Here all methods but
# one are written once, and that one, `__init__`, is compiled when the first value is made; so are
# the fields that `dataclasses.fields` tells. Most programs use few of the classes.

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from typing import Any, dataclass_transform


class _Fields:
    """The fields of a class, made when they are first asked for."""

    def __get__(self, _value: object, cls: "type[Noun]") -> dict[str, Field[Any]]:
        body = {"__annotations__": cls.__annotations__, **cls._defaults}
        like: Any = dataclass(init=False, eq=False, repr=False)(type(cls.__name__, (), body))
        made = {each.name: each for each in fields(like)}
        type.__setattr__(cls, "__dataclass_fields__", made)
        return made


class _Nouns(type):
    """Makes the classes of values: a slot for every annotated name, and its default aside."""

    __match_args__: tuple[str, ...]
    _defaults: dict[str, object]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> "_Nouns":
        names = tuple(body.get("__annotations__", ()))
        for base in bases:
            if getattr(base, "__match_args__", ()):
                raise TypeError(f"{name} cannot inherit from {base.__name__}, which has fields")
        defaults = {each: body.pop(each) for each in names if each in body}
        body |= {"__slots__": names, "__match_args__": names, "_defaults": defaults}
        return super().__new__(cls, name, bases, body)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Noun(metaclass=_Nouns):
    """A value: whoever inherits from it is a frozen dataclass with slots, of the fields it names.

    No class inherits from one that has fields.
    """

    __dataclass_fields__ = _Fields()

    def __init__(self, *args: object, **named: object) -> None:
        cls = type(self)
        type.__setattr__(cls, "__init__", _initializer(cls))
        cls.__init__(self, *args, **named)

    def __eq__(self, other: object) -> bool:
        """Two values are equal when they are of one class and all their fields are equal."""
        if self.__class__ is not other.__class__:
            return NotImplemented
        return all(getattr(self, each.name) == getattr(other, each.name) for each in _fields(self))

    def __hash__(self) -> int:
        """Equal values have equal hashes; fields that cannot be hashed have no part in it."""
        hashed = (each.name for each in _fields(self) if each.hash is not False)
        return hash(tuple(getattr(self, name) for name in hashed))

    def __repr__(self) -> str:
        """Return the call that would make it."""
        named = (f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self))
        return f"{type(self).__qualname__}({', '.join(named)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[object]:
        return [getattr(self, each.name) for each in _fields(self)]

    def __setstate__(self, state: list[object]) -> None:
        for each, value in zip(_fields(self), state, strict=True):
            object.__setattr__(self, each.name, value)


def _fields(value: object) -> tuple[Field[Any], ...]:
    return fields(value)  # type: ignore[arg-type]  # whatever `noun` returned is a dataclass


_OPEN = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}


def _initializer(cls: type[Noun]) -> Callable[..., None]:
    """Return the `__init__` of *cls*: its fields in order, with their defaults.

    While its fields are set the value is of a class that is not frozen and otherwise the same:
    an assignment takes a tenth of the time of a call of ``object.__setattr__``.
    """
    names = cls.__match_args__
    known: dict[str, object] = {
        "_become": object.__setattr__,
        "_Frozen": cls,
        "_Open": _Nouns(
            cls.__name__, cls.__bases__, _OPEN | {"__annotations__": dict.fromkeys(names)}
        ),
        "_MISSING": MISSING,
    }
    parameters, body = [], [" _become(self, '__class__', _Open)"]
    for name in names:
        value, default = name, cls._defaults.get(name, MISSING)
        own: Any = default if isinstance(default, Field) else field(default=default)
        if own.default_factory is not MISSING:
            known[f"_make_{name}"] = own.default_factory
            parameters.append(f"{name}=_MISSING")
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        elif own.default is not MISSING:
            known[f"_default_{name}"] = own.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        body.append(f" self.{name} = {value}")
    body.append(" self.__class__ = _Frozen")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(body), known)
    made: Callable[..., None] = known["__init__"]  # type: ignore[assignment]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made
