"""X-Card in words: nothing is missing, each card's text says what it does, a battle is told fist by fist."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import msgspec
import pytest

from engine.cards.decks import deck_list, read_deck
from engine.cards.rules_text import rules_text, rules_texts
from engine.players import PLAYER_KINDS, Observation
from engine.rulebooks.xcard.card import DIRECTIONS, ELEMENTS, XCardCard
from engine.rulebooks.xcard.rules import XCard
from engine.words import LANGUAGES, declared_keys, missing, words
from events.kinds import Acted, Asked, CardIdentified, CardMoved, Seat
from replays.view.board import Board, board_words
from replays.view.narrate import Line, narrate
from tests.engine.rulebooks.xcard.effects import BREAK, TAKE, atk, be, do, effect, field, player, target
from tests.engine.rulebooks.xcard.position import Table, new_game, position

LEFT_OVER = re.compile(r"[{}]|a\(n\)|  |\btext\.|\bsay\.|, ,|，，|、、|\(\)|（）")
LATIN = {"ja": {"ATK", "DEF", "HP"}, "zh-Hans": set(), "zh-Hant": set()}
"""Words of Latin letters that the languages write so"""


@cache
def game() -> XCard:
    loaded = XCard.load()
    assert isinstance(loaded, XCard)
    return loaded


@cache
def texts(language: str) -> dict[str, list[str]]:
    return rules_texts([d.printed for d in game().cards.values()], language)


# --- words --------------------------------------------------------------------------------------------------


def test_no_word_is_missing_in_any_language() -> None:
    assert missing("xcard", game().rulebook) == []


def test_no_word_is_left_over_that_nothing_declares() -> None:
    kinds = {key.split(".")[0] for key in declared_keys(game().rulebook)} - {"turn", "reason"}
    declared = set(declared_keys(game().rulebook))
    known = [f"{kind}.{name}" for kind in kinds for name in own_names(kind)]
    assert [key for key in known if key not in declared] == []


def own_names(kind: str) -> list[str]:
    return list(tomllib.loads((XCard.folder / "words" / "en.toml").read_text("utf-8")).get(kind, {}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cards_print_has_its_word(language: str) -> None:
    said = words(language, "xcard")
    keys = [f"kind.{k}" for k in ("character", "skill", "item")] + [f"mark.{m}" for m in ("cooperate", "link")]
    keys += [f"element.{e}" for e in ELEMENTS]
    keys += [f"keyword.{what}_{way}" for what in ("fist", "shield") for way in DIRECTIONS]
    assert [key for key in keys if said.own(key) is None] == []


def test_the_game_has_its_own_words_for_rounds_in_chinese() -> None:
    assert words("zh-Hant", "xcard").get("turn.round") == "回合"
    assert words("zh-Hant", "xcard").get("zone.leader") == "主帥位置"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_names_everything_it_shows(language: str) -> None:
    board = msgspec.convert(tomllib.loads((XCard.folder / "board.toml").read_text("utf-8")), Board)
    assert [line.zone for line in board.lines] == ["leader", "field"] and board.stack == "table"
    named = board_words(game().rulebook, board, language)
    assert all(named.values()) and named["title"].startswith("X-C")
    assert board.card.sides == {way: (f"fist_{way}", f"shield_{way}") for way in DIRECTIONS}


# --- rules text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_its_text(language: str) -> None:
    for definition in game().cards.values():
        lines = texts(language)[definition.code]
        assert len(lines) >= len(definition.abilities) + (2 if definition.kind == "character" else 0)
        for line in lines:
            assert line.strip() and not LEFT_OVER.search(line), (definition.code, line)


@pytest.mark.parametrize("language", sorted(LATIN))
def test_no_english_is_left_in_the_other_languages(language: str) -> None:
    for code, lines in texts(language).items():
        assert set(re.findall("[A-Za-z]+", " ".join(lines))) <= LATIN[language], (code, lines)


def line(ability: dict[str, object], language: str) -> str:
    raw = {"code": "T-1", "name": {"en": "Horn"}, "kind": "item", "ability": [ability]}
    return rules_text(msgspec.convert(raw, XCardCard), language)[0]


PINNED = [
    (
        effect(be("shield_up", 0, "other")),
        "Take the upper shield from each warrior on your opponent's side until end of round.",
        "直到回合結束，對手場上的所有戰士失去上方盾牌。",
        "ラウンド終了時まで、相手の戦場の戦士すべてから上の盾を失わせる。",
    ),
    (
        effect(be("fist_left", 1, "own", element="holy")),
        "Give each holy warrior on your side a left fist until end of round.",
        "直到回合結束，你的場上的所有聖系戰士獲得左方拳頭。",
        "ラウンド終了時まで、自分の戦場の聖の戦士すべてに左の拳を与える。",
    ),
    (
        effect(atk(300, at_least={"formation": 1})),
        "Give +300 ATK to each warrior in a formation on your side until end of round.",
        "直到回合結束，你的場上的所有處於攻防勢的戰士獲得攻擊力+300。",
        "ラウンド終了時まで、自分の戦場の陣形を組む戦士すべてにATK+300を与える。",
    ),
    (
        effect(player("own", "def", 200), player("own", "draws", 1)),
        "Give your leader +200 DEF until end of round. You may draw 1 more card this round.",
        "直到回合結束，你的主帥獲得防守力+200。本回合你可多抽1張牌。",
        "ラウンド終了時まで、自分のリーダーにDEF+200を与える。このラウンド、自分はカードをさらに1枚引ける。",
    ),
    (
        effect(do("set", what="other", name="no_draw"), player("own", "more_characters", 2)),
        "Your opponent cannot draw this round. You may send 2 more characters this round, without a mark; "
        "characters that a mark joins are a formation all the same.",
        "本回合對手不能抽牌。本回合你可多派出2名角色，無需標記；由標記聯合的角色仍處於攻防勢。",
        "このラウンド、相手はカードを引けない。このラウンド、自分は合・連の印がなくてもキャラクターをさらに2枚出せる"
        "（印で結ばれたキャラクターは陣形を組む）。",
    ),
    (
        effect(TAKE, BREAK),
        "Take over the attack. Break your opponent's formation.",
        "奪取攻擊權。破解對手的攻防勢。",
        "攻撃権を奪う。相手の陣形を崩す。",
    ),
    (
        effect(do("destroy", what="target"), targets=[target("other", kind="skill")]),
        "Destroy a skill on your opponent's side.",
        "擊破對手場上的1張絕技。",
        "相手の戦場の必殺技1枚を撃破する。",
    ),
    (
        effect(do("add", what=field("own", mark="link"), name="atk", n=-100)),
        "Give −100 ATK to each link warrior on your side until end of round.",
        "直到回合結束，你的場上的所有有聯系標記的戰士獲得攻擊力−100。",
        "ラウンド終了時まで、自分の戦場の連携の戦士すべてにATK−100を与える。",
    ),
]


@pytest.mark.parametrize(("ability", "en", "hant", "ja"), PINNED)
def test_sentences_word_for_word(ability: dict[str, object], en: str, hant: str, ja: str) -> None:
    assert [line(ability, language) for language in ("en", "zh-Hant", "ja")] == [en, hant, ja]


def test_a_leader_s_values_and_an_own_skill_are_lines_of_the_text() -> None:
    assert texts("en")["BEL-001"][0].startswith("As leader: DEF ")
    assert texts("en")["BEL-061"][0] == "Own skill of Sister Carillon"
    assert texts("zh-Hant")["BEL-061"][0] == "編鐘修女的所屬技能"


# --- the log ------------------------------------------------------------------------------------------------


def told(table: Table, language: str = "en", begin: int | None = None) -> list[str]:
    """The lines that are shown of what has happened since the position was laid out."""
    match = table.match
    lines = narrate(match.log, match.game.rulebook, match.game.card_sets, language)
    start = table.start if begin is None else begin
    return [entry.text for entry in lines[start:] if not entry.quiet and not isinstance(match.log[entry.record], Asked)]


def test_a_battle_is_told_fist_by_fist() -> None:
    table = position("""
        0  leader: Sun holy 1200/1100/2500   field: Ox human 1400 F:udr, Cow demon 800 F:l
        1  leader: Moon holy 1200/1300/2500  field: Wall human 900 S:u, Fist human 1400 F:d, Tusk beast 900 F:l
        phase battle
    """)
    assert told(table) == [
        "Battle",
        "Wall blocks Ox (up)",
        "Ox: ATK 1400", "Fist: ATK 1400", "Ox and Fist are even at 1400: both stop (down)",
        "Cow: ATK 800", "Cow against Tusk, element: 800 → 1100",
        "Tusk: ATK 900", "Tusk against Cow, element: 900 → 600",
        "Cow (1100) wins the clash with Tusk (600) and gets through (left)",
        "Ox gets through to Player 1's leader (right)",
        "Ox: ATK 1400", "Ox against Player 1's leader, element: 1400 → 1700",
        "1700 − DEF of Player 1's leader = 400",
        "Ox strikes Player 1's leader for 400: HP 2500 → 2100",
        "Cow: ATK 800", "Cow against Player 1's leader, element: 800 → 500",
        "500 − DEF of Player 1's leader = −800",
        "−800 is below the least that a strike takes: 100",
        "Cow strikes Player 1's leader for 100: HP 2100 → 2000",
        "Draw",
    ]


def test_a_lost_clash_is_told_with_the_strike_back() -> None:
    table = position("""
        0  leader: Sun human 1200/1100/2500  field: Ox human 1000 F:u
        1  field: Tusk human 1500 F:u
        phase battle
    """)
    assert told(table) == [
        "Battle", "Ox: ATK 1000", "Tusk: ATK 1500", "Ox (1000) loses the clash with Tusk (1500) (up)",
        "Tusk: ATK 1500", "1500 − DEF of Player 0's leader = 400",
        "Tusk strikes Player 0's leader for 400: HP 2500 → 2100", "Draw",
    ]


def test_a_sortie_is_told_once_with_its_bonus_and_its_failure() -> None:
    table = position("""
        0  leader: Sun human 1200 F:u  hp: 900
        1  hand: Wall human 900 S:u
    """)
    assert told(table.do("sortie", "send Wall").until("draw")) == [
        "Attacker forms up", "Player 0 sends out the leader Sun", "Leader Sun: ATK 1200 → 1600",
        "Player 1: Defender forms up", "Player 1 sends Wall",
        "Battle", "Wall blocks Leader Sun (up)",
        "The sortie of Leader Sun fails, as it got through in no direction: HP 900 → 600",
        "Leader Sun goes back to its place as leader", "Leader Sun: ATK 1600 → 1200", "Draw",
    ]


def test_an_own_skill_is_told_with_its_character() -> None:
    table = position("0  hand: Ox human 1400 F:u, Whip skill human 600 F:l own:Ox")
    assert told(table.do("send Ox", "send Whip"))[:6] == [
        "Attacker forms up", "Player 0 sends Ox", "Player 0 sends Whip", "Whip stands with its own character",
        "Whip: ATK 600 → 1100 (through Ox)", "Battle",
    ]


def test_an_item_chain_is_told_from_last_to_first() -> None:
    table = position("""
        0  field: Ox human 1000 F:u  hand: Horn
        1  hand: Rope, Charm
        phase after_attack
    """, Horn=effect(atk(300)), Rope=effect(be("fist_left", 1, "other")), Charm=effect(player("own", "def", 200)))
    assert told(table.do("use Horn", "use Charm", "pass", "pass")) == [
        "Items after the attacker", "Player 0 uses Horn", "Player 1 uses Charm",
        "Player 1: DEF 1000 → 1200 (through Charm)", "Ox: ATK 1000 → 1300 (through Horn)",
        "Items before the battle",
    ]


def test_taking_the_attack_over_and_breaking_a_formation_are_told() -> None:
    table = position("""
        0  hand: Ox human 1400 link, Ram human 1000
        1  hand: Turn, Wedge, Plain
    """, Turn=effect(TAKE), Wedge=effect(BREAK))
    lines = told(table.do("send Ox", "send Ram", "pass", "pass", "use Wedge").until("form_defence", "draw"))
    assert "Player 0's formation is broken: only Ox can fight (through Wedge)" in lines
    assert "Ram is discarded: its formation is broken (through Wedge)" in lines
    table = position("0  hand: Ox\n1  hand: Turn\nphase after_attack", Turn=effect(TAKE))
    lines = told(table.do("pass", "use Turn"))
    assert lines[1:4] == [
        "Player 1 uses Turn", "Player 1 takes over the attack", "Round 5: Player 1 attacks (through Turn)",
    ]


def test_values_of_players_are_told_as_what_they_mean() -> None:
    table = position("0  hand: Seal, Gate\nphase before", Seal=effect(
        do("set", what="other", name="no_draw"), player("own", "draws", 2),
    ), Gate=effect(player("own", "more_characters", 1)))
    lines = told(table.do("use Seal", "use Gate").until("form_attack", "draw"))
    assert "Player 1 cannot draw in this round (through Seal)" in lines
    assert "Player 0 may draw 4 cards in this round (through Seal)" in lines
    assert "Player 0 may send more characters: +1 (through Gate)" in lines


def test_used_warriors_that_become_the_deck_again_are_told_in_one_line() -> None:
    table = position("0  warriors: Cat  w_discard: Ox, Ram, Ewe\nphase draw")
    lines = told(table.do("choose warriors", "choose warriors"))
    assert lines.count("Warriors from the discard pile become the deck again") == 1
    assert not any("→" in entry for entry in lines)


def test_leaders_are_told_when_they_are_turned_up() -> None:
    deck = "3 Ox human 1400 F:u, 3 Ram beast 1000 S:u, 3 Horn"
    table = new_game(deck, f"leader: Ox {deck}", Horn=effect(atk(100)))
    lines = told(table.do("choose Ox"), begin=0)
    assert "Player 0's leader is Ox" in lines and "Player 1's leader is Ox" in lines
    assert sum("attacks first" in entry for entry in lines) == 1


@cache
def log() -> tuple[object, ...]:
    """A game of the shipped decks by the greedy player."""
    paths = sorted((XCard.folder / "decks").glob("*.toml"))[:2]
    one, two = (deck_list(read_deck(path, {})) for path in paths)
    match = game().begin(game().header((Seat("Ann", "greedy", one), Seat("Bo", "greedy", two)), {}, 5))
    players = [PLAYER_KINDS["greedy"](1), PLAYER_KINDS["greedy"](2)]
    while match.state.asked is not None:
        match.act(players[match.state.asked.seat](Observation(match)))
    return tuple(match.log)


def lines_of(language: str) -> list[Line]:
    return narrate(log(), game().rulebook, game().card_sets, language)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_told_without_gaps(language: str) -> None:
    lines = lines_of(language)
    assert len(lines) == len(log())
    shown = [entry for entry in lines if not entry.quiet]
    assert [entry.text for entry in shown if not entry.text.strip() or LEFT_OVER.search(entry.text)] == []
    assert not any(isinstance(log()[entry.record], CardIdentified) for entry in shown)
    moves = [entry for entry in shown if isinstance(log()[entry.record], CardMoved) and "→" in entry.text]
    assert moves == [], "every kind of move has a sentence of its own"


def test_decisions_are_told_once() -> None:
    texts_of = [entry.text for entry in lines_of("en") if not entry.quiet and isinstance(log()[entry.record], Acted)]
    sent = [text for text in texts_of if " sends " in text]
    assert sent and all(text.startswith(("Ann sends ", "Bo sends ")) for text in sent)
    moved = [entry.text for entry in lines_of("en") if not entry.quiet and isinstance(log()[entry.record], CardMoved)]
    assert not any(" sends " in text for text in moved)
