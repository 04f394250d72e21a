"""Affinities: which thread sits on which SPE, by names of the literature (sudheer2009).

`affinity` gives the SPEs of a name, `hops` how far messages go then; which order each of `NAMES`
means is said in `cellstats.placement.spe_orders`.
"""

from cellstats.placement.spe_affinities import affinity, hops
from cellstats.placement.spe_orders import NAMES

__all__ = ["NAMES", "affinity", "hops"]
