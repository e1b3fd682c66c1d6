"""Settings for all tests. `HYPOTHESIS_PROFILE=soak` makes the property tests run long (`make soak`)."""

from __future__ import annotations

import os
import signal
import threading

from hypothesis import HealthCheck, settings

# Started in the background by a shell, the tests and all that they start would ignore Ctrl-C; some wait for it.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "quick", max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=_CHECKS
)
settings.register_profile(
    "soak", max_examples=1000, stateful_step_count=100, deadline=None, suppress_health_check=_CHECKS
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
