"""Cheats that cannot be proved, word for word as in docs/security.md: a test compares the two."""

from __future__ import annotations

NO_HONEST_NUMBER = (
    "That the house chose the throw of a round in which no honest player's number is: by the secret, where wagers "
    "stood before the round opened, by a number of an account of its own, or by closing the table before the bets are "
    "shut."
)
SERVED_PAGE = (
    "That the house served somebody a page that gives numbers away or keeps silent: who does not want to rely on it "
    "plays with a client that is not from the house."
)
FRESH_ACCOUNTS = (
    "That the house held back numbers of accounts of its own, where it uses another account each time, and few in one "
    "round: the record counts the numbers that are missing, and cannot tell them from those of people who came once "
    "and left."
)
ONLY_ITS_PLAYER_KNOWS = (
    "That a number which is missing did come: its player knows it, and others have the player's word for it."
)
NO_ANSWER_NO_RECEIPT = (
    "That the house refused an order, or gave no answer to it, because it wanted it so: such an order has no receipt."
)
KEPT_BACK = (
    "That a record whose document is kept back holds something else than the house says of it, in public or to a "
    "player: only who has the document can tell, as an inspector has."
)
AFTER_THE_LAST_RECEIPT = (
    "That something was taken back which came after the last receipt that anybody holds and the last checkpoint that "
    "a witness has."
)
NEVER_SAW_THE_KEY = "That the key is another one than the house had before, for somebody who never saw that one."
UNDETECTABLE = (
    NO_HONEST_NUMBER,
    SERVED_PAGE,
    FRESH_ACCOUNTS,
    ONLY_ITS_PLAYER_KNOWS,
    NO_ANSWER_NO_RECEIPT,
    KEPT_BACK,
    AFTER_THE_LAST_RECEIPT,
    NEVER_SAW_THE_KEY,
)
