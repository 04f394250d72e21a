"""Kistler, Perrone, Petrini: Cell Multiprocessor Communication Network. IEEE Micro, 2006."""
