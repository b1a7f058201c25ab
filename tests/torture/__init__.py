"""Torture, by command: `python -m tests.torture`, or `make torture` for an hour of it.

Each trial is a file of its own with one idea; trials.py lists them. A trial is a row of attempts, each made from one
seed and nothing else, so that what failed is repeated by its seed. It is no part of the test suite: what it finds is
mended, and gets a test there.
"""
