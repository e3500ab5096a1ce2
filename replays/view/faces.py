"""What the viewer draws of a card: its name, frame, letters, values and text, in one language.

Cards come from logs of strangers: what is not of the expected shape is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from engine.cards.files import CardError, card_from
from engine.cards.rules_text import rules_texts
from engine.rulebooks import registry
from engine.rulebooks.rulebook import Rulebook
from engine.words import Words, words
from events.kinds import CardSet, RulebookLine
from replays.view.board import FAMILIES, NEUTRAL, Board, Look

_MAX_TEXT = 2000
"""Longest text of a card that is shown, in characters."""


def faces(
    rulebook: RulebookLine, card_sets: Iterable[CardSet], codes: Iterable[str], board: Board, language: str
) -> dict[str, dict[str, Any]]:
    """What the viewer draws of these cards: name, frame, letter, symbols, values, badges, rules text."""
    sets = tuple(card_sets)
    raw = {code: fields for line in sets for code, fields in line.cards.items()}
    game = _game(rulebook, sets)
    known = {code: d.printed for code, d in game.cards.items()} if game else {}
    texts = rules_texts(known.values(), language, rulebook)
    said = words(language, rulebook.key, rulebook)
    shown = {}
    for code in codes:
        fields = raw.get(code)
        face = _face(code, fields if isinstance(fields, dict) else {}, board, said)
        if game and code in known:
            face["stats"] |= {name: value for name, value in game.cards[code].stats.items() if value}
            face["text"] = [line[:_MAX_TEXT] for line in texts[code]]
        shown[code] = face
    return shown


def _game(rulebook: RulebookLine, card_sets: tuple[CardSet, ...]) -> Rulebook | None:
    """The game with the cards of the log, or with those of them that can be read here."""
    try:
        try:
            return registry.from_sets(rulebook.key, card_sets)
        except CardError:
            return registry.from_sets(rulebook.key, [_readable(line, rulebook.key) for line in card_sets])
    except (registry.UnknownGame, CardError):
        return None


def _readable(line: CardSet, key: str) -> CardSet:
    kept = {}
    for code, raw in line.cards.items():
        with suppress(CardError):
            card_from(raw, registry.game_type(key).card_type, "")
            kept[code] = raw
    return msgspec.structs.replace(line, cards=kept)


def _face(code: str, fields: Mapping[str, Any], board: Board, said: Words) -> dict[str, Any]:
    look = board.card
    family = look.frames.get(str(fields.get(look.frame, "")), "")
    types = [_said(name, fields.get(name), said) for name in look.type]
    return {
        "name": _said("name", fields.get("name"), said)[:200] or code,
        "frame": family if family in FAMILIES else _any_family(str(fields.get(look.frame, ""))),
        "letter": _letters(look.letter, fields, look, said),
        "mark": _letters(look.mark, fields, look, said),
        "marked": _said(look.mark, fields.get(look.mark), said),
        "anatomy": look.anatomies.get(str(fields.get("kind", "")), look.anatomy),
        "kind": _said("kind", fields.get("kind"), said)[:80],
        "symbols": _table(fields.get(look.symbols)),
        "tables": {t.field: _table(fields.get(t.field)) for t in board.tallies},
        "type": " · ".join(part for part in types if part)[:200],
        "flavour": _said("flavour", fields.get("flavour"), said)[:_MAX_TEXT],
        "stats": {
            name: n for name in (*look.values, *look.more) if (n := _number(fields.get(name))) is not None
        },
        "prefix": "".join(sign for name, sign in look.prefix.items() if fields.get(name) is True),
        "text": [],
    }


def _letters(field: str, fields: Mapping[str, Any], look: Look, said: Words) -> str:
    """The one or two letters that stand for the word of a card's field."""
    word = fields.get(field)
    if not isinstance(word, str) or not word:
        return ""
    return said.pattern(f"letter.{word[:40]}") or look.letters.get(word) or _said(field, word, said)[:1].upper()


def _any_family(text: str) -> str:
    """One of the neutral frames, always the same one for the same word; without a word, the plain one."""
    if not text:
        return "plain"
    return NEUTRAL[sum(text.encode()) % len(NEUTRAL)]


def _said(field: str, value: Any, said: Words) -> str:
    """A text by language, or a printed word, as text."""
    if isinstance(value, dict):
        value = value.get(said.language) or value.get("en") or ""
        return value if isinstance(value, str) else ""
    return said.get(f"{field}.{value[:40]}") if isinstance(value, str) and value else ""


def _table(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    numbers = {str(name)[:20]: _number(amount) for name, amount in list(value.items())[:12]}
    return {name: n for name, n in numbers.items() if n is not None}


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else None
