"""Computer players decide from what their seat may know, and what they are given holds nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs

from engine.core.match import Match
from engine.players import PLAYER_KINDS, Observation, PlayerError, make_player, search
from engine.players.deal import unseen
from engine.rulebooks import registry
from engine.view import View
from events.actions import AnyAction
from events.kinds import HIDDEN, CardsRevealed
from tests.play import begin, play
from tests.state_json import from_json, to_json


def hidden_cards(match: Match, seat: int) -> list[int]:
    """The cards of which the view of the seat knows no number, worked out from the log alone."""
    view = View(seat, match.game.declared)
    for event in match.log:
        view.records(event)
    return [number for number in match.state.cards if number not in view.numbers]


def swapped(match: Match, seat: int, random: Random) -> Match:
    """A match that the seat cannot tell from this one: its hidden cards are others.

    Those of its own deck have changed places, those of the other seat's are any that the game knows.
    """
    state = from_json(to_json(match.state))
    alike: dict[tuple[int, str, str], list[int]] = {}
    for number in hidden_cards(match, seat):
        printed, on_table = match.printed[number], match.on_table(number)
        kind = printed.kind if on_table or state.cards[number].owner == seat else ""
        alike.setdefault((state.cards[number].owner, match.game.back(printed), kind), []).append(number)
    for (owner, back, kind), numbers in alike.items():
        codes = [state.cards[n].code for n in numbers]
        if owner != seat:
            known = [d for d in match.game.cards.values() if match.game.back(d) == back and kind in ("", d.kind)]
            codes = [random.choice(known).code for _ in codes]
        random.shuffle(codes)
        for number, code in zip(numbers, codes, strict=True):
            state.cards[number].code = code
    twin = Match(match.game, state)
    twin.log = match.log.copy()  # what was shown; of the cards themselves it has numbers only
    return twin


def questions(key: str, seeds: range = range(3)) -> Iterator[Match]:
    """Matches of random games, each at a question with a choice."""
    found: list[Match] = []

    def watch(match: Match) -> None:
        if match.state.asked is not None and match.state.turn % 4 == 0 and len(match.legal()) > 1:
            at_question = match.fork()
            at_question.log = match.log.copy()
            found.append(at_question)

    for seed in seeds:
        play(begin(seed, key), seed, watch=watch)
    assert len(found) > 30
    return iter(found)


def looked_at(imagined: Match) -> Match:
    """The match, once every card of it has been looked at: those that were dealt are there from then on."""
    for held in (held for side in imagined.state.zones for held in side.values()):
        for number in held:
            assert imagined.definition(number).code == imagined.card(number).code
    return imagined


PLAYERS = ("random", "greedy", "search:2")


def test_all_shipped_players_are_looked_at() -> None:
    assert {name.partition(":")[0] for name in PLAYERS} == PLAYER_KINDS.keys()


@pytest.mark.parametrize("key", registry.GAMES)
@pytest.mark.parametrize("name", PLAYERS)
def test_players_decide_the_same_whatever_their_seat_does_not_see(key: str, name: str) -> None:
    for number, match in enumerate(questions(key)):
        assert match.state.asked is not None
        before = to_json(match.state)
        twin = swapped(match, match.state.asked.seat, Random(number))
        one, other = (make_player(name, number)(Observation(m)) for m in (match, twin))
        assert one == other
        assert to_json(match.state) == before, "what was tried has changed the match"


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_win_chance_grows_with_the_worth_of_the_position_and_both_seats_share_it(key: str) -> None:
    seen = []
    for match in questions(key):
        game = match.game
        seen.append((game.evaluate(match, 0), game.win_chance(match, 0)))
        assert 0 < game.win_chance(match, 0) < 1
    chances = [chance for _, chance in sorted(seen)]
    assert chances == sorted(chances)
    assert min(chances) < 0.5 < max(chances)


@pytest.mark.parametrize("key", registry.GAMES)
def test_the_features_of_a_position_tell_nothing_that_the_seat_does_not_know(key: str) -> None:
    for number, match in enumerate(questions(key)):
        for seat in (0, 1):
            twin = swapped(match, seat, Random(number))
            assert list(match.game.features(match, seat)) == list(twin.game.features(twin, seat))


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_is_good_for_one_seat_is_as_bad_for_the_other(key: str) -> None:
    for match in questions(key):
        if not match.state.turn:
            continue  # what lies face down in set-up, its owner alone counts
        one, other = (match.game.features(match, seat) for seat in (0, 1))
        assert one == pytest.approx([-number for number in other])


@pytest.mark.parametrize("best", range(3))
@pytest.mark.parametrize("simulations", [1, 64])
def test_search_takes_the_action_that_wins(best: int, simulations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it looked oftener at some actions, they were better than the others by what it saw till then."""
    match = next(m for m in questions("liveon") if len(m.legal()) > 4)
    actions = match.legal()
    tried: list[tuple[AnyAction, bytes]] = []

    def simulate(trial: Match, action: AnyAction, seat: int) -> float:
        tried.append((action, to_json(trial.state)))
        return 1.0 if action == actions[best] else 0.5 if action == actions[3] else 0.0

    monkeypatch.setattr(search, "_simulate", simulate)
    player = make_player(f"search:{simulations}", 1)
    assert player(Observation(match)) == actions[best]
    visits = Counter(actions.index(action) for action, _ in tried)
    assert [one["visits"] for one in player.remark["actions"]] == [visits[n] for n in range(len(actions))]  # type: ignore[attr-defined]
    assert set(visits) == set(range(len(actions)))
    assert {n for n, often in visits.items() if often == max(visits.values())} == {best, 3}
    assert sum(visits.values()) <= max(simulations, 2 * len(actions) + 1)


def test_search_tries_all_actions_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    match = next(m for m in questions("liveon") if len(m.legal()) == 4)
    deals: dict[bytes, list[AnyAction]] = {}

    def simulate(trial: Match, action: AnyAction, seat: int) -> float:
        deals.setdefault(to_json(looked_at(trial).state), []).append(action)
        return float(action in match.legal()[:2])

    monkeypatch.setattr(search, "_simulate", simulate)
    make_player("search:24", 1)(Observation(match))
    assert list(deals.values()) == 3 * [match.legal()] + 6 * [match.legal()[:2]]


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_simulation_ends_with_the_last_turn_that_it_plays_out(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes no further than to the first question of the turn after, where nothing that was begun is open."""
    game = type(registry.load(key))
    judged: list[int] = []
    settled: list[int] = []
    win_chance, settle = game.win_chance, search.settle

    def judge(self: object, match: Match, seat: int) -> float:
        judged.append(match.state.turn)
        return win_chance(self, match, seat)  # type: ignore[arg-type]

    def watch(match: Match) -> None:
        settled.append(match.state.turn)
        settle(match)

    monkeypatch.setattr(game, "win_chance", judge)
    monkeypatch.setattr(search, "settle", watch)
    for match in list(questions(key))[:8]:
        judged.clear(), settled.clear()
        make_player("search:2", 1)(Observation(match))
        last = match.state.turn + game.foresight
        assert last + 1 in judged
        assert max(judged) == last + 1
        assert max(settled, default=0) <= last


@pytest.mark.parametrize("setting", ["0", "-1", "many", "1.5", "", "10000000"])
def test_a_number_of_simulations_that_makes_no_sense_is_a_sentence(setting: str) -> None:
    with pytest.raises(PlayerError, match="is no number of simulations from 1 to"):
        make_player(f"search:{setting}", 1)


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_is_observed_and_imagined_is_the_same_whatever_the_seat_does_not_see(key: str) -> None:
    for number, match in enumerate(questions(key)):
        assert match.state.asked is not None
        seen = Observation(match)
        twin = Observation(swapped(match, seen.seat, Random(number)))
        assert seen.legal == twin.legal
        assert seen.question == twin.question
        assert to_json(seen.state) == to_json(twin.state)
        one, other = looked_at(seen.imagine(Random(number))), looked_at(twin.imagine(Random(number)))
        assert to_json(one.state) == to_json(other.state)
        assert one.log == other.log == []


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_is_observed_names_no_card_that_the_view_of_the_seat_does_not(key: str) -> None:
    for match in questions(key, range(3, 6)):
        seen = Observation(match)
        hidden = set(hidden_cards(match, seen.seat))
        assert {n for group in unseen(match, seen.seat) for n in group.numbers()} == hidden
        for number in hidden:
            assert number not in seen.state.cards or seen.state.cards[number].code is None
        count = sum(n == HIDDEN for side in seen.state.zones for held in side.values() for n in held)
        assert count == len([n for n in hidden if not match.on_table(n)])
        assert seen.state.seed is None


@pytest.mark.parametrize("key", registry.GAMES)
def test_an_imagined_match_goes_on_to_its_end(key: str) -> None:
    for number, match in enumerate(questions(key)):
        if number % 5 == 0:
            imagined = Observation(match).imagine(Random(number))
            assert imagined.legal() == match.legal()
            play(imagined, number)
            assert imagined.state.result is not None


def test_own_cards_stay_the_own_ones_and_the_other_deck_is_known_only_with_open_lists() -> None:
    match = begin(4, "liveon")
    for open_lists in (False, True):
        match.state.options = {"open_lists": open_lists}
        seen = Observation(match)
        for owner, known in ((seen.seat, True), (1 - seen.seat, open_lists)):
            mine = sorted(c.code or "" for c in match.state.cards.values() if c.owner == owner)
            imagined = [looked_at(seen.imagine(Random(n))).state.cards.values() for n in range(3)]
            dealt = [sorted(c.code or "" for c in cards if c.owner == owner) for cards in imagined]
            assert (dealt == [mine] * 3) == known


@pytest.mark.parametrize("key", registry.GAMES)
def test_what_is_kept_of_unseen_cards_between_questions_is_what_would_be_found_anew(key: str) -> None:
    def watch(match: Match) -> None:
        if match.state.asked is not None:
            anew = match.fork()
            anew.log = match.log.copy()
            one, other = (Observation(m).imagine(Random(len(m.log))) for m in (match, anew))
            assert looked_at(one).state == looked_at(other).state

    for seed in range(2):
        play(begin(seed, key), seed, watch=watch)


def test_a_card_is_unseen_while_it_lies_face_down() -> None:
    match = begin(4, "liveon")
    match.act(match.legal()[0])
    card = match.state.zones[0]["b"][0]
    for face_up in (False, True, False):
        match.flip(card, face_up)
        assert (card in {n for group in unseen(match, 1) for n in group.numbers()}) == (not face_up)


def test_what_was_shown_is_not_dealt_anew() -> None:
    match = begin(4, "liveon")
    assert match.state.asked is not None
    seat = match.state.asked.seat
    card = match.state.zones[1 - seat]["deck"][3]
    match.emit(CardsRevealed((card,), None))
    assert match.shown_to(seat).cards >= {card}
    codes = {Observation(match).imagine(Random(n)).state.cards[card].code for n in range(20)}
    assert codes == {match.state.cards[card].code}
    assert Observation(match).state.cards[card].code in codes


def test_deck_lists_are_the_own_one_and_with_open_lists_both() -> None:
    match = begin(4, "liveon")
    seat = Observation(match).seat
    header = match.log[0]
    assert Observation(match).deck_lists[seat] == header.seats[seat].deck  # type: ignore[attr-defined]
    assert Observation(match).deck_lists[1 - seat] is None
    match.log[0] = structs.replace(header, options={"open_lists": True})
    assert Observation(match).deck_lists == tuple(s.deck for s in header.seats)  # type: ignore[attr-defined]


def test_what_lies_face_down_on_the_table_is_imagined_as_another_card_of_its_kind() -> None:
    match = begin(2)
    match.act(match.legal()[0])
    match.state.options = {"open_lists": True}
    assert match.state.asked is not None and match.state.asked.seat == 1
    (down,) = match.state.zones[0]["b"]
    found = {Observation(match).imagine(Random(n)).state.cards[down].code for n in range(200)}
    fighters = {d.code for c, d in match.printed.items() if d.kind == "fighter" and match.card(c).owner == 0}
    assert found == fighters
    assert len(fighters) > 1


@pytest.mark.parametrize("key", registry.GAMES)
def test_an_imagined_table_has_as_many_cards_of_each_owner_and_back_in_each_zone(key: str) -> None:
    """Also where a card lies unseen among those of the other owner."""
    for number, match in enumerate(questions(key)):
        seat = Observation(match).seat
        strayed = match.fork()
        mine = strayed.state.zones[seat]["hand"]
        if mine and number % 2:
            strayed.move(mine[0], 1 - seat, "hand", match.game.rulebook.move_kinds[0])
        imagined = Observation(strayed).imagine(Random(number))
        assert contents(looked_at(imagined)) == contents(strayed)
        for side, zones in enumerate(imagined.state.zones):
            for name, held in zones.items():
                for card in held:
                    assert (imagined.state.cards[card].seat, imagined.state.cards[card].zone) == (side, name)


def contents(match: Match) -> Counter[tuple[int, str, int, str]]:
    """How many cards lie in each zone by owner and back."""
    cards = match.state.cards.values()
    return Counter((c.seat, c.zone, c.owner, match.game.backs[c.code or ""]) for c in cards)
