"""Table 1: the components of one DMA's latency.

The paper counts the completion to the data transfer, and one element of a list to the total of a
plain put.
"""

from collections.abc import Iterator

from cellstats.reproduce import Answers, Ask, Axis, Chart, taken_apart

COMPONENTS = {
    "DMA issue": ("dma_issue", 10),
    "DMA to EIB": ("dma_to_eib", 30),
    "list element fetch": ("list_element_fetch", 10),
    "coherence protocol": ("coherence_protocol", 100),
    "data transfer": ("transfer_and_completion", 140),
    "total": ("total", 290),
}


def rows() -> Iterator[Ask]:
    """A put between two local stores, a put to memory and a get from it, and a list of one put."""
    yield from taken_apart("eval-board", "dmaput", spe_to_spe=True, what="put")
    yield from taken_apart("eval-board", "dmaput", what="put to memory")
    yield from taken_apart("eval-board", "dmaget", what="get from memory")
    for elements in (1, 2):
        yield from taken_apart(
            "eval-board",
            "dmalistput",
            spe_to_spe=True,
            list_elements=elements,
            what=f"list of {elements}",
        )


def draw(rows: Answers) -> Iterator[Chart]:
    """The components of a put, published and simulated. The list's are off the scale."""
    [put] = rows.where(what="put")
    names = [name for name in COMPONENTS if name != "list element fetch"]
    chart = Chart("A put between two local stores", Axis(""), Axis("SPU cycles"), names=names)
    chart.bar("simulated", [put[COMPONENTS[name][0]] for name in names])
    for place, name in enumerate(names):
        published = COMPONENTS[name][1] - (10 if name == "total" else 0)
        chart.published("without a list's 10", [place], [published])
    yield chart
