"""This computer, measured as the simulated machines are.

    tree ──> topology, limits, environment      what the operating system says
                 │
    asking ──> measuring ──> host_result        what is asked of `_native`, and what comes out
                 │  conditions, statistics, verdict   what disturbed it, how sure it is
                 └─> matrices ──> cpu_placement every core with every other; the CPU of each thread
    doctor                                      what would spoil measurements

Left out: everything that runs while time is taken. That is Rust (`crates/host`); here the clock is
read between measurements only, for budgets.
"""
