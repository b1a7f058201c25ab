"""2048, and what is its own: bitboards, their search and their learner."""
