"""Settings for all tests. `HYPOTHESIS_PROFILE=soak` makes the property tests run long (`make soak`)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "quick", max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=_CHECKS
)
settings.register_profile(
    "soak", max_examples=1000, stateful_step_count=100, deadline=None, suppress_health_check=_CHECKS
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
