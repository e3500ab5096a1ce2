"""Words by language and rules text: nothing is missing, and a card's text says what its effect data do."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

import msgspec
import pytest
from msgspec import structs

from engine.cards.rules_text import glossary, rules_text, rules_texts
from engine.effects.abilities import AnyAbility
from engine.effects.kinds import AnyInstruction
from engine.rulebooks import registry
from engine.rulebooks.liveon.card import COLOURS, KEYWORDS, MOMENTS, LiveOnCard
from engine.words import LANGUAGES, UnknownLanguage, clean, declared_keys, declared_words, fill, missing, words
from events.kinds import Counter, Phase, RulebookLine, Zone

LEFT_OVER = re.compile(r"[{}]|a\(n\)|  |\btext\.|, ,|，，|、、|\(\)|（）")


@cache
def printed(key: str) -> tuple:
    return tuple(d.printed for d in registry.load(key).cards.values())


@cache
def texts(key: str, language: str) -> dict[str, list[str]]:
    return rules_texts(printed(key), language)


def card(*abilities: dict, **fields: object) -> LiveOnCard:
    """A Live On monster with these abilities, as a card file would give them."""
    raw = {
        "code": "TST-001", "name": {"en": "Test Golem", "ja": "試しのゴーレム"}, "kind": "monster", "colour": "red",
        "power": {"red": 1}, "pow": 1000, "rarity": "C", "ability": list(abilities), **fields,
    }
    return msgspec.convert(raw, LiveOnCard)


def line(ability: dict, language: str = "en") -> str:
    return rules_text(card(ability), language)[0]


def effect(*then: dict, **fields: object) -> dict:
    return {"ability": "effect", "then": list(then), **fields}


# --- words --------------------------------------------------------------------------------------------------


def test_no_word_is_missing_in_any_language() -> None:
    assert missing() == []
    for key in registry.GAMES:
        assert missing(key, registry.load(key).rulebook) == []


def test_a_word_that_a_rulebook_line_adds_is_reported_missing() -> None:
    book = msgspec.structs.replace(registry.load("liveon").rulebook, move_kinds=("lived", "sung"))
    assert missing("liveon", book) == [f"{language}: move_kind.sung" for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_live_on_s_card_words_are_there(language: str) -> None:
    said = words(language, "liveon")
    wanted = [f"colour.{c}" for c in COLOURS] + [f"kind.{k}" for k in ("fighter", "monster", "skill")]
    wanted += [f"keyword.{k}" for k in KEYWORDS if k != "burst"] + ["keyword.burst_n"]
    assert [key for key in wanted if said.own(key) is None] == []
    moments = [(f"text.moment.{m}", f"text.moment.{m}_own") for m in MOMENTS]
    assert [keys for keys in moments if not any(said.own(key) for key in keys)] == []


def test_a_game_s_own_word_wins_over_the_common_one() -> None:
    assert words("ja").get("zone.discard") == "捨て札"
    assert words("ja", "liveon").get("zone.discard") == "捨て山"
    assert words("ja", "liveon").get("seat.0") == "プレイヤー1"


def book_with(said: dict[str, dict[str, str]], *counters: Counter, key: str = "somegame") -> RulebookLine:
    """A rulebook line with two zones, a phase and these counters, which calls things so."""
    zones = (Zone("moat", "all"), Zone("hand", "owner"), Zone("outer_moat", "all"))
    return RulebookLine(key=key, version="1", zones=zones, counters=counters, phases=(Phase("attack"),), words=said)


def test_a_missing_word_is_english_and_then_its_own_name() -> None:
    said = words("ja", "somegame", book_with({"zone.moat": {"en": "Moat"}}))
    assert said.get("zone.moat") == "Moat"
    assert said.get("zone.outer_moat") == "outer moat"


def test_what_a_log_declares_is_called_as_it_says_whether_its_game_is_installed_or_not() -> None:
    book = book_with({"zone.moat": {"en": "Moat", "ja": "堀"}, "zone.hand": {"ja": "手"}})
    assert words("ja", "somegame", book).get("zone.moat") == "堀"
    for key in ("somegame", "liveon"):
        assert words("ja", key, book).get("zone.hand") == "手"
        assert words("en", key, book).get("zone.hand") == "Hand"


def test_a_word_that_a_log_lacks_in_a_language_is_the_installed_one_before_its_english_one() -> None:
    book = book_with({"zone.hand": {"en": "Fist"}, "zone.moat": {"en": "Moat"}, "phase.attack": {"ja": "攻め"}})
    said = words("ja", "liveon", book)
    assert [said.get(key) for key in ("zone.hand", "zone.moat", "phase.attack")] == ["手札", "Moat", "攻め"]
    english = words("en", "liveon", book)
    assert [english.get(key) for key in ("zone.hand", "zone.moat", "phase.attack")] == ["Fist", "Moat", "Attack phase"]


def test_a_log_names_only_what_it_declares_and_says_no_sentence() -> None:
    kept = ["say.shuffled", "text.draw", "join.list", "seat.0", "term.title", "zone.deck", "keyword.rush", "phase.end"]
    counters = [Counter(sort, words=(word,)) for sort, _, word in (key.partition(".") for key in kept[:5])]
    said = words("en", "liveon", book_with({key: {"en": "mine"} for key in kept}, *counters, Counter("element")))
    assert [said.pattern(key) for key in kept] == [words("en", "liveon").pattern(key) for key in kept]
    own = book_with({"mood.wild": {"en": "Wild"}}, Counter("mood", words=("wild",)))
    assert words("en", "liveon", own).get("mood.wild") == "Wild"


def test_a_log_s_word_is_text_on_one_line_and_no_pattern() -> None:
    book = book_with({
        "zone.moat": {"en": "{player}{n}"}, "zone.hand": {"en": "\x1b[2J\u202eHa\nnd" + "x" * 1000},
        "phase.attack": {"en": " \n"},
    })
    said = words("en", "liveon", book)
    assert said.get("zone.moat", player="Ann", n=1) == "{player}{n}"
    assert said.get("zone.hand").startswith("[2J Ha ndxxx") and len(said.get("zone.hand")) == 300
    assert said.get("phase.attack") == "Attack phase", "of this word nothing is left"


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_shipped_words_stay_as_they_are_when_a_log_brings_them(key: str) -> None:
    book = registry.load(key).rulebook
    assert all(clean(word, 300) == word for said in book.words.values() for word in said.values())
    shipped = structs.replace(book, words=declared_words(book, registry.load(key).folder / "words"))
    for language in LANGUAGES:
        assert words(language, key, shipped) is words(language, key), "nothing is made for each game shown"
    renamed = structs.replace(book, words={"zone.hand": {"en": "Grip"}})
    assert words("en", key, renamed) is words("en", key, renamed) is not words("en", key)
    for number in range(40):
        other = structs.replace(book, words={"zone.hand": {"en": f"Grip {number}"}})
        assert words("en", key, other).get("zone.hand") == f"Grip {number}", "of whichever line comes"


@pytest.mark.parametrize("key", ["../words", "..", "/etc", "words", "players"])
def test_a_strange_game_name_opens_no_file(key: str) -> None:
    assert words("en", key).get("zone.hand") == "Hand"
    assert words("en", key).own("zone.a") is None


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownLanguage, match="no words in 'fr'; the languages are en, zh-Hans, zh-Hant, ja"):
        words("fr")


def test_what_is_filled_in_is_no_pattern() -> None:
    assert fill("{a} and {b}", {"a": "{b}", "b": "x"}) == "{b} and x"
    assert fill("{a.__class__} {a[0]} {unknown}", {"a": "x"}) == "{a.__class__} {a[0]} {unknown}"


def test_one_has_its_own_form_in_english() -> None:
    assert words("en").get("say.move_kind.drawn_hidden", player="Mika", n=1) == "Mika draws a card"
    assert words("en").get("say.move_kind.drawn_hidden", player="Mika", n=2) == "Mika draws 2 cards"
    assert words("ja").get("say.move_kind.drawn_hidden", player="Mika", n=1) == "Mikaはカードを1枚引いた"


def test_the_rulebook_line_brings_all_declared_words_along() -> None:
    book = registry.load("liveon").rulebook
    assert book.words == declared_words(book, registry.load("liveon").folder / "words")
    assert sorted(book.words) == sorted(declared_keys(book))
    assert book.words["zone.a"] == {"en": "A line", "zh-Hans": "A线", "zh-Hant": "A線", "ja": "Aライン"}


# --- the shipped sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", registry.GAMES)
def test_every_shipped_card_has_its_text(key: str, language: str) -> None:
    for definition in printed(key):
        lines = texts(key, language)[definition.code]
        assert len(lines) >= len(definition.ability)
        for said in lines:
            assert said.strip() and not LEFT_OVER.search(said), (definition.code, said)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_no_english_is_left_in_the_other_languages(language: str) -> None:
    allowed = {"POW", "A", "B", "Live", "Burst"}
    for code, lines in texts("liveon", language).items():
        assert set(re.findall("[A-Za-z]+", " ".join(lines))) <= allowed, (code, lines)


def test_keywords_and_marks_have_lines_of_their_own() -> None:
    dawn = card(keywords={"rush": 1, "burst": 2, "stealth": 0}, star=True, live_change="Marl, Kiln Runner")
    assert rules_text(dawn, "en") == ["Rush", "Burst 2", "Live Change (Marl, Kiln Runner)", "★ (one per field)"] or (
        rules_text(dawn, "en") == ["Rush", "Burst 2", "★ (one per field)", "Live Change (Marl, Kiln Runner)"]
    )
    said = glossary(printed("liveon"))
    assert "ライブチェンジ・窯走りのマール" in rules_text(dawn, "ja", said)
    assert rules_text(card(), "en") == []


PINNED = [
    (
        effect({"do": "destroy", "what": "target"}, targets=[
            {"from": {"zone": ["a"], "of": "other", "is": {"kind": "monster"}, "at_most": {"pow": 2000}}},
        ]),
        "Destroy a monster on your opponent's A line with POW 2000 or less.",
        "击破对手A线上的1张力量值2000以下的怪兽。",
        "擊破對手A線上的1張力量值2000以下的怪獸。",
        "相手のAラインのPOW2000以下のモンスター1枚を撃破する。",
    ),
    (
        {
            "ability": "activated", "when": {"phase": "attack", "turn": "own"}, "once": True,
            "cost": [{"pay": "exhaust"}, {"pay": "discard", "from": {"zone": ["hand"], "of": "own"}}],
            "then": [{"do": "burst", "n": 2}],
        },
        "In the attack phase of your turn, put this down, discard a card from your hand: burst your opponent's deck "
        "for 2. Once per turn.",
        "在你的回合的攻击阶段，横置此卡，弃置你的手卡中的1张卡片：爆对手卡堆2张。每回合一次。",
        "在你的回合的攻擊階段，橫置此卡，廢棄你的手牌中的1張卡牌：爆對手卡庫2張。每回合一次。",
        "自分のターンのアタックフェイズの間、このカードをダウンし、自分の手札のカード1枚を捨てる："
        "相手の山札を2枚バーストする。ターン1回。",
    ),
    (
        {
            "ability": "triggered", "on": "destroyed", "whose": "own", "fits": {"is": {"kind": "monster"}},
            "then": [{"do": "may", "then": [
                {"do": "draw"}, {"do": "choose", "from": {"zone": ["hand"], "of": "own"}},
                {"do": "move", "what": "chosen", "zone": "discard"},
            ]}],
        },
        "When a monster on your field is destroyed, you may draw a card and put a card from your hand into your "
        "discard pile.",
        "当你的场地上的1张怪兽被击破时，你可以抽1张卡，并弃置你的手卡中的1张卡片。",
        "當你的場地上的1張怪獸被擊破時，你可以抽1張牌，並廢棄你的手牌中的1張卡牌。",
        "自分の場のモンスター1枚が撃破されたとき、カードを1枚引き、自分の手札のカード1枚を捨てることができる。",
    ),
    (
        {
            "ability": "passive", "name": "pow",
            "add": {"times": 500, "count": {"zone": ["a"], "of": "own", "is": {"colour": "white"}, "another": True}},
            "when": {"not": {"count": {"zone": ["hand"], "of": "own"}}},
        },
        "As long as there is no card in your hand, this has +500 POW for each other white card on your A line.",
        "只要你的手卡中没有卡片，你的A线上每有1张其他白色卡片，此卡获得力量值+500。",
        "只要你的手牌中沒有卡牌，你的A線上每有1張其他白色卡牌，此卡獲得力量值+500。",
        "自分の手札にカードがない間、このカードは自分のAラインのほかの白のカード1枚につきPOW+500を得る。",
    ),
    (
        {"ability": "reaction", "then": [{"do": "move", "what": "self", "zone": "hand"}]},
        "Reaction: put this into your hand.", "触发：将此卡加入你的手卡。", "觸發：將此卡加入你的手牌。",
        "リアクション：このカードを自分の手札に加える。",
    ),
    (
        {"ability": "regenerate", "when": {"turn": "own"}, "cost": [{"pay": "mill", "n": 2}]},
        "Regenerate (on your turn, discard the top 2 cards of your deck).",
        "再生（在你的回合，弃置你的卡堆顶的2张卡）。", "再生（在你的回合，廢棄你的卡庫頂的2張牌）。",
        "再生（自分のターンの間、自分の山札の上から2枚を捨てる）。",
    ),
]


@pytest.mark.parametrize(("ability", "en", "hans", "hant", "ja"), PINNED)
def test_sentences_word_for_word(ability: dict, en: str, hans: str, hant: str, ja: str) -> None:
    assert [line(ability, language) for language in ("en", "zh-Hans", "zh-Hant", "ja")] == [en, hans, hant, ja]


# --- every atom ---------------------------------------------------------------------------------------------

A_LINE = {"zone": ["a"], "of": "other"}
AIM = {"targets": [{"from": A_LINE}]}
IN_HAND = {"zone": ["hand"], "of": "own"}

INSTRUCTIONS: dict[str, list[tuple[dict, str]]] = {
    "draw": [
        (effect({"do": "draw"}), "Draw a card."),
        (effect({"do": "draw", "n": 2, "who": "other"}), "Your opponent draws 2 cards."),
        (
            effect({"do": "draw", "n": {"count": IN_HAND}, "who": "any"}),
            "Each player draws as many cards as the number of cards in your hand.",
        ),
    ],
    "burst": [
        (effect({"do": "burst", "who": "own"}), "Burst your deck for 1."),
        (
            effect({"do": "burst", "n": {"plus": -1, "times": 2, "count": A_LINE}}),
            "Burst your opponent's deck for 2 × the number of cards on your opponent's A line − 1.",
        ),
    ],
    "mill": [
        (effect({"do": "mill"}), "Discard the top card of your opponent's deck."),
        (effect({"do": "mill", "n": 3, "who": "any"}), "Discard the top 3 cards of each player's deck."),
    ],
    "damage": [
        (effect({"do": "damage", "what": A_LINE, "n": 500}), "Deal 500 damage to each card on your opponent's A line."),
        (
            effect({"do": "damage", "what": "attacker", "n": {"value": "pow", "of": "target"}}, **AIM),
            "Choose a card on your opponent's A line. Deal damage equal to the POW of that card to the attacking card.",
        ),
    ],
    "destroy": [
        (
            effect({"do": "destroy", "what": "target"}, targets=[{"from": {"of": "any"}, "n": 2, "up_to": True}]),
            "Destroy up to 2 cards on any field.",
        ),
    ],
    "move": [
        (
            effect({"do": "move", "what": "target", "zone": "hand"}, {"do": "destroy", "what": "target"}, **AIM),
            "Put a card on your opponent's A line into your opponent's hand. Destroy that card.",
        ),
        (
            effect({"do": "move", "what": IN_HAND, "zone": "deck", "at": "bottom"}),
            "Put each card from your hand on the bottom of your deck.",
        ),
        (
            effect({"do": "move", "what": {"zone": ["a", "b"], "of": "any"}, "zone": "hand"}),
            "Put each card on any field into its owner's hand.",
        ),
        (
            effect({"do": "move", "what": {"zone": ["hand", "discard"], "of": "own"}, "zone": "under"}),
            "Put each card from your hand or from your discard pile into your under a Live Change.",
        ),
    ],
    "play": [
        (
            effect(
                {"do": "choose", "from": {**IN_HAND, "name": "Clay Trooper"}},
                {"do": "play", "what": "chosen"},
            ),
            "Live a card named Clay Trooper from your hand.",
        ),
    ],
    "exhaust": [
        (effect({"do": "exhaust", "what": "self", "exhausted": False}), "Make this stand up."),
        (
            effect(
                {"do": "exhaust", "what": "target", "exhausted": True},
                targets=[{"from": {**A_LINE, "exhausted": False}}],
            ),
            "Make a standing card on your opponent's A line go down.",
        ),
    ],
    "add": [
        (
            effect({"do": "add", "what": "target", "name": "pow", "n": -500}, **AIM),
            "Give −500 POW to a card on your opponent's A line until end of turn.",
        ),
        (
            effect({"do": "add", "what": "self", "name": "pow", "n": {"times": 500, "count": A_LINE}}),
            "Give this +500 POW for each card on your opponent's A line until end of turn.",
        ),
    ],
    "set": [
        (
            effect(
                {"do": "add", "what": "self", "name": "pow", "n": 500},
                {"do": "set", "what": "self", "name": "rush"},
                {"do": "set", "what": "self", "name": "burst", "value": 3},
            ),
            "Give this +500 POW, Rush and Burst 3 until end of turn.",
        ),
        (
            effect({"do": "set", "what": A_LINE, "name": "stealth", "value": 0}),
            "Take Stealth from each card on your opponent's A line until end of turn.",
        ),
        (
            effect({"do": "set", "what": "attacked", "name": "pow", "value": 1000}),
            "Set the base POW of the attacked card to 1000 until end of turn.",
        ),
    ],
    "change": [
        (effect({"do": "change", "name": "damage", "n": 2}), "Raise your damage by 2."),
        (effect({"do": "change", "name": "damage", "n": -2, "who": "any"}), "Lower each player's damage by 2."),
        (
            effect({"do": "change", "name": "damage", "n": {"count": A_LINE}, "who": "other"}),
            "Raise your opponent's damage by the number of cards on your opponent's A line.",
        ),
    ],
    "choose": [
        (
            effect(
                {"do": "choose", "from": {"zone": ["hand"], "of": "other"}, "by": "other"},
                {"do": "draw"},
                {"do": "reveal", "what": "chosen"},
            ),
            "Your opponent chooses a card in their hand. Draw a card. Show that card.",
        ),
        (
            effect({"do": "choose", "from": IN_HAND, "n": 2}, {"do": "draw"}, {"do": "reveal", "what": "chosen"}),
            "Choose 2 cards in your hand. Draw a card. Show those cards.",
        ),
    ],
    "each": [
        (
            effect({"do": "each", "what": A_LINE, "then": [{"do": "destroy", "what": "each"}]}),
            "Destroy each card on your opponent's A line.",
        ),
        (
            effect({"do": "each", "what": A_LINE, "then": [{"do": "draw"}, {"do": "destroy", "what": "each"}]}),
            "For each card on your opponent's A line, draw a card and destroy that card.",
        ),
    ],
    "if": [
        (
            effect(
                {
                    "do": "if",
                    "when": {"count": {"of": "own", "is": {"colour": "red"}}, "at_least": 5},
                    "then": [{"do": "burst", "n": 3}],
                    "otherwise": [{"do": "draw"}],
                }
            ),
            "If there are at least 5 red cards on your field, burst your opponent's deck for 3. "
            "Otherwise, draw a card.",
        ),
    ],
    "may": [
        (
            effect(
                {
                    "do": "may",
                    "then": [{"do": "draw"}, {"do": "burst"}, {"do": "mill"}],
                    "otherwise": [
                        {"do": "draw", "n": 2},
                    ],
                }
            ),
            "You may draw a card, burst your opponent's deck for 1 and discard the top card of your opponent's deck. "
            "If you do not, draw 2 cards.",
        ),
    ],
    "cancel": [
        (
            effect({"do": "cancel"}, targets=[{"from": {"zone": ["stack"], "of": "other", "is": {"kind": "skill"}}}]),
            "Cancel a skill of your opponent on the pile.",
        ),
    ],
    "end_attack": [(effect({"do": "end_attack"}), "End the attack.")],
    "reveal": [(effect({"do": "reveal", "what": IN_HAND}), "Show each card in your hand.")],
    "shuffle": [(effect({"do": "shuffle", "who": "other"}), "Shuffle your opponent's deck.")],
    "special": [(effect({"do": "special", "name": "turn_the_tide"}), "Turn the tide.")],
}


def test_an_example_stands_for_each_instruction_and_ability() -> None:
    assert set(INSTRUCTIONS) == {kind.__struct_config__.tag for kind in get_args(AnyInstruction)}
    told = {ability["ability"] for ability, *_ in PINNED} | {"effect"}
    assert told == {kind.__struct_config__.tag for kind in get_args(AnyAbility)}


@pytest.mark.parametrize(("ability", "said"), [pair for pairs in INSTRUCTIONS.values() for pair in pairs])
def test_each_instruction_in_english(ability: dict, said: str) -> None:
    assert line(ability) == said


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_each_instruction_in_the_other_languages(language: str) -> None:
    said = [line(ability, language) for pairs in INSTRUCTIONS.values() for ability, _ in pairs]
    allowed = {"POW", "A", "Live", "Burst", "Clay", "Trooper"}
    assert [s for s in said if LEFT_OVER.search(s) or set(re.findall("[A-Za-z]+", s)) - allowed] == [said[-1]]
    assert len(set(said)) == len(said)


CONDITIONS = [
    ({"turn": "other"}, "On your opponent's turn, draw a card."),
    ({"phase": "live", "turn": "other"}, "In the live phase of your opponent's turn, draw a card."),
    ({"not": {"phase": "live"}}, "Outside the live phase, draw a card."),
    ({"not": {"turn": "own"}}, "On your opponent's turn, draw a card."),
    ({"count": IN_HAND}, "If there is a card in your hand, draw a card."),
    ({"count": IN_HAND, "at_most": 0}, "If there is no card in your hand, draw a card."),
    ({"count": IN_HAND, "at_most": 1}, "If there is at most 1 card in your hand, draw a card."),
    ({"count": IN_HAND, "at_least": 2, "at_most": 2}, "If there are exactly 2 cards in your hand, draw a card."),
    ({"count": IN_HAND, "at_least": 2, "at_most": 4}, "If there are 2 to 4 cards in your hand, draw a card."),
    ({"not": {"count": IN_HAND, "at_least": 3}}, "If there are at most 2 cards in your hand, draw a card."),
    ({"not": {"count": IN_HAND, "at_most": 3}}, "If there are at least 4 cards in your hand, draw a card."),
    ({"slot": "attacker"}, "If a card is attacking, draw a card."),
    ({"not": {"slot": "attacker"}}, "If no card is attacking, draw a card."),
    ({"slot": "self", "fits": {"exhausted": True}}, "If this is down, draw a card."),
    ({"not": {"slot": "self", "fits": {"exhausted": True}}}, "If this is standing, draw a card."),
    ({"slot": "self", "fits": {"zone": ["a"]}}, "If this is on your A line, draw a card."),
    (
        {"slot": "attacker", "fits": {"is": {"kind": "monster", "colour": "blue"}, "at_least": {"burst": 2}}},
        "If the attacking card is a blue monster with Burst 2 or more, draw a card.",
    ),
    (
        {"slot": "attacker", "fits": {"at_least": {"stealth": 1}, "at_most": {"rush": 0}}},
        "If the attacking card is a card with Stealth without Rush, draw a card.",
    ),
    (
        {"turn": "own", "count": {"of": "own", "another": True}, "at_least": 2, "slot": "attacked"},
        "On your turn, if there are at least 2 other cards on your field and a card is being attacked, draw a card.",
    ),
    (
        {"not": {"turn": "own", "count": IN_HAND}},
        "If it is not so that on your turn, there is a card in your hand, draw a card.",
    ),
]


@pytest.mark.parametrize(("when", "said"), CONDITIONS)
def test_conditions(when: dict, said: str) -> None:
    assert line(effect({"do": "draw"}, when=when)) == said
    for language in LANGUAGES:
        assert not LEFT_OVER.search(line(effect({"do": "draw"}, when=when), language))


PASSIVES = [
    ({"name": "stealth", "set": 1}, "This has Stealth."),
    ({"name": "stealth", "set": 0}, "This does not have Stealth."),
    (
        {"name": "burst", "set": 3, "what": {"of": "own", "is": {"kind": "fighter"}}},
        "Each fighter on your field has Burst 3.",
    ),
    ({"name": "pow", "set": 2000}, "The base POW of this is 2000."),
    ({"name": "pow", "add": -500, "what": A_LINE}, "Each card on your opponent's A line has −500 POW."),
]


@pytest.mark.parametrize(("passive", "said"), PASSIVES)
def test_passive_abilities(passive: dict, said: str) -> None:
    assert line({"ability": "passive", **passive}) == said


MOMENT_LINES = [
    ("lived", "self", "When this is lived, draw a card."),
    ("lived", "other", "When a card on your opponent's field is lived, draw a card."),
    ("attacks", "any", "When a card on any field attacks, draw a card."),
    ("skill_played", "other", "When your opponent plays a skill, draw a card."),
    ("turn_began", "self", "At the start of your turn, draw a card."),
    ("turn_began", "any", "At the start of each turn, draw a card."),
]


@pytest.mark.parametrize(("on", "whose", "said"), MOMENT_LINES)
def test_moments(on: str, whose: str, said: str) -> None:
    assert line({"ability": "triggered", "on": on, "whose": whose, "then": [{"do": "draw"}]}) == said


def test_a_card_s_own_words_are_translated_and_others_by_the_glossary() -> None:
    ability = {"ability": "passive", "name": "pow", "add": 500, "what": {"of": "own", "is": {"race": "Golem"}}}
    golem = card(ability, race={"en": "Golem", "ja": "ゴーレム"})
    assert rules_text(golem, "ja") == ["自分の場のゴーレムのカードすべてはPOW+500を得る。"]
    assert rules_text(card(ability), "ja") == ["自分の場のGolemのカードすべてはPOW+500を得る。"]
    assert rules_text(card(ability), "ja", glossary([golem])) == rules_text(golem, "ja")
