-- take_places: the same of `places`, which go by the numbers of orders.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
with told as (select places.* from places semi join (select no from orders where side >= 72057594037927936) using (no))
select * from told order by no, place
