"""The boards of the games in a real browser: what a player must see stands there, by the names that are read out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard import export, viewer
from engine.rulebooks import registry
from engine.state import State
from events import kinds as k
from events.game import GameLog, write_game
from events.open import read_games
from replays.view.board import Board, board_of
from replays.view.faces import faces
from replays.view.timeline import Timeline
from tests.events import highcard
from tests.golden.make import FOLDER

SIDES = ("up", "right", "down", "left")
OUTCOMES = {"blocked": "Blocked", "open": "Open", "won": "Clash won", "lost": "Clash lost", "even": "Clash tied"}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


@cache
def timelines(key: str) -> list[tuple[GameLog, Timeline]]:
    return [(game, viewer.timeline_of(game)) for game in read_games(FOLDER / f"{key}.jsonl")]


@cache
def moment(key: str, fits: Callable[..., object], seat: int | None = None) -> Moment:
    """The first step of the golden games that fits; the test fails where there is none."""
    for game, open_all in timelines(key):
        timeline = open_all if seat is None else viewer.timeline_of(game, seat)
        for step, event in enumerate(timeline.events[: timeline.steps]):
            if fits(timeline, None, event) and fits(timeline, timeline.state(step), event):
                return Moment(game, timeline, step)
    raise AssertionError("no golden game has such a step")


class Moment:
    """A step of a game, and what the viewer must know of it."""

    def __init__(self, game: GameLog, timeline: Timeline, step: int) -> None:
        self.game, self.timeline, self.step = game, timeline, step
        self.state = timeline.state(step)
        codes = {card.code for card in self.state.cards.values() if card.code}
        self.faces = faces(timeline.rulebook, timeline.card_sets, sorted(codes), timeline.board, "en")

    def name(self, card: int) -> str:
        return str(self.faces[self.state.cards[card].code]["name"])  # type: ignore[index]

    def value(self, card: int, name: str) -> int:
        """A number of a card: its counter, else what is printed."""
        lies = self.state.cards[card]
        return int(lies.counters.get(name, self.faces[str(lies.code)]["stats"].get(name, 0)))

    def player(self, seat: int) -> str:
        return self.game.header.seats[seat].player


_written: dict[tuple[str, int | None, str], str] = {}


def written(name: str, game: GameLog, seat: int | None, language: str) -> str:
    key = (name, seat, language)
    if key not in _written:
        _written[key] = export.replay_page(game, seat, language=language)
    return _written[key]


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Iterator[Callable[..., Locator]]:
    """Opens a step of a game as one file and gives the board."""

    def opened(moment: Moment, seat: int | None = None, language: str = "en") -> Locator:
        path = tmp_path / "game.html"
        path.write_text(written(moment.game.header.id, moment.game, seat, language))
        page.goto(f"{path.as_uri()}#step={moment.step}")
        expect(page.locator(".cf .board > div")).to_be_visible()
        return page.locator(".cf .board")

    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    yield opened
    page.set_viewport_size(DESK)  # type: ignore[arg-type]


def labels(places: Locator) -> list[str]:
    return [text or "" for text in places.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")]


def reckoned(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.CounterSet) and event.name == "lp" and (
        state is None or (state.attack[0] is not None and {"def", "attribute"} <= {r.step for r in state.damage_steps}
                          and "again" not in {r.step for r in state.damage_steps})
    )  # fmt: skip


# --- X-Card -------------------------------------------------------------------------------------------------


def many_fists(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    """The last fist of a battle has been met in three ways or more."""
    return isinstance(event, k.AttackMet) and (state is None or len({m.outcome for m in state.meetings}) >= 3)


def struck(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.CounterSet) and event.name == "hp" and (
        state is None or (state.phase == "battle" and len({r.source for r in state.damage_steps if r.target < 2}) > 1)
    )


def on_sortie(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.CounterSet) and event.name == "atk" and (
        state is None or not state.zones[0]["leader"] or not state.zones[1]["leader"]
    )


def answered_item(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.StackPushed) and (state is None or len(state.stack) > 1)


def test_every_fist_is_told_with_how_it_was_met(show: Callable[..., Locator]) -> None:
    at = moment("xcard", many_fists)
    board = show(at)
    told = labels(board.get_by_role("group", name="Battle").locator(".lane[role=group]"))
    for met in at.state.meetings:
        wanted = [met.direction.capitalize(), at.name(met.source), OUTCOMES[met.outcome]]
        if met.target > 1:
            wanted.append(at.name(met.target))
        if met.outcome in ("won", "lost", "even"):
            mine, theirs = (
                next(r.value for r in reversed(at.state.damage_steps) if (r.source, r.target) == pair)
                for pair in ((met.source, met.target), (met.target, met.source))
            )
            wanted.append(f"{mine} : {theirs}")
        assert any(all(word in line for word in wanted) for line in told), (wanted, told)
    attackers = at.state.zones[at.state.active]["field"]
    fists = sum(at.value(card, f"fist_{way}") for card in attackers for way in SIDES)
    assert len(told) == fists, "those still to be met stand there too"
    assert sum("waits" in line for line in told) == fists - len(at.state.meetings)


def test_fists_and_shields_stand_on_their_sides_with_what_became_of_them(show: Callable[..., Locator]) -> None:
    at = moment("xcard", many_fists)
    board = show(at)
    for card in (*at.state.zones[0]["field"], *at.state.zones[1]["field"]):
        node = board.locator(f".places [data-card='{card}']")
        label = node.get_attribute("aria-label") or ""
        box = node.bounding_box()
        assert box is not None and f"ATK {at.value(card, 'atk')}" in label
        for way in SIDES:
            for kind in ("fist", "shield"):
                sign = node.locator(f".eg.{kind}.e-{way}")
                expect(sign).to_have_count(at.value(card, f"{kind}_{way}"))
                if at.value(card, f"{kind}_{way}"):
                    assert f"{kind.capitalize()} {way}" in label
                    place = sign.bounding_box()
                    assert place is not None
                    assert on_side(way, place["x"] + place["width"] / 2 - box["x"] - box["width"] / 2,
                                   place["y"] + place["height"] / 2 - box["y"] - box["height"] / 2)  # fmt: skip
    for met in at.state.meetings:
        label = board.locator(f".places [data-card='{met.source}']").get_attribute("aria-label") or ""
        state = "through" if met.outcome in ("open", "won") else "stopped"
        assert f"Fist {met.direction}: {state}" in label


def on_side(way: str, x: float, y: float) -> bool:
    """Whether a sign so far from the middle of its card is on that side."""
    far = {"up": -y, "down": y, "left": -x, "right": x}
    return far[way] > 20


def test_strikes_are_reckoned_line_by_line_down_to_the_life(show: Callable[..., Locator]) -> None:
    at = moment("xcard", struck)
    board = show(at)
    rows = board.locator(".str tbody tr:not(.next)")
    last = [r for r in at.state.damage_steps if r.target < 2][-1]
    strikes = list(dict.fromkeys((r.source, r.target) for r in at.state.damage_steps if r.target < 2))
    expect(rows).to_have_count(len(strikes))
    for row, (source, target) in zip(rows.all(), strikes, strict=True):
        steps = [r for r in at.state.damage_steps if (r.source, r.target) == (source, target)]
        expect(row.locator("td").first).to_have_text(at.name(source))
        expect(row.locator("td").nth(2)).to_have_text(str(steps[-1].value))
        label = row.get_attribute("aria-label") or ""
        assert f"ATK {steps[0].value}" in label and label.endswith(f": {steps[-1].value}") and "DEF" in label
    expect(rows.last).to_have_class("now")
    hp = at.state.counters[last.target]["hp"]
    path = board.locator(".str .path", has_text=at.player(last.target))
    expect(path).to_contain_text(f"{hp + last.value} → {hp}")


def test_leaders_have_their_life_with_the_marks_of_a_sortie(show: Callable[..., Locator]) -> None:
    at = moment("xcard", struck)
    board = show(at)
    for seat in (0, 1):
        leader = board.locator(f".seat{seat} .ldrb")
        counters = at.state.counters[seat]
        expect(leader.locator(".hpv b")).to_have_text(str(counters["hp"]))
        expect(leader.locator(".ty")).to_contain_text(f"DEF {counters['def']}")
        expect(leader.locator(".hpk")).to_have_text("5001000")
        card = next(c for c in (*at.state.zones[seat]["leader"], *at.state.zones[seat]["field"])
                    if at.state.cards[c].zone == "leader" or at.value(c, "band"))  # fmt: skip
        full = at.faces[at.state.cards[card].code]["stats"]["hp"]  # type: ignore[index]
        expect(leader).to_contain_text(f"/ {full}HP")
        bar, mark = leader.locator(".hpb").bounding_box(), leader.locator(".hpb u").nth(1).bounding_box()
        assert bar is not None and mark is not None
        assert abs((mark["x"] - bar["x"]) / bar["width"] - 1000 / full) < 0.03


def test_a_leader_on_sortie_leaves_its_place_and_gains(show: Callable[..., Locator]) -> None:
    at = moment("xcard", on_sortie)
    board = show(at)
    seat = 0 if not at.state.zones[0]["leader"] else 1
    card = next(c for c in at.state.zones[seat]["field"] if at.value(c, "band"))
    gain = 400 if at.value(card, "band") == 1 else 600
    assert f"sortie +{gain}" in (board.locator(f".places [data-card='{card}']").get_attribute("aria-label") or "")
    expect(board.locator(f".seat{seat} .ldrb.out .aw2")).to_have_text("sortie →")
    expect(board.locator(f".seat{seat} .ldrb .ln2")).to_have_text(at.name(card))
    expect(board.locator(f".seat{1 - seat} .ldrb.out")).to_have_count(0)


def test_the_item_chain_has_the_next_to_settle_on_top(show: Callable[..., Locator]) -> None:
    at = moment("xcard", answered_item)
    board = show(at)
    told = labels(board.locator(".chn li button"))
    assert told[0] == f"{at.name(at.state.stack[-1].frame.card)}, next"
    assert told[1] == f"{at.name(at.state.stack[-2].frame.card)}, waits"


def test_who_attacks_is_said_and_no_bookkeeping(show: Callable[..., Locator]) -> None:
    at = moment("xcard", struck)
    board = show(at)
    expect(board.locator(f".seat{at.state.active} .role")).to_have_text("attacks")
    expect(board.locator(f".seat{1 - at.state.active} .role")).to_have_text("defends")
    assert at.state.counters[0]["draws"] == 2 and any("struck_in" in side for side in at.state.counters)
    expect(board.get_by_text(re.compile("Round of the last strike|Draws|More "))).to_have_count(0)


def test_piles_say_how_many_and_open(show: Callable[..., Locator], page: Page) -> None:
    at = moment("xcard", struck)
    board = show(at)
    pile = board.locator(".seat0").get_by_role("button", name=f"Warrior discard pile {at.state.count(0, 'w_discard')}")
    pile.click()
    expect(page.locator(".cf .sheet .card")).to_have_count(at.state.count(0, "w_discard"))
    page.keyboard.press("Escape")


def given_fists(timeline: Timeline, state: State | None, event: k.Event) -> bool:
    return isinstance(event, k.ModifierBegan) and event.name.startswith("fist_") and (
        state is None or state.cards[event.on].zone == "field"
    )


def test_a_fist_that_a_card_gives_is_told_as_given(show: Callable[..., Locator], page: Page) -> None:
    at = moment("xcard", given_fists)
    board = show(at)
    effect = at.timeline.events[at.step]
    assert isinstance(effect, k.ModifierBegan)
    board.locator(f".places [data-card='{effect.on}']").hover()
    way = effect.name.removeprefix("fist_")
    row = page.locator(".cf .insp tr", has_text=f"Fist {way}")
    expect(row).to_have_text(re.compile(f"Fist {way}given by {re.escape(at.name(effect.card))}, "))
    expect(page.locator(".cf .insp table")).not_to_contain_text("printed")


def test_below_zero_a_value_has_a_minus_sign(show: Callable[..., Locator], page: Page) -> None:
    show(moment("xcard", struck))
    said = "(root) => { const {viewer} = root; for (const side of viewer.frame.seats) side.hp = -150;"
    said += " viewer.board.show(viewer.frame, null, viewer.context); return root.querySelector('.hpv b').textContent; }"
    assert page.locator(".cf").evaluate(said) == "−150"


# --- both ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "fits"), [("xcard", struck), ("monbattle", reckoned)])
def test_a_phone_shows_it_all_without_scrolling_sideways(
    show: Callable[..., Locator], page: Page, key: str, fits: Callable[..., bool]
) -> None:
    at = moment(key, fits)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    board = show(at)
    assert board.evaluate("board => board.scrollWidth - board.clientWidth") == 0
    for seat in (0, 1):
        edge = board.locator(f".seat{seat} .edge")
        expect(edge.get_by_role("button", name=f"Hand {at.state.count(seat, 'hand')}", exact=True)).to_be_visible()
    if key == "xcard":
        for lane in board.locator(".lane").all():
            box = lane.bounding_box()
            assert box is not None and box["width"] > 300 and box["height"] < 30
        expect(board.locator(".seat0 .strip")).to_contain_text(f"Warriors {at.state.count(0, 'warriors')}")
    else:
        left, right = (card.bounding_box() for card in board.locator(".card.stage").all())
        assert left is not None and right is not None and abs(left["y"] - right["y"]) < 3
        expect(board.locator(".seat0 .lpx b")).to_have_text(str(at.state.counters[0]["lp"]))


CROWDED = """(root, n) => {
  const {viewer} = root, frame = viewer.frame, {cards} = frame;
  const has = (id) => viewer.data.cards[cards[id].code]?.stats.atk;
  const field = Object.keys(cards).map(Number).filter((id) => cards[id].seat === frame.active && has(id)).slice(0, n);
  frame.zones[frame.active].field = field;
  for (const id of field) cards[id] = {code: cards[id].code, seat: frame.active, zone: "field",
    counters: {fist_up: 1, fist_down: 1, fist_left: 1, fist_right: 1}};
  frame.meetings = [];
  viewer.board.show(frame, null, viewer.context);
  const wide = [...root.querySelectorAll(".board, .board *")].filter((e) => e.scrollWidth > e.clientWidth + 1
    && ["auto", "scroll"].includes(getComputedStyle(e).overflowX));
  const parts = [...root.querySelectorAll(".board :not(svg *)")]; // a picture cuts off what it draws outside itself
  const outside = parts.filter((e) => e.getBoundingClientRect().right > 391);
  return [field.length, root.querySelectorAll(".lane").length, wide.length, outside.length];
}"""


@pytest.mark.parametrize("cards", [3, 5, 7])
def test_many_fists_do_not_widen_a_phones_board(show: Callable[..., Locator], page: Page, cards: int) -> None:
    at = moment("xcard", many_fists)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    show(at)
    assert page.locator(".cf").evaluate(CROWDED, cards) == [cards, 4 * cards, 0, 0]


def test_between_phone_and_desk_the_duel_lies_side_by_side(show: Callable[..., Locator], page: Page) -> None:
    at = moment("monbattle", reckoned)
    page.set_viewport_size({"width": 900, "height": 900})
    board = show(at)
    one, other = (card.bounding_box() for card in board.locator(".card.stage").all())
    assert one is not None and other is not None
    assert abs(one["y"] - other["y"]) < 3 and one["width"] < 450


@pytest.mark.parametrize(("key", "fits", "language", "words"), [
    ("xcard", struck, "zh-Hant", ["攻方", "守方", "攻擊結算", "道具連鎖", "戰士"]),
    ("monbattle", reckoned, "ja", ["攻撃側の増減", "速さ", "ストック＋ステージ", "メイン"]),
])  # fmt: skip
def test_boards_speak_other_languages(
    show: Callable[..., Locator], key: str, fits: Callable[..., bool], language: str, words: list[str]
) -> None:
    board = show(moment(key, fits), language=language)
    for word in words:
        expect(board.get_by_text(word, exact=True).first).to_be_visible()
    assert not re.search("Attack|Item|Damage|Warrior", board.inner_text())


@pytest.mark.parametrize("key", ["xcard", "monbattle"])
def test_as_one_seat_saw_it_the_other_hand_is_backs(show: Callable[..., Locator], key: str) -> None:
    def dealt(timeline: Timeline, state: State | None, event: k.Event) -> bool:
        return isinstance(event, k.PhaseBegan) and (state is None or (state.turn == 1 and state.count(1, "hand") > 2))

    at = moment(key, dealt, 0)
    board = show(at, seat=0)
    hand = board.locator(".seat1 .hand")
    expect(hand.get_by_role("img", name="Hidden card")).to_have_count(at.state.count(1, "hand"))
    expect(hand.locator(".card")).to_have_count(0)
    expect(board.locator(".seat0 .hand .card")).to_have_count(at.state.count(0, "hand"))


def test_a_game_without_a_board_gets_a_plain_one_with_all_its_zones(show: Callable[..., Locator]) -> None:
    game = next(iter(read_games(write_game((*highcard.SHARED, highcard.game(3))))))
    timeline = viewer.timeline_of(game)
    at = Moment(game, timeline, timeline.steps - 1)
    board = show(at)
    for seat in (0, 1):
        side = board.locator(f".seat{seat}")
        expect(side.get_by_role("group", name="table")).to_be_visible()
        deck = f"{at.player(seat)}: deck {at.state.count(seat, 'deck')}"
        expect(side.get_by_role("button", name=deck)).to_be_visible()
        expect(side.get_by_text(f"Hand {at.state.count(seat, 'hand')}").first).to_be_visible()
        expect(side.locator(".ct b")).to_have_text(str(at.state.counters[seat]["score"]))
    expect(board.locator(".phz .res")).to_be_visible()


@pytest.mark.parametrize("key", sorted(registry.GAMES))
def test_a_board_is_whole_and_every_part_of_it_has_a_routine(key: str) -> None:
    folder = registry.load(key).folder
    board = msgspec.convert(tomllib.loads((folder / "board.toml").read_text("utf-8")), Board)
    assert board_of(registry.load(key).rulebook) == board, "it names declared zones only"
    code = viewer.javascript()
    for part in (*(part for row in board.rows for part in row.parts), *board.middle):
        assert re.search(rf"\b{part.__struct_config__.tag}: \w+Part\b", code)
    for anatomy in (board.card.anatomy, *board.card.anatomies.values()):
        assert re.search(rf"^function {anatomy}\(data, card, face, options\)", code, re.MULTILINE)


def test_the_code_of_the_boards_names_no_game_and_nothing_that_a_rulebook_declares() -> None:
    scripts = [viewer.FOLDER / f"{name}.js" for name in ("board", "lines", "rows", "rivals", "middle", "cards")]
    code = "".join(script.read_text("utf-8") for script in scripts)
    quoted = set(re.findall(r'"(\w+)"', code))
    for key in registry.GAMES:
        book = registry.load(key).rulebook
        declared = {counter.name for counter in book.counters} | {
            *book.move_kinds,
            *book.questions,
            *book.outcomes,
            *book.steps,
        }
        assert quoted & {key, *declared} <= COINCIDENT, key


COINCIDENT = {"turn", "pow", "hp", "may", "set_up"}
"""Class names and words of every game that some rulebook has as its own too."""


def test_printed_values_stand_also_where_the_machine_keeps_none() -> None:
    game = registry.load("xcard")
    face = faces(game.rulebook, game.card_sets, ["BEL-046"], board_of(game.rulebook), "zh-Hant")["BEL-046"]
    printed = {"atk": 1550, "def": 1000, "hp": 2800, "fist_up": 1}
    assert {name: face["stats"][name] for name in printed} == printed
    assert (face["letter"], face["anatomy"]) == ("獸", "square")
