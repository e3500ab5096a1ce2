"""What is said of each record of a game: a sentence's key and what fills it, from the table before the record.

One function for each event kind; those of decisions and moves stand in `decisions`. It depends on no rulebook: keys are
declared words (`say.move_kind.{move_kind}` …). How sentences become lines, with their causes, stands in `narrate`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.state import life
from engine.words import clean
from events import actions as act
from events import kinds as k
from events.fields import declared
from events.kinds import FIRST_CARD, HIDDEN, Event, GameStarted
from replays.view.decisions import REGENERATES, Decisions
from replays.view.names import LONGEST_NAME
from replays.view.said import Draft, Said, Values, one

LONGEST_NOTE = 1000


class Sentences(Decisions):
    """What is said of the records of one game, as the table stands when each of them comes."""

    def game_started(self, e: GameStarted, number: int) -> Said:
        for seat in (0, 1):
            self.names[seat] = clean(e.seats[seat].player, LONGEST_NAME) or self.names[seat]
        game = self.words.pattern("term.title") or clean(self.book.key, LONGEST_NAME)
        args: Values = {"game": game, "first": self.names[0], "second": self.names[1]}
        return self.say(["game_started"], args)

    def cards_made(self, e: k.CardsMade, number: int) -> Said:
        args: Values = {"player": self.player(e.seat), "zone": self.inside("zone", e.zone), "n": len(e.codes)}
        return self.say(["cards_made"], args, e.seat, quiet=True)

    def card_exhausted(self, e: k.CardExhausted, number: int) -> Said:
        seat = self.owner(e.card)
        args: Values = {"card": (e.card,), "player": self.player(seat) if seat is not None else ""}
        action, before = self.decision(number), self.before(number)
        quiet = e.card in (getattr(action, "card", None), getattr(action, "on", None))
        if isinstance(before, k.AttackSet) and before.target == e.card:
            quiet = True
        return self.say(["exhausted" if e.exhausted else "readied"], args, seat, quiet=quiet, source=e.card)

    def card_flipped(self, e: k.CardFlipped, number: int) -> Said:
        seat = self.owner(e.card)
        args: Values = {"card": (e.card,), "player": self.player(seat) if seat is not None else ""}
        return self.say(["flipped_up" if e.face_up else "flipped_down"], args, seat, source=e.card)

    def card_attached(self, e: k.CardAttached, number: int) -> Said:
        args: Values = {"card": (e.card,), "attachment": self.inside("attachment", e.attachment)}
        if e.to is None:
            return self.say(["detached"], args, self.owner(e.card), source=e.card)
        args["target"] = (e.to,)
        quiet = getattr(self.decision(number), "on", None) is not None
        return self.say(
            [f"attachment.{e.attachment}", "attachment.any"], args, self.owner(e.card), quiet=quiet, source=e.card
        )

    def counter_set(self, e: k.CounterSet, number: int) -> Said:
        counter = self.declared.counters.get(e.name)
        seat = e.entity if e.entity < 2 else self.owner(e.entity)
        old = self.state.counters[e.entity].get(e.name) if e.entity < 2 else self.value(e.entity, e.name)
        args: Values = {
            "card": (e.entity,),
            "name": self.word("counter", e.name),
            "after": self.shown_value(e.name, e.value),
        }
        if e.entity < 2:
            args["player"] = self.player(e.entity)
        keys = [f"counter.{e.name}_{e.value}", f"counter.{e.name}"]
        limit = self.limits.get(e.name)
        if limit is not None and e.entity < FIRST_CARD:
            keys.insert(1, f"counter.{e.name}_left_{self.state.counters[e.entity].get(limit, 0) - e.value}")
        if old is not None:
            args["before"] = self.shown_value(e.name, old)
        before = self.before(number)
        if isinstance(before, k.ModifierEnded):
            keys.insert(0, f"counter.{e.name}_over")
        if isinstance(before, k.ModifierBegan) and before.on == e.entity and before.set is not None and old is not None:
            args["base"] = self.shown_value(e.name, before.set)
        if counter is not None and (counter.minimum, counter.maximum) == (0, 1) and not counter.words:
            keys.append("gains" if e.value else "loses")
        elif args.get("base", args["after"]) != args["after"] and not (counter is not None and counter.words):
            keys.append("value_on_base")
        keys.append("value" if old is not None else "value_now")
        said = self.say(keys, args, seat, source=e.entity, quiet=counter is not None and counter.quiet)
        if isinstance(before, k.DamageDealt) and before.target == e.entity:
            self.drafts[number].through = None
            said.quiet = said.quiet or e.entity >= FIRST_CARD
        if not said.quiet:
            self._take_over(before, e, number)
        return said

    def _take_over(self, before: Event | None, e: k.CounterSet, number: int) -> None:
        """A value that changes because an effect began or ended tells of it, and through which card."""
        draft = self.drafts[number]
        draft.over = isinstance(before, k.ModifierEnded)
        effect = self.modifiers.get(before.id) if isinstance(before, k.ModifierEnded) else before
        if isinstance(effect, k.ModifierBegan) and (effect.on, effect.name) == (e.entity, e.name):
            draft.through = effect.card
            self.drafts[number - 1].said.quiet = True
            self.drafts[number - 1].line = number

    def shuffled(self, e: k.Shuffled, number: int) -> Said:
        args: Values = {"player": self.player(e.seat), "zone": self.inside("zone", e.zone)}
        return self.say(["shuffled"], args, e.seat)

    def cards_revealed(self, e: k.CardsRevealed, number: int) -> Said:
        owner = self.owner(e.cards[0]) if e.cards else None
        args: Values = {"cards": e.cards, "n": len(e.cards)}
        if e.seat is not None:
            return self.say(["cards_revealed_to"], {**args, "player": self.player(e.seat)}, e.seat)
        return self.say(["cards_revealed"], {**args, "player": self.names[owner or 0]}, owner)

    def rolled(self, e: k.Rolled, number: int) -> Said:
        args: Values = {"roll": self.inside("roll", e.roll), "n": e.outcome + 1, "sides": e.sides, "outcome": e.outcome}
        if e.outcome in (0, 1):
            args["player"] = self.player(e.outcome)
        return self.say([f"roll.{e.roll}", "roll.any"], args)

    def turn_began(self, e: k.TurnBegan, number: int) -> Said:
        args: Values = {"n": e.turn, "player": self.player(e.seat), "turn": self.word("turn", self.book.turn)}
        if e.turn == self.state.turn and self.words.pattern("say.turn_again") is not None:
            told = isinstance(self.before(number), k.RuleApplied)  # the rule says whose turn it is, and why
            return self.say(["turn_again"], args, e.seat, quiet=told)
        return self.say([f"turn_began.{self.book.turn}", "turn_began.any"], args, e.seat)

    def phase_began(self, e: k.PhaseBegan, number: int) -> Said:
        self.running.clear()
        phase = self.declared.phases.get(e.phase)
        args: Values = {"phase": self.word("phase", e.phase)}
        quiet = phase is not None and phase.quiet
        if e.seat is None or e.seat == self.state.active:
            return self.say(["phase_began"], args, e.seat, quiet=quiet)
        return self.say(["phase_began_of"], {**args, "player": self.player(e.seat)}, e.seat, quiet=quiet)

    def asked(self, e: k.Asked, number: int) -> Said:
        args: Values = {"player": self.player(e.seat), "question": self.word("question", e.question)}
        return self.say(["asked"], args, e.seat, quiet=number < len(self.events) - 1)

    def stack_pushed(self, e: k.StackPushed, number: int) -> Said:
        if e.frame.card not in self.codes and e.frame.code:
            self.codes[e.frame.card] = e.frame.code
        args: Values = {"card": (e.frame.card,), "player": self.player(e.frame.seat)}
        targets = self.targets(e.frame)
        keys = [f"stack_pushed.{e.item_kind}", "stack_pushed.any"]
        if targets:
            args["target"] = targets
            keys = [f"stack_pushed.{e.item_kind}_on", "stack_pushed.any_on", *keys]
        quiet = self.is_used(e, number) and (not targets or self._told(number))
        return self.say(keys, args, e.frame.seat, quiet=quiet, source=e.frame.card)

    def is_used(self, e: k.StackPushed, number: int) -> bool:
        """Whether the effect is what a player has decided to use, and not set off by that."""
        action = self.decision(number)
        return isinstance(action, act.Use) and self.acting(action, self.drafts[number].cause) == e.frame.card

    def _told(self, number: int) -> bool:
        """Whether the line of the decision names the targets already, or its choices have."""
        cause = self.drafts[number].cause
        return "target" in self.drafts[cause].said.args or self.last_choice > cause

    def stack_popped(self, e: k.StackPopped, number: int) -> Said:
        record = self.items.get(e.item)
        pushed = self.events[record] if record is not None else None
        frame = pushed.frame if isinstance(pushed, k.StackPushed) else None
        card = frame.card if frame is not None else HIDDEN
        seat = frame.seat if frame is not None else None
        keys = [e.outcome if e.outcome in ("resolved", "fizzled", "cancelled") else "left_stack"]
        return self.say(keys, {"card": (card,), "outcome": e.outcome}, seat, source=card)

    def attack_set(self, e: k.AttackSet, number: int) -> Said:
        seat = self.owner(e.attacker) if e.attacker is not None else None
        args: Values = {"card": one(e.attacker), "target": one(e.target)}
        if e.attacker is None or e.target is None:
            return self.say(["attack_over"], args, seat, quiet=True)
        action, before = self.decision(number), self.before(number)
        told = isinstance(action, act.Attack) and (action.card, action.target) == (e.attacker, e.target)
        if isinstance(before, k.Acted) and isinstance(before.action, act.Choose):
            told = told or before.action.option == e.target
        return self.say(["attack_set"], args, seat, quiet=told, source=e.attacker)

    def attack_met(self, e: k.AttackMet, number: int) -> Said:
        args: Values = {
            "card": (e.source,), "target": (e.target,),
            "direction": self.inside("direction", e.direction), "outcome": self.inside("outcome", e.outcome),
            "n": self.running.get((e.source, e.target), "?"), "m": self.running.get((e.target, e.source), "?"),
        }
        return self.say([f"attack_met.{e.outcome}", "attack_met.any"], args, self.owner(e.source), source=e.source)

    def damage_calculated(self, e: k.DamageCalculated, number: int) -> Said:
        args: Values = {
            "card": (e.source,), "target": (e.target,), "step": self.word("step", e.step),
            "after": e.value,
        }
        earlier = self.running.get((e.source, e.target))
        if earlier is not None:
            args["before"] = earlier
        self.running[e.source, e.target] = e.value
        if e.by is not None:
            modifier = self.modifiers.get(e.by)
            self.drafts[number].through = modifier.card if modifier is not None else e.by
        keys = [f"damage_calculated.{e.step}_{e.value}", f"damage_calculated.{e.step}"]
        if e.target < FIRST_CARD:
            keys.insert(1, f"damage_calculated.{e.step}_player")
        keys.append("damage_calculated.any" if earlier is not None else "damage_calculated.first")
        said = self.say(keys, args, self.owner(e.source), source=e.source)
        own = e.by is not None and e.target in (e.by, self.owner(e.by))
        if own and "{target}" in (self.words.pattern(said.key) or ""):
            self.drafts[number].through = None
        return said

    def damage_dealt(self, e: k.DamageDealt, number: int) -> Said:
        args: Values = {"card": (e.source,), "target": (e.target,), "n": e.amount}
        if e.target in (0, 1):
            args["player"] = self.player(e.target)
            self.drafts[number].life = life(self.state, e.target, self.declared)
            named = "{card}" in (self.words.pattern("say.damage_dealt_player") or "")
            return self.say(["damage_dealt_player"], args, e.target, source=e.source if named else None)
        total = self.events[number + 1] if number + 1 < len(self.events) else None
        if isinstance(total, k.CounterSet) and total.entity == e.target and total.value != e.amount:
            args["after"] = total.value
            return self.say(["damage_dealt_more"], args, self.owner(e.source), source=e.source)
        return self.say(["damage_dealt"], args, self.owner(e.source), source=e.source)

    def rule_applied(self, e: k.RuleApplied, number: int) -> Said:
        args: Values = {"rule": self.word("rule", e.rule)}
        if e.card is None:
            return self.say([f"rule.{e.rule}", "rule.none"], args)
        args["card"] = (e.card,)
        seat = self.owner(e.card)
        if e.rule == REGENERATES:  # it is saved from an effect, not through it
            self.drafts[number].through = None
        if seat is not None:
            args |= {"player": self.player(seat), "opponent": self.player(1 - seat)}
        return self.say([f"rule.{e.rule}", "rule.any"], args, seat, source=e.card)

    def modifier_began(self, e: k.ModifierBegan, number: int) -> Said:
        args: Values = {"card": (e.card,), "target": (e.on,), "name": self.word("counter", e.name)}
        return self.say(["modifier_began"], args, self.owner(e.card), quiet=True, source=e.card)

    def modifier_ended(self, e: k.ModifierEnded, number: int) -> Said:
        began = self.modifiers.get(e.id)
        card, on = (began.card, began.on) if began is not None else (None, None)
        args: Values = {"card": one(card), "target": one(on)}
        return self.say(["modifier_ended"], args, self.owner(card) if card else None, quiet=True, source=card)

    def card_identified(self, e: k.CardIdentified, number: int) -> Said:
        self.codes[e.card] = e.code
        args: Values = {"card": (e.card,), "player": self.player(e.seat)}
        return self.say(["card_identified"], args, e.seat, quiet=True, source=e.card)

    def any_other(self, e: Event, number: int) -> Said:
        """What is said of a kind without a function of its own: `say.<kind>`, filled with its fields by their names.

        A seat fills `player`; whose the line is, is the seat's, or its card's owner's.
        """
        values: Values = {}
        seat = source = None
        for name, holds in declared(type(e)).items():
            value, (held, *others) = getattr(e, name), holds
            if others or value is None:
                continue
            if held.what in ("card", "entity", "item"):
                values[name] = value if isinstance(value, tuple) else (value,)
            elif held.what in ("seat", "only_seat"):
                values["player" if name == "seat" else name] = self.player(value)
                seat = value
            elif held.what == "word":
                values[name] = self.inside(held.sort, value)
            elif held.what == "open":
                values[name] = clean(value, LONGEST_NAME) if isinstance(value, str) else value
            if held.what == "card" and source is None and isinstance(value, int):
                source = value
        owner = self.owner(source) if source is not None else None
        return self.say([str(type(e).__struct_config__.tag)], values, seat if owner is None else owner, source=source)

    def annotated(self, e: k.Annotated, number: int) -> Said:
        text = clean(e.text, LONGEST_NOTE)
        if not text:
            return self.say(["annotated"], {"text": text}, quiet=True)
        who = clean(e.by, LONGEST_NAME) if e.seat is None else self.player(e.seat)
        return self.say(["annotated_by" if who else "annotated"], {"text": text, "player": who}, e.seat)

    def game_ended(self, e: k.GameEnded, number: int) -> Said:
        args: Values = {"reason": self.inside("reason", e.reason)}
        if isinstance(self.events[number - 1], k.Acted):  # who concedes does so through nothing
            self.drafts[number].through = None
        if e.winner is None:
            return self.say(["drawn_game"], args)
        args["player"] = self.player(e.winner)
        left, lost = (life(self.state, seat, self.declared) for seat in (e.winner, 1 - e.winner))
        if left is None or lost is None:
            return self.say(["won"], args, e.winner)
        names = [("counter", name) for name in self.declared.life_counters]
        names += [("zone", name) for name in self.declared.life_zones]
        args |= {"life": self.word(*names[0]), "left": left, "lost": lost}
        blow = self.killer(number, 1 - e.winner) if lost <= 0 else None
        if blow is None:
            return self.say(["won_left"], args, e.winner)
        return self.say(["won_by_left"], {**args, "card": (blow,)}, e.winner, source=blow)

    def killer(self, number: int, seat: int) -> int | None:
        """The card whose blow or effect has just taken the last of a player's life: nothing has begun since."""
        last = None
        for before in range(number - 1, 0, -1):
            event, draft = self.events[before], self.drafts[before]
            if isinstance(event, k.Acted | k.PhaseBegan | k.TurnBegan):
                break
            if last is None:
                last = draft if self._takes_life(event, draft, seat) else None
            elif isinstance(event, k.DamageDealt) and (event.target, draft.cause) == (seat, last.cause):
                return event.source
        return None if last is None else last.through

    def _takes_life(self, event: Event, draft: Draft, seat: int) -> bool:
        counts = isinstance(event, k.CounterSet) and event.name in self.declared.life_counters
        return (counts and event.entity == seat) or draft.life_of == seat  # type: ignore[attr-defined]

    def sealed(self, e: k.Sealed, number: int) -> Said:
        return self.say(["sealed"], {}, quiet=True)


SAY: dict[type, Callable[[Sentences, Any, int], Said]] = {
    k.GameStarted: Sentences.game_started,
    k.CardsMade: Sentences.cards_made,
    k.CardMoved: Sentences.card_moved,
    k.CardExhausted: Sentences.card_exhausted,
    k.CardFlipped: Sentences.card_flipped,
    k.CardAttached: Sentences.card_attached,
    k.CounterSet: Sentences.counter_set,
    k.Shuffled: Sentences.shuffled,
    k.CardsRevealed: Sentences.cards_revealed,
    k.Rolled: Sentences.rolled,
    k.TurnBegan: Sentences.turn_began,
    k.PhaseBegan: Sentences.phase_began,
    k.Asked: Sentences.asked,
    k.Acted: Sentences.acted,
    k.StackPushed: Sentences.stack_pushed,
    k.StackPopped: Sentences.stack_popped,
    k.AttackSet: Sentences.attack_set,
    k.AttackMet: Sentences.attack_met,
    k.DamageCalculated: Sentences.damage_calculated,
    k.DamageDealt: Sentences.damage_dealt,
    k.RuleApplied: Sentences.rule_applied,
    k.ModifierBegan: Sentences.modifier_began,
    k.ModifierEnded: Sentences.modifier_ended,
    k.CardIdentified: Sentences.card_identified,
    k.Annotated: Sentences.annotated,
    k.GameEnded: Sentences.game_ended,
    k.Sealed: Sentences.sealed,
}
