"""The surroundings of the Cell SDK that sources for Cell expect, laid out in a directory.

    from cellstats.linux.sdk import lay_out

    lay_out(Path("cell-sdk"))

`make.footer`, headers, libraries, and the compilers under the SDK's names (`ppu-gcc`, `spu-gcc`,
`embedspu`), so that unmodified Makefiles build programs for `cellstats run`. All of it is written
from public documentation and from the Makefiles of public programs; nothing is IBM's.

The data lie in `data`, which is linux/sdk of the repository. `ppu` and `spu` have the headers and
sources of each side, `both` those that the sides share: each directory `src/NAME` becomes the
library `libNAME`. `bin` has the scripts behind the tools' names, `buildutils` the rules for make.
"""

from cellstats.linux.sdk.layout import Layout, lay_out

__all__ = ["Layout", "lay_out"]
