-- pair_effect: by how much two cards of one deck, both among the first cards of their piles, raise the chance to win
-- beyond what each does for itself: the interaction of their draw effects.
-- Grain: one row a game (of the list of games), deck, two cards, and how many copies of each were early (less what
-- chance gives); the model is fitted to these rows. Unit: a game seen from one seat. Definition version: m2.
-- Of decks with at least 1,000 games and at most 100 different cards; of more than 10,000 games as many are taken, by
-- their digests. The shuffles of two seats are independent, so each seat stands for itself. Draws are half a win.
with sat as (select side, game, deck, r from residuals($filters, 0)),
played as (
    select unit, sat.game, sat.deck, r
    from sat join (select unit, g, seat, side from units) using (side) join (select g, game_key from games) using (g)
    qualify count(*) over (partition by sat.game, sat.deck) >= 1000
        and row_number() over (partition by sat.game, sat.deck order by md5(game_key), seat) <= 10000
),
lain as (
    select played.game, played.deck, unit, code, r,
        len(list_filter(places, lambda place: place <= game_piles.early)) - len(places) * game_piles.early / size as x
    from cards join played using (unit) join piles using (unit, pile)
        join game_piles on game_piles.game = played.game and game_piles.pile = piles.pile
    where places is not null and game_piles.early < size
),
small as (select game, deck from lain group by game, deck having count(distinct code) <= 100),
told as (
    select one.game, one.deck, one.code, other.code as other_code, one.x, other.x as y, count(*) as games,
        sum(one.r) as r, sum(one.r * one.r) as rr
    from lain as one semi join small using (game, deck)
        join lain as other on one.unit = other.unit and one.code < other.code
    group by one.game, one.deck, one.code, other_code, one.x, y
)
select * from told order by game, deck, code, other_code, x, y
