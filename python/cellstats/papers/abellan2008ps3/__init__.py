"""Abellán, Fernández, Acacio: CellStats, a Tool to Evaluate … the Cell BE. PDP, 2008."""
