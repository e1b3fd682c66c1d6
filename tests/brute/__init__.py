"""Every figure of the exact analysis, computed a second time without the package, by counting throws.

Nothing of the package is imported here, and no machine is compiled: what one throw does to a wager is a small plain
function written from the text of the rules and of the readings, one module for each game. All equally likely throws are
tried one by one, and the rest is arithmetic in fractions (`lives`). `wagers` lists the figures of every wager, `rivals`
those of the rejected readings, `rounding` what whole chips do to a real stake, and `sessions` plays short sessions
through, throw by throw.
"""
