"""Many machines: the workers of a training or a match on a Ray cluster."""
