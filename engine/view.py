"""A log as one seat saw it: the records without what that seat could not know. Knows no rulebook.

What the seat cannot know is absent from the data: hidden cards have no number, the other seat's questions, passes
and answers are left out, records are counted anew and their causes hung on what is left. A card gets a number of the
view's own when the seat first sees it, and loses it when it goes back among hidden ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from msgspec import structs

from engine.fold import NOT_THERE, FoldError, empty_state, fold
from engine.state import Declared, sees
from events import kinds as k
from events.fields import OPTION_TYPES, Holds, Withheld, changed, declared
from events.kinds import EVENT_KINDS, FIRST_CARD, FIRST_ITEM, HIDDEN, Event


def view(events: Iterable[Event], seat: int, declared: Declared) -> list[Event]:
    """The whole log as `seat` saw it."""
    seen = View(seat, declared)
    return [record for event in events for record in seen.records(event)]


class View:
    """The same, record by record: `records(event)` gives what the seat sees of it."""

    def __init__(self, seat: int, declared: Declared) -> None:
        self.seat = seat
        self.declared = declared
        self.state = empty_state(declared)
        self.numbers: dict[int, int] = {}
        self.next = FIRST_CARD
        self.written = 0
        self.cause = 0
        self.kept: list[int] = []
        """for each record of the full log, the view's record that stands for it as a cause"""
        self.course = 0
        """the last turn or phase that began: what the other seat's decisions hang on"""

    def records(self, event: Event) -> list[Event]:
        """What the seat sees of the next record of the full log; `FoldError` if it cannot follow."""
        try:
            return self._records(event)
        except NOT_THERE as problem:
            raise FoldError(self.state.seq, f"it speaks of something that is not there ({problem})") from problem

    def _records(self, event: Event) -> list[Event]:
        number = len(self.kept)
        cause = number - event.back if event.back else self.state.cause
        told = self.kept[cause] if self.kept else 0
        records = [] if self._hidden(event) else [*self._made_known(event), *self._lost(event), *self._told(event)]
        if records and isinstance(event, k.Acted) and event.seat != self.seat:
            told = self.course
        seen = [self._numbered(record, told) for record in records]
        self.kept.append(self.written - 1 if seen else told)
        if seen and isinstance(event, (k.TurnBegan, k.PhaseBegan)):
            self.course = self.written - 1
        self._forget(event)
        fold(self.state, event, self.declared)
        return seen

    def _numbered(self, record: Event, cause: int) -> Event:
        record = structs.replace(record, back=0 if cause == self.cause else self.written - cause)
        self.cause = cause
        self.written += 1
        return record

    def _hidden(self, event: Event) -> bool:
        """Whether the seat learns nothing of the record; so it is with each of a kind that is not known here."""
        if type(event) not in EVENT_KINDS:
            return True
        if isinstance(event, k.Acted):
            return event.seat != self.seat and not event.action.public
        return any(getattr(event, field) not in (None, self.seat) for field in _only_seat(type(event)))

    # --- cards becoming known and unknown -----------------------------------------------------------------

    def _made_known(self, event: Event) -> Iterator[Event]:
        """A record for each card whose face the seat sees first with this event."""
        faces = tuple(self._faces(event))
        for card in faces:
            self._take_for_known(card, faces)
            if card not in self.numbers:
                lies = self.state.cards[card]
                self.numbers[card] = self._fresh()
                index = self._index(card)
                yield k.CardIdentified(self.numbers[card], lies.code or "", lies.seat, lies.zone, index)

    def _index(self, card: int) -> int:
        """The place in its zone of a card that becomes known, where cards lie face down in places that all can see."""
        lies = self.state.cards[card]
        zone = self.declared.zones[lies.zone]
        if zone.visible_to != "up" or zone.ordered:
            return -1
        held = self.state.zones[0 if zone.shared else lies.seat][lies.zone]
        place = held.index(card)
        return place if any(other not in self.numbers for other in held[place + 1 :]) else -1

    def _take_for_known(self, card: int, faces: tuple[int, ...]) -> None:
        """Of hidden copies, of which the seat has been shown some, it cannot tell which one it now sees.

        So it is the first of those that it knows: which one it really is shows nowhere in the view. What lies open
        keeps its number.
        """
        lies = self.state.cards[card]
        if self.declared.zones[lies.zone].ordered or self._sees(lies.zone, lies.seat, lies.face_up):
            return
        side = 0 if lies.zone in self.declared.shared else lies.seat
        cards = self.state.cards
        alike = [
            c for c in self.state.zones[side][lies.zone]
            if c in self.numbers and c not in faces and cards[c].code == lies.code
            and not self._sees(lies.zone, lies.seat, cards[c].face_up)
        ]
        first = min(alike, key=lambda c: self.numbers[c], default=card)
        if first != card and self.numbers[first] < self.numbers.get(card, FIRST_ITEM):
            mine = self.numbers.pop(card, None)
            self.numbers[card] = self.numbers.pop(first)
            if mine is not None:
                self.numbers[first] = mine

    def _lost(self, event: Event) -> Iterator[Event]:
        """A record for each card that cannot be followed any more, as one of those around it goes elsewhere unseen."""
        if not isinstance(event, k.CardMoved) or self._sees(event.zone, event.seat, event.face_up):
            return
        lies = self.state.cards[event.card]
        zone = self.declared.zones[lies.zone]
        if zone.ordered or zone.name not in self.declared.hidden or self._sees(lies.zone, lies.seat, lies.face_up):
            return
        held = self.state.zones[0 if zone.shared else lies.seat][lies.zone]
        if all(c in self.numbers and self.state.cards[c].code == lies.code for c in held):
            self._take_for_known(event.card, ())
            return
        for number in sorted(self.numbers.pop(card) for card in held if card in self.numbers):
            yield k.IdentityLost(number)

    def _faces(self, event: Event) -> Iterable[int]:
        if isinstance(event, k.CardMoved):
            return (event.card,) if self._sees(event.zone, event.seat, event.face_up) else ()
        if isinstance(event, k.CardFlipped):
            lies = self.state.cards[event.card]
            return (event.card,) if self._sees(lies.zone, lies.seat, event.face_up) else ()
        if isinstance(event, k.CardsRevealed):
            return event.cards
        if isinstance(event, k.Asked) and event.option_type == "card":
            return event.options
        return ()

    def _sees(self, zone: str, seat: int, up: bool) -> bool:
        return sees(self.declared.zones[zone], seat, up, self.seat)

    def _fresh(self) -> int:
        if self.next < FIRST_ITEM:
            self.next += 1
            return self.next - 1
        used = set(self.numbers.values())
        return next(n for n in range(FIRST_CARD, FIRST_ITEM) if n not in used)

    def _forget(self, event: Event) -> None:
        if isinstance(event, k.CardMoved) and not self._sees(event.zone, event.seat, event.face_up):
            self.numbers.pop(event.card, None)
        elif isinstance(event, k.Shuffled):
            for card in self.state.zones[event.seat][event.zone]:
                self.numbers.pop(card, None)

    # --- the record as it is told -------------------------------------------------------------------------

    def _told(self, event: Event) -> list[Event]:
        """The record with what its fields hold as the seat knows it; nothing where one must be withheld."""
        question = event if isinstance(event, k.Asked) else self.state.asked
        options = OPTION_TYPES.get(question.option_type, "") if question is not None else ""

        def shown(holds: Holds, value: Any) -> Any:
            show = SHOWN.get(options if holds.what == "option" else holds.what)
            if show is None:
                raise Withheld
            return show(self, value)

        try:
            return [changed(event, shown, self._worked_out(event, shown))]
        except Withheld:
            return []

    def _worked_out(self, event: Event, shown: Callable[[Holds, Any], Any]) -> dict[str, Any]:
        """The fields of which it takes more than what they hold to say what the seat knows."""
        if isinstance(event, k.GameStarted):
            both = event.options.get("open_lists")
            seats = tuple(
                changed(seat, shown, {"deck": seat.deck} if both or side == self.seat else {})
                for side, seat in enumerate(event.seats)
            )
            return {"view": self.seat, "seats": seats}
        if isinstance(event, k.CardsMade):
            return self._made(event)
        if isinstance(event, k.StackPushed) and event.frame.card in self.numbers:
            return {"frame": changed(event.frame, shown, {"code": event.frame.code})}
        if isinstance(event, k.CardMoved) and event.card not in self.numbers:
            lies = self.state.cards[event.card]
            return {"came_from": (lies.seat, lies.zone)}
        return {}

    def _made(self, event: k.CardsMade) -> dict[str, Any]:
        if not self._sees(event.zone, event.seat, self.declared.zones[event.zone].visible_to == "all"):
            return {"first": HIDDEN, "codes": (None,) * len(event.codes)}
        first = self.next
        self.next += len(event.codes)
        self.numbers.update((event.first + i, first + i) for i in range(len(event.codes)))
        return {"first": first, "codes": event.codes}

    def number(self, entity: int) -> int:
        """The view's own number of a card, HIDDEN where the seat does not know it; other entities are as they are."""
        return self.numbers.get(entity, HIDDEN) if FIRST_CARD <= entity < FIRST_ITEM else entity

    def _record(self, number: int) -> int:
        return self.kept[number]


@cache
def _only_seat(kind: type[Event]) -> tuple[str, ...]:
    """The fields that name the seat which alone sees a record of this kind."""
    return tuple(field for field, holds in declared(kind).items() if any(held.what == "only_seat" for held in holds))


def _as_it_is(seen: View, value: Any) -> Any:
    return value


SHOWN: dict[str, Callable[[View, Any], Any]] = {
    "card": View.number, "entity": View.number, "item": _as_it_is, "seat": _as_it_is, "only_seat": _as_it_is,
    "record": View._record, "word": _as_it_is, "open": _as_it_is,
}  # fmt: skip
"""What a value holds -> how a seat sees it. All else is withheld."""
