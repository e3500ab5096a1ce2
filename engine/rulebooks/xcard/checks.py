"""X-Card: the words that its cards may use, and checks of printed fields that the linter knows nothing of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from engine.effects.abilities import Effect
from engine.effects.kinds.add import AddValue
from engine.effects.kinds.set import SetValue
from engine.effects.steps import all_steps
from engine.effects.vocabulary import Vocabulary
from engine.problems import Problem, closest
from engine.rulebooks.xcard.card import DIRECTIONS, ELEMENTS, FISTS, SHIELDS, XCardCard, XCardDefinition

FORMING = frozenset(("more_characters", "more_skills"))
"""Values of a player that matter only while a side forms up."""

VOCABULARY = Vocabulary(
    zones={
        "leader": "up", "warriors": "none", "items": "none", "hand": "owner", "field": "all", "table": "all",
        "w_discard": "all", "i_discard": "all", "stack": "all",
    },
    table=frozenset(("field", "leader")),
    targets=frozenset(("w_discard", "i_discard")),
    spent="i_discard",
    values=frozenset(("atk", "element", *FISTS, *SHIELDS)),
    stats=frozenset(("atk", "element", "formation", *FISTS, *SHIELDS)),
    seat_values=frozenset(("def", "draws", "no_draw", *FORMING)),
    moments={},
    slots=frozenset(),
    phases=frozenset(("before", "form_attack", "after_attack", "form_defence", "after_defence", "skills")),
    durations=frozenset(("turn",)),
    words={
        "kind": frozenset(("character", "skill", "item")), "element": frozenset(ELEMENTS),
        "mark": frozenset(("cooperate", "link")),
    },
    kinds={"character": frozenset(), "skill": frozenset(("effect",)), "item": frozenset(("effect",))},
    wants={"item": "effect"},
    instructions=frozenset((
        "draw", "destroy", "move", "add", "set", "choose", "each", "if", "may", "cancel", "reveal", "special",
    )),
    specials=frozenset(("take_attack", "break_formation")),
    deck="warriors",
)


def problems(definitions: Mapping[str, XCardDefinition], leader_only: Set[str] = frozenset()) -> list[Problem]:
    """What is wrong with the printed fields of these cards and with their ban lists, each with its rule id."""
    characters = {d.name for d in definitions.values() if d.kind == "character"}
    found = [problem for d in definitions.values() for problem in _card(d, characters)]
    return found + [problem for code in sorted(leader_only) for problem in _leader_only(definitions[code])]


def _leader_only(definition: XCardDefinition) -> Iterable[Problem]:
    if definition.kind != "character":
        text = f"it names {definition.name} ({definition.code}), which is no character; only characters are leaders"
        yield Problem("XC-11", None, text, "leader_only", "ban.toml")


def _card(definition: XCardDefinition, characters: set[str]) -> Iterable[Problem]:
    card = definition.printed
    assert isinstance(card, XCardCard)
    if card.kind == "item":
        for field in ("element", "atk", "def", "hp", "fists", "shields", "mark", "own"):
            if getattr(card, "def_" if field == "def" else field):
                yield Problem("XC-04", card.code, f"an item has no `{field}`, only an effect", field)
    else:
        yield from _warrior(card)
    if card.kind == "character":
        yield from _character(card)
    elif card.kind == "skill":
        yield from _skill(card, characters)
    for number, ability in enumerate(card.ability):
        if isinstance(ability, Effect):
            yield from _effect(card, ability, f"ability[{number}]")


def _warrior(card: XCardCard) -> Iterable[Problem]:
    rule = "XC-02" if card.kind == "character" else "XC-03"
    if card.element is None:
        yield Problem(rule, card.code, f"a {card.kind} has an element: {', '.join(ELEMENTS)}", "element")
    if card.atk < 0 or (card.kind == "character" and card.atk == 0):
        yield Problem(rule, card.code, f"ATK {card.atk}; a {card.kind} has a positive one", "atk")
    for way in DIRECTIONS:
        if card.fists.count(way) + card.shields.count(way) > 1:
            text = f"more than one fist or shield {way}; a direction has a fist, a shield or nothing"
            yield Problem(rule, card.code, text, "fists")


def _character(card: XCardCard) -> Iterable[Problem]:
    for field, value in (("def", card.def_), ("hp", card.hp)):
        if value <= 0:
            yield Problem("XC-02", card.code, f"{field.upper()} {value}; a character has a positive one", field)
    if card.own is not None:
        yield Problem("XC-03", card.code, "only a skill is somebody's own", "own")


def _skill(card: XCardCard, characters: set[str]) -> Iterable[Problem]:
    for field, value in (("def", card.def_), ("hp", card.hp)):
        if value:
            yield Problem("XC-03", card.code, f"a skill has no `{field}`", field)
    if card.own is not None and card.own not in characters:
        near = closest(card.own, characters)
        hint = f"; did you mean {near!r}?" if near else ""
        yield Problem("XC-22", card.code, f"there is no character {card.own!r}{hint}", "own")


def _effect(card: XCardCard, effect: Effect, at: str) -> Iterable[Problem]:
    for i, cost in enumerate(effect.cost):
        if cost.pay != "discard":
            text = f"there is nothing to pay with by {cost.pay} in X-Card; a cost is cards that are discarded"
            yield Problem("XC-04", card.code, text, f"{at}.cost[{i}]")
    for i, step in enumerate(all_steps(effect.then)):
        if card.kind == "skill" and isinstance(step, (AddValue, SetValue)) and step.name in FORMING:
            text = "a skill is resolved when both sides have formed up; more cards to be sent could never matter"
            yield Problem("XC-27", card.code, text, f"{at}.then[{i}]")
        if isinstance(step, AddValue) and step.name == "element":
            yield Problem("XC-05", card.code, "nothing is added to an element; it becomes another", f"{at}.then[{i}]")
        if isinstance(step, SetValue) and step.name == "element" and not 0 <= step.value < len(ELEMENTS):
            numbers = ", ".join(f"{n} {element}" for n, element in enumerate(ELEMENTS))
            text = f"there is no element {step.value}; there are {numbers}"
            yield Problem("XC-05", card.code, text, f"{at}.then[{i}]")
