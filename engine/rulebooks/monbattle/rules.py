"""Monster Battle as the engine asks for it: what is legal, what may be used, what follows from each change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from msgspec import structs

from engine.cards.decks import DeckFile
from engine.cards.definition import Definition
from engine.cards.files import tables_of
from engine.core import stack
from engine.core.match import Match
from engine.core.tasks import Illegal, Task
from engine.effects import query
from engine.effects.abilities import Activated
from engine.effects.instruction import Jump
from engine.effects.kinds.choose import ChooseCards
from engine.effects.kinds.if_ import Unless
from engine.effects.kinds.may import Ask
from engine.effects.language import Select
from engine.problems import Problem
from engine.rulebooks.monbattle import attack, checks, evaluation, round, setup, stage
from engine.rulebooks.monbattle.card import (
    STATS,
    Attribute,
    MonBattleCard,
    MonBattleDefinition,
    SetRules,
    on_stage,
)
from engine.rulebooks.monbattle.deck import Limits, trial
from engine.rulebooks.monbattle.deck import problems as deck_problems
from engine.rulebooks.monbattle.stage import STANDS, definition
from engine.rulebooks.rulebook import Rulebook, read_ruleset
from events.actions import AnyAction, Attack, Pass, Play, Use
from events.kinds import FIRST_ITEM, CardSet, DeckList, Frame, GameStarted, RulebookLine


class MonBattle(Rulebook):
    """The rulebook MB-01 … MB-53."""

    key = "monbattle"
    feature_names = evaluation.FEATURES
    foresight = 2  # what a monster costs in the stock is felt rounds later
    folder = Path(__file__).parent
    card_type = MonBattleCard
    definition_type = MonBattleDefinition
    set_tables: ClassVar = {"rules": SetRules}
    field = STANDS
    stack_zone = "play"
    in_order = True
    tasks: ClassVar = {**setup.HANDLERS, **round.HANDLERS, **stage.HANDLERS, **attack.HANDLERS}
    question_rules: ClassVar = {
        "extra_draws": "MB-10", "first_monster": "MB-08", "extra_monster": "MB-11", "battle_monster": "MB-13",
        "evolve": "MB-25", "weapon": "MB-26", "item": "MB-32", "target": "MB-30", "cost": "MB-35", "choose": "MB-35",
        "may": "MB-35", "order": "MB-48",
    }
    options: ClassVar = {"format": ("standard",), "max_rounds": range(1, 10_001)}

    def __init__(self, card_sets: Sequence[CardSet], definitions: Iterable[Definition]) -> None:
        known: list[Any] = list(definitions)
        rules = tables_of(card_sets, "rules", SetRules)
        self.limits = Limits.of(rules)
        self.attributes: dict[str, Attribute] = {}
        for said in rules:
            self.attributes.update(said.attributes)
        self.attribute_names = list(self.attributes)
        """attributes by the number that stands for them"""
        for card in known:
            if card.attribute is not None and card.attribute not in self.attribute_names:
                self.attribute_names.append(card.attribute)  # left to the linter
            if "attribute" in card.stats and card.attribute is not None:
                card.stats["attribute"] = self.attribute_names.index(card.attribute)
        self.vocabulary = checks.vocabulary(self.attribute_names)
        self.beats: evaluation.Beats = tuple([
            frozenset(self.attribute_names.index(b) for b in self.attributes[a].beats if b in self.attribute_names)
            if a in self.attributes else frozenset() for a in self.attribute_names
        ])
        monsters = [card.stats for card in known if card.kind == "monster"]
        self.averages = {name: max(1.0, sum(s[name] for s in monsters) / max(1, len(monsters))) for name in STATS}
        """of the monsters' printed values: what positions are measured by"""
        super().__init__(card_sets, known)

    def ruleset(self) -> RulebookLine:
        """The attributes are words of the card sets (MB-05)."""
        book = read_ruleset(self.folder)
        counters = tuple(
            structs.replace(c, words=tuple(self.attribute_names)) if c.name == "attribute" else c for c in book.counters
        )
        said = {f"attribute.{word}": a.name for word, a in self.attributes.items() if a.name}
        return structs.replace(book, counters=counters, words={**book.words, **said})

    def problems(self, deck: DeckFile, options: dict[str, int | str | bool]) -> list[Problem]:
        return deck_problems(deck, self.cards, self.limits)

    def printed_problems(self) -> list[Problem]:
        return checks.problems(self.cards, self.attributes)

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        return trial(codes, self.cards, self.limits, below)

    def set_up(self, m: Match, header: GameStarted) -> None:
        setup.set_up(m, header)

    def back(self, definition: Definition) -> str:
        return "player" if definition.kind == "player" else ""

    # --- what may be done ---------------------------------------------------------------------------------

    def legal(self, m: Match, task: Task, seat: int) -> Iterator[AnyAction]:
        yield Pass()
        seen = set()
        for card in m.state.zones[seat]["hand"]:
            printed: MonBattleDefinition = m.printed[card]
            if printed.code in seen:
                continue
            seen.add(printed.code)
            if printed.effect is not None:
                if self.refuse_use(m, seat, card, printed.effect) is None:
                    yield Use(card, printed.effect)
            elif stage.playable(m, seat, card):
                yield Play(card)
        cards = m.state.cards
        for card, number in m.activated:
            if cards[card].seat == seat and self.refuse_use(m, seat, card, number) is None:
                yield Use(card, number)

    def refuse(self, m: Match, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        if isinstance(action, Pass):
            return None
        if isinstance(action, Attack):
            return Illegal("MB-38", "The battle monster attacks in the attack phase without being told to")
        if not isinstance(action, (Play, Use)):
            return Illegal("MB-23", "In the main phase cards are put into the area or used")
        card = action.card
        if card not in m.state.cards:
            return Illegal("", f"There is no card {card}")
        if m.card(card).seat != seat:
            return Illegal("", f"Card {card} is not this player's")
        if isinstance(action, Use):
            return self.refuse_use(m, seat, card, action.ability)
        if m.card(card).zone != "hand":
            return Illegal("MB-28", "Only cards in the hand are put into the area; what lies there stays")
        if action.on is not None:
            return Illegal("MB-23", "What the card goes onto is asked once it is played")
        return stage.refuse_play(m, seat, card)

    def refuse_use(self, m: Match, seat: int, card: int, number: int) -> Illegal | None:
        """Why an ability of the area, or an assist of the hand, cannot be used now, or None."""
        printed: MonBattleDefinition = m.printed[card]
        zone = m.state.cards[card].zone
        ability: Any
        if zone == "player" or zone in STANDS:
            if number not in printed.activated:
                return Illegal("MB-35", f"{printed.name} has no skill {number} that can be used")
            ability = printed.abilities[number]
            if _once(ability) and m.value(card, f"used_{number}") == m.state.turn:
                return Illegal("MB-37", f"This skill of {printed.name} has already been used this phase")
        elif zone != "hand" or printed.kind != "assist" or printed.item is not None:
            return Illegal("MB-35", "Assists are used from the hand, skills by the player card and monsters")
        elif number != printed.effect:
            return Illegal("MB-30", f"{printed.name} has no effect {number}")
        elif m.state.turn == 1:
            return Illegal("MB-31", "No assists in the first round")
        else:
            ability = printed.abilities[number]
        rule = "MB-30" if zone == "hand" else "MB-35"
        frame = Frame(seat, card, number, since=m.state.seq)
        if ability.when is not None and not query.holds(m, frame, ability.when):
            return Illegal(rule, f"The condition of {printed.name} does not hold")
        if ability.cost and not stack.payable(m, frame, ability.cost):
            return Illegal(rule, f"The cost of {printed.name} cannot be paid")
        if ability.targets and not stack.nameable(m, frame, ability.targets):
            missing = any(_blank(m, seat, t.from_) for t in ability.targets if not t.up_to)
            return _no_battle_monster(printed) if missing else Illegal(rule, f"{printed.name} has no target")
        if printed.about_stage[number] and not _does_something(m, frame, printed, number):
            return _no_battle_monster(printed)
        return None

    def usable(self, m: Match, seat: int) -> list[Use]:
        """There are no windows: skills and assists are used only in the player's own main phase."""
        return []

    def answers(self, m: Match) -> bool:
        return False

    def mark_used(self, m: Match, card: int, ability: int) -> None:
        if _once(definition(m, card).abilities[ability]):
            m.set_counter(card, f"used_{ability}", m.state.turn)

    def announced(self, m: Match, frame: Frame) -> None:
        self.trigger(m, "assist_used", frame.card, frame.seat)

    # --- what follows from a change -----------------------------------------------------------------------

    def check(self, m: Match, touched: set[int]) -> None:
        """Who loses at this moment: both players are looked at, and two losing at once is a draw (MB-49, MB-51)."""
        first, second = m.state.counters
        if "lp" not in second:
            return  # MB-12 has not come
        one, other = _lost(m, 0, first), _lost(m, 1, second)
        if one and other:
            m.end(None, "both")
        elif one or other:
            m.end(1 if one else 0, one or other)

    def draw(self, m: Match, seat: int, n: int) -> None:
        setup.draw(m, seat, n)

    def mill(self, m: Match, seat: int, n: int, move_kind: str) -> None:
        for card in setup.top(m, seat, n):
            m.move(card, seat, "drop", move_kind)

    def discard(self, m: Match, card: int, move_kind: str) -> None:
        if m.card(card).zone not in ("player", "drop"):
            stage.leave(m, card, "drop", move_kind)

    def put(self, m: Match, card: int, zone: str, at: str) -> None:
        lies, printed = m.card(card), definition(m, card)
        if lies.zone == zone or printed.kind == "player" or (zone == "stock" and printed.kind != "monster"):
            return
        if zone != "standby":
            move_kind = {"hand": "returned", "deck": "returned", "stock": "to_stock"}.get(zone, "discarded")
            stage.leave(m, card, zone, move_kind, index=0 if at == "bottom" else -1)
            return
        if printed.kind != "monster" or m.state.count(lies.seat, "standby") >= stage.STANDBY:
            return
        if lies.zone == "battle":
            m.move(card, lies.seat, "standby", "put")
        elif printed.evolves is None:  # MB-24
            stage.enter(m, card, "standby", "put")

    def play(self, m: Match, seat: int, card: int) -> None:
        if definition(m, card).kind in ("monster", "field") and stage.playable(m, seat, card):
            stage.play(m, seat, card)

    def seat_value(self, m: Match, seat: int, name: str) -> int:
        """PP and level as the player card says (MB-02)."""
        printed = m.printed[m.state.zones[seat]["player"][0]].printed
        return getattr(printed, name, 0)

    def works(self, m: Match, card: int) -> bool:
        return m.card(card).face_up  # MB-36: nothing works before MB-12

    def has_word(self, m: Match, entity: int, definition: Any, word: str, wanted: str) -> bool:
        if word == "kind":
            return wanted in definition.kinds
        if word == "attribute" and definition.kind == "monster" and entity < FIRST_ITEM:
            return self.attribute_names[m.value(entity, "attribute")] == wanted
        return bool(definition.words.get(word, "") == wanted)

    def features(self, m: Match, seat: int) -> Sequence[float]:
        return evaluation.features(m, seat)


def _lost(m: Match, seat: int, values: dict[str, int]) -> str:
    """Why the player loses at this moment; empty: the player does not (MB-49, MB-51)."""
    if values["lp"] <= 0:
        return "lp"
    room = values["pp"] - values["stock_cost"]
    battle = m.state.zones[seat]["battle"]
    return "cost_over" if room < 0 or (battle and m.value(battle[0], "cost") > room) else ""


def _once(ability: object) -> bool:
    """Whether a skill is limited to once per own main phase, of which a round has one (MB-37)."""
    assert type(ability) is Activated
    return ability.once_a_turn


def _no_battle_monster(printed: MonBattleDefinition) -> Illegal:
    return Illegal("MB-16", f"{printed.name} would affect a battle monster, and there is none")


def _blank(m: Match, seat: int, select: Select) -> bool:
    """Whether a selection means only battle monsters of players who are all blank (MB-16)."""
    return on_stage(select) and all(stage.fighter(m, side) is None for side in query.sides(select.of, seat))


def _does_something(m: Match, frame: Frame, printed: MonBattleDefinition, number: int) -> bool:
    """Whether some instruction of the ability means something that is there (MB-16)."""
    targets = {t.slot: t.from_ for t in getattr(printed.abilities[number], "targets", ())}
    for step in printed.programs[number]:
        if isinstance(step, (Jump, Unless, Ask)):
            continue
        what = step.from_ if type(step) is ChooseCards else getattr(step, "what", "own")
        what = targets.get(what, what) if isinstance(what, str) else what
        if isinstance(what, str):
            if what in ("own", "other", "self"):
                return True
        elif query.cards(m, what, frame.seat, frame.card):
            return True
    return False


GAME = MonBattle
