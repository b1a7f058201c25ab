"""Search trees for the eye: a picture, or a page that unfolds."""
