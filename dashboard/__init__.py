"""What people see. Imports the other three packages; nothing imports it."""
