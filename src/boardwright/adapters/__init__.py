"""Boardwright among its neighbours: OpenSpiel, Gymnasium and PettingZoo. Each is an extra, imported when asked for."""
