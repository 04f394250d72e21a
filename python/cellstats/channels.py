"""Channels of an SPU, one call each; `cellstats.spu.channels` defines them."""

from cellstats.spu.channels import LocalStore, SpuChannels

__all__ = ["LocalStore", "SpuChannels"]
