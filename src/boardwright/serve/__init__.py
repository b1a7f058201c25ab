"""The page in the browser, and the API behind it: play, analyse, replay, watch."""
