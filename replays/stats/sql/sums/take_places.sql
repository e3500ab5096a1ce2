-- take_places: the same of `places`, which go by the numbers of orders.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
with told as (select * from places where no >= 72057594037927936)
select * from told order by no, place
