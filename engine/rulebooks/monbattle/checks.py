"""Monster Battle: the words that its cards may use, and checks of printed fields that the linter knows nothing of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.effects.abilities import AnyAbility, Effect, Passive, Triggered
from engine.effects.kinds.add import AddValue
from engine.effects.kinds.change import ChangeSeatValue
from engine.effects.kinds.move import MoveCards
from engine.effects.kinds.set import SetValue
from engine.effects.language import Select
from engine.effects.steps import all_steps
from engine.effects.vocabulary import Vocabulary
from engine.problems import Problem, closest
from engine.rulebooks.monbattle.card import CHANGES, MOMENTS, STATS, Attribute, MonBattleCard, MonBattleDefinition
from engine.rulebooks.monbattle.deck import FEW_STARTERS

BOTH = ("end_began",)
"""Moments that come for each player: an ability is set off by those of its own player."""
MOMENTS_OF_PLAYERS = ("main_began", *BOTH)
LASTING = frozenset(("pp", "level", "claims_first"))
FOR_GOOD = frozenset(("lp",))
_WORN = frozenset(("passive", "triggered"))
_ALIVE = frozenset(("activated", "triggered", "passive"))
FIELDS: dict[str, frozenset[str]] = {
    "player": frozenset(("lp", "pp", "level")), "monster": frozenset((*STATS, "attribute", "evolves")),
    "weapon": frozenset((*STATS, "attribute")), "assist": frozenset(("item",)), "field": frozenset(),
}
"""Kind of card -> the printed fields that it has besides name and abilities (MB-02 … MB-04)."""


def vocabulary(attributes: Iterable[str]) -> Vocabulary:
    """The words of the game, with these attributes."""
    return Vocabulary(
        zones={
            "player": "all", "deck": "none", "hand": "owner", "battle": "all", "standby": "all", "gear": "all",
            "field": "all", "stock": "all", "drop": "all", "stack": "all",
        },
        table=frozenset(("player", "battle", "standby", "gear", "field")),
        targets=frozenset(("deck", "hand", "standby", "stock", "drop")),
        spent="drop",
        values=frozenset(("atk", "def", "spd", "cost", "attribute", *CHANGES)),
        stats=frozenset(("atk", "def", "spd", "cost", *CHANGES)),
        seat_values=LASTING | FOR_GOOD,
        moments={m: frozenset() if m in MOMENTS_OF_PLAYERS else frozenset(("it",)) for m in MOMENTS},
        slots=frozenset(("attacker", "attacked")),
        bearers=frozenset(("weapon", "assist")),
        phases=frozenset(("start", "main", "attack", "end")),
        durations=frozenset(("turn", "phase", "order", "game")),
        words={
            "kind": frozenset(("player", "monster", "evolution", "support", "weapon", "assist", "item", "field")),
            "attribute": frozenset(attributes),
        },
        kinds={
            "player": _ALIVE, "monster": _ALIVE, "weapon": _WORN, "field": _WORN,
            "assist": frozenset(("effect", *_WORN)),
        },
        sets_off={
            "move": frozenset(("played",)), "play": frozenset(("played", "evolved")),
            "destroy": frozenset(("destroyed",)),
        },
        instructions=frozenset((
            "draw", "mill", "move", "play", "add", "set", "change", "choose", "destroy", "each", "if", "may",
            "end_attack", "reveal", "shuffle",
        )),
    )


def problems(cards: Mapping[str, MonBattleDefinition], attributes: Mapping[str, Attribute]) -> list[Problem]:
    """What is wrong with the attributes and with the printed fields of the cards, each with its rule id."""
    monsters = {d.name: d for d in cards.values() if d.kind == "monster"}
    found = list(_attributes(attributes))
    for card in cards.values():
        found += _card(card, monsters, attributes)
    starters = sum(d.starter for d in cards.values())
    if starters < FEW_STARTERS:
        text = f"{starters} COST 1 monsters besides evolutions; with fewer than {FEW_STARTERS} many hands are redrawn"
        found.append(Problem("MB-09", None, text))
    return found


def _attributes(attributes: Mapping[str, Attribute]) -> Iterable[Problem]:
    for name, attribute in attributes.items():
        for beaten in attribute.beats:
            if beaten not in attributes:
                text = f"{name} beats {beaten!r}, which is no attribute{_hint(beaten, attributes)}"
                yield Problem("MB-05", None, text, f"attributes.{name}.beats")
            elif name in attributes[beaten].beats and name <= beaten:
                text = f"{name} and {beaten} beat each other; only one of them can have the advantage"
                yield Problem("MB-05", None, text, f"attributes.{name}.beats")


def _hint(wrong: str, right: Iterable[str]) -> str:
    near = closest(wrong, right)
    return f"; did you mean {near!r}?" if near else ""


def _card(
    card: MonBattleDefinition, monsters: Mapping[str, MonBattleDefinition], attributes: Mapping[str, Attribute]
) -> Iterable[Problem]:
    printed = card.printed
    assert isinstance(printed, MonBattleCard)
    for field in sorted(frozenset().union(*FIELDS.values()) - FIELDS[card.kind]):
        if getattr(printed, "def_" if field == "def" else field):
            rule = {"player": "MB-02", "monster": "MB-03"}.get(card.kind, "MB-04")
            yield Problem(rule, card.code, f"a {card.kind} has no `{field}`", field)
    if card.kind == "player":
        for field in ("lp", "pp", "level"):
            if getattr(printed, field) < 1:
                text = f"{field} {getattr(printed, field)}; a player card has 1 or more"
                yield Problem("MB-02", card.code, text, field)
    elif card.kind == "monster":
        yield from _monster(card, printed, monsters)
    elif card.kind == "weapon" and not any((printed.cost, printed.atk, printed.def_, printed.spd, printed.ability)):
        yield Problem("MB-04", card.code, "a weapon adds to a stat of its bearer, e.g. atk = 300", "atk")
    elif card.kind == "field" and not printed.ability:
        yield Problem("MB-04", card.code, "a field without an ability does nothing", "ability")
    if card.kind in ("monster", "weapon") and (card.attribute is None or card.attribute not in attributes):
        said = "no attribute" if card.attribute is None else f"the attribute {card.attribute!r}"
        known = ", ".join(attributes) or "none (the set needs a rules.toml)"
        yield Problem("MB-05", card.code, f"{said}; known are {known}", "attribute")
    for number, ability in enumerate(printed.ability):
        yield from _ability(printed, ability, f"ability[{number}]")
    if card.kind == "assist":
        yield from _assist(printed)


def _monster(
    card: MonBattleDefinition, printed: MonBattleCard, monsters: Mapping[str, MonBattleDefinition]
) -> Iterable[Problem]:
    for field in ("cost", "atk", "def", "spd"):
        value, least = card.stats[field], int(field == "cost")
        if value < least:
            yield Problem("MB-03", card.code, f"{field} {value}; a monster has {least} or more", field)
    if card.evolves is None:
        return
    base, seen = card, [card.name]
    while base.evolves is not None:
        below = monsters.get(base.evolves)
        if below is None:
            if base is card:
                text = f"there is no monster {card.evolves!r}{_hint(card.evolves, monsters)}"
                yield Problem("MB-25", card.code, text, "evolves")
            return
        base = below
        if base.name in seen:
            text = f"it evolves in a circle ({', '.join(seen)}) and can never come into play"
            yield Problem("MB-25", card.code, text, "evolves")
            return
        seen.append(base.name)


def _assist(printed: MonBattleCard) -> Iterable[Problem]:
    effects = sum(isinstance(a, Effect) for a in printed.ability)
    others = len(printed.ability) - effects
    if printed.item is None and (not effects or others):
        yield Problem("MB-30", printed.code, "an assist that is no item has one effect and nothing else", "ability")
    if printed.item is not None and (effects or not others):
        text = "an item works while it is equipped: it has passive or triggered abilities and no effect"
        yield Problem("MB-32", printed.code, text, "ability")
    for number, ability in enumerate(printed.ability):
        if isinstance(ability, Effect) and not ability.cost and _fetches_itself(printed, ability):
            text = "two of it can fetch each other out of the drop pile for ever; let it fetch other kinds of card"
            yield Problem("cycle", printed.code, text, f"ability[{number}]")


def _fetches_itself(printed: MonBattleCard, ability: Effect) -> bool:
    """Whether the effect can bring another copy of its card from the drop pile to where it can be used again."""
    steps = list(all_steps(ability.then))
    selects = [t.from_ for t in ability.targets]
    selects += [s for step in steps for s in (getattr(step, "what", None), getattr(step, "from_", None))
                if isinstance(s, Select)]
    back = any(isinstance(step, MoveCards) and step.zone in ("hand", "deck") for step in steps)
    return back and any(
        "drop" in s.zone and s.of != "other" and s.is_.get("kind") in (None, "support", "assist")
        and s.name in (None, printed.name["en"])
        for s in selects
    )


def _ability(printed: MonBattleCard, ability: AnyAbility, at: str) -> Iterable[Problem]:
    for i, cost in enumerate(getattr(ability, "cost", ())):
        if cost.pay == "exhaust":
            yield Problem("MB-35", printed.code, "no card is turned down in this game", f"{at}.cost[{i}].pay")
        elif cost.pay == "discard" and cost.from_ is not None and cost.from_.zone != ("hand",):
            text = "a cost of cards is paid from the hand: from = { zone = [\"hand\"] }"
            yield Problem("MB-35", printed.code, text, f"{at}.cost[{i}].from.zone")
    if isinstance(ability, Triggered):
        if ability.on in BOTH and ability.whose != "self":
            text = f"the moment {ability.on} comes for each player; leave `whose` out"
            yield Problem("never-matters", printed.code, text, f"{at}.whose")
        if ability.on == "set" and ability.whose == "self" and printed.kind != "monster":
            yield Problem("never-matters", printed.code, "only a monster is set; say `whose`", f"{at}.whose")
    if isinstance(ability, Passive) and ability.what in ("own", "other") and ability.name in FOR_GOOD:
        text = f"{ability.name} changes for good, by the instruction `change`"
        yield Problem("MB-02", printed.code, text, f"{at}.name")
    for i, step in enumerate(all_steps(getattr(ability, "then", ()))):
        if isinstance(step, ChangeSeatValue) and step.name not in FOR_GOOD:
            text = f"{step.name} follows the player card; change it by `add` or `be` (until = \"game\": for good)"
            yield Problem("MB-02", printed.code, text, f"{at}.then[{i}].name")
        if isinstance(step, (AddValue, SetValue)) and step.what in ("own", "other") and step.name in FOR_GOOD:
            text = f"{step.name} changes for good, by the instruction `change`"
            yield Problem("MB-02", printed.code, text, f"{at}.then[{i}].name")
