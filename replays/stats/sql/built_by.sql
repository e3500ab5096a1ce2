-- built_by: the version of the definitions by which the warehouse was built, and the digest of the statements.
-- Grain: one row. Unit: none. Definition version: m2.
select * from definition
