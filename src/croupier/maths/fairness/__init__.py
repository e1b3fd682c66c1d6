"""Are the dice fair? A record of throws, the questions put to it, and the verdict."""
