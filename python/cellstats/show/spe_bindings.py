"""A placement on SPEs, written for programs: a list, C for libspe2, or an environment variable.

Each form has a function, whose parameters are a machine and a placement (the physical SPE of each
thread). The function raises UsageError for an invalid placement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cellstats._native import UsageError
from cellstats.measure.machine import Machine
from cellstats.placement.rings import MIC, SPE, rings_of


def as_list(machine: Machine, placement: Sequence[int]) -> str:
    """A plain list in the format of `--placement`, which is also easy to read in a program.

    >>> import cellstats as cs
    >>> as_list(cs.machine("ps3"), [0, 4, 1, 5])
    '0,4,1,5'
    """
    return ",".join(map(str, _checked(machine, placement)))


def as_environment(machine: Machine, placement: Sequence[int]) -> str:
    """A shell assignment that sets the CPU list of GCC's OpenMP.

    GCC's OpenMP binds the i-th thread to the i-th CPU in the list, as in a placement. This form is
    useful on computers without SPEs, where the operating system numbers all cores. No environment
    variable binds threads to SPEs.

    >>> import cellstats as cs
    >>> as_environment(cs.machine("ps3"), [0, 4, 1, 5])
    'GOMP_CPU_AFFINITY="0 4 1 5"'
    """
    return f'GOMP_CPU_AFFINITY="{" ".join(map(str, _checked(machine, placement)))}"'


def as_libspe2(machine: Machine, placement: Sequence[int]) -> str:
    """C source of a function that creates contexts with affinities to their neighbours on the ring.

    >>> import cellstats as cs
    >>> text = as_libspe2(cs.machine("qs20"), [2, 0])
    >>> print(text[text.index("    } chain") : text.index("    };")])
        } chain[THREADS] = {
            {1, -1, 0, SPE_AFFINITY_MEMORY}, /* SPE0, beside the memory controller */
            {0, 1, 0, 0}, /* SPE2, beside SPE0 */
    <BLANKLINE>
    """
    spes = _checked(machine, placement)
    chains = [chain for chain in _chains(machine, spes) if chain]
    rows = [
        f"        {{{link.thread}, {link.neighbour}, {gang}, {link.flags}}}, /* {link.why} */"
        for gang, chain in enumerate(chains)
        for link in chain
    ]
    return _LIBSPE2.format(
        machine=machine.name,
        placement=",".join(map(str, spes)),
        threads=len(spes),
        gangs=len(chains),
        rows="\n".join(rows),
    )


def _checked(machine: Machine, placement: Sequence[int]) -> list[int]:
    if not len(placement):
        raise UsageError("a placement without SPEs; name the SPE of each thread")
    # All other invalid placements are rejected by `Machine.check`.
    machine.check("dmaget", placement=list(placement))
    return [int(spe) for spe in placement]


@dataclass(frozen=True)
class _Link:
    """An SPE context that the C source creates."""

    thread: int
    neighbour: int
    """The thread of the neighbouring context; -1 if this context has no neighbour."""
    flags: str
    why: str
    """An explanation of `flags`, which becomes a comment in the C source."""


def _chains(machine: Machine, spes: Sequence[int]) -> Iterator[list[_Link]]:
    """The contexts of each Cell, in the order of the SPEs on the ring.

    The order begins beside the memory controller and follows the ring, as Linux lists the SPEs
    (`qs20_reg_idxs` in its `spu_manage.c`). The order is reversed if the last SPE has a thread and
    the first has none. Linux treats both the first and the last SPE as neighbours of the memory
    controller, although the PPE is between the controller and the last SPE.
    """
    for ring in rings_of(machine.native):
        mic = next(nth for nth, element in enumerate(ring) if element.kind == MIC)
        # The order is counterclockwise, because SPE0 is on that side of the memory controller.
        around = [ring[mic - 1 - hop] for hop in range(len(ring) - 1)]
        order = [element.number for element in around if element.kind == SPE]
        if order[0] not in spes and order[-1] in spes:
            order.reverse()
        chain: list[_Link] = []
        before, missing = -1, []
        for spe in order:
            if spe not in spes:
                missing.append(f"SPE{spe}")
                continue
            thread = spes.index(spe)
            if before >= 0:
                why = f"SPE{spe}, beside SPE{before}"
                if missing:
                    why = f"SPE{spe}: {', '.join(missing)} left out between SPE{before} and it"
                chain.append(_Link(thread, spes.index(before), "0", why))
            elif spe == order[0]:
                why = f"SPE{spe}, beside the memory controller"
                chain.append(_Link(thread, -1, "SPE_AFFINITY_MEMORY", why))
            else:
                chain.append(
                    _Link(thread, -1, "0", f"SPE{spe}: Linux chooses where the chain begins")
                )
            before, missing = spe, []
        yield chain


_LIBSPE2 = """\
/* Contexts for the placement {placement} on {machine}, the physical SPE of each thread.
 *
 * libspe2 takes no numbers of SPEs. It can be told that a context is beside another of its gang,
 * and that one context of a gang is beside the memory controller. So the contexts of a Cell are a
 * chain in the order of the ring, in a gang of its own. The chain says "beside" and no more: which
 * way round it goes, and on which Cell, Linux decides; where an SPE is left out between two threads
 * the chain closes up, and they are nearer to each other than in the placement.
 *
 * All contexts of a gang have to exist before the first of them runs. A system that knows nothing
 * of affinity, such as the PlayStation 3, refuses: errno is ENOTSUP.
 */
#include <errno.h>
#include <stddef.h>
#include <libspe2.h>

enum {{ THREADS = {threads}, GANGS = {gangs} }};

/* Makes context[i] for thread i. Returns 0; or -1, with errno set, and leaves nothing behind. */
static int create_contexts(spe_gang_context_ptr_t gang[GANGS], spe_context_ptr_t context[THREADS])
{{
    static const struct {{
        int thread, neighbour, gang;
        unsigned int flags;
    }} chain[THREADS] = {{
{rows}
    }};
    int i, error;

    for (i = 0; i < GANGS; i++)
        gang[i] = NULL;
    for (i = 0; i < THREADS; i++)
        context[i] = NULL;
    for (i = 0; i < GANGS; i++)
        if ((gang[i] = spe_gang_context_create(0)) == NULL)
            goto failed;
    for (i = 0; i < THREADS; i++) {{
        spe_context_ptr_t neighbour =
            chain[i].neighbour < 0 ? NULL : context[chain[i].neighbour];
        spe_context_ptr_t made =
            spe_context_create_affinity(chain[i].flags, neighbour, gang[chain[i].gang]);
        if (made == NULL)
            goto failed;
        context[chain[i].thread] = made;
    }}
    return 0;

failed:
    error = errno;
    for (i = THREADS; i-- > 0;)
        if (context[i] != NULL)
            spe_context_destroy(context[i]);
    for (i = GANGS; i-- > 0;)
        if (gang[i] != NULL)
            spe_gang_context_destroy(gang[i]);
    errno = error;
    return -1;
}}
"""
