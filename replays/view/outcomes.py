"""What came of it, told as one line: blows with what they cost, clashes, abilities by what they did.

It works on the drafts of a whole game, after each record has its sentence, and depends on no rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from events import kinds as k
from events.actions import Choose, Pass, Play, Use
from events.kinds import FIRST_CARD
from replays.view.decisions import COST, REGENERATES
from replays.view.describe import Sentences
from replays.view.said import Draft, Said

DESTROYED = "destroyed"
"""The kind of move by which cards are destroyed, in every game that has it."""
BREAKS = (k.Acted, k.PhaseBegan, k.TurnBegan, k.StackPopped, k.GameEnded)
SAYS_WHOSE = (k.Acted, k.CounterSet, k.RuleApplied, k.GameEnded)
"""Kinds whose sentence says by itself that a card's own ability did it, or whom it concerns."""
MODIFIERS = (k.ModifierBegan, k.ModifierEnded)


def tell_outcomes(told: Sentences) -> None:
    """Joins the lines of what belongs together."""
    for number, event in enumerate(told.events[: len(told.drafts)]):
        if told.drafts[number].said.quiet or told.drafts[number].repeats:
            continue
        match event:
            case k.CounterSet() if event.name in told.declared.life_counters:
                _life_with_its_reason(told, number, event)
            case k.CounterSet() if _joins_next(told, number, event):
                pass
            case k.CounterSet():
                _own_effect(told, number)
            case k.DamageDealt() if event.target < FIRST_CARD:
                _cards_lost(told, number, event)
            case k.DamageDealt():
                _clash(told, number)
            case k.AttackMet():
                _plain_reckonings(told, number)
            case k.RuleApplied(rule=rule) if rule == REGENERATES:
                _pay(told, number, _payments(told, number))
            case k.Acted(action=Use()):
                _use(told, number, event)
            case k.Acted(action=Play()):
                _attached(told, number, event)
            case k.StackPushed() if not told.is_used(event, number):
                _set_off(told, number, event)
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


def _joins_next(told: Sentences, number: int, event: k.CounterSet) -> bool:
    """A value from which a card's effect is taken, to be put on it at once as it now is, changes once or not at all."""
    later = number + 1
    while later < len(told.drafts) and isinstance(told.events[later], MODIFIERS):
        later += 1
    then = told.events[later] if number + 1 < later < len(told.drafts) else None
    if not isinstance(then, k.CounterSet) or (then.entity, then.name) != (event.entity, event.name):
        return False
    now, after = told.drafts[number], told.drafts[later]
    anew = now.over and not after.over and (now.through, now.cause) == (after.through, after.cause)
    if not anew or after.said.quiet or "before" not in now.said.args:
        return False
    after.said.args["before"] = now.said.args["before"]
    now.said.quiet, now.line = True, later
    after.said.quiet = after.said.args["before"] == after.said.args["after"]
    return True


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
    said, paid, chosen, ended = told.drafts[number].said, [], [], []
    for later in range(number + 1, len(told.drafts)):
        then, draft = told.events[later], told.drafts[later]
        if isinstance(then, k.StackPushed):
            break
        if isinstance(then, k.Acted) and isinstance(then.action, Choose) and then.seat == event.seat:
            chosen += [] if draft.said.quiet else [draft.said]
        elif isinstance(then, k.Acted) and isinstance(then.action, Pass) and then.seat == event.seat:
            ended.append(draft.said)
        elif isinstance(then, k.CardMoved) and then.move_kind == COST and draft.cause == number:
            paid.append(draft.said)
        elif not draft.said.quiet and not isinstance(then, k.CounterSet):
            return
    else:
        return
    target = told.drafts[later].said.args.get("target")
    if told.drafts[later].cause != number or (chosen and target is None):
        return
    if target is not None and told.words.pattern(f"{said.key}_on") is not None:
        said.key, said.args["target"] = f"{said.key}_on", target
    for one in (*chosen, *ended):
        one.quiet = True
    told.drafts[later].said.quiet = True
    _pay(told, number, paid)


def _pay(told: Sentences, number: int, paid: Sequence[Said]) -> None:
    """What was paid is told with what it was paid for."""
    for one in paid:
        one.quiet = True
    if paid:
        cards = told.t("join.list").join(str(one.args.get("cards", one.args["card"])) for one in paid)
        told.drafts[number].around.append(("say.paid", {"cards": cards}))


def _attached(told: Sentences, number: int, event: k.Acted) -> None:
    """What is played onto a card is told with it, though that may have been asked for after it."""
    said, card = told.drafts[number].said, told.acting(event.action, number)
    key, tied = "", []
    for later in range(number + 1, len(told.drafts)):
        then, draft = told.events[later], told.drafts[later]
        if isinstance(then, k.CardAttached) and card in (then.card, then.to):
            tied.append(draft.said)
            key = f"say.play_{'' if then.card == card else 'over_'}{then.attachment}"
        elif not draft.said.quiet or (isinstance(then, k.Acted) and then.seat != event.seat):
            break
    if not tied or told.words.pattern(key) is None:
        return
    args = tied[-1].args
    said.key, said.args["target"] = key, args["card" if "_over_" in key else "target"]
    for one in tied:
        one.quiet = True


class _Fight(Struct):
    """Blows between cards that were struck together, and the cards that they destroyed."""

    blows: list[int] = []
    destroyed: list[int] = []
    saved: bool = False
    """some card would have been destroyed, but was saved"""


def _fight(told: Sentences, first: int) -> _Fight:
    """The blows of one cause that begin with `first`, up to the last card destroyed by them.

    Between them values change, effects of what is destroyed end, and cards are saved; another decision or a loud line
    of another kind ends it.
    """
    fight, saved = _Fight([first]), -1
    for later in range(first + 1, len(told.drafts)):
        event, draft = told.events[later], told.drafts[later]
        mine = draft.cause == told.drafts[first].cause
        if mine and isinstance(event, k.RuleApplied) and event.rule == REGENERATES:
            fight.saved, saved = True, later
        if _saves(told, later) or later == saved or draft.cause == saved:
            continue
        if mine and isinstance(event, k.DamageDealt) and event.target >= FIRST_CARD and not fight.destroyed:
            fight.blows.append(later)
        elif mine and isinstance(event, k.CardMoved) and event.move_kind == DESTROYED:
            fight.destroyed.append(later)
        elif isinstance(event, k.AttackSet) and event.target is None:
            continue  # the attack is over
        elif isinstance(event, BREAKS) or not (draft.said.quiet or isinstance(event, k.CounterSet)):
            break
    return fight


def _saves(told: Sentences, number: int) -> bool:
    """Whether the record is an answer to who is saved."""
    asked = told.events[number - 1]
    answered = isinstance(told.events[number], k.Acted) and isinstance(asked, k.Asked)
    return answered and asked.question in (REGENERATES, "order")  # type: ignore[attr-defined]


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
    none = "met" if fight.saved else "none"
    kind = ("both" if len(dead) > 1 else "one" if dead else none) if mutual else "blow"
    *others, last = [*fight.blows, *fight.destroyed]
    for number in others:
        told.drafts[number].repeats = True
    for number in fight.destroyed[:-1]:
        told.drafts[number].said.quiet = True
        told.drafts[number].line = last
    through = told.drafts[last].said.args.get("through")
    if through is not None and through != args["card"]:
        args["through"] = through
    told.drafts[last].said = Said(f"say.clash.{kind}", args, seat=wins.seat, source=wins.source)
    told.drafts[last].around = []


def _plain_reckonings(told: Sentences, number: int) -> None:
    """A number that nothing has changed stands in the line of the meeting alone."""
    steps: dict[tuple[int, int], list[int]] = {}
    while number and isinstance(step := told.events[number := number - 1], k.DamageCalculated):
        steps.setdefault((step.source, step.target), []).append(number)
    for first, *changes in steps.values():
        told.drafts[first].repeats = not changes


def _set_off(told: Sentences, number: int, event: k.StackPushed) -> None:
    """An ability that is carried out at once is told by what it does; one that waits, with what it is aimed at."""
    draft, choice = told.drafts[number], told.drafts[number - 1]
    named = told.events[number - 1]
    aimed = isinstance(named, k.Acted) and isinstance(named.action, Choose) and "target" in draft.said.args
    aimed = aimed and named.action.option in told.targets(event.frame)  # type: ignore[attr-defined]
    choice.said.quiet = choice.said.quiet or aimed
    popped = told.events[number + 1] if number + 1 < len(told.drafts) else None
    if not isinstance(popped, k.StackPopped) or popped.item != event.item:
        choice.line = number if aimed else choice.line
        return
    result = told.drafts[number + 1].said
    if result.key == "say.idle":
        result.key = told.words.first(f"say.idle_{event.item_kind}", "say.idle_ability")
        draft.said.quiet, draft.line = True, number + 1
        return
    did = [n for n in _caused(told.drafts, number + 1) if not told.drafts[n].said.quiet]
    own = told.words.first(f"say.own_{event.item_kind}", "say.own_ability")
    for one in (told.drafts[n] for n in did if not isinstance(told.events[n], SAYS_WHOSE)):
        if "through" not in one.said.args and one.said.source == event.frame.card:
            one.around.append((own, {}))
    draft.said.quiet = bool(did)


def _payments(told: Sentences, rule: int) -> list[Said]:
    """What was paid for a rule that has been applied."""
    moves = ((told.events[n], told.drafts[n].said) for n in _caused(told.drafts, rule))
    return [said for event, said in moves if isinstance(event, k.CardMoved) and event.move_kind == COST]


def _caused(drafts: Sequence[Draft], cause: int) -> Iterator[int]:
    """What a record has brought about directly, as far as it follows without a gap."""
    for number in range(cause + 1, len(drafts)):
        if drafts[number].cause < cause:
            return
        if drafts[number].cause == cause:
            yield number
