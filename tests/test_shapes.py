"""Made-up texts: they keep their shape, names never meet, and nothing stays what it was."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from razzstats.shapes import Circle, Names, NoNameLeft, scrambled, secret_of, shape_of

KEY = b"a key"
ANY_NAME = st.text(min_size=1, max_size=30)
PLAIN_NAME = st.text("abzABZ059 ._-'[]$", min_size=1, max_size=30).filter(
    lambda name: any(sign.isalnum() for sign in name)
)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10, 26, 100, 260, 676])
def test_the_circle_goes_through_all_numbers_before_it_comes_back(size: int) -> None:
    circle = Circle(KEY, size)
    number, seen = 0, []
    for _ in range(size):
        number = circle.behind(number)
        seen.append(number)
    assert sorted(seen) == list(range(size))
    assert seen[-1] == 0


@given(st.integers(2, 1 << 200), st.data())
def test_place_and_number_belong_together(size: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, size - 1))
    circle = Circle(KEY, size)
    assert circle.at(circle.place(number)) == number
    assert circle.behind(number) != number


def test_the_key_chooses_the_order() -> None:
    orders = {tuple(map(Circle(bytes((key,)), 26).place, range(26))) for key in range(50)}
    assert len(orders) == 50


def test_all_names_of_one_shape_become_all_names_of_that_shape() -> None:
    names = ["".join(signs) for signs in product("abcdefghijklmnopqrstuvwxyz", "0123456789")]
    made_up = Names(KEY)
    found = {name: made_up.made_up(name) for name in names}
    assert sorted(found.values()) == sorted(names)
    assert all(name != new for name, new in found.items())


@given(ANY_NAME)
def test_a_name_keeps_its_shape_and_nothing_else(name: str) -> None:
    new = Names(KEY).made_up(name)
    assert new.isascii()
    assert new.isprintable()
    assert len(new) == len(name)
    assert new != name
    if any(sign.isalnum() for sign in shape_of(name)):
        assert shape_of(new) == shape_of(name)


@given(st.lists(ANY_NAME, min_size=2, max_size=12, unique=True))
def test_two_names_never_become_one(names: list[str]) -> None:
    made_up = Names(KEY)
    found = [made_up.made_up(name) for name in names]
    assert len({*found}) == len(names)
    assert [made_up.made_up(name) for name in names] == found  # and stay what they became


@given(st.lists(PLAIN_NAME, min_size=1, max_size=8), PLAIN_NAME)
def test_a_plain_name_is_the_same_in_every_run(others: list[str], name: str) -> None:
    alone, later = Names(KEY), Names(KEY)
    for other in others:
        later.made_up(other)
    assert alone.made_up(name) == later.made_up(name)


def test_another_salt_gives_other_names() -> None:
    secrets = [secret_of("one"), secret_of("one"), secret_of("two")]
    first, again, other = (Names(secret).made_up("RazzHero_88") for secret in secrets)
    assert first == again != other


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("Käthe_88", "Aaaaa_00"),
        ("ÄÖ ß", "AA a"),
        ("Ǆ", "A"),
        ("Дед 9", "Aaa 0"),
        ("e\u0301", "aa"),  # a letter and the accent behind it
        ("中文", "aa"),
        ("٣²", "00"),
        ("♠\u00a0🂡", "aaa"),
        ("a\tb\x1b", "aaaa"),
        ("x: $5 [2c]", "a: $0 [0a]"),
    ],
)
def test_the_shape_of_a_name(name: str, shape: str) -> None:
    assert shape_of(name) == shape


def test_names_without_letters_get_some() -> None:
    made_up = Names(KEY)
    found = [made_up.made_up(name) for name in ("---", "...", "-.-", "abc")]
    assert all(name.isalpha() and name.islower() and len(name) == 3 for name in found)
    assert len({*found}) == 4


def test_when_all_names_of_a_shape_are_taken_there_is_no_other() -> None:
    made_up = Names(KEY)
    letters = [chr(0x430 + number) for number in range(27)]  # Cyrillic, as small as a to z
    found = {made_up.made_up(letter) for letter in letters[:26]}
    assert len(found) == 26
    with pytest.raises(NoNameLeft):
        made_up.made_up(letters[26])


def test_a_name_may_be_as_long_as_a_line() -> None:
    made_up = Names(KEY)
    long = "Ab3" * 2_000
    assert shape_of(made_up.made_up(long)) == shape_of(long)
    assert made_up.made_up(long) != made_up.made_up(long[:-1] + "4")


@given(st.text(max_size=60), st.binary(max_size=8))
def test_talk_keeps_its_shape(text: str, seed: bytes) -> None:
    new = scrambled(text, seed)
    assert new.isascii()
    assert shape_of(new) == shape_of(text)
    assert new == scrambled(text, seed)


def test_talk_loses_its_words() -> None:
    text = "call me at 555 1234 or bob@example.org"
    new = scrambled(text, b"seed")
    assert not {*text.replace("@", " ").split()} & {*new.replace("@", " ").split()}
    assert new != scrambled(text, b"another seed")
