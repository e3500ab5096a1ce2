-- Makes the tables and views of the warehouse those that a cursor means.
use warehouse
