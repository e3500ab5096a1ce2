"""The linter finds abilities that could go on for ever, and none that end by themselves."""



from engine.cards import linter
from engine.rulebooks.liveon import checks as liveon
from tests.engine.cards.faulty import AT, BURST, COLOUR, activated, body, findings, triggered

STAND = {"do": "exhaust", "exhausted": False}
DOWN = [{"pay": "exhaust"}]
FROM_DISCARD = {"zone": ["discard"], "of": "own"}


def back(zone, **select):
    return [
        {"do": "choose", "from": {**FROM_DISCARD, **select}},
        {"do": "move", "what": "chosen", "zone": zone},
    ]


def test_a_cost_that_its_own_effect_undoes():
    cycle = [("cycle", AT)]
    targets = [{"from": {"zone": ["a"], "of": "own"}}]
    other = [{"from": {"zone": ["a"], "of": "own", "another": True}}]
    assert findings(body(activated({**STAND, "what": "self"}, cost=DOWN))) == cycle
    assert findings(body(activated({**STAND, "what": {"of": "own"}}, cost=DOWN))) == cycle
    assert findings(body(activated({**STAND, "what": "target"}, cost=DOWN, targets=targets))) == cycle
    assert findings(body(activated({**STAND, "what": "target"}, cost=DOWN, targets=other))) == []
    assert findings(body(activated({**STAND, "what": {"is": {"colour": "blue"}}}, cost=DOWN))) == []


def test_a_cost_that_comes_back_from_the_discard_pile():
    hand = [{"pay": "discard", "from": {"zone": ["hand"], "of": "own"}}]
    mill = [{"pay": "mill"}]
    assert findings(body(activated(*back("hand"), cost=hand))) == [("cycle", AT)]
    assert findings(body(activated(*back("deck"), cost=mill))) == [("cycle", AT)]
    assert findings(body(activated(*back("hand"), cost=hand, once=True))) == []
    assert findings(body(activated(*back("hand"), cost=mill))) == []
    assert findings(body(activated(BURST, cost=hand))) == []


def test_a_card_that_brings_back_one_like_itself_when_lived():
    assert findings(body(triggered(*back("b")))) == [("cycle", AT)]
    assert findings(body(triggered(*back("b", at_most={"pow": 500})))) == []
    assert findings(body(triggered(*back("hand")))) == []


def test_a_card_that_leaves_and_comes_again_when_lived():
    again = [{"do": "move", "what": "self", "zone": "hand"}, {"do": "play", "what": "self"}]
    assert findings(body(triggered(*again))) == [("cycle", AT)]


def test_playing_on_from_the_hand_ends_with_the_hand():
    play = [{"do": "choose", "from": {"zone": ["hand"], "of": "own"}}, {"do": "play", "what": "chosen"}]
    assert findings(body(triggered(*play))) == []
    taking = [*play, {"do": "move", "what": {"zone": ["b"], "of": "own"}, "zone": "hand"}]
    assert findings(body(triggered(*taking))) == [("cycle", AT)]


def test_a_cycle_through_two_cards_is_reported_once():
    phoenix = body(triggered({"do": "move", "what": "self", "zone": "b"}, on="destroyed"))
    reaper = body(
        triggered({"do": "destroy", "what": {"of": "own", "is": COLOUR}}, whose="any"), code="T-002",
    )
    (problem,) = linter.lint({d.code: d for d in (phoenix, reaper)}, liveon.VOCABULARY)
    assert (problem.rule, problem.card) == ("cycle", "T-001")
    assert "Test T-001, Test T-002" in problem.text
    assert findings(phoenix) == []
    assert findings(reaper) == []
