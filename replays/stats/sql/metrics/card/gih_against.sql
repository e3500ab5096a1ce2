-- gih_against: in-hand win rate (GIH WR) of a card against each deck that it met.
-- Grain: one row a game (of the list of games), card and deck. Unit: a game seen from one seat. Definition version: m2.
-- Copies: held. Draws are left out and counted.
with rates as (select * rename (other as against) from held_rates($filters, 'against'))
select * from rates order by game, code, shrunk desc nulls last, against
