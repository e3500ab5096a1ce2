"""One line of a log: every kind comes back, wrong lines get a sentence, digests know the same game."""

from __future__ import annotations

import json
import pickle
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from msgspec import structs

from events.actions import Pass, Play
from events.kinds import (
    Acted,
    Annotated,
    Asked,
    CardsMade,
    Counter,
    CounterSet,
    DeckList,
    Frame,
    GameEnded,
    Parent,
    Phase,
    PhaseBegan,
    Seat,
    Shuffled,
    StackPushed,
    TurnBegan,
    Zone,
)
from events.open import read_games
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
    unannotated,
)
from tests.events.highcard import CARDS, RULEBOOK, SHARED, game, header
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


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b'{"kind":"turn_began","turn":1,"turn":2,"seat":0}', "turn"),
        (b'{"kind":"turn_began","turn":1,"seat":0,"seat":0}', "seat"),
        (b'{"kind":"sealed","kind":"sealed","seal":"a"}', "kind"),
        (b'{"kind":"acted","seat":0,"action":{"do":"pass","do":"concede"}}', "do"),
        (b'{"kind":"card_set","key":"S","version":"1","game":"g","cards":{"S-1":{"n":1,"n":2}}}', "n"),
        (b'{"kind":"game_ended","winner":0,"\\u0077inner":1,"reason":"points"}', "winner"),
    ],
)
def test_a_name_that_stands_twice_in_an_object_is_refused(line: bytes, name: str) -> None:
    with pytest.raises(LogError, match=f"the name '{name}' stands twice in one object of the line"):
        decode(line)


DECLARED = {"zones": Zone("a", "all"), "counters": Counter("a"), "phases": Phase("a")}


@pytest.mark.parametrize("sort", [name for name, value in structs.asdict(RULEBOOK).items() if type(value) is tuple])
def test_a_word_that_is_declared_twice_is_refused(sort: str) -> None:
    word = DECLARED.get(sort, "a")
    line = encode(structs.replace(RULEBOOK, **{sort: (word,)}))
    twice = msgspec.json.encode(word)
    with pytest.raises(LogError, match=f"'a' stands twice in `{sort}`"):
        decode(line.replace(b'"%s":[' % sort.encode(), b'"%s":[%s,' % (sort.encode(), twice)))
    with pytest.raises(ValueError, match="stands twice"):
        structs.replace(RULEBOOK, **{sort: (word, word)})


def test_digests_are_blake2b_over_the_bytes() -> None:
    # python3 -c 'import hashlib; print(hashlib.blake2b(b"abc", digest_size=16).hexdigest())'
    assert digest(b"abc") == "cf4ab791c62b8d2b2109c90275287816"
    assert seal([b"a", b"bc"]) == digest(b"a\nbc")
    assert edition(RULEBOOK).digest == digest(encode(RULEBOOK))
    assert (edition(CARDS).key, edition(CARDS).version) == ("HC", "1")


def test_a_copy_that_differs_in_claims_is_the_same_game() -> None:
    decks = (DeckList(name="Other", cards={"HC-002": 1, "HC-001": 2}), game()[0].seats[1].deck)
    seats = (Seat("Player 1", "greedy", decks[0]), Seat("Player 2", deck=decks[1]))
    claims = {"id": "", "at": "2026-01-01T00:00:00Z", "date": "2026-01-01", "match": "m", "origin": "simulated"}
    copy = game(seats=seats, tags=("cup",), **claims)
    copy[0] = structs.replace(copy[0], seed=6, options={"open_lists": True})
    copy = [structs.replace(e, ms=5) if isinstance(e, Acted) else e for e in copy]
    copy = [structs.replace(e, continuation=msgspec.Raw(b"7")) if isinstance(e, Asked) else e for e in copy]
    assert game_key(copy) == game_key(game(tags=()))


@pytest.mark.parametrize("at", range(1, 10))
def test_a_copy_with_annotations_is_the_same_game(at: int) -> None:
    told = [*game(2)[:8], StackPushed(item=1000, item_kind="x", frame=Frame(seat=0, card=4, since=6)), *game(2)[8:]]
    why = causes(told)
    note = Annotated("hm", "greedy", 0, about=at - 1, data={"chance": 0.5, "visits": [1, {"2": 3}]})
    copy = [*told[:at], note, *told[at:]]
    moved = [number + (number >= at) for number in why]
    numbers = [n + (n >= at) for n in range(len(told))]
    cause = 0
    for number in range(len(copy)):
        if number == at:
            continue
        to = moved[numbers.index(number)]
        change: dict[str, Any] = {"back": 0 if to == cause else number - to}
        if isinstance(copy[number], StackPushed):
            change["frame"] = structs.replace(copy[number].frame, since=6 + (at <= 6))
        copy[number], cause = structs.replace(copy[number], **change), to
    assert game_key(copy) == game_key(told) and unannotated(copy) == told


@pytest.mark.parametrize("changes", [{"game": "other"}, {"seats": (Seat("A"), Seat("B"))}, {"view": 1}])
def test_another_header_is_another_game(changes: dict) -> None:
    assert game_key(game(**changes)) != game_key(game())


def test_another_fact_or_decision_is_another_game() -> None:
    told = game()
    others = [
        [structs.replace(e, order=(2, 3, 4)) if isinstance(e, Shuffled) else e for e in told],
        [structs.replace(e, codes=("HC-002",) * 3) if isinstance(e, CardsMade) else e for e in told],
        [structs.replace(e, value=9) if isinstance(e, CounterSet) else e for e in told],
        [structs.replace(e, winner=1) if isinstance(e, GameEnded) else e for e in told],
        [structs.replace(e, back=e.back + 1) if isinstance(e, PhaseBegan) else e for e in told],
        told[:-1],
    ]
    at = next(n for n, event in enumerate(told) if isinstance(event, Acted))
    for seat, action in ((0, Pass()), (1, Pass()), (0, Play(4)), (0, Play(4, 5))):
        others.append([*told[:at], Acted(seat=seat, action=action), *told[at + 1 :]])
    assert len({game_key(told), *map(game_key, others)}) == 11


def test_game_key_is_pinned() -> None:
    """PROTOCOL.md describes how it is made; another program must come to the same."""
    events = [header(), TurnBegan(turn=1, seat=0), Acted(seat=0, action=Pass(), ms=3), PhaseBegan(phase="draw", back=1)]
    deck = b'{"deck":{"cards":{"HC-001":2,"HC-002":1}}}'
    first = b'{"card_sets":[{"key":"HC","version":"1"}],"game":"highcard","kind":"game_started",'
    first += b'"rulebook":{"key":"highcard","version":"1.0"},"seats":[%s,%s]}' % (deck, deck)
    rest = b'{"kind":"turn_began","seat":0,"turn":1}\n{"action":{"do":"pass"},"kind":"acted","seat":0}\n'
    rest += b'{"back":1,"kind":"phase_began","phase":"draw"}'
    assert game_key(events) == digest(first + b"\n" + rest)


def test_a_simulated_game_is_named_by_its_header() -> None:
    assert game_id(header(id="a")) == game_id(header(id="b")) != game_id(header(seed=6))
    assert len(game_id(header())) == 16


def test_a_branch_is_the_game_that_is_decided_as_it_is() -> None:
    assert game_key(game(parent=Parent("0" * 32, 8))) == game_key(game())


DEEP: dict[str, Any] = {}
for _ in range(70):
    DEEP = {"x": DEEP}


@pytest.mark.parametrize(("data", "why"), [({"n": 2**63}, "beyond 64 bits"), ({"n": [-(2**63) - 1]}, "64 bits"),
                                           (DEEP, "deeper than")])
def test_an_annotation_holds_only_what_a_line_may_hold(data: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Annotated("", data=data)
    line = b'{"kind":"annotated","text":"","data":%s}' % json.dumps(data).encode()
    with pytest.raises(LogError, match=why):
        decode(line)
    (one,) = read_games(b"".join(encode(x) + b"\n" for x in (SHARED[0], *SHARED[1], *game()[:5])) + line + b"\n")
    assert one.fault is not None and one.fault.record == 5 and why in str(one.fault)


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
