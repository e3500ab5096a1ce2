-- Takes from a connection all but the warehouse that it has open: no files, no addresses, no settings from here on.
set enable_external_access = false;
set lock_configuration = true
