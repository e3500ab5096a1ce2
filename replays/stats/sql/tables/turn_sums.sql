-- turn_sums: life, deck and hand of one seat at the end of each turn, added up over the games of a side, with squares.
-- Grain: one row a side and turn. Unit: a game seen from one seat. Definition version: m2.
create table turn_sums as
with own as (
    select side, turn, if(units.seat = 1, life_1, life_0)::double as life, if(units.seat = 1, deck_1, deck_0)::double as deck,
        if(units.seat = 1, hand_1, hand_0)::double as hand
    from turns join (select g, seat, side from units) as units using (g)
),
told as (
    select side, turn, count(*) as games, count(life) as life_n, sum(life) as life, sum(life * life) as life_2,
        sum(deck) as deck, sum(deck * deck) as deck_2, sum(hand) as hand, sum(hand * hand) as hand_2
    from own group by side, turn
)
select * from told order by side, turn;
