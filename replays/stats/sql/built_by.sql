-- built_by: the version of the definitions by which the warehouse was built.
-- Grain: one row. Unit: none. Definition version: m2.
select version from definition
