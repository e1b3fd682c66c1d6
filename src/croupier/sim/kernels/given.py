"""Given throws: a record of real dice cut into sessions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.rules.errors import Impossible
from croupier.rules.outcomes import Faces, Outcomes
from croupier.sim.kernels.dice import Throws


def cut(outcomes: Outcomes, throws: Sequence[Faces], rolls: int, sessions: int) -> Throws:
    """So many sessions one after the other from a record: a row for each, throws as places among the outcomes.

    Raises Impossible where the record is too short.
    """
    if sessions < 1 or rolls < 1:
        raise Impossible("record_too_short", "A record is cut into one session or more, each of one throw or more.")
    wanted = sessions * rolls
    if wanted > len(throws):
        need = "1 session needs" if sessions == 1 else f"{sessions:,} sessions need"
        say = f"{need} {wanted:,} throw{'' if wanted == 1 else 's'}, and the record has {len(throws):,}."
        raise Impossible("record_too_short", say)
    places = [outcomes.index[faces] for faces in throws[:wanted]]
    return np.array(places, np.uint16).reshape(sessions, rolls)
