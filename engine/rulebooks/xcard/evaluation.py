"""What an X-Card position is worth to a seat: a plain sum that `greedy` and `search` use. Larger is better.

Counted in HP: leaders, cards in hand, and what the battle under way is likely to bring; sorties with their penalty.
"""

from __future__ import annotations

from engine.core.match import Match
from engine.rulebooks.xcard import sortie
from engine.rulebooks.xcard.battle import LEAST_DAMAGE, element_edge
from engine.rulebooks.xcard.card import FISTS, SHIELDS

WARRIOR, ITEM = 100.0, 50.0
"""A card in hand; beyond what is used in a round or two it is worth less."""
USEFUL_WARRIORS, USEFUL_ITEMS, SPARE = 5, 3, 0.3
SETTLES = 60.0
"""An effect of a skill on the field that is still to be resolved."""
MEETS = 0.15
"""How likely each card in the defender's hand is to answer a fist in a given direction."""

LOG_ODDS = 1100.0
"""The worth at which the odds of winning are e to 1, by logistic regression over games of greedy with all decks."""


def evaluate(m: Match, seat: int) -> float:
    """Own side minus the other side."""
    total = _side(m, seat) - _side(m, 1 - seat)
    if m.state.phase in ("before", "form_attack", "after_attack", "form_defence", "after_defence", "skills"):
        attacker = m.state.active
        expected = _battle(m, attacker)
        total += expected if attacker == seat else -expected
        total += SETTLES * (_effects(m, seat) - _effects(m, 1 - seat))
    return total


def _effects(m: Match, seat: int) -> int:
    return sum(m.definition(card).effect is not None for card in m.state.zones[seat]["field"])


def _side(m: Match, seat: int) -> float:
    zones = m.state.zones[seat]
    hp = m.value(seat, "hp")
    if m.state.turn == 0:
        return m.definition(zones["leader"][0]).hp + 2.0 * sortie.defence(m, seat) if zones["leader"] else 0.0
    items = sum(m.definition(card).kind == "item" for card in zones["hand"])
    warriors = len(zones["hand"]) - items
    near_death = -0.3 * max(0, 800 - hp)
    return (
        hp + near_death + _hand(warriors, USEFUL_WARRIORS, WARRIOR) + _hand(items, USEFUL_ITEMS, ITEM)
        + 0.5 * WARRIOR * (m.value(seat, "draws") - 2) - WARRIOR * m.value(seat, "no_draw")
        + 30.0 * m.value(seat, "more_characters") + 20.0 * m.value(seat, "more_skills")
    )


def _hand(n: int, useful: int, each: float) -> float:
    return each * (min(n, useful) + SPARE * max(0, n - useful))


def _battle(m: Match, attacker: int) -> float:
    """HP that the battle will cost the defender, minus what it will cost the attacker."""
    defender = 1 - attacker
    attack, answers = m.state.zones[attacker]["field"], m.state.zones[defender]["field"]
    # As long as the defender can still form up, its hand stands for what may yet meet a fist.
    hidden = 0 if m.state.phase in ("form_defence", "after_defence", "skills") else m.state.count(defender, "hand")
    met_unseen = 1.0 - (1.0 - MEETS) ** min(hidden, 2)
    left = {way: [c for c in answers if m.value(c, SHIELDS[way]) or m.value(c, FISTS[way])] for way in range(4)}
    through: dict[int, float] = {}
    back: dict[int, float] = {}
    for way in range(4):
        for card in attack:
            if not m.value(card, FISTS[way]):
                continue
            chance = _chance(m, card, way, left[way], met_unseen, back)
            through[card] = 1.0 - (1.0 - through.get(card, 0.0)) * (1.0 - chance)
    gained = sum(chance * _strike(m, card, defender) for card, chance in through.items())
    lost = sum(chance * _strike(m, card, attacker) for card, chance in back.items())
    band = m.value(sortie.leader(m, attacker), "band")
    if band:
        lost += sortie.PENALTY[band] * (1.0 - through.get(sortie.leader(m, attacker), 0.0))
    return _deadly(gained, m.value(defender, "hp")) - _deadly(lost, m.value(attacker, "hp"))


def _chance(m: Match, card: int, way: int, left: list[int], met_unseen: float, back: dict[int, float]) -> float:
    """How likely the fist gets through; the defender answers with what serves it best."""
    if not left:
        return 1.0 - met_unseen
    answer = max(left, key=lambda c: (m.value(c, "atk") if m.value(c, FISTS[way]) else 0, -m.value(c, SHIELDS[way])))
    left.remove(answer)
    if not m.value(answer, FISTS[way]):
        return 0.0
    mine = m.value(card, "atk") + element_edge(m.value(card, "element"), m.value(answer, "element"))
    theirs = m.value(answer, "atk") + element_edge(m.value(answer, "element"), m.value(card, "element"))
    if m.value(answer, SHIELDS[way]) and mine >= theirs:
        return 0.0
    if theirs > mine:
        back[answer] = 1.0
    return 1.0 if mine > theirs else 0.0


def _strike(m: Match, card: int, seat: int) -> float:
    edge = element_edge(m.value(card, "element"), m.value(sortie.leader(m, seat), "element"))
    return max(LEAST_DAMAGE, m.value(card, "atk") + edge - m.value(seat, "def"))


def _deadly(loss: float, hp: int) -> float:
    """A loss of HP, worth more where it defeats the leader."""
    return loss + (1500.0 if loss >= hp else 0.0)
