"""Chen, Raghavan, Dale, Iwata: Cell Broadband Engine Architecture and its First Implementation."""
