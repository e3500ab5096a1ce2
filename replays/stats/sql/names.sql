-- names: what a filter that names something can name: the value, what people call it, and the game.
-- Grain: one row a value, name and game. Unit: none. Definition version: m2.
select value, called, game from filter_values where filter = $filter
