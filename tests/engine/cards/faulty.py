"""Live On cards with something wrong, in few words, and what the linter finds. For tests."""



from engine.cards import linter
from engine.cards.files import card_from
from engine.rulebooks.liveon import checks as liveon
from engine.rulebooks.liveon.card import LiveOnCard, LiveOnDefinition

COLOUR = {"colour": "red"}


def body(*abilities, code="T-001", **fields):
    card = {
        "code": code, "name": {"en": f"Test {code}"}, "kind": "monster", "colour": "red", "power": {"red": 1},
        "pow": 1000, "rarity": "C", "race": {"en": "Beast"}, "ability": list(abilities), **fields,
    }
    return LiveOnDefinition(card_from(card, LiveOnCard, "test"))


def skill(*abilities, **fields):
    return body(*abilities, kind="skill", pow=0, race={}, **fields)


def findings(*definitions):
    return [(p.rule, p.field) for p in linter.lint({d.code: d for d in definitions}, liveon.VOCABULARY)]


def triggered(*then, on="lived", **fields):
    return {"ability": "triggered", "on": on, "then": list(then), **fields}


def activated(*then, **fields):
    return {"ability": "activated", "then": list(then), **fields}


def effect(*then, **fields):
    return {"ability": "effect", "then": list(then), **fields}


def passive(**fields):
    return {"ability": "passive", "name": "pow", "add": 500, **fields}


BURST = {"do": "burst"}
A_LINE = {"zone": ["a"]}
HIDDEN_MONSTERS = {"zone": ["hand"], "of": "other", "is": {"kind": "monster"}}
DRAW = {"do": "draw"}
AT = "ability[0]"
