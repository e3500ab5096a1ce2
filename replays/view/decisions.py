"""What is said of decisions, and of the moves that carry them out: one is often told by the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events import actions as act
from events import kinds as k
from events.kinds import HIDDEN, Event
from replays.view.said import Said, Teller, Values, one

COST = "cost"
"""The kind of move by which cards are paid, in every game that has it."""
REGENERATES = "regenerate"
"""The rule by which a card is saved from destruction, and its question, in every game that has it."""


class Decisions(Teller):
    """The sentences of `acted` and `card_moved`."""

    def card_moved(self, e: k.CardMoved, number: int) -> Said:
        said = self.moved(e)
        held = self.state.cards.get(e.card)
        seat, zone = (held.seat, held.zone) if held is not None else e.came_from or (None, "")
        if e.move_kind == COST:  # who pays does so for what was decided
            self.drafts[number].through = None
        self.drafts[number].life_of = seat if zone in self.declared.life_zones else None
        cause = self.drafts[number].cause
        if isinstance(self.events[cause], k.RuleApplied):
            cause = self.drafts[cause].cause  # the rule that carries the decision out
        action = getattr(self.events[cause], "action", None)
        if isinstance(action, (act.Move, act.Play, act.Use)) and e.card != HIDDEN:
            own = e.card in (self.acting(action, cause), getattr(action, "on", None))
            said.quiet = said.quiet or (own and (cause, e.card) not in self.carried)
            self.carried.add((cause, e.card))
        return said

    def moved(self, e: k.CardMoved, known: k.CardIdentified | None = None) -> Said:
        """The sentence of a move, as the table stands before it; `known`: the card has just become known."""
        held = self.state.cards.get(e.card)
        seat, source = (held.seat, held.zone) if held is not None else e.came_from or (e.seat, e.zone)
        if known is not None:
            seat, source = known.seat, known.zone
        args: Values = {
            "player": self.player(e.seat), "card": (e.card,), "from": self.inside("zone", source),
            "to": self.inside("zone", e.zone), "move_kind": self.inside("move_kind", e.move_kind),
        }
        names = [
            f"move_kind.{e.move_kind}_from_{source}",
            f"move_kind.{e.move_kind}_{e.zone}",
            f"move_kind.{e.move_kind}",
        ]
        if held is None and known is None:
            args["n"] = 1
            names = [f"{name}_hidden" for name in names] + names
        return self.say([*names, "move_kind.any"], args, seat, source=e.card)

    def acted(self, e: k.Acted, number: int) -> Said:
        args: Values = {"player": self.player(e.seat)}
        action = e.action
        if isinstance(action, act.Choose):
            self.last_choice = number
            return self.chose(e, action.option, args, number)
        if isinstance(action, act.Pass):
            return self.passed(e, args, number)
        if isinstance(action, act.Concede):
            return self.say(["conceded"], args, e.seat)
        card = self.acting(action, number)
        args["card"] = (card,)
        if isinstance(action, act.Attack):
            return self.attacked(e.seat, action, args)
        if isinstance(action, act.Use):
            return self.used(e.seat, card, args, number)
        return self.brought(e.seat, action, card, args, number)

    def acting(self, action: Any, number: int) -> int:
        """The card of a decision; in one-seat logs a hidden one is the first that it makes known."""
        if action.card != HIDDEN:
            return action.card
        if number not in self.made_known:
            known = next((x for x in self._until_asked(number) if isinstance(x, k.CardIdentified)), None)
            self.made_known[number] = known
            if known is not None:
                self.codes[known.card] = known.code
        known = self.made_known[number]
        return HIDDEN if known is None else known.card

    def brought(self, seat: int, action: act.Play | act.Move, card: int, args: Values, number: int) -> Said:
        """A move or play is told as what it did, where that follows at once."""
        if isinstance(action, act.Play) and action.on is not None:
            return self.say(["play_on"], {**args, "target": (action.on,)}, seat, source=card)
        for event in self._until_asked(number):
            if isinstance(event, k.CardMoved) and event.card == card != HIDDEN:
                told = self.moved(event, self.made_known.get(number))
                return told if not told.quiet else self.say(["play"], args, seat, source=card)
        if isinstance(action, act.Move):
            return self.say(["move"], args, seat, source=card)
        return self.say([f"play_{self._asked_next(number)}", "play"], args, seat, source=card)

    def _until_asked(self, number: int) -> Sequence[Event]:
        """The records that follow a decision, up to the next question."""
        end = number + 1
        while end < len(self.events) and not isinstance(self.events[end], (k.Asked, k.Acted)):
            end += 1
        return self.events[number + 1:end]

    def _asked_next(self, number: int) -> str:
        """The question that comes of a decision, or nothing."""
        asked = next((e for e in self.events[number + 1 : number + 2] if isinstance(e, k.Asked)), None)
        return "" if asked is None else asked.question

    def attacked(self, seat: int, action: act.Attack, args: Values) -> Said:
        if action.target in (0, 1):
            args = {**args, "player": self.player(action.target)}
            return self.say(["attack_player"], args, seat, source=action.card)
        return self.say(["attack"], {**args, "target": (action.target,)}, seat, source=action.card)

    def used(self, seat: int, card: int, args: Values, number: int) -> Said:
        held = self.state.cards.get(card)
        name = "use" if held is not None and held.zone in self.declared.table else "use_card"
        for event in self._until_asked(number):
            if isinstance(event, k.StackPushed) and event.frame.card == card:
                targets = self.targets(event.frame)
                if targets:
                    return self.say([f"{name}_on"], {**args, "target": targets}, seat, source=card)
        return self.say([name], args, seat, source=card)

    def targets(self, frame: k.Frame) -> tuple[int, ...]:
        """What an effect is aimed at: its slots but for those that every trigger has."""
        return tuple(e for name, held in frame.slots.items() if name not in ("it", "self") for e in held)

    def chose(self, e: k.Acted, option: int, args: Values, number: int) -> Said:
        asked = self.state.asked
        what, of = (asked.question, asked.option_type) if asked is not None else ("", "")
        about = asked.about if asked is not None else ()
        if what == REGENERATES:
            self.drafts[number].through = None
        args |= {"choice": self.option(option, of, about), "about": one(about[0] if about else None)}
        subject = option if of in ("card", "item") else None
        if subject is not None:
            args["card"] = (subject,)
        if self.state.attack[1] is not None:
            args["target"] = (self.state.attack[1],)
        if of == "yes_no":
            end = "yes" if option else "no"
            keys = [f"answer.{what}_{end}", *(["answer.any_no"] if not option else [f"answer.{what}", "answer.any"])]
            return self.say(keys, args, e.seat, source=about[0] if about else None, quiet=bool(option))
        said = self.say([f"answer.{what}", "answer.any"], args, e.seat, source=subject)
        follows = next((x for x in self._until_asked(number) if not isinstance(x, k.RuleApplied)), None)
        if said.key == "say.answer.any" and isinstance(follows, k.CardMoved) and follows.card == option != HIDDEN:
            said.quiet = True
        return said

    def option(self, option: int, of: str, about: Sequence[int]) -> str | tuple[int, ...]:
        """An answer as people say it, by what the question's options are."""
        if of in ("card", "item", "seat"):
            return (option,)
        if of == "yes_no":
            return self.t("join.yes" if option else "join.no")
        if of == "zone" and 0 <= option < len(self.book.zones):
            return self.inside("zone", self.book.zones[option].name)
        if of == "number" and about and 0 <= option < len(about):
            return (about[option],)
        return str(option)

    def passed(self, e: k.Acted, args: Values, number: int) -> Said:
        asked = self.state.asked
        if asked is None:
            return self.say(["pass.any"], args, e.seat)
        if asked.question == REGENERATES:
            self.drafts[number].through = None
        args["about"] = one(asked.about[0] if asked.about else None)
        nothing = f"pass.{asked.question}_at_once"
        if isinstance(self.before(number), k.PhaseBegan) and self.words.pattern(f"say.{nothing}") is not None:
            return self.say([nothing], args, e.seat)
        quiet = not asked.options
        return self.say([f"pass.{asked.question}", "pass.any"], args, e.seat, quiet=quiet)
