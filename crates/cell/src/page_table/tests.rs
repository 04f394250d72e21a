use super::*;

const PAGE: u64 = PAGE_BYTES as u64;

fn table() -> (PageTable, Store) {
    let mut machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    machine.chip.main_memory_bytes = 3 * PAGE;
    (PageTable::new(&machine), Store::new(3 * PAGE, PAGE))
}

#[test]
fn a_page_gets_its_frame_on_first_use() {
    let (table, mut memory) = table();
    table.map(0x1000_0000, 4 * PAGE_BYTES, Mapping::Zero, Access::DATA, &mut memory);
    assert_eq!(table.free_bytes(), 3 * PAGE);
    assert_eq!(table.translate(0x1000_3004, AccessKind::Store), Ok(Target::Memory(4)));
    assert_eq!(table.translate(0x1000_0000, AccessKind::Load), Ok(Target::Memory(PAGE)));
    assert_eq!(table.translate(0x1000_3008, AccessKind::Load), Ok(Target::Memory(8)));
    assert!(table.translate(0x1000_1000, AccessKind::Load).is_ok());
    assert_eq!(table.translate(0x1000_2000, AccessKind::Load), Err(BadAddress::NoMemory(0x1000_2000)));
    assert_eq!(table.translate(0x1000_4000, AccessKind::Load), Err(BadAddress::Unmapped(0x1000_4000)));
    assert_eq!(table.free_bytes(), 0);
}

#[test]
fn a_page_that_is_away_is_for_privileged_software_only_and_keeps_its_contents() {
    let (table, mut memory) = table();
    table.map(0, PAGE_BYTES, Mapping::Zero, Access::DATA, &mut memory);
    let target = table.translate(4, AccessKind::Store);
    let generation = table.generation();
    table.set_away(0, PAGE_BYTES, true);
    assert!(table.generation() > generation, "copies of entries are out of date");
    for kind in [AccessKind::Load, AccessKind::Store] {
        assert_eq!(table.translate(4, kind), Err(BadAddress::Away(4)));
    }
    assert_eq!(
        table.translate(4, AccessKind::Fetch),
        Err(BadAddress::Forbidden(4)),
        "fetches are not permitted anyway"
    );
    assert_eq!(table.translate(4, AccessKind::Kernel), target);
    table.set_away(0, PAGE_BYTES, false);
    assert_eq!(table.translate(4, AccessKind::Store), target);
    // A permitted access to a page mapped as `Away` has to wait instead of failing as unmapped.
    table.map(0x1000, 1, Mapping::Away, Access { read: true, ..Access::NONE }, &mut memory);
    assert_eq!(table.translate(0x1000, AccessKind::Load), Err(BadAddress::Away(0x1000)));
    assert_eq!(table.translate(0x1000, AccessKind::Kernel), Err(BadAddress::Away(0x1000)));
    assert_eq!(table.translate(0x1000, AccessKind::Store), Err(BadAddress::Forbidden(0x1000)));
    assert_eq!(table.translate(0x2000, AccessKind::Load), Err(BadAddress::Unmapped(0x2000)));
}

#[test]
fn a_returned_frame_is_zeroed() {
    let (table, mut memory) = table();
    table.map(0, PAGE_BYTES, Mapping::Zero, Access::DATA, &mut memory);
    let Ok(Target::Memory(real)) = table.translate(8, AccessKind::Store) else { panic!("main memory") };
    memory.write_u32(real, 7);
    table.unmap(0, 1, &mut memory);
    assert_eq!(memory.read_u32(real), 0);
    assert_eq!(table.free_bytes(), 3 * PAGE);
}

#[test]
fn an_access_without_permission_is_refused_except_the_kernels() {
    let (table, mut memory) = table();
    table.map(0, PAGE_BYTES, Mapping::Zero, Access::DATA, &mut memory);
    let before = table.generation();
    table.protect(0, PAGE_BYTES, Access { read: true, ..Access::NONE });
    assert!(table.generation() > before);
    assert_eq!(table.translate(4, AccessKind::Store), Err(BadAddress::Forbidden(4)));
    assert_eq!(table.translate(4, AccessKind::Fetch), Err(BadAddress::Forbidden(4)));
    assert!(table.translate(4, AccessKind::Load).is_ok() && table.translate(4, AccessKind::Kernel).is_ok());
}

#[test]
fn windows_map_local_stores_and_registers() {
    let (table, mut memory) = table();
    table.map(0x2000_0000, 0x4_0000, Mapping::LocalStore(SpeId(3), 0), Access::DATA, &mut memory);
    table.map(0x3000_0000, 0x2_0000, Mapping::Registers(SpeId(5), 0), Access::DATA, &mut memory);
    assert_eq!(table.translate(0x2003_fff0, AccessKind::Load), Ok(Target::LocalStore(SpeId(3), 0x3_fff0)));
    assert_eq!(table.translate(0x3000_4014, AccessKind::Load), Ok(Target::Register(SpeId(5), 0x4014)));
    assert_eq!(table.region(0x2000_0ff0, AccessKind::Load), Ok((Target::LocalStore(SpeId(3), 0xff0), 16)));
    assert_eq!(table.region(1 << 32, AccessKind::Load), Err(BadAddress::Unmapped(1 << 32)));
}

#[test]
fn moved_pages_keep_their_bytes() {
    let (table, mut memory) = table();
    table.map(0, PAGE_BYTES, Mapping::Zero, Access::DATA, &mut memory);
    let target = table.translate(4, AccessKind::Load);
    table.move_pages(0, 0x7000_0000, PAGE_BYTES, &mut memory);
    assert_eq!(table.translate(0x7000_0004, AccessKind::Load), target);
    assert!(!table.is_mapped(4));
}

#[test]
fn pages_share_frames_until_the_last_holder_lets_them_go() {
    let (table, mut memory) = table();
    let frames = table.take_frames(2 * PAGE_BYTES).expect("free frames");
    assert_eq!((table.free_bytes(), table.take_frames(2 * PAGE_BYTES)), (PAGE, None));
    table.map_frames(0x1000_0000, &frames, false, Access::DATA, &mut memory);
    table.map_frames(0x2000_0000, &frames, false, Access { read: true, ..Access::NONE }, &mut memory);
    let Ok(Target::Memory(real)) = table.translate(0x1000_1008, AccessKind::Store) else { panic!("main memory") };
    assert_eq!(table.translate(0x2000_1008, AccessKind::Load), Ok(Target::Memory(real)));
    assert_eq!(table.translate(0x2000_1008, AccessKind::Store), Err(BadAddress::Forbidden(0x2000_1008)));
    memory.write_u32(real, 7);
    table.unmap(0x1000_0000, 2 * PAGE_BYTES, &mut memory);
    table.drop_frames(&frames, &mut memory);
    assert_eq!((memory.read_u32(real), table.free_bytes()), (7, PAGE), "the second mapping still holds them");
    table.unmap(0x2000_0000, 2 * PAGE_BYTES, &mut memory);
    assert_eq!((memory.read_u32(real), table.free_bytes()), (0, 3 * PAGE));
}
