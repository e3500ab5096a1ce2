-- definition: the version of the definitions by which this warehouse was built, and the digest of the statements.
-- Grain: one row. Unit: none. Definition version: m2.
create table definition as select $version as version, $statements as statements
