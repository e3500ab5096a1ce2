"""Text of strangers on the pages: names in logs, addresses and files are shown letter by letter, never as markup."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from google.protobuf.message import Message
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from dashboard import words
from dashboard.i18n import literal
from engine.cards.decks import deck_list
from engine.rulebooks import registry
from events.game import write_game
from events.kinds import CardSet, DeckList, Seat
from events.record import edition
from replays.play.session import start as begin_live
from replays.play.simulate import Plan, all_pairs, simulate_into
from replays.stats.warehouse import open_warehouse, update
from replays.store.groups import Family, joined, listed
from replays.store.library import Library
from tests.dashboard.test_pages import opened
from tests.dashboard.test_statistics import rows
from tests.events import highcard

# --- what `literal` does, in a browser ----------------------------------------------------------------------

MARKUP = (
    "**b** _i_ `c` ~~s~~ <b>x</b> <img src=x onerror=window.caught=1>", "# head", "1. one", "- li", "> q", "a === b",
    "$x^2$ $$y$$", "[a](http://x.test) ![a](http://x.test/a.png)", "www.x.test https://x.test/a", "a@x.test",
    ":material/star: :smile: :streamlit:", ":red[x] :blue-background[x]", "-> <- <-> -- >= <= ~= =>",
    "&lt;b&gt; &amp; &copy;", "| a | b |", "[^1]: x \\* \\", "--- *** ___", "--purge",
)  # fmt: skip
"""Each of these would be something else than text somewhere in Streamlit's Markdown."""

_ELEMENTS = (
    "strong, em, code, a, del, h1, h2, h3, img, b, i, li, blockquote, pre, table, hr, .katex, "
    "[data-testid=stIconMaterial], .stMarkdownColoredText"
)


def test_what_is_to_be_literal_is_shown_letter_by_letter(page: Page, server: str) -> None:
    for names in (MARKUP[:9], MARKUP[9:]):
        asked = dict(zip(("game", "deck", "player_kind", "verdict", "format", "card_set", "reasons", "page", "order"),
                         names, strict=True))  # fmt: skip
        page.goto(f"{server}/library?{urlencode(asked)}")
        alerts = page.locator("[data-testid=stAlert]")
        expect(alerts).to_have_count(len(names), timeout=30_000)
        said = " ".join(alerts.all_inner_texts())
        for name in names:
            assert f"“{name}”" in said, name
        found = alerts.locator("[data-testid=stMarkdownContainer]").locator(_ELEMENTS)
        assert found.evaluate_all("all => all.map(one => one.outerHTML)") == []
    assert page.evaluate("window.caught") is None


@pytest.mark.parametrize("text", ["a\n===\nb", "    code", "a\n\n\tcode", "", "\0:small[x]", "x  \n  y"])
def test_lines_and_blanks_make_no_headings_and_no_code(text: str) -> None:
    said = literal(text)
    assert not re.search(r"^( {4}|\t|=|#)", said, re.MULTILINE) and "\0" not in said
    assert ":small[x]" not in said


# --- every door: nothing that is not fixed, a number or literal is drawn as Markdown -----------------------------

_DRAWN = {
    "error", "warning", "info", "success", "caption", "markdown", "toast", "title", "header", "subheader",
    "page_link", "button", "download_button", "link_button", "form_submit_button", "checkbox", "toggle", "radio",
    "expander", "popover", "metric", "progress", "spinner", "segmented_control", "pills", "tabs", "selectbox",
    "multiselect", "text_input", "text_area", "number_input", "date_input", "file_uploader", "dialog",
}  # fmt: skip
_TEXTS = ("body", "label", "text", "help")
_LITERAL = {"literal", "linked"}
_NUMBERS = {"len", "round", "int", "sum"}
_NUMBER = re.compile(r"[+,.\d]*[,dfg%]")
_OWN_WORDS = {"page_words(here)['language']"}
_SHIPPED = {"data.title(key, chosen())"}
"""Where a page begins games: the title of one that is shipped."""


class Doors:
    """The functions of the dashboard, and which of their parameters end up as Markdown."""

    def __init__(self) -> None:
        root = words.VIEWS_FOLDER.parent
        self.trees = {str(path.relative_to(root)): ast.parse(path.read_text("utf-8")) for path in root.rglob("*.py")}
        self.functions: dict[str, list[ast.FunctionDef]] = {}
        self.drawn: dict[str, set[str]] = {name: set(_TEXTS) for name in _DRAWN}
        self.around: dict[ast.AST, ast.FunctionDef] = {}
        self.file: dict[ast.AST, str] = {}
        for file, tree in self.trees.items():
            for node in ast.walk(tree):
                self.file[node] = file
                if isinstance(node, ast.FunctionDef):
                    self.functions.setdefault(self._called(node, node.name), []).append(node)
                    for inner in ast.walk(node):
                        self.around[inner] = node  # the innermost comes last

    def _called(self, node: ast.AST, name: str) -> str:
        """A function's name; of a private one, with its file."""
        return f"{self.file[node]} {name}" if name.startswith("_") else name

    def open(self) -> list[str]:
        """Where something is drawn that may be a stranger's."""
        while True:
            before = sum(map(len, self.drawn.values()))
            found = [
                f"{name}:{call.lineno} {ast.unparse(text)}"
                for name, tree in self.trees.items() for call in ast.walk(tree) if isinstance(call, ast.Call)
                for text in self._texts(call) if not self._safe(text, set())
            ]  # fmt: skip
            if sum(map(len, self.drawn.values())) == before:
                return found

    def _texts(self, call: ast.Call) -> Iterator[ast.expr]:
        """What a call draws."""
        name = self._called(call, _last(call.func))
        if name not in self.drawn or (name in _DRAWN and isinstance(call.func, ast.Name)):
            return
        if re.match(r"_LOGGER|logging|data\.title", ast.unparse(call.func)):  # of the same name, and draw nothing
            return
        names = self.drawn[name]
        yield from (one.value for one in call.keywords if one.arg in names)
        if name in _DRAWN:
            yield from call.args[:1] if name not in ("page_link", "progress") else call.args[1:2]
            return
        for function in self.functions.get(name, ()):
            parameters = [one.arg for one in function.args.args]
            yield from (given for one, given in zip(parameters, call.args, strict=False) if one in names)

    def _safe(self, text: ast.expr, seen: set[str]) -> bool:
        match text:
            case ast.Constant():
                return True
            case ast.JoinedStr():
                return all(self._safe(part, seen) for part in text.values)
            case ast.FormattedValue():
                spec = text.format_spec
                said = [part.value for part in spec.values if isinstance(part, ast.Constant)] if spec else []
                return bool(said and _NUMBER.fullmatch(str(said[-1]))) or self._safe(text.value, seen)
            case ast.BinOp():
                return all(self._safe(part, seen) for part in (text.left, text.right))
            case ast.BoolOp():
                return all(self._safe(part, seen) for part in text.values)
            case ast.IfExp():
                return all(self._safe(part, seen) for part in (text.body, text.orelse))
            case ast.List() | ast.Tuple():
                return all(self._safe(part, seen) for part in text.elts)
            case ast.GeneratorExp() | ast.ListComp():
                return self._safe(text.elt, seen)
            case ast.DictComp():
                return self._safe(text.value, seen)
            case ast.Call():
                return self._safe_call(text, seen)
            case ast.Name():
                return text.id.isupper() or self._safe_name(text, seen)
        return ast.unparse(text).endswith(tuple(_OWN_WORDS))

    def _safe_call(self, call: ast.Call, seen: set[str]) -> bool:
        name = _last(call.func)
        if name in _LITERAL | _NUMBERS or ast.unparse(call) in _SHIPPED:
            return True
        if name == "t":
            return all(self._safe(one.value, seen) for one in call.keywords)
        if name == "join":
            return self._safe(call.args[0], seen)
        name = self._called(call, name)
        returned = [
            one.value for function in self.functions.get(name, ()) for one in ast.walk(function)
            if isinstance(one, ast.Return) and one.value is not None
        ]
        return name in seen or (bool(returned) and all(self._safe(one, seen | {name}) for one in returned))

    def _safe_name(self, name: ast.Name, seen: set[str]) -> bool:
        """A variable, by all that is ever put into it; a parameter, by all that is given for it."""
        function = self.around.get(name)
        if function is None or name.id in seen:
            return name.id in seen
        given = [
            node.value for node in ast.walk(function)
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None
            and any(isinstance(one, ast.Name) and one.id == name.id
                    for one in (node.targets if isinstance(node, ast.Assign) else [node.target]))
        ]  # fmt: skip
        given += [
            one.iter for node in ast.walk(function) if isinstance(node, ast.GeneratorExp | ast.ListComp)
            for one in node.generators if isinstance(one.target, ast.Name) and one.target.id == name.id
        ]
        arguments = [*function.args.args, *function.args.kwonlyargs]
        own = next((one for one in arguments if one.arg == name.id), None)
        if own is not None:
            if own.annotation is not None and ast.unparse(own.annotation) in ("int", "float"):
                return True
            self.drawn.setdefault(self._called(function, function.name), set()).add(name.id)
        return (own is not None or bool(given)) and all(self._safe(one, seen | {name.id}) for one in given)


def _last(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_nothing_that_may_be_a_stranger_s_is_drawn_as_markdown() -> None:
    assert Doors().open() == []


# --- a library of which every name is hostile -------------------------------------------------------------------

EVIL = "**zq** <b>zq</b> [zq](http://x.test) $zq$ :red[zq] www.zq.test"
_RAW = re.compile(r"(?<!\\)(\*\*zq|<b>zq|\[zq\]|\$zq|:red\[)|www\.zq|www\\\.zq")
"""What of it would be markup: not escaped, or not split."""

_PLAIN = {
    "bidi_component", "text", "code", "plotly_chart", "selectbox.options", "multiselect.options",
    "multiselect.placeholder", "text_input.default", "text_input.value", "text_area.default",
    "selectbox.raw_value", "download_button.url",
}  # fmt: skip
"""Elements, and fields of elements, of which Streamlit makes text."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a shipped rulebook and of a strange one, groups, a game that goes on: all names are EVIL; counted."""
    library = Library(tmp_path_factory.mktemp("hostile") / "library")
    decks = [deck for deck in registry.load("liveon").shipped_decks() if deck.format == "standard"][:2]
    named = [msgspec.structs.replace(deck, name=f"{EVIL} {n}") for n, deck in enumerate(decks)]
    simulate_into(library, Plan(game="liveon", decks=all_pairs(named), count=8, seed=1, date="2026-03-04"), jobs=1)
    said = {f"{what}": {"en": EVIL} for what in ("zone.deck", "reason.points", "term.title", "term.format_short")}
    book = msgspec.structs.replace(highcard.RULEBOOK, words=said)
    cards = CardSet(key="HC", version=EVIL[:40], game="highcard", cards={
        code: {"rank": n, "name": EVIL, "text": EVIL} for n, code in enumerate(("HC-001", "HC-002"))
    })  # fmt: skip
    deck = DeckList(name=EVIL, cards={"HC-001": 2, "HC-002": 1})
    logs = [
        write_game((book, (cards,), highcard.game(
            n, id=f"g{n}", seats=(Seat(EVIL, "human", deck), Seat(EVIL, EVIL[:30], deck)), rulebook=edition(book),
            card_sets=(edition(cards),), tags=(EVIL,), options={"format": EVIL[:30]}, origin=EVIL[:20], seed=n,
        ))) for n in range(3, 9)
    ]  # fmt: skip
    report = library.import_paths([io.BytesIO(log) for log in logs])
    assert report.new == len(logs), report
    update(library.path)
    keys = [entry.key for entry in library.games()]
    digests = tuple({key for entry in library.games() for key in entry.deck_keys if entry.game == "liveon"})
    library.change_groups(lambda groups: listed(joined(groups, Family(EVIL, "liveon", digests[:2])), EVIL, keys))
    rules = registry.load("liveon")
    match, writer = begin_live(library, rules, ("human", "human"), [deck_list(one) for one in decks], {}, (EVIL, EVIL))
    writer.append(match.log)
    writer.close()
    return library.path


def drawn(app: AppTest) -> Iterator[tuple[str, str]]:
    """All text that a page sends, with the field in which it stands."""

    def texts(message: Message, path: str) -> Iterator[tuple[str, str]]:
        for field, value in message.ListFields():
            for one in value if hasattr(value, "append") or hasattr(value, "add") else [value]:
                if isinstance(one, str):
                    yield f"{path}.{field.name}", one
                elif isinstance(one, Message):
                    yield from texts(one, f"{path}.{field.name}")

    def below(node: Any) -> Iterator[tuple[str, str]]:
        if isinstance(getattr(node, "proto", None), Message):
            yield from texts(node.proto, str(node.type))
        for child in getattr(node, "children", {}).values():
            yield from below(child)

    return below(app._tree)


def shown_in(figure: Any) -> Iterator[str]:
    """The texts of a figure of Plotly; what points carry for clicks is not shown."""
    if isinstance(figure, str):
        yield figure
    elif isinstance(figure, list | dict):
        for name, one in figure.items() if isinstance(figure, dict) else enumerate(figure):
            if name != "customdata":
                yield from shown_in(one)


def test_names_of_strangers_are_text_on_every_page(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDFOLD_HOME", str(hostile))
    found = rows(open_warehouse(hostile), "deck_win_rate")
    deck, other = (str(row["deck"]) for row in found if row["game"] == "liveon")
    liveon, strange = {"game": "liveon"}, {"game": "highcard", "unchecked": "yes"}
    asked: list[tuple[str, dict[str, str]]] = [
        *((name, {}) for name in words.menu()),
        *((name, strange) for name in ("library", "cards", "decks", "meta", "compare", "statistics")),
        ("library", {"playlist": EVIL}), ("library", {"deck": f"family:{EVIL}"}), ("library", {"deck": EVIL}),
        ("cards", {**strange, "card": "HC-001"}), ("cards", {**strange, "card": EVIL}), ("rules", {"words": EVIL}),
        ("decks", {**liveon, "list": deck[:12]}), ("decks", {**liveon, "pair": f"{deck[:12]}\n{other[:12]}"}),
        ("decks", {**liveon, "families": "yes"}), ("decks", {**liveon, "list": f"family:{EVIL}", "families": "yes"}),
        ("decks", {**liveon, "behind": f"metric=deck_win_rate&deck={deck}"}),
        ("cards", {**strange, "behind": urlencode({"metric": "gih_wr", "code": EVIL})}),
        ("meta", {**liveon, "charts": "time", "cut": "card_set"}), ("meta", {**strange, "charts": "time"}),
        ("replay", {"game": "g3"}), ("replay", {"game": EVIL}),
        ("compare", {**liveon, "metric": "matchups", "a_seat": "first", "b_seat": "second"}),
        ("sql", {"q": f'SELECT "{EVIL}"'}), ("sql", {"q": "SELECT deck_name FROM units"}),
        *(("statistics", {**one, "metric": metric}) for one in (liveon, strange)
          for metric in ("player_win_rate", "matchups", "left_out", "trend", "endings")),
    ]  # fmt: skip
    seen: set[str] = set()
    for page, query in asked:
        app = opened(page, **query)
        for field, text in drawn(app):
            element = field.partition(".")[0]
            if "zq" not in text:
                continue
            seen.add(element)
            if element == "plotly_chart":
                assert "<b>zq" not in "\n".join(shown_in(json.loads(text))), (page, query)
            elif not {element, field} & _PLAIN:
                assert not _RAW.search(text), (page, query, field, text)
    assert {"plotly_chart", "bidi_component", "markdown", "error", "warning", "caption", "header"} <= seen, seen
