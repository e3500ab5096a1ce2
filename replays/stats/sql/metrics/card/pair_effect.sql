-- pair_effect: by how much two cards of one deck, both among the first cards of their piles, raise the chance to win
-- beyond what each does for itself: the interaction of their draw effects.
-- Grain: one row a game (of the list of games), deck, card and how many copies of it were early (x, less what chance
-- gives): in which games of the deck (`games`, numbered in the order of r, from 0). The deck's `results` are how often
-- it had which r. The model is fitted to these rows. Unit: a game seen from one seat. Definition version: m2.
-- Of decks with at least 1,000 games and at most 100 different cards; of more than 10,000 games as many are taken, by
-- their digests. The shuffles of two seats are independent, so each seat stands for itself. Draws are half a win.
with sat as (select side, game, deck, n, r from residuals($filters, 0)),
decks as (
    select game, deck, row_number() over (order by game, deck) as who, 11000 / sum(n) as share
    from sat group by game, deck having sum(n) >= 1000
),
seated as (select side, who, r, share from sat join decks using (game, deck)),
drawn as (  -- lots are spread evenly: of the lowest eleven thousand or so, ten are taken, without sorting all
    select who, unit, r from (select unit, side, lot from early_cards) as early_cards join seated using (side)
    where lot <= share * 18446744073709551615
    qualify row_number() over (partition by who order by lot, unit) <= 10000
),
numbered as (select who, unit, r, (row_number() over (partition by who order by r, unit) - 1)::integer as nth from drawn),
alike as (select who, r, count(*) as n from numbered group by who, r),
results as (select who, list({'r': r, 'games': n} order by r) as results from alike group by who),
lain as (
    select who, nth, unnest(early) as no
    from numbered join (select unit, early from early_cards) as early_cards using (unit)
),
counted as (select who, no, list(nth) as games from lain group by who, no),
told as (
    select decks.game, deck, code, x, games, results
    from counted join decks using (who) join results using (who) join (select no, code, x from early_counts) using (no)
    qualify count(distinct code) over (partition by who) <= 100
)
select * from told order by game, deck, code, x
