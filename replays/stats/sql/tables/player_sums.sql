-- player_sums: of the games of a side, how many were played by whom against whom.
-- Grain: one row a side and pair of players. Unit: a game seen from one seat. Definition version: m2.
create table player_sums as
with told as (
    select sides.side, sides.player, other.player as against_player, sides.n as games
    from sides join sides as other using (cell) where sides.seat <> other.seat
)
select * from told order by side;
