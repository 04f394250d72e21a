//! Random DMA programs in which every byte has exactly one correct final location, and a simple model of these
//! programs.
//!
//! Only thread *k* touches its own area of its local store, slot *k* of every local store, and region *k* of main
//! memory. Fences, barriers or waits order the thread's commands, so the commands have the effect of a sequence of
//! copies.

use crate::common::{Check, Ran, ls_ea, pattern};
use cell::coroutine::Spu;
use cell::machine::Machine;
use proptest::prelude::*;

const AREA: u32 = 0x4000;
const AREA_BYTES: u32 = 0xc000;
const SLOTS: u32 = 0x1_0000;
const SLOT_BYTES: usize = 0x2000;
const REGIONS: u64 = 0x10_0000;
const LIST: u32 = 0x3000;
/// Maximum number of elements of a list. Each element has a separate kilobyte in the far region.
const PIECES_MAX: u32 = 8;
/// Maximum number of lists, which must fit into the local store before the thread's area.
const LISTS_MAX: usize = 64;

/// The way in which a command is ordered after earlier commands.
#[derive(Clone, Copy, Debug)]
enum Order {
    Fence,
    Barrier,
    BarrierCommand(u32),
    Wait(u32),
}

/// One contiguous piece: its offsets in the far region and in the thread's own area, and its size.
#[derive(Clone, Copy, Debug)]
struct Piece {
    far: u32,
    near: u32,
    bytes: u32,
}

/// A command: the thread whose slot it accesses (`None` for memory), its direction, and its pieces.
#[derive(Clone, Debug)]
pub struct Command {
    thread: Option<u8>,
    get: bool,
    order: Order,
    /// A transfer has one piece. For a list, only the first piece's offset in the thread's own area matters.
    pieces: Vec<Piece>,
    list: bool,
}

fn sizes() -> impl Strategy<Value = u32> {
    prop_oneof![
        2 => prop_oneof![Just(1u32), Just(2), Just(4), Just(8)],
        3 => (1..9u32).prop_map(|n| 16 * n),
        2 => (1..65u32).prop_map(|n| 16 * n),
    ]
}

/// A piece in the `nth` kilobyte of the far region.
fn piece(nth: u32) -> impl Strategy<Value = Piece> {
    (sizes(), 0..1024u32, 0..AREA_BYTES - PIECES_MAX * 1024).prop_map(move |(bytes, offset, near)| {
        let natural = bytes.min(16);
        let offset = offset % (1024 - bytes + 1) / natural * natural;
        Piece { far: 1024 * nth + offset, near: near / 16 * 16 + offset % 16, bytes }
    })
}

fn command() -> impl Strategy<Value = Command> {
    let order = prop_oneof![
        Just(Order::Fence),
        Just(Order::Barrier),
        (0..32u32).prop_map(Order::BarrierCommand),
        (0..32u32).prop_map(Order::Wait),
    ];
    let pieces = prop_oneof![
        (0..PIECES_MAX).prop_flat_map(piece).prop_map(|piece| (vec![piece], false)),
        (1..=PIECES_MAX).prop_flat_map(|n| (0..n).map(piece).collect::<Vec<_>>()).prop_map(|pieces| (pieces, true)),
    ];
    let thread = proptest::option::weighted(0.5, 0..16u8);
    (thread, any::<bool>(), order, pieces).prop_map(|(thread, get, order, (pieces, list))| Command {
        thread,
        get,
        order,
        pieces,
        list,
    })
}

/// Programs for up to `threads` threads.
pub fn programs(threads: usize, commands_max: usize) -> impl Strategy<Value = Vec<Vec<Command>>> {
    assert!(commands_max <= LISTS_MAX);
    proptest::collection::vec(proptest::collection::vec(command(), 0..commands_max), 1..=threads)
}

/// Memory and local stores as plain bytes.
struct Model {
    memory: Vec<u8>,
    local_stores: Vec<Vec<u8>>,
}

impl Model {
    fn new(machine: &Machine, threads: usize) -> Model {
        let memory = (0..threads as u32).flat_map(|thread| pattern(thread, 0x1_0000)).collect();
        let bytes = machine.mfc.local_store_bytes as usize;
        let local_stores = (0..threads).map(|thread| initial_local_store(thread, bytes)).collect();
        Model { memory, local_stores }
    }

    fn apply(&mut self, thread: usize, command: &Command) {
        let threads = self.local_stores.len();
        for (near, piece) in placed(&command.pieces, command.list) {
            let n = piece.bytes as usize;
            let near = AREA as usize + near as usize;
            let far_thread = command.thread.map(|far| usize::from(far) % threads);
            let far = match far_thread {
                None => 0x1_0000 * thread + piece.far as usize,
                Some(_) => SLOTS as usize + SLOT_BYTES * thread + piece.far as usize,
            };
            let far_bytes = match far_thread {
                None => &mut self.memory,
                Some(of) => &mut self.local_stores[of],
            };
            if command.get {
                let bytes = far_bytes[far..far + n].to_vec();
                self.local_stores[thread][near..near + n].copy_from_slice(&bytes);
            } else {
                let bytes = self.local_stores[thread][near..near + n].to_vec();
                let far_bytes = match far_thread {
                    None => &mut self.memory,
                    Some(of) => &mut self.local_stores[of],
                };
                far_bytes[far..far + n].copy_from_slice(&bytes);
            }
        }
    }
}

/// Initial contents of a local store, in the part that programs may touch.
fn initial_local_store(thread: usize, bytes: usize) -> Vec<u8> {
    let mut local_store = vec![0; bytes];
    let from = AREA as usize;
    local_store[from..].copy_from_slice(&pattern(1000 + thread as u32, bytes - from));
    local_store
}

/// Offset of each piece in the thread's own area. A list puts its elements into consecutive quadwords.
fn placed(pieces: &[Piece], list: bool) -> Vec<(u32, Piece)> {
    let mut next = pieces[0].near / 16 * 16;
    let place = |piece: &Piece| {
        if !list {
            return (piece.near, *piece);
        }
        let at = next + if piece.bytes < 16 { piece.far % 16 } else { 0 };
        next = (at + piece.bytes).next_multiple_of(16);
        (at, *piece)
    };
    pieces.iter().map(place).collect()
}

/// Issues one command.
async fn give(spu: &Spu, nth: usize, command: &Command, far_base: u64) {
    let (suffix, tag) = match command.order {
        Order::Fence => (2, 0),
        Order::Barrier => (1, 0),
        Order::BarrierCommand(tag) | Order::Wait(tag) => (0, tag),
    };
    order(spu, command.order).await;
    let opcode = if command.get { 0x40 } else { 0x20 } + suffix;
    let near = AREA + placed(&command.pieces, command.list)[0].0;
    let far = far_base + u64::from(command.pieces[0].far);
    if command.list {
        // A list must not change until its command has ended, so each list has a separate address.
        let list = LIST + 0x40 * nth as u32;
        for (element, piece) in command.pieces.iter().enumerate() {
            let eal = far_base as u32 + piece.far;
            spu.ls().write_u64(u64::from(list) + 8 * element as u64, u64::from(piece.bytes) << 32 | u64::from(eal));
        }
        let ea = far & !0xffff_ffff | u64::from(list);
        spu.mfcdma64(near & !15, ea, 8 * command.pieces.len() as u32, tag, opcode + 4).await;
    } else {
        spu.mfcdma64(near, far, command.pieces[0].bytes, tag, opcode).await;
    }
    order(spu, command.order).await;
}

async fn order(spu: &Spu, order: Order) {
    match order {
        Order::BarrierCommand(tag) => spu.mfc_barrier(tag).await,
        Order::Wait(_) => wait_for_all(spu).await,
        Order::Fence | Order::Barrier => (),
    }
}

async fn wait_for_all(spu: &Spu) {
    spu.mfc_write_tag_mask(u32::MAX).await;
    spu.mfc_read_tag_status_all().await;
}

/// A run of the given programs, one for each thread. Every addressed thread has a program, which may be empty.
pub fn check(machine: &Machine, programs: &[Vec<Command>]) -> Check {
    let threads = programs.len().min(machine.chip.spes.len());
    let mut check = Check::on(machine);
    for (thread, program) in programs.iter().take(threads).enumerate() {
        let base = |command: &Command| match command.thread {
            None => REGIONS + 0x1_0000 * thread as u64,
            Some(far) => ls_ea(machine, far % threads as u8, SLOTS + SLOT_BYTES as u32 * thread as u32),
        };
        let program: Vec<(Command, u64)> = program.iter().map(|command| (command.clone(), base(command))).collect();
        let bytes = machine.mfc.local_store_bytes as usize;
        check = check.memory(REGIONS + 0x1_0000 * thread as u64, &pattern(thread as u32, 0x1_0000)).spu(
            move |spu| async move {
                spu.ls().write(0, &initial_local_store(thread, bytes));
                // No transfer may touch a local store before its initialisation, which happens at cycle 0 for all local
                // stores.
                for (nth, (command, far_base)) in program.iter().enumerate() {
                    give(&spu, nth, command, *far_base).await;
                }
                wait_for_all(&spu).await;
                0
            },
        );
    }
    check
}

/// Checks that a run of these programs left every byte where the model left it.
pub fn all_bytes_in_place(machine: &Machine, programs: &[Vec<Command>], ran: &Ran) {
    let threads = programs.len().min(machine.chip.spes.len());
    let mut model = Model::new(machine, threads);
    for (thread, program) in programs.iter().take(threads).enumerate() {
        program.iter().for_each(|command| model.apply(thread, command));
    }
    assert!(ran.memory.bytes(REGIONS, 0x1_0000 * threads) == model.memory, "memory differs");
    for (thread, local_store) in model.local_stores.iter().enumerate() {
        let (from, n) = (AREA as usize, local_store.len() - AREA as usize);
        let bytes = ran.local_stores[thread].bytes(from as u64, n);
        let differs = bytes.iter().zip(&local_store[from..]).position(|(one, other)| one != other);
        assert_eq!(differs.map(|at| from + at), None, "the local store of thread {thread} differs from there");
    }
}
