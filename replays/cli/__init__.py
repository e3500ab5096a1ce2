"""The command `cardfold`."""
