-- gih_in_deck: in-hand win rate (GIH WR) of a card in each deck that it is in.
-- Grain: one row a game (of the list of games), card and deck. Unit: a game seen from one seat. Definition version: m2.
-- Copies: held. Draws are left out and counted.
with rates as (select * rename (other as deck) from held_rates($filters, 'deck'))
select * from rates order by game, code, shrunk desc nulls last, deck
