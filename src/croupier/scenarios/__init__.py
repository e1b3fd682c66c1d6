"""Scenarios in plain files: read them, run them, report the first difference."""

from croupier.scenarios.scenario_lines import Difference, Scenario, ScenarioError, read_scenarios
from croupier.scenarios.scenario_runner import run_scenario

__all__ = ["Difference", "Scenario", "ScenarioError", "read_scenarios", "run_scenario"]
