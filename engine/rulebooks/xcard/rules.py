"""X-Card as the engine asks for it: what is legal, what may be used, and what follows from each change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from engine.cards.decks import DeckFile
from engine.cards.definition import Definition
from engine.core import stack
from engine.core.match import Match
from engine.core.tasks import Illegal, Task
from engine.effects import query
from engine.effects.abilities import Effect
from engine.problems import Problem
from engine.rulebooks.rulebook import Rulebook
from engine.rulebooks.xcard import battle, checks, drawing, evaluation, formation, round, setup, sortie
from engine.rulebooks.xcard.card import ELEMENTS, XCardCard, XCardDefinition
from engine.rulebooks.xcard.deck import BanFile, BanList, trial
from engine.rulebooks.xcard.deck import problems as deck_problems
from engine.rulebooks.xcard.tasks import Draws, Form
from events.actions import AnyAction, Pass, Use
from events.kinds import FIRST_ITEM, CardSet, DeckList, Frame, GameStarted, RuleApplied


class XCard(Rulebook):
    """The rulebook XC-01 … XC-52."""

    key = "xcard"
    feature_names = evaluation.FEATURES
    turn_questions = frozenset(("draw",))
    fitted_phases = frozenset(("before", "after_defence"))  # in between, what the battle will bring is half a guess
    folder = Path(__file__).parent
    card_type = XCardCard
    definition_type = XCardDefinition
    set_tables: ClassVar = {"ban": BanFile}
    field = ("field",)
    deck_zone = "warriors"
    stack_zone = "table"
    vocabulary = checks.VOCABULARY
    tasks: ClassVar = {
        **setup.HANDLERS, **round.HANDLERS, **formation.HANDLERS, **sortie.HANDLERS, **battle.HANDLERS,
        **drawing.HANDLERS,
    }
    question_rules: ClassVar = {
        "leader": "XC-12", "target": "XC-23", "cost": "XC-23", "choose": "XC-04", "may": "XC-04", "keep": "XC-42",
        "draw": "XC-45", "limit": "XC-47",
        **{f"{what}_{way}": "XC-32" for what in ("answer", "shield") for way in ("up", "down", "left", "right")},
    }
    options: ClassVar = {"format": ("standard",), "first": ("random", 0, 1), "max_rounds": range(1, 10_001)}
    specials: ClassVar = {"take_attack": round.take_attack, "break_formation": formation.break_formation}

    def __init__(self, card_sets: Sequence[CardSet], definitions: Iterable[Definition]) -> None:
        super().__init__(card_sets, definitions)
        self.bans = BanList(self.cards, card_sets)
        self.leader_only = self.bans.leader_only

    def problems(self, deck: DeckFile, options: dict[str, int | str | bool]) -> list[Problem]:
        return deck_problems(deck, self.cards, self.bans)

    def printed_problems(self) -> list[Problem]:
        return checks.problems(self.cards, self.leader_only)

    def trial_deck(self, codes: Sequence[str], below: Callable[[int], int]) -> DeckList:
        return trial(codes, self.cards, self.bans, below)

    def back(self, definition: Definition) -> str:
        return "items" if definition.kind == "item" else "warriors"

    def set_up(self, m: Match, header: GameStarted) -> None:
        setup.set_up(m, header)

    # --- what may be done ---------------------------------------------------------------------------------

    def legal(self, m: Match, task: Task, seat: int) -> Iterator[AnyAction]:
        if type(task) is Form:
            return formation.legal(m, seat)
        return itertools.chain((Pass(),), self.usable(m, seat))

    def refuse(self, m: Match, task: Task, seat: int, action: AnyAction) -> Illegal | None:
        card = getattr(action, "card", None)
        if card is not None and card not in m.state.cards:
            return Illegal("", f"There is no card {card}")
        if card is not None and m.card(card).seat != seat:
            return Illegal("", f"Card {card} is not this player's")
        if type(task) is Form:
            return formation.refuse(m, seat, action)
        if type(action) is Pass:
            return None
        if type(action) is Use:
            return self.refuse_use(m, seat, action.card, action.ability)
        return Illegal("XC-24", "In a window, only items are used")

    def refuse_use(self, m: Match, seat: int, card: int, number: int) -> Illegal | None:
        """Why an item in the hand cannot be used now, or None."""
        definition = m.printed[card]
        if definition.kind != "item" or m.state.cards[card].zone != "hand":
            return Illegal("XC-23", "Items are used, from the hand")
        if number != definition.effect:
            return Illegal("XC-04", f"{definition.name} has no effect {number}")
        ability = definition.abilities[number]
        assert type(ability) is Effect
        if ability.when is None and not ability.cost and not ability.targets:
            return None
        frame = Frame(seat, card, number, since=m.state.seq)
        if ability.when is not None and not query.holds(m, frame, ability.when):
            return Illegal("XC-23", f"The condition of {definition.name} does not hold")
        if ability.cost and not stack.payable(m, frame, ability.cost):
            return Illegal("XC-23", f"The cost of {definition.name} cannot be paid")
        if ability.targets and not stack.nameable(m, frame, ability.targets):
            return Illegal("XC-23", f"{definition.name} has no target")
        return None

    def usable(self, m: Match, seat: int) -> Iterator[Use]:
        printed, seen = m.printed, set()
        for card in m.state.zones[seat]["hand"]:
            definition = printed[card]
            if not definition.warrior and definition.effect is not None and definition.code not in seen:
                seen.add(definition.code)
                if self.refuse_use(m, seat, card, definition.effect) is None:
                    yield Use(card, definition.effect)

    # --- what follows from a change -----------------------------------------------------------------------

    def check(self, m: Match, touched: set[int]) -> None:
        state = m.state
        if state.turn == 0:
            return
        seats = [seat for seat in (0, 1) if seat in touched]
        for seat in seats:
            if state.counters[seat].get("hp", 0) <= 0:
                self._defeat(m, seats)
                return
        for seat in seats:
            if state.zones[seat]["field"]:
                formation.keep(m, seat)

    @staticmethod
    def _defeat(m: Match, seats: Sequence[int]) -> None:
        """One of these players has lost; both by one instruction is a draw (XC-43)."""
        defeated = [seat for seat in seats if m.state.counters[seat].get("hp", 0) <= 0]
        m.end(None if len(defeated) == 2 else 1 - defeated[0], "leader_defeated")

    def draw(self, m: Match, seat: int, n: int) -> None:
        m.push(Draws(seat, n))

    def discard(self, m: Match, card: int, move_kind: str) -> None:
        """To the owner's discard pile; a leader goes back to its place, a used item waits for the battle's end."""
        lies = m.card(card)
        if lies.zone == self.stack_zone:
            return  # XC-44
        if sortie.is_leader(m, card):
            if lies.zone == "field":
                sortie.home(m, card)  # XC-41
            return
        pile_of = drawing.DISCARDS[self.back(m.definition(card))]
        if lies.zone != pile_of:
            m.move(card, lies.owner, pile_of, move_kind)

    def put(self, m: Match, card: int, zone: str, at: str) -> None:
        self.discard(m, card, "removed")  # XC-41

    def settable(self, m: Match, frame: Frame, cards: Sequence[int], name: str) -> list[int]:
        """Without those on which an effect used later has set it: of items used in a row that one holds (XC-25)."""
        left = [card for card in cards if not any(
            e.name == name and e.set is not None and e.id > frame.item and e.card != frame.card
            for e in (m.state.modifiers[number] for number in m.modifiers_on(card))
        )]
        if len(left) < len(cards):
            m.emit(RuleApplied("overruled", frame.card))
        return left

    def seat_value(self, m: Match, seat: int, name: str) -> int:
        if name == "def":
            return sortie.defence(m, seat)
        return drawing.DRAWS if name == "draws" else 0

    def has_word(self, m: Match, entity: int, definition: Definition, word: str, wanted: str) -> bool:
        if word == "element" and entity < FIRST_ITEM and definition.kind != "item":
            return ELEMENTS[m.value(entity, "element")] == wanted
        return definition.words.get(word, "") == wanted

    def features(self, m: Match, seat: int) -> Sequence[float]:
        return evaluation.features(m, seat)


GAME = XCard
