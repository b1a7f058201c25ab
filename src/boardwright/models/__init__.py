"""Models that come with Boardwright: one safetensors file each, and a card that says what it is."""
