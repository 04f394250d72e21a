"""Abellán, Fernández, Acacio: Characterizing … Operations in Dual Cell-Based Blades. ICCS, 2008."""
