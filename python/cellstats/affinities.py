"""Affinities: the SPE of each thread, by names of the literature (sudheer2009).

`affinity` gives the SPEs of a name, `hops` the distances of messages with them;
`cellstats.placement.spe_orders` describes the order behind each of `NAMES`.
"""

from cellstats.placement.affinities import affinity, hops
from cellstats.placement.spe_orders import NAMES

__all__ = ["NAMES", "affinity", "hops"]
