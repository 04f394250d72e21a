//! Measures one FUNCTION: `measure MACHINE FUNCTION [n|N]SPES ITER [b=SIZE] [l=LIST] [t=STRIDE] [s] [mmio] [slow] [batch=K]`.

use cell::functions::{Function, Params, PpePath, measure};
use cell::machine::Machine;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let machine = if args[0].ends_with("toml") {
        Machine::parse(&std::fs::read_to_string(&args[0]).unwrap(), &args[0]).unwrap()
    } else {
        Machine::builtin(&args[0]).unwrap()
    };
    let mut params = Params::new(Function::from_name(&args[1]).unwrap());
    params.private = args[2].starts_with('N');
    params.spes = args[2][1..].parse().unwrap();
    params.iterations = args[3].parse().unwrap();
    for arg in &args[4..] {
        match arg.split_once('=') {
            Some(("b", v)) => params.size_bytes = v.parse().ok(),
            Some(("l", v)) => params.list_elements = v.parse().ok(),
            Some(("t", v)) => params.stride_bytes = v.parse().ok(),
            Some(("batch", v)) => params.batch = v.parse().unwrap(),
            _ if arg == "s" => params.spe_to_spe = true,
            _ if arg == "mmio" => params.ppe = PpePath::Mmio,
            _ if arg == "slow" => params.fast_forward = false,
            _ => panic!("{arg}"),
        }
    }
    let start = std::time::Instant::now();
    match measure(&machine, &params, || true) {
        Ok(m) => println!(
            "{:10.1} ns [{:.1} {:.1}] {:6.2} GB/s  wall {:.3} s  cycles {:.3e}",
            m.latency_ns,
            m.latency_ns_min,
            m.latency_ns_max,
            m.bandwidth_gb_s.unwrap_or(0.0),
            start.elapsed().as_secs_f64(),
            m.simulated_ns * machine.bus_hz() as f64 / 1e9
        ),
        Err(error) => println!("{error}"),
    }
}
