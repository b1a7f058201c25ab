"""Azul."""
