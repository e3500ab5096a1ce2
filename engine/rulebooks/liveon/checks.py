"""Live On: the words that its cards may use, and checks of printed fields that the linter knows nothing of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.effects.abilities import Reaction
from engine.effects.kinds.move import MoveCards
from engine.effects.kinds.play import PlayCards
from engine.effects.vocabulary import Vocabulary
from engine.problems import Problem, closest
from engine.rulebooks.liveon.card import COLOURS, KEYWORDS, MOMENTS, LiveOnCard, LiveOnDefinition

_CARD_ABILITIES = frozenset(("activated", "triggered", "passive", "reaction", "regenerate"))

VOCABULARY = Vocabulary(
    zones={
        "deck": "none", "hand": "owner", "a": "all", "b": "up", "under": "all", "stack": "all", "discard": "all",
    },
    table=frozenset(("a", "b")),
    targets=frozenset(("deck", "hand", "a", "b", "discard")),
    spent="discard",
    values=frozenset(("pow", *KEYWORDS)),
    stats=frozenset(("pow", "damage", *KEYWORDS)),
    moments={moment: frozenset() if moment == "turn_began" else frozenset(("it",)) for moment in MOMENTS},
    slots=frozenset(("attacker", "attacked")),
    phases=frozenset(("start", "move", "live", "attack", "end")),
    durations=frozenset(("turn",)),
    words={"kind": frozenset(("fighter", "monster", "skill")), "colour": frozenset(COLOURS), "race": None},
    kinds={
        "fighter": _CARD_ABILITIES, "monster": _CARD_ABILITIES, "skill": frozenset(("effect", "reaction")),
    },
    wants={"skill": "effect"},
    sets_off={
        "move": frozenset(("lived", "moved")), "play": frozenset(("lived", "moved")),
        "damage": frozenset(("destroyed",)), "destroy": frozenset(("destroyed",)),
        "add": frozenset(("destroyed",)), "set": frozenset(("destroyed",)),
    },
)


def problems(definitions: Mapping[str, LiveOnDefinition]) -> list[Problem]:
    """What is wrong with the printed fields of these cards, each with its rule id."""
    fighters = {d.name for d in definitions.values() if d.kind == "fighter"}
    return [found for d in definitions.values() for found in _card(d, fighters)]


def _card(definition: LiveOnDefinition, fighters: set[str]) -> Iterable[Problem]:
    card = definition.printed
    assert isinstance(card, LiveOnCard)
    code = definition.code
    if definition.needs < 1 or min(card.power.values(), default=0) < 0:
        yield Problem("LO-05", code, "a power source has one symbol or more, none of them negative", "power")
    if card.kind == "skill":
        yield from _skill(card)
        return
    if card.pow <= 0:
        yield Problem("LO-37", code, f"POW {card.pow}: the card is destroyed as soon as it is lived", "pow")
    if card.kind == "monster" and not card.race.get("en"):
        yield Problem("LO-02", code, 'a monster has a race, e.g. race = { en = "Golem" }', "race")
    if card.kind == "fighter" and card.race:
        yield Problem("LO-02", code, "only monsters have a race", "race")
    for keyword, value in card.keywords.items():
        if keyword == "burst" and value < 2:
            yield Problem("LO-36", code, f"Burst {value}: an attack bursts 1 card anyway", "keywords.burst")
        if keyword != "burst" and value != 1:
            yield Problem("LO-50", code, f"{keyword} is 1 or not there, not {value}", f"keywords.{keyword}")
    if card.live_change is not None:
        yield from _live_change(definition, card, fighters)


def _skill(card: LiveOnCard) -> Iterable[Problem]:
    for field in ("pow", "star", "race", "keywords", "live_change"):
        if getattr(card, field):
            yield Problem("LO-02", card.code, f"a skill has no `{field}`", field)


def _live_change(definition: LiveOnDefinition, card: LiveOnCard, fighters: set[str]) -> Iterable[Problem]:
    wanted = str(card.live_change)
    if card.kind != "monster":
        yield Problem("LO-52", card.code, "a Live Change stands on a monster", "live_change")
    if wanted not in fighters:
        near = closest(wanted, fighters)
        hint = f"; did you mean {near!r}?" if near else ""
        yield Problem("LO-52", card.code, f"there is no fighter {wanted!r}{hint}", "live_change")
    if definition.reaction is not None:
        reaction = definition.abilities[definition.reaction]
        assert isinstance(reaction, Reaction)
        for i, step in enumerate(reaction.then):
            to_field = isinstance(step, PlayCards) or (isinstance(step, MoveCards) and step.zone in ("a", "b"))
            if to_field and getattr(step, "what", None) == "self":
                field = f"ability[{definition.reaction}].then[{i}]"
                yield Problem("LO-52", card.code, "no reaction brings it out without its fighter", field)
