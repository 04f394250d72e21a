use super::*;

/// A program with two segments. The first contains the headers and code, the second contains data followed by zeros.
fn program() -> Vec<u8> {
    let mut file = b"\x7fELF\x01\x02\x01".to_vec();
    file.resize(16, 0);
    for half in [kind::FIXED, 20] {
        file.extend(half.to_be_bytes());
    }
    for word in [1, 0x1000_0100, 52, 0, 0] {
        file.extend(u32::to_be_bytes(word));
    }
    for half in [52_u16, 32, 2, 0, 0, 0] {
        file.extend(half.to_be_bytes());
    }
    for record in
        [[LOAD, 0, 0x1000_0000, 0, 0x140, 0x140, 5, 0x1_0000], [LOAD, 0x140, 0x1001_0140, 0, 8, 0x20, 6, 0x1_0000]]
    {
        file.extend(record.iter().flat_map(|word| word.to_be_bytes()));
    }
    file.resize(0x140, 0);
    file.extend(*b"contents");
    file
}

fn changed(at: usize, bytes: &[u8]) -> Result<Executable, String> {
    let mut file = program();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    Executable::parse(&file)
}

#[test]
fn a_program_is_what_its_file_says() {
    let program = Executable::parse(&program()).unwrap();
    assert_eq!((program.entry, program.movable, program.interpreter.as_deref()), (0x1000_0100, false, None));
    assert_eq!((program.headers_at, program.headers), (0x1000_0034, 2));
    let data = &program.segments[1];
    assert_eq!((data.address, data.size, data.bytes.as_slice()), (0x1001_0140, 0x20, b"contents".as_slice()));
    assert!(data.access.write && !data.access.execute && program.segments[0].access.execute);
    assert_eq!(program.extent(), (0x1000_0000, 0x1001_0160));
}

#[test]
fn every_other_file_is_refused_in_a_line_that_says_what_to_do() {
    let refusals = [
        (changed(0, b"#!/bin/sh"), "a script"),
        (changed(0, b"MZ"), "not an ELF file"),
        (changed(18, &[0, 23]), "an SPU program; run it with cellstats spu"),
        (changed(18, &[0, 21]), "for little-endian PowerPC"),
        (changed(5, &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0]), "for x86-64, not for PowerPC"),
        (changed(16, &[0, 1]), "an object file; link it first"),
        (changed(24, &[0x10, 1, 1, 0x40]), "damaged: the entry point 0x10010140 is not in code"),
        (changed(42, &[0, 31]), "damaged: program headers of 31 bytes"),
        (changed(44, &[255, 255]), "damaged: the file ends within its program headers"),
        (changed(52 + 8, &[0xff; 4]), "damaged: segment 0 lies at 0xffffffff"),
        (changed(52 + 16, &[0xff; 4]), "damaged: segment 0 has 4294967295 bytes in the file, but only 320 in memory"),
        (changed(84 + 8, &[0xfe, 0, 1, 0x40]), "damaged: 32 bytes at 0xfe000140, outside the addresses of programs"),
        (changed(84 + 4, &[0xff; 4]), "damaged: segment 1 is cut off"),
        (changed(84 + 8, &[0x10, 0, 1, 0]), "damaged: two segments are at 0x10000100"),
    ];
    for (answer, line) in refusals {
        let why = answer.expect_err(line);
        assert!(why.starts_with(line), "{why}");
        assert!(!why.contains('\n'));
    }
}

#[test]
fn a_file_that_ends_anywhere_is_refused_or_whole() {
    let file = program();
    for end in 0..file.len() {
        assert!(Executable::parse(&file[..end]).is_err(), "{end} bytes");
    }
}
