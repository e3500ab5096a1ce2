-- games_of: where the games with these keys lie, all copies of each, and why statistics leave one out.
-- Grain: one row a game (g). Unit: game. Definition version: m2.
select pack, index, "offset", left_out from games where list_contains($keys, game_key) order by g
