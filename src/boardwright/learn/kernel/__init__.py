"""Learning inside the kernel: a small network that values positions for one to four players, from the rules alone.

Games, targets and fitting run compiled, without a batch and without Python: see docs/methods/kernel-learning.md.
"""
