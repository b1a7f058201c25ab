"""Measurements of Boardwright itself, side by side with its peers in one run."""

from boardwright.bench.rules import RulesFigures, measure_rules

__all__ = ["RulesFigures", "measure_rules"]
