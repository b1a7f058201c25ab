"""Learning: runs that survive being killed, model files, and the methods that train."""
