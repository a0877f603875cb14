"""Values: what a frozen dataclass with slots is, however it is made."""

import copy
import dataclasses
import pickle

import pytest

from agent_memory_os import InvalidInput, RecallProfile, Settings
from agent_memory_os.noun import Noun


class Place(Noun):
    """A place, for these tests."""

    name: str
    marks: dict[str, int] = dataclasses.field(default_factory=dict, hash=False)
    floor: int = 0


def test_it_is_made_by_place_and_by_name_with_its_defaults() -> None:
    assert Place("hall") == Place(name="hall", marks={}, floor=0)
    assert Place("hall").marks is not Place("hall").marks


@pytest.mark.parametrize("arguments", [(), ("hall", {}, 1, 2)])
def test_too_few_or_too_many_arguments_are_an_error(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Place(*arguments)  # type: ignore[arg-type]  # what is tested


def test_it_can_be_neither_changed_nor_emptied_nor_widened() -> None:
    place = Place("hall")

    for name in ("name", "colour"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(place, name, "attic")
    with pytest.raises(dataclasses.FrozenInstanceError):
        del place.name  # type: ignore[misc]  # what is tested
    assert not hasattr(place, "__dict__")


def test_values_are_equal_by_class_and_fields_and_hash_alike() -> None:
    assert Place("hall", {"a": 1}) == Place("hall", {"a": 1})
    assert hash(Place("hall", {"a": 1})) == hash(Place("hall", {"b": 2}))
    assert Place("hall") != Place("attic")
    assert Place("hall") != ("hall", {}, 0)


def test_it_is_a_dataclass_that_can_be_shown_copied_and_pickled() -> None:
    place = Place("hall", {"a": 1}, 2)

    assert dataclasses.is_dataclass(place)
    assert repr(place) == "Place(name='hall', marks={'a': 1}, floor=2)"
    assert dataclasses.replace(place, floor=3) == Place("hall", {"a": 1}, 3)
    assert dataclasses.asdict(place) == {"name": "hall", "marks": {"a": 1}, "floor": 2}
    assert copy.deepcopy(place) == place
    assert pickle.loads(pickle.dumps(place)) == place


def test_what_is_checked_after_making_is_checked_each_time() -> None:
    for _ in range(2):
        with pytest.raises(InvalidInput):
            Settings(pack_items=0)


def test_a_value_of_the_library_pickles() -> None:
    profile = RecallProfile("neo", {"procedure": 1.5})

    assert pickle.loads(pickle.dumps(profile)) == profile


def test_no_class_inherits_from_one_that_has_fields() -> None:
    """Its values would be of the class above, without a word."""
    with pytest.raises(TypeError, match="Hall cannot inherit from Place, which has fields"):
        type(Place)("Hall", (Place,), {})
