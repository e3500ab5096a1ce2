"""A game in words: an invented game tells of every kind of record, and real games read in four languages."""

from __future__ import annotations

import re

import pytest
from msgspec import structs

from engine.fold import fold
from engine.words import LANGUAGES
from events import kinds as k
from events.actions import Attack, Choose, Concede, Move, Pass, Play, Use
from events.fields import CardId, EntityId, OpenInt, SeatId, ZoneName
from events.kinds import HIDDEN, CardSet, Counter, Edition, Event, Frame, Phase, RulebookLine, Seat, Zone
from replays.view.describe import Sentences
from replays.view.narrate import Line, line_of, log_text, narrate

BOOK = RulebookLine(
    key="duel",
    version="1",
    zones=(
        Zone("deck", "none", ordered=True), Zone("hand", "owner"), Zone("ring", "all", table=True, attachments=True),
        Zone("pit", "all", ordered=True),
    ),
    counters=(
        Counter("might"), Counter("shield", minimum=0, maximum=1), Counter("humour", words=("calm", "wild")),
        Counter("health", "seat", life=True), Counter("memory", quiet=True),
    ),
    phases=(Phase("opening", quiet=True), Phase("fight"), Phase("rest")),
    turn="round",
    move_kinds=("drawn", "sent", "felled"),
    questions=("go", "which", "sure"),
    attachments=("strapped",),
    directions=("left",),
    outcomes=("stopped",),
    steps=("might", "wit"),
    durations=("round",),
    rules=("cheer",),
    rolls=("coin",),
    reasons=("felled", "both", "conceded"),
    words={
        "zone.ring": {"en": "Ring", "ja": "リング"}, "move_kind.felled": {"en": "Felled", "ja": "倒れた"},
        "counter.might": {"en": "Might", "ja": "力"}, "humour.wild": {"en": "wild"},
    },
)
CARDS = CardSet("DU", "1", "duel", {
    "DU-1": {"name": {"en": "Bear", "ja": "熊"}, "might": 5}, "DU-2": {"name": {"en": "Owl"}, "might": 2},
})
BEAR, OWL, MOUSE, OTHER_OWL = 2, 3, 4, 5


def header(**changes: object) -> k.GameStarted:
    edition = Edition("duel", "1", "")
    start = k.GameStarted(
        protocol=k.PROTOCOL, game="duel", rulebook=edition, card_sets=(), seats=(Seat("Ann"), Seat("Bo"))
    )
    return structs.replace(start, **changes)


def opening() -> list[Event]:
    """Each seat has a Bear or Mouse and an Owl: 2 and 3 are Ann's, 4 (a card of no known set) and 5 Bo's."""
    return [
        header(),
        k.CardsMade(seat=0, zone="hand", first=2, codes=("DU-1", "DU-2")),
        k.CardsMade(seat=1, zone="hand", first=4, codes=("DU-9", "DU-2")),
        k.TurnBegan(turn=1, seat=0),
        k.PhaseBegan(phase="fight", seat=0),
    ]


def told(*events: Event, language: str = "en", cards: CardSet = CARDS) -> list[Line]:
    """The lines of these records after the opening."""
    lines = narrate([*opening(), *events], BOOK, [cards], language)
    assert len(lines) == 5 + len(events)
    return lines[5:]


def texts(*events: Event, language: str = "en") -> list[str]:
    return [line.text for line in told(*events, language=language)]


def sent(card: int, seat: int = 0) -> k.CardMoved:
    return k.CardMoved(card=card, seat=seat, zone="ring", move_kind="sent")


def lasting(number: int = 1000, **changes: object) -> k.ModifierBegan:
    began = k.ModifierBegan(id=number, card=OWL, on=BEAR, name="might", duration="round", add=2)
    return structs.replace(began, **changes)


def queued(item: int = 1000, what: str = "trigger", card: int = OWL, **slots: tuple[int, ...]) -> k.StackPushed:
    return k.StackPushed(item=item, item_kind=what, frame=Frame(0, card, slots=slots, code="DU-2"))


# --- every kind -------------------------------------------------------------------------------------------------

KINDS: list[tuple[list[Event], list[str]]] = [
    ([k.CardsMade(seat=1, zone="deck", first=6, codes=("DU-1", None))], ["Bo's deck: 2 cards"]),
    ([sent(BEAR)], ["Bear: hand → ring (sent)"]),
    ([sent(MOUSE, 1)], ["DU-9: hand → ring (sent)"]),
    ([k.CardMoved(card=BEAR, seat=0, zone="pit", move_kind="felled")], ["Bear: hand → pit (felled)"]),
    (
        [k.CardMoved(card=c, seat=0, zone="deck", move_kind="felled") for c in (BEAR, OWL)],
        ["Bear: hand → deck (felled)", "Owl: hand → deck (felled)"],
    ),
    (
        [k.CardExhausted(card=BEAR, exhausted=True), k.CardExhausted(card=BEAR, exhausted=False)],
        ["Bear goes down", "Bear stands up"],
    ),
    (
        [k.CardFlipped(card=BEAR, face_up=False), k.CardFlipped(card=BEAR, face_up=True)],
        ["Bear is turned face down", "Bear is turned face up"],
    ),
    (
        [
            k.CardAttached(card=OWL, to=BEAR, attachment="strapped"),
            k.CardAttached(card=OWL, to=None, attachment="strapped"),
        ],
        ["Owl is put on Bear (strapped)", "Owl is free again"],
    ),
    ([k.CounterSet(entity=BEAR, name="might", value=7)], ["Bear: Might 5 → 7"]),
    ([k.CounterSet(entity=MOUSE, name="might", value=7)], ["DU-9: Might 7"]),
    (
        [k.CounterSet(entity=BEAR, name="shield", value=n) for n in (1, 0)],
        ["Bear gains shield", "Bear loses shield"],
    ),
    ([k.CounterSet(entity=BEAR, name="humour", value=1)], ["Bear: humour calm → wild"]),
    (
        [k.CounterSet(entity=1, name="health", value=n) for n in (20, 17)],
        ["Bo: health 20", "Bo: health 20 → 17"],
    ),
    ([k.Shuffled(seat=1, zone="hand", order=(5, 4))], ["Bo's hand is shuffled"]),
    (
        [k.CardsRevealed(cards=(BEAR, OWL)), k.CardsRevealed(cards=(MOUSE,), seat=0)],
        ["Ann shows Bear; Owl", "Ann is shown DU-9"],
    ),
    ([k.Rolled(roll="coin", sides=2, outcome=1)], ["Drawn by lot (coin): 2 of 2"]),
    ([k.TurnBegan(turn=2, seat=1)], ["Round 2: Bo"]),
    ([k.PhaseBegan(phase="rest", seat=0), k.PhaseBegan(phase="rest", seat=1)], ["rest", "Bo: rest"]),
    ([k.Asked(seat=1, question="go")], ["Bo has to choose"]),
    ([k.Acted(seat=0, action=Concede())], ["Ann concedes"]),
    ([k.Acted(seat=0, action=Play(BEAR)), sent(BEAR)], ["Bear: hand → ring (sent)"] * 2),
    ([k.Acted(seat=0, action=Play(BEAR))], ["Ann plays Bear"]),
    ([k.Acted(seat=0, action=Play(BEAR, OWL))], ["Ann plays Bear on Owl"]),
    ([k.Acted(seat=0, action=Move(BEAR))], ["Ann moves Bear"]),
    ([k.Acted(seat=0, action=Attack(BEAR, MOUSE))], ["Bear attacks DU-9"]),
    ([k.Acted(seat=0, action=Attack(BEAR, 1))], ["Bear attacks Bo"]),
    ([k.Acted(seat=0, action=Use(BEAR))], ["Ann uses Bear"]),
    ([sent(BEAR), k.Acted(seat=0, action=Use(BEAR))], ["Bear: hand → ring (sent)", "Ann uses the ability of Bear"]),
    ([k.Acted(seat=0, action=Pass())], ["Ann passes"]),
    (
        [queued(), k.StackPopped(item=1000, outcome="resolved")],
        ["The ability of Owl is set off", "Owl takes effect"],
    ),
    (
        [queued(1000, "spell", target=(BEAR, MOUSE)), k.StackPopped(item=1000, outcome="fizzled")],
        ["Owl goes on the pile, aimed at Bear; DU-9", "Owl has no effect: its target is gone"],
    ),
    (
        [queued(what="spell"), k.StackPopped(item=1000, outcome="cancelled")],
        ["Owl goes on the pile", "The effect of Owl is cancelled"],
    ),
    (
        [queued(target=(BEAR,)), k.StackPopped(item=1000, outcome="forgotten")],
        [
            "The ability of Owl is set off, aimed at Bear",
            "Owl leaves the pile",
        ],
    ),
    ([k.AttackSet(attacker=BEAR, target=MOUSE), k.AttackSet()], ["Bear now attacks DU-9", "The attack is over"]),
    (
        [k.AttackMet(direction="left", source=BEAR, target=MOUSE, outcome="stopped")],
        ["Bear meets DU-9 (left): stopped"],
    ),
    (
        [
            lasting(),
            k.DamageCalculated(source=BEAR, target=1, step="might", value=5),
            k.DamageCalculated(source=BEAR, target=1, step="wit", value=7, by=1000),
            k.DamageCalculated(source=BEAR, target=1, step="wit", value=9, by=MOUSE),
        ],
        ["The effect of Owl on Bear begins", "might: 5", "wit: 5 → 7 (through Owl)", "wit: 7 → 9 (through DU-9)"],
    ),
    (
        [k.DamageDealt(source=BEAR, target=MOUSE, amount=3), k.DamageDealt(source=BEAR, target=1, amount=3)],
        ["Bear deals 3 damage to DU-9", "Bear deals 3 damage to Bo"],
    ),
    ([k.RuleApplied(rule="cheer", card=BEAR), k.RuleApplied(rule="cheer")], ["Bear: cheer", "cheer"]),
    (
        [lasting(), k.ModifierEnded(id=1000)],
        ["The effect of Owl on Bear begins", "The effect of Owl on Bear ends"],
    ),
    ([k.Annotated(text="I was\nlucky", seat=1), k.Annotated(text="rain")], ["Note of Bo: I was lucky", "Note: rain"]),
    ([k.Annotated(text="lost", by="a\nprogram")], ["Note of a program: lost"]),
    ([k.Annotated(text="", by="greedy", data={"chance": 0.5})], ["Note: "]),
    (
        [k.IdentityLost(card=BEAR), k.IdentityLost(card=OWL)],
        [
            "Bear can no longer be told from the hidden cards around it",
            "Bear; Owl can no longer be told from the hidden cards around them",
        ],
    ),
    ([k.GameEnded(winner=1, reason="felled"), k.Sealed(seal="x")], ["Bo wins: felled", "The log is sealed"]),
    ([k.GameEnded(winner=None, reason="both")], ["The game is a draw: both at the same time"]),
]


@pytest.mark.parametrize(("events", "said"), KINDS)
def test_each_kind_has_a_sentence(events: list[Event], said: list[str]) -> None:
    assert texts(*events) == said


def test_no_kind_is_left_out() -> None:
    seen = {type(e) for events, _ in KINDS for e in events} | {k.GameStarted, k.CardIdentified}
    assert seen == set(k.AnyEvent.__args__)  # type: ignore[attr-defined]


class Waved(Event, frozen=True):
    """A kind that the test adds."""

    card: CardId
    seat: SeatId
    zone: ZoneName
    at: tuple[EntityId, ...]
    times: OpenInt
    unsaid: str = "secret"


def test_a_kind_without_a_function_of_its_own_is_told_with_its_fields() -> None:
    teller = Sentences(opening(), BOOK, [CARDS], "en")
    for event in opening():
        fold(teller.state, event, teller.declared)
    teller.game_started(header(), 0)
    said = teller.any_other(Waved(card=BEAR, seat=1, zone="ring", at=(MOUSE, 0), times=3), 5)
    assert (said.key, said.seat, said.source) == ("say.waved", 0, BEAR)
    assert said.args == {"card": "Bear", "player": "Bo", "zone": "ring", "at": "DU-9; Ann", "times": 3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invented_game_has_no_placeholder_left(language: str) -> None:
    for events, _ in KINDS:
        for line in told(*events, language=language):
            assert not re.search(r"[{}]|\bsay\.", line.text) and line.text.strip()


def test_the_words_of_the_log_come_in_its_language() -> None:
    assert texts(sent(BEAR), k.CounterSet(entity=BEAR, name="might", value=7), language="ja") == [
        "「熊」：手札 → リング（sent）", "「熊」：力 5 → 7",
    ]
    assert texts(sent(OWL), language="zh-Hant") == ["「Owl」：手牌 → ring（sent）"]


def test_the_first_line_names_the_game_and_both_players() -> None:
    assert narrate([header()], BOOK, [])[0].text == "duel begins: Ann against Bo"
    nameless = header(seats=(Seat(""), Seat("\n\t")))
    assert narrate([nameless], BOOK, [], "ja")[0].text == "duel開始：プレイヤー1対プレイヤー2"


# --- answers ----------------------------------------------------------------------------------------------------


def answer(option: int, of: str, options: tuple[int, ...] = (), about: tuple[int, ...] = ()) -> Line:
    ask = k.Asked(seat=1, question="which", option_type=of, options=options or (option, 99), about=about)
    return told(ask, k.Acted(seat=1, action=Choose(option)))[1]


@pytest.mark.parametrize(("option", "of", "said"), [
    (BEAR, "card", "Bo chooses Bear"), (0, "seat", "Bo chooses Ann"), (3, "number", "Bo chooses 3"),
    (2, "zone", "Bo chooses ring"), (1, "way", "Bo chooses 1"), (1, "", "Bo chooses 1"),
    (HIDDEN, "card", "Bo chooses a hidden card"),
])
def test_answers_are_named_by_what_they_are_of(option: int, of: str, said: str) -> None:
    assert answer(option, of).text == said


def test_an_order_is_told_by_the_cards_that_it_is_about() -> None:
    assert answer(1, "number", (0, 1), (OWL, BEAR)).text == "Bo chooses Bear"


def test_an_effect_on_the_pile_is_named_by_its_card() -> None:
    ask = k.Asked(seat=1, question="which", option_type="item", options=(1000, 1001))
    lines = told(queued(), ask, k.Acted(seat=1, action=Choose(1000)))
    assert lines[2].text == "Bo chooses the effect of Owl"


def test_a_yes_is_quiet_and_a_no_is_told() -> None:
    assert answer(1, "yes_no", (1, 0), (OWL,)).quiet
    no = answer(0, "yes_no", (1, 0), (OWL,))
    assert (no.text, no.quiet) == ("Bo declines the offer of Owl", False)


def test_a_pass_is_told_only_where_a_question_was_asked() -> None:
    free = told(k.Asked(seat=1, question="go"), k.Acted(seat=1, action=Pass()))[1]
    asked = told(
        k.Asked(seat=1, question="which", option_type="card", options=(2,), optional=True),
        k.Acted(seat=1, action=Pass()),
    )[1]
    assert (free.quiet, asked.quiet) == (True, False)


def test_a_choice_that_moves_its_card_at_once_is_told_by_the_move() -> None:
    ask = k.Asked(seat=0, question="which", option_type="card", options=(BEAR, OWL))
    _, chosen, moved = told(ask, k.Acted(seat=0, action=Choose(BEAR)), sent(BEAR))
    assert (chosen.quiet, moved.quiet) == (True, False)


# --- causes, depths, quiet lines --------------------------------------------------------------------------------


def test_an_effect_is_named_by_its_source_and_stands_below_it() -> None:
    events = [
        k.Acted(seat=0, action=Play(OWL)), structs.replace(sent(OWL), back=1),
        queued(), k.StackPopped(item=1000, outcome="resolved"),
        structs.replace(sent(BEAR), back=1), k.CounterSet(entity=BEAR, name="might", value=6),
        k.CounterSet(entity=OWL, name="might", value=6),
    ]
    lines = told(*events)
    assert [(line.text, line.depth) for line in lines if not line.quiet] == [
        ("Owl: hand → ring (sent)", 0), ("Bear: hand → ring (sent) (through Owl)", 1),
        ("Bear: Might 5 → 6 (through Owl)", 1), ("Owl: Might 2 → 6 (its own ability)", 1),
    ]
    assert lines[4].args["through"] == "Owl"
    assert [line.cause for line in lines] == [0, 5, 5, 5, 8, 8, 8]
    assert [line.line for line in lines] == [5, 5, 5, 5, 9, 10, 11]


def test_an_effect_that_does_nothing_is_told() -> None:
    lines = told(queued(), k.StackPopped(item=1000, outcome="resolved"))
    assert [line.quiet for line in lines] == [False, False]


def test_a_value_tells_of_the_effect_that_changed_it() -> None:
    events = [
        lasting(), k.CounterSet(entity=BEAR, name="might", value=7),
        k.ModifierEnded(id=1000), k.CounterSet(entity=BEAR, name="might", value=5),
    ]
    lines = told(*events)
    assert [(line.text, line.line) for line in lines if not line.quiet] == [
        ("Bear: Might 5 → 7 (through Owl)", 6), ("Bear: Might 7 → 5 (the effect of Owl ends)", 8),
    ]
    assert line_of(narrate([*opening(), *events], BOOK, [CARDS]), 5).record == 6


def test_damage_is_told_by_its_blow_with_what_it_comes_to_in_all() -> None:
    strike = k.DamageDealt(source=OWL, target=BEAR, amount=7)
    for value, text in ((7, "Owl deals 7 damage to Bear"), (9, "Owl deals 7 damage to Bear, 9 in all")):
        blow, counter = told(strike, k.CounterSet(entity=BEAR, name="might", value=value))
        assert (blow.text, blow.quiet, counter.quiet, counter.line) == (text, False, True, blow.record)


def test_bookkeeping_and_quiet_phases_have_no_line_of_their_own() -> None:
    lines = told(k.CounterSet(entity=BEAR, name="memory", value=3), k.PhaseBegan(phase="opening"), sent(BEAR))
    assert [line.quiet for line in lines] == [True, True, False]
    assert all(line.text for line in lines)


def test_a_phase_in_which_nothing_happens_is_quiet() -> None:
    lines = narrate([*opening(), k.PhaseBegan(phase="rest", seat=0), sent(BEAR)], BOOK, [CARDS])
    assert [line.quiet for line in lines[4:]] == [True, False, False]


def test_the_question_that_a_log_stops_at_is_told() -> None:
    lines = told(k.Asked(seat=0, question="go"), k.Acted(seat=0, action=Pass()), k.Asked(seat=1, question="go"))
    assert [line.quiet for line in lines] == [True, True, False]


def test_cards_drawn_one_after_another_are_told_by_the_last() -> None:
    draws = [k.CardMoved(card=c, seat=0, zone="hand", move_kind="drawn") for c in (BEAR, OWL)]
    lines = told(*draws)
    assert [(line.text, line.quiet, line.line) for line in lines] == [
        ("Ann draws Bear", True, 6), ("Ann draws 2 cards: Bear; Owl", False, 6),
    ]
    single = told(draws[0], k.Annotated(text="x"), draws[1])
    assert [line.quiet for line in single] == [False, False, False]


def test_an_answer_in_the_middle_of_an_attack_stands_below_it() -> None:
    fight = [k.Acted(seat=0, action=Attack(BEAR, MOUSE)), k.AttackSet(attacker=BEAR, target=MOUSE, back=1)]
    lines = told(*fight, k.Acted(seat=1, action=Use(OTHER_OWL)), k.AttackSet(), k.Acted(seat=0, action=Move(OWL)))
    assert [(line.text, line.depth) for line in lines if not line.quiet] == [
        ("Bear attacks DU-9", 0), ("Bo uses Owl", 1), ("Ann moves Owl", 0),
    ]


def test_text_for_a_terminal_has_headings_and_indents_what_was_caused() -> None:
    events = [k.Acted(seat=0, action=Attack(BEAR, MOUSE)), k.DamageDealt(source=BEAR, target=MOUSE, amount=3, back=1)]
    assert log_text(narrate([*opening(), *events], BOOK, [CARDS])) == (
        "    0  duel begins: Ann against Bo\n"
        "\n"
        "    3  Round 1: Ann\n"
        "    4    fight\n"
        "    5    Bear attacks DU-9\n"
        "    6      Bear deals 3 damage to DU-9\n"
    )


def test_a_long_chain_is_not_set_in_further_and_further() -> None:
    chain = [k.DamageDealt(source=BEAR, target=MOUSE, amount=n, back=1) for n in range(1, 201)]
    lines = told(k.Acted(seat=0, action=Attack(BEAR, MOUSE)), *chain)
    assert [line.depth for line in lines] == list(range(201)), "its depth stays what it is"
    shown = log_text(lines).splitlines()
    assert [len(text) - len(text[5:].lstrip()) for text in shown[:9]] == [9, 11, 13, 15, 17, 19, 21, 21, 21]
    assert max(map(len, shown)) < 80
