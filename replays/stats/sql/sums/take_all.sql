-- take_all: all of a table that grows with decks and names only.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
with told as (select * from {table})
select * from told
