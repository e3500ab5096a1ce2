"""One line of a log: every kind comes back, wrong lines get a sentence, digests know the same game."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from msgspec import structs

from events.actions import Pass, Play
from events.kinds import Acted, Annotated, Asked, CardsMade, CounterSet, DeckList, Seat, Shuffled, TurnBegan
from events.record import (
    MAX_DEPTH,
    MAX_LINE,
    TAGS,
    LogError,
    causes,
    decode,
    digest,
    edition,
    encode,
    game_id,
    game_key,
    seal,
    too_deep,
    too_large,
)
from tests.events.highcard import CARDS, RULEBOOK, game, header
from tests.events.values import values_of


@pytest.mark.parametrize("tag", TAGS)
def test_every_kind_comes_back_as_it_was(tag: str) -> None:
    @settings(max_examples=15, deadline=None)
    @given(values_of(TAGS[tag]))
    def check(line: Any) -> None:
        data = encode(line)
        assert data.startswith(b'{"kind":"' + tag.encode() + b'"')
        assert decode(data) == line
        assert encode(decode(data)) == data

    check()


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b'{"kind":"card_mved","card":1}', "no kind 'card_mved': did you mean 'card_moved'?"),
        (
            b'{"kind":"acted","seat":0,"action":{"do":"ply","card":3}}',
            "no action 'ply': did you mean 'play'?",
        ),
        (b'{"kind":"turn_began","turn":1}', "in turn_began: Object missing required field `seat`"),
        (
            b'{"kind":"turn_began","turn":"1","seat":0}',
            "in turn_began, field `turn`: Expected `int`, got `str`",
        ),
        (b'{"kind":"turn_began","turn":1.0,"seat":0}', "Expected `int`, got `float`"),
        (b'{"kind":"turn_began","turn":1,"se', "cut off: it stops after 33 bytes"),
        (b'{"kind":"turn_began","turn":1,"seat":0} {}', "no JSON object"),
        (b"", "cut off"),
        (b"[1]", "Expected `object`, got `array`"),
        (b'{"turn":1,"seat":0}', "missing required field `kind`"),
        (b'{"kind":"asked","seat":0,"question":"x","continuation":"\xff"}', "byte 56 of the line is not UTF-8"),
        (b'{"kind":"turn_began","turn":%s,"seat":0}' % (b"9" * 5000), "out of range"),
    ],
)
def test_a_wrong_line_gets_a_sentence(line: bytes, part: str) -> None:
    with pytest.raises(LogError) as error:
        decode(line)
    assert part in str(error.value)


def test_lines_are_bounded_in_length_and_depth() -> None:
    long = encode(Annotated(text="x" * MAX_LINE))
    with pytest.raises(LogError, match=f"more than {MAX_LINE} bytes"):
        decode(long)

    def nested(depth: int) -> bytes:
        return b'{"kind":"asked","seat":0,"question":"x","continuation":' + b"[" * depth + b"]" * depth + b"}"

    assert isinstance(decode(nested(MAX_DEPTH - 1)), Asked)
    for depth in (MAX_DEPTH, 100_000):
        with pytest.raises(LogError, match="nests deeper"):
            decode(nested(depth))


def test_brackets_in_text_are_no_depth() -> None:
    assert not too_deep(encode(Annotated(text='["{' * 200)))
    assert too_deep(b'["a]\\"]",' * (MAX_DEPTH + 1))


def test_a_line_feed_in_a_continuation_is_refused() -> None:
    with pytest.raises(LogError, match="line feed"):
        encode(Asked(seat=0, question="x", continuation=msgspec.Raw(b"[1,\n2]")))


def test_an_error_says_where_and_can_be_sent_to_another_process() -> None:
    error = LogError("the seal does not match.", "a.jsonl", 3, 57, 1234)
    assert str(error) == "a.jsonl, game 3, record 57, byte 1234: the seal does not match."
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.game, again.record, again.byte) == (str(error), 3, 57, 1234)


def test_causes_count_back_and_last_until_the_next() -> None:
    events = [header(), *(TurnBegan(turn=1, seat=0, back=back) for back in (0, 1, 0, 3, 0, 6))]
    assert causes(events) == [0, 0, 1, 1, 1, 1, 0]


@pytest.mark.parametrize("back", [3, -1])
def test_a_cause_outside_the_game_is_refused(back: int) -> None:
    with pytest.raises(LogError, match=f"`back` is {back}") as error:
        causes([header(), TurnBegan(turn=1, seat=0), TurnBegan(turn=1, seat=0, back=back)])
    assert error.value.record == 2


def test_digests_are_blake2b_over_the_bytes() -> None:
    # python3 -c 'import hashlib; print(hashlib.blake2b(b"abc", digest_size=16).hexdigest())'
    assert digest(b"abc") == "cf4ab791c62b8d2b2109c90275287816"
    assert seal([b"a", b"bc"]) == digest(b"a\nbc")
    assert edition(RULEBOOK).digest == digest(encode(RULEBOOK))
    assert (edition(CARDS).key, edition(CARDS).version) == ("HC", "1")


def test_an_anonymised_copy_is_the_same_game() -> None:
    decks = (DeckList(name="Other", cards={"HC-002": 1, "HC-001": 2}), game()[0].seats[1].deck)
    seats = (Seat("Player 1", deck=decks[0]), Seat("Player 2", "random", decks[1]))
    copy = game(id="", seats=seats, tags=("cup",), at="2026-01-01T00:00:00Z", date="2026-01-01", match="m", view=None)
    copy.insert(5, Annotated(text="hm"))
    assert game_key(copy) == game_key(game(tags=()))


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 6},
        {"options": {"open_lists": True}},
        {"origin": "simulated"},
        {"seats": (Seat("A"), Seat("B"))},
    ],
)
def test_another_header_is_another_game(changes: dict) -> None:
    assert game_key(game(**changes)) != game_key(game())


def test_another_decision_is_another_game() -> None:
    events = game()
    at = next(n for n, event in enumerate(events) if isinstance(event, Acted))
    keys = {
        game_key([*events[:at], Acted(seat=seat, action=action), *events[at + 1 :]])
        for seat, action in ((0, Pass()), (1, Pass()), (0, Play(4)), (0, Play(4, 5)))
    }
    assert len(keys | {game_key(events)}) == 5


def test_game_key_is_pinned() -> None:
    """PROTOCOL.md describes how it is made; another program must come to the same."""
    plain = (
        b'{"card_sets":[{"digest":"10eb8550893256956e55ad422a564875","key":"HC","version":"1"}],'
        b'"game":"highcard",'
        b'"kind":"game_started","rulebook":{"digest":"5de311748ac4923a73c165b1f8175f6a","key":"highcard",'
    )
    plain += b'"version":"1.0"},"seats":[{"deck":{"cards":{"HC-001":2,"HC-002":1}}},{"deck":{"cards":{"HC-001":2,'
    plain += b'"HC-002":1}},"player_kind":"random"}],"seed":5}'
    assert game_key(game()) == digest(plain + b"\n" + b'[0,{"do":"choose","option":1}]')


def test_a_simulated_game_is_named_by_its_header() -> None:
    assert game_id(header(id="a")) == game_id(header(id="b")) != game_id(header(seed=6))
    assert len(game_id(header())) == 16


def test_without_a_seed_another_fact_is_another_game() -> None:
    """Of a transcribed game nothing follows from the decisions: two games with the same ones are two games."""
    told = game(seed=None, origin="transcribed")
    others = [
        [structs.replace(e, order=(2, 3, 4)) if isinstance(e, Shuffled) else e for e in told],
        [structs.replace(e, codes=("HC-002",) * 3) if isinstance(e, CardsMade) else e for e in told],
        [structs.replace(e, value=9) if isinstance(e, CounterSet) else e for e in told],
        told[:-1],
    ]
    assert len({game_key(told), *map(game_key, others)}) == 5
    seats = (Seat("A", deck=told[0].seats[0].deck), told[0].seats[1])
    copy = game(seed=None, origin="transcribed", seats=seats, id="x")
    copy = [structs.replace(e, ms=5) if isinstance(e, Acted) else e for e in copy]
    copy = [structs.replace(e, continuation=msgspec.Raw(b"7")) if isinstance(e, Asked) else e for e in copy]
    copy[4:] = [Annotated(text="hm"), *(structs.replace(e, back=e.back + 1) if e.back > 1 else e for e in copy[4:])]
    assert game_key(copy) == game_key(told)


def test_the_key_of_a_game_without_a_seed_is_pinned() -> None:
    events = [header(seed=None), TurnBegan(turn=1, seat=0), Acted(seat=0, action=Pass(), ms=3), Annotated(text="x")]
    first = msgspec.json.encode(
        {
            "card_sets": [{"digest": "10eb8550893256956e55ad422a564875", "key": "HC", "version": "1"}],
            "game": "highcard", "kind": "game_started",
            "rulebook": {"digest": "5de311748ac4923a73c165b1f8175f6a", "key": "highcard", "version": "1.0"},
            "seats": [
                {"deck": {"cards": {"HC-001": 2, "HC-002": 1}}},
                {"deck": {"cards": {"HC-001": 2, "HC-002": 1}}, "player_kind": "random"},
            ],
        }
    )
    rest = b'{"kind":"turn_began","seat":0,"turn":1}\n{"action":{"do":"pass"},"kind":"acted","seat":0}'
    assert game_key(events) == digest(first + b"\n" + rest)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b'{"kind":"turn_began","turn":1,"seat":0,"bck":1}', "in turn_began: Object contains unknown field `bck`"),
        (b'{"kind":"acted","seat":0,"action":{"do":"play","card":3,"one":4}}', "field `action`: Object contains"),
        (
            b'{"kind":"stack_pushed","item":1000,"item_kind":"x","frame":{"seat":0,"card":2,"abillity":1}}',
            "in stack_pushed, field `frame`: Object contains unknown field `abillity`",
        ),
        (
            b'{"kind":"rulebook","key":"x","version":"1","zones":[{"name":"deck","visible_to":"all","value":true}],'
            b'"counters":[],"phases":[]}',
            "field `zones[0]`: Object contains unknown field `value`",
        ),
        (b'{"kind":"turn_began","turn":9223372036854775808,"seat":0}', "Expected `int` <= 9223372036854775807"),
        (b'{"kind":"turn_began","turn":-9223372036854775809,"seat":0}', "Expected `int` >= -9223372036854775808"),
        (b'{"kind":"shuffled","seat":0,"zone":"x","order":[1,99999999999999999999]}', "field `order[1]`: Expected"),
    ],
)
def test_what_is_not_listed_or_too_large_gets_a_sentence(line: bytes, part: str) -> None:
    with pytest.raises(LogError) as error:
        decode(line)
    assert part in str(error.value)


def test_numbers_beyond_64_bits_are_seen_wherever_they_stand() -> None:
    for line in (b'{"a":[9223372036854775808]}', b"[-9223372036854775809]", b"[1,%s]" % (b"9" * 9000)):
        assert too_large(line)
    near = (b"[9223372036854775807,-9223372036854775808]", b'["9223372036854775808"]', b"[0.12345678901234567890]")
    for line in near:
        assert not too_large(line)
