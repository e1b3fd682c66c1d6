"""What people see of the house: tables, the floor, the console, promotions, history. It decides nothing."""
