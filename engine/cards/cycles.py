"""Cycles: abilities that could be used, or could set each other off, for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from engine.cards.definition import Definition
from engine.effects.abilities import Activated, AnyAbility, Triggered
from engine.effects.kinds.exhaust import Exhaust
from engine.effects.language import Select, Who
from engine.effects.linter import tag_of
from engine.effects.steps import all_steps
from engine.effects.vocabulary import Set, Vocabulary
from engine.problems import Problem

# --- cycles of one activated ability -------------------------------------------------------------------------


def own_cycles(definition: Definition, ability: Activated, words: Vocabulary) -> list[str]:
    """Why the ability could be used again and again: its effect gives back what its cost takes."""
    found = []
    pays = {cost.pay for cost in ability.cost}
    if "exhaust" in pays and any(
        isinstance(step, Exhaust) and not step.exhausted and _may_mean_itself(step.what, definition, ability, words)
        for step in all_steps(ability.then)
    ):
        found.append("the cost turns the card down and the effect can stand it up again")
    taken = _taken_from(ability, words)
    if ability.once or not taken:
        return found
    back: set[str] = set()
    for step in all_steps(ability.then):
        puts = step.puts(words)
        if puts and words.spent in _zones(getattr(step, "what", ""), ability, words):
            back |= puts
    if back & taken:
        found.append(
            "its effect can bring back what its cost takes away, as often as one likes; "
            "`once = true` limits it to once a turn"
        )
    return found


def _taken_from(ability: Activated, words: Vocabulary) -> set[str]:
    taken: set[str] = set()
    for cost in ability.cost:
        if cost.pay == "mill":
            taken.add(words.deck)
        elif cost.pay == "discard" and cost.from_ is not None:
            taken |= set(cost.from_.zone) or words.table
    return taken


def _may_mean_itself(what: Who, definition: Definition, ability: Activated, words: Vocabulary) -> bool:
    return what == "self" or any(
        not s.another and s.of != "other" and s.exhausted is not False
        and (not s.zone or words.table & set(s.zone))
        and _printed_fits(s, definition, exact=False)
        for s in _selections(what, ability)
    )


# --- cycles of triggered abilities --------------------------------------------------------------------------

_Node: TypeAlias = tuple[str, int]


def cycles(definitions: Mapping[str, Definition], words: Vocabulary) -> list[Problem]:
    """Triggered abilities that can set each other off for ever.

    An edge leads from an ability to one that its effect can set off. A cycle in which every step takes a card
    from hand, deck or table, and none gives one back, ends by itself and is no problem.
    """
    edges: dict[_Node, dict[_Node, bool]] = {}
    for card in definitions.values():
        for listener in card.listeners:
            edges[card.code, listener.ability] = _sets_off(card, listener.trigger, definitions, words)
    found = []
    for group in _components({node: set(out) for node, out in edges.items()}):
        inside = [spends for node in group for to, spends in edges[node].items() if to in group]
        if not inside or (all(inside) and not any(_gives_back(definitions[c], n, words) for c, n in group)):
            continue
        names = ", ".join(sorted({definitions[code].name for code, _ in group}))
        code, number = min(group)
        found.append(
            Problem(
                "cycle", code, f"this can set itself off for ever (through: {names}); let it take a card away",
                f"ability[{number}]",
            )
        )
    return found


def _sets_off(
    definition: Definition, trigger: Triggered, definitions: Mapping[str, Definition], words: Vocabulary
) -> dict[_Node, bool]:
    """Abilities that this one can set off -> whether every way of doing so takes a card away."""
    out: dict[_Node, bool] = {}
    for step in all_steps(trigger.then):
        moments = words.sets_off.get(tag_of(step), frozenset())
        puts = step.puts(words)
        if not moments or (puts and not puts & words.table):
            continue
        what: Who = getattr(step, "what", "")
        zones = _zones(what, trigger, words)
        spends = not puts or (bool(zones) and zones <= {words.hand, words.deck})
        for card in definitions.values():
            if not _may_be(what, trigger, definition, card, exact=bool(puts) and not zones & words.table):
                continue
            for listener in definitions.values():
                for triggered in listener.listeners:
                    if triggered.trigger.on in moments and _fired_by(listener, triggered.trigger, card):
                        node = listener.code, triggered.ability
                        out[node] = out.get(node, True) and spends
    return out


def _may_be(
    what: Who, trigger: Triggered, definition: Definition, card: Definition, exact: bool
) -> bool:
    if what in ("own", "other"):
        return False
    if what == "self":
        return card is definition
    if what == "it":
        if trigger.whose == "self":
            return card is definition
        return trigger.fits is None or _printed_fits(trigger.fits, card, exact=False)
    selections = _selections(what, trigger)
    return not selections or any(_printed_fits(s, card, exact) for s in selections)


def _fired_by(listener: Definition, trigger: Triggered, card: Definition) -> bool:
    if trigger.whose == "self":
        return listener is card
    return trigger.fits is None or _printed_fits(trigger.fits, card, exact=False)


def _gives_back(definition: Definition, number: int, words: Vocabulary) -> bool:
    ability = definition.abilities[number]
    return any(step.puts(words) & {words.hand, words.deck} for step in all_steps(getattr(ability, "then", ())))


def _components(edges: Mapping[_Node, set[_Node]]) -> list[set[_Node]]:
    """Groups of nodes that reach each other, those of one node included."""
    reach: dict[_Node, set[_Node]] = {}
    for start in edges:
        seen: set[_Node] = set()
        ahead = list(edges[start])
        while ahead:
            node = ahead.pop()
            if node not in seen:
                seen.add(node)
                ahead += edges[node]
        reach[start] = seen
    groups: list[set[_Node]] = []
    for node in edges:
        group = {node} | {other for other in reach[node] if node in reach[other]}
        if group not in groups:
            groups.append(group)
    return groups


# --- what the cards of an instruction may be ------------------------------------------------------------------


def _selections(what: Who, ability: AnyAbility) -> list[Select]:
    """The selections from which the cards of a slot (or the selection itself) come."""
    if isinstance(what, Select):
        return [what]
    found = [t.from_ for t in getattr(ability, "targets", ()) if t.slot == what]
    for step in all_steps(getattr(ability, "then", ())):
        slot, source = step.fills() or ("", "")
        if slot == what != source:
            found += _selections(source, ability)
    return found


def _zones(what: Who, ability: AnyAbility, words: Vocabulary) -> Set:
    """Zones from which the cards may come; `self` and a trigger's `it` may lie on the table or be spent."""
    if what in ("self", "it"):
        return words.table | {words.spent}
    zones: set[str] = set()
    for select in _selections(what, ability):
        zones |= set(select.zone) or words.table
    return frozenset(zones)


def _printed_fits(select: Select, definition: Definition, exact: bool) -> bool:
    """Whether a selection can mean such a card; `exact`: by printed values too (it lies off the table)."""
    if select.name is not None and select.name != definition.name:
        return False
    # A card may count as more than one kind (a Live Change), so a kind excludes none.
    if any(definition.words.get(word) != wanted for word, wanted in select.is_.items() if word != "kind"):
        return False
    return not exact or (
        all(definition.stats.get(name, 0) >= n for name, n in select.at_least.items())
        and all(definition.stats.get(name, 0) <= n for name, n in select.at_most.items())
    )
