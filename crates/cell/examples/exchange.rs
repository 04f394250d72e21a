use cell::{coroutine::{Spu, spu_program}, machine::Machine, placement::Placement, system::System, units::{SpeId, ThreadId}, ea::local_store_ea};
fn main() {
    let machine = Machine::builtin("eval-board").unwrap();
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let p = Placement::default_of(&machine);
    let mut s = System::new(&machine, p.clone());
    for t in 0..8u8 {
        let partner = p.spe(ThreadId(t ^ 1));
        s.load(ThreadId(t), Box::new(move |_| spu_program(move |spu: Spu| async move {
            for _ in 0..n { spu.mfc_get(0x8000, local_store_ea(partner, 0x10000), 16384, 0).await; }
            spu.mfc_write_tag_mask(1).await; spu.mfc_read_tag_status_all().await; 0 })));
    }
    let t = std::time::Instant::now();
    let r = s.run(u64::MAX, || true).unwrap();
    let w = t.elapsed().as_secs_f64();
    let lines = 8 * 128 * n;
    println!("{} cycles {:.1} GB/s, {:.2} Mcycles/s, {:.0} ns/line", r.bus_cycles, lines as f64 * 128.0 * 1.6 / r.bus_cycles as f64, r.bus_cycles as f64 / w / 1e6, w * 1e9 / lines as f64);
    let _ = SpeId(0);
}
