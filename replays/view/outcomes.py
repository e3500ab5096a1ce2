"""What came of it, told as one line: blows with what they cost, clashes, abilities by what they did.

It works on the drafts of a whole game, after each record has its sentence, and depends on no rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events import kinds as k
from events.actions import Choose, Use
from events.kinds import FIRST_CARD
from replays.view.decisions import COST
from replays.view.describe import Sentences
from replays.view.said import Draft, Said

DESTROYED = "destroyed"
"""The kind of move by which cards are destroyed, in every game that has it."""
BREAKS = (k.Acted, k.PhaseBegan, k.TurnBegan, k.StackPopped, k.GameEnded)
TRIGGERS = "say.stack_pushed.trigger"


def tell_outcomes(told: Sentences) -> None:
    """Joins the lines of what belongs together."""
    for number, event in enumerate(told.events[: len(told.drafts)]):
        if told.drafts[number].said.quiet or told.drafts[number].folds:
            continue
        match event:
            case k.CounterSet() if event.name in told.declared.life_counters:
                _life_with_its_reason(told, number, event)
            case k.CounterSet():
                _own_effect(told, number)
            case k.DamageDealt() if event.target < FIRST_CARD:
                _cards_lost(told, number, event)
            case k.DamageDealt():
                _clash(told, number)
            case k.Acted(action=Use()):
                _use(told, number, event)
            case k.StackPushed():
                _what_it_did(told, number, event)
            case _:
                pass


def _life_with_its_reason(told: Sentences, number: int, event: k.CounterSet) -> None:
    """A life total stands in the line of the blow or rule that changed it."""
    said, before = told.drafts[number].said, number - 1
    reason = told.events[before]
    blow = isinstance(reason, k.DamageDealt) and reason.target == event.entity
    rule = isinstance(reason, k.RuleApplied) and told.drafts[number].cause == before
    if (blow or rule) and "before" in said.args and not told.drafts[before].said.quiet:
        told.drafts[before].around.append(("say.life", {n: said.args[n] for n in ("name", "before", "after")}))
        said.quiet = True


def _own_effect(told: Sentences, number: int) -> None:
    """A value that a card's own ability has changed says so."""
    draft = told.drafts[number]
    by_rule = isinstance(told.events[draft.cause], k.RuleApplied)
    if draft.through is not None and draft.through == draft.said.source and not (draft.over or by_rule):
        draft.around.append(("say.own_ability", {}))


def _cards_lost(told: Sentences, number: int, event: k.DamageDealt) -> None:
    """Where cards are the life, a blow is told with those that it costs, and what was left before and after."""
    draft, lost = told.drafts[number], []
    for later in range(number + 1, len(told.drafts)):
        move = told.events[later]
        if isinstance(move, k.CardIdentified):
            continue
        if not isinstance(move, k.CardMoved) or not _costs(told.drafts[later], event.target, draft.cause):
            break
        lost.append(told.drafts[later].said)
    if draft.life is None or not lost:
        return
    for said in lost:
        said.quiet = True
    cards = told.t("join.list").join(str(said.args["card"]) for said in lost)
    draft.around.append(("say.lost", {"before": draft.life, "after": draft.life - len(lost), "cards": cards}))


def _costs(draft: Draft, seat: int, cause: int) -> bool:
    return draft.cause == cause and draft.life_of == seat


def _use(told: Sentences, number: int, event: k.Acted) -> None:
    """What is used is told with what it is aimed at and what was paid, though these were asked for after it."""
    said, paid, chosen = told.drafts[number].said, [], []
    for later in range(number + 1, len(told.drafts)):
        then, draft = told.events[later], told.drafts[later]
        if isinstance(then, k.StackPushed):
            break
        if isinstance(then, k.Acted) and isinstance(then.action, Choose) and then.seat == event.seat:
            chosen += [] if draft.said.quiet else [draft.said]
        elif isinstance(then, k.CardMoved) and then.move_kind == COST and draft.cause == number:
            paid.append(draft.said)
        elif not draft.said.quiet:
            return
    else:
        return
    target = told.drafts[later].said.args.get("target")
    if told.drafts[later].cause != number or (chosen and target is None):
        return
    if target is not None and told.words.pattern(f"{said.key}_on") is not None:
        said.key, said.args["target"] = f"{said.key}_on", target
    for one in (*paid, *chosen):
        one.quiet = True
    told.drafts[later].said.quiet = True
    if paid:
        cards = told.t("join.list").join(str(one.args.get("cards", one.args["card"])) for one in paid)
        told.drafts[number].around.append(("say.paid", {"cards": cards}))


class _Fight(Struct):
    """Blows between cards that were struck together, and the cards that they destroyed."""

    blows: list[int] = []
    destroyed: list[int] = []


def _fight(told: Sentences, first: int) -> _Fight:
    """The blows of one cause that begin with `first`, up to the last card destroyed by them.

    Between them values change, and effects of what is destroyed end; a decision or a loud line of another kind ends it.
    """
    fight = _Fight([first])
    for later in range(first + 1, len(told.drafts)):
        event, draft = told.events[later], told.drafts[later]
        mine = draft.cause == told.drafts[first].cause
        if mine and isinstance(event, k.DamageDealt) and event.target >= FIRST_CARD and not fight.destroyed:
            fight.blows.append(later)
        elif mine and isinstance(event, k.CardMoved) and event.move_kind == DESTROYED:
            fight.destroyed.append(later)
        elif isinstance(event, k.AttackSet) and event.target is None:
            continue  # the attack is over
        elif isinstance(event, BREAKS) or not (draft.said.quiet or isinstance(event, k.CounterSet)):
            break
    return fight


def _clash(told: Sentences, first: int) -> None:
    """Two cards that strike each other, or a blow that destroys: one line with the numbers of both."""
    fight = _fight(told, first)
    blows = [e for e in map(told.events.__getitem__, fight.blows) if isinstance(e, k.DamageDealt)]
    ends = blows[0], blows[-1]
    mutual = len(blows) == 2 and (ends[0].source, ends[0].target) == (ends[1].target, ends[1].source)
    dead = {e.card for e in map(told.events.__getitem__, fight.destroyed) if isinstance(e, k.CardMoved)}
    if not mutual and (len(blows) > 1 or dead != {ends[0].target}):
        return
    if not dead <= {ends[0].source, ends[0].target}:
        return
    said = [told.drafts[n].said for n in fight.blows]
    wins = said[-1] if dead == {ends[0].source} else said[0]
    args = {name: wins.args[name] for name in ("card", "target", "n")}
    if mutual:
        args["m"] = (said[0] if wins is said[-1] else said[-1]).args["n"]
    kind = ("both" if len(dead) > 1 else "one" if dead else "none") if mutual else "blow"
    *others, last = [*fight.blows, *fight.destroyed]
    for number in others:
        told.drafts[number].folds = True
    for number in fight.destroyed[:-1]:
        told.drafts[number].said.quiet = True
        told.drafts[number].line = last
    through = told.drafts[last].said.args.get("through")
    if through is not None and through != args["card"]:
        args["through"] = through
    told.drafts[last].said = Said(f"say.clash.{kind}", args, seat=wins.seat, source=wins.source)
    told.drafts[last].around = []


def _what_it_did(told: Sentences, number: int, event: k.StackPushed) -> None:
    """An ability that is carried out at once is told by what it does."""
    draft = told.drafts[number]
    popped = told.events[number + 1] if number + 1 < len(told.drafts) else None
    if not draft.said.key.startswith(TRIGGERS) or not isinstance(popped, k.StackPopped) or popped.item != event.item:
        return
    did = [n for n in _caused(told.drafts, number + 1) if not told.drafts[n].said.quiet]
    for one in (told.drafts[n] for n in did if not isinstance(told.events[n], k.Acted | k.CounterSet)):
        if "through" not in one.said.args and one.said.source == event.frame.card:
            one.around.append(("say.own_ability", {}))
    draft.said.quiet = bool(did)


def _caused(drafts: Sequence[Draft], cause: int) -> Iterator[int]:
    """What a record has brought about directly, as far as it follows without a gap."""
    for number in range(cause + 1, len(drafts)):
        if drafts[number].cause < cause:
            return
        if drafts[number].cause == cause:
            yield number
