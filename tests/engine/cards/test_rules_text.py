"""Rules texts of whole cards: the shipped ones word for word, in each language."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

import pytest

from engine.cards.rules_text import glossary, rules_text, rules_texts
from engine.effects.abilities import AnyAbility
from engine.rulebooks import registry
from engine.rulebooks.liveon.card import LiveOnDefinition
from engine.words import LANGUAGES, words
from tests.engine.effects.texts import LEFT_OVER, card, effect, line


@cache
def printed(key: str) -> tuple:
    return tuple(d.printed for d in registry.load(key).cards.values())


@cache
def texts(key: str, language: str) -> dict[str, list[str]]:
    return rules_texts(printed(key), language)


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


EXHAUST, MILL = {"pay": "exhaust"}, {"pay": "mill"}
DISCARD = {"pay": "discard", "from": {"zone": ["hand"]}}

PINNED = [
    (
        effect({"do": "destroy", "what": "target"}, targets=[
            {"from": {"zone": ["a"], "of": "other", "is": {"kind": "monster"}, "at_most": {"pow": 2000}}},
        ]),
        "Destroy a monster with POW 2000 or less on your opponent's A line.",
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
        effect({"do": "destroy", "what": {
            "zone": ["b"], "of": "any", "at_least": {"pow": 1000, "burst": 2}, "at_most": {"pow": 3000},
        }}),
        "Destroy each card with POW 1000 to 3000 and with Burst 2 or more on any B line.",
        "击破任意一方B线上的所有力量值1000以上3000以下的爆卡2以上的卡片。",
        "擊破任意一方B線上的所有力量值1000以上3000以下的爆卡2以上的卡牌。",
        "いずれかのBラインのPOW1000以上3000以下のバースト2以上のカードすべてを撃破する。",
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


def test_a_card_s_own_words_are_translated_and_others_by_the_glossary() -> None:
    ability = {"ability": "passive", "name": "pow", "add": 500, "what": {"of": "own", "is": {"race": "Golem"}}}
    golem = card(ability, race={"en": "Golem", "ja": "ゴーレム"})
    assert rules_text(golem, "ja") == ["自分の場のゴーレムのカードすべてはPOW+500を得る。"]
    assert rules_text(card(ability), "ja") == ["自分の場のGolemのカードすべてはPOW+500を得る。"]
    assert rules_text(card(ability), "ja", glossary([golem])) == rules_text(golem, "ja")


@pytest.mark.rule("LO-43")
@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("costs", [
    [], [EXHAUST], [DISCARD], [MILL], [EXHAUST, EXHAUST], [EXHAUST, DISCARD], [EXHAUST, MILL], [DISCARD, MILL],
])
def test_once_per_turn_stands_on_the_card_where_the_rules_limit_it(costs: list[dict], once: bool) -> None:
    ability = {"ability": "activated", "then": [{"do": "draw"}], "cost": costs, "once": once}
    limited = bool(LiveOnDefinition(card(ability)).once)
    assert limited == (once or not any(cost["pay"] in ("discard", "mill") for cost in costs))
    for language in LANGUAGES:
        assert (words(language, "liveon").get("text.once") in line(ability, language)) == limited


def test_an_example_stands_for_each_ability() -> None:
    told = {ability["ability"] for ability, *_ in PINNED} | {"effect"}
    assert told == {kind.__struct_config__.tag for kind in get_args(AnyAbility)}
