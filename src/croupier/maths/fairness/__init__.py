"""Are the dice fair? A record of throws, the tests applied to it, and the verdict."""
