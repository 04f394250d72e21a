"""Measures this computer in the same way as the simulated machines.

    topology, environment           what the operating system says
         │
    request ──> repetitions ──> host_result  the request to `_native`, and its result
         │      statistics                   intervals, grades, reasons to distrust
         └─> matrices ──> cpu_placement      every core with every other; the CPU of each thread
         └─> survey ──> overview             levels of memory, bandwidths, latency under load
    doctor                          what would spoil measurements

All code that runs while time is measured is Rust (`crates/host`). Python reads the clock only
between measurements, to keep within time budgets.
"""
