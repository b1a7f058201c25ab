"""Self-play: a network and a search that teach each other, from the rules alone (Silver et al. 2018; with the Gumbel
root of Danihelka et al. 2022)."""
