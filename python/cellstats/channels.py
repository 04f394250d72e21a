"""Channels of an SPU, one call each; they lie in `cellstats.spu.channels`."""

from cellstats.spu.channels import LocalStore, SpuChannels

__all__ = ["LocalStore", "SpuChannels"]
