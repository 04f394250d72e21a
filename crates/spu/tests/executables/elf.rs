//! Tests of the ELF parser: the contents of accepted files, and the messages for rejected files.

use proptest::prelude::*;
use spu::elf::{Image, StartUp};
use spu::source::Code;

const PRINT: &[u8] = include_bytes!("../../../../programs/tests/print.elf");
const ARGUMENTS: &[u8] = include_bytes!("../../../../programs/tests/arguments.elf");
const LOCAL_STORE_BYTES: u32 = 262_144;

/// The offsets of two fields in the file header, and the offset of the first program header, which follows the file
/// header.
const MACHINE_AT: usize = 18;
const ENTRY_AT: usize = 24;
const SEGMENT_AT: usize = 52;

fn error(file: &[u8]) -> String {
    Image::parse(file).expect_err("a file to be refused")
}

/// A copy of the file in which the bytes at an offset are replaced.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = PRINT.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn a_program_is_its_segments_its_entry_and_its_symbols() {
    let image = Image::parse(PRINT).expect("an executable");
    let (first, code) = &image.segments[0];
    let at = image.entry - first;
    // `_start` begins with `stqr $6, __ea_local_store`.
    assert_eq!(code[at as usize] as u32, 0x23);
    assert_eq!((image.start_up, image.check(LOCAL_STORE_BYTES)), (StartUp::Numbers, Ok(())));
    let format = image.symbols["format"];
    let (address, data) = image.segments.iter().rfind(|(address, _)| *address <= format).expect("its segment");
    assert_eq!(&data[(format - address) as usize..][..4], b"%d\n\0");
}

#[test]
fn zeros_behind_a_segments_bytes_are_there() {
    let image = Image::parse(PRINT).expect("an executable");
    let real = image.symbols["real"];
    let (address, data) = image.segments.iter().rfind(|(address, _)| *address <= real).expect("its segment");
    assert_eq!(&data[(real - address) as usize..][..8], [0; 8]);
}

#[test]
fn an_address_outside_the_executable_is_in_no_function() {
    let code = Code::read(PRINT).expect("an executable");
    let image = Image::parse(PRINT).expect("an executable");
    let end = image.symbols["_end"];
    assert_eq!(code.function(image.entry + 4), Some(("_start", 4)));
    assert!(code.function(end - 4).is_some());
    assert_eq!((code.function(end), code.function(LOCAL_STORE_BYTES - 0x800)), (None, None));
}

#[test]
fn start_up_code_that_takes_an_argument_vector_is_known() {
    assert_eq!(Image::parse(ARGUMENTS).expect("an executable").start_up, StartUp::Vector);
}

#[test]
fn what_is_no_program_for_the_spu_is_refused_with_what_it_is() {
    assert_eq!(error(b""), "not an ELF file; give an SPU executable, as spu-elf-gcc makes them");
    assert_eq!(error(b"\x7fELF\x01"), "damaged: the file ends within its file header");
    assert_eq!(
        error(&with(MACHINE_AT, &21u16.to_be_bytes())),
        "an ELF file, but not for the SPU (it is for the PPE); give what spu-elf-gcc makes"
    );
    assert_eq!(error(&with(5, &[1])), "an ELF file, but not for the SPU; give what spu-elf-gcc makes");
    assert_eq!(error(&with(16, &1u16.to_be_bytes())), "an SPU file, but not an executable; link it first");
}

#[test]
fn a_damaged_program_is_refused_with_the_place() {
    assert_eq!(error(&PRINT[..60]), "damaged: the file ends within its program headers");
    assert_eq!(error(&PRINT[..0x200]), "segment 0 is cut off: the file ends before it");
    let far = 0x0010_0000u32.to_be_bytes();
    let ends = error(&with(SEGMENT_AT + 8, &far));
    assert!(ends.starts_with("segment 0 ends at 0x10") && ends.ends_with("outside the local store"), "{ends}");
    assert_eq!(error(&with(ENTRY_AT, &far)), "the entry point 0x100000 is not in what is loaded");
    assert_eq!(error(&with(ENTRY_AT, &2u32.to_be_bytes())), "the entry point 0x2 is not in what is loaded");
}

#[test]
fn segments_on_each_other_are_refused_with_both_names() {
    let image = Image::parse(PRINT).expect("an executable");
    let [(one, code), (other, data), ..] = &image.segments[..] else { panic!("two segments") };
    let ends = one + code.len() as u32;
    assert!(ends <= *other);
    // The second segment's program header follows the first segment's header.
    let moved = |to: u32| with(SEGMENT_AT + 32 + 8, &to.to_be_bytes());
    assert_eq!(
        error(&moved(ends - 1)),
        format!(
            "segments 0 ({one:#x} to {ends:#x}) and 1 ({:#x} to {:#x}) overlap; link it without overlays",
            ends - 1,
            ends as usize - 1 + data.len()
        )
    );
    assert!(error(&moved(*one)).starts_with("segments 0 ("));
    // Adjacent segments without a gap are accepted.
    assert!(Image::parse(&moved(ends)).is_ok());
}

#[test]
fn a_program_larger_than_the_local_store_does_not_fit() {
    let image = Image::parse(PRINT).expect("an executable");
    let error = image.check(0x1000).expect_err("too large");
    assert!(
        error.starts_with("too large: it ends at 0x") && error.ends_with("and the local store at 0x1000"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn any_damage_is_an_image_or_one_line(
        changes in proptest::collection::vec((0..PRINT.len(), any::<u8>()), 1..20),
        in_headers in proptest::collection::vec((0..200usize, any::<u8>()), 0..8),
        length in 0..=PRINT.len(),
    ) {
        let mut file = PRINT.to_vec();
        for (at, byte) in changes.into_iter().chain(in_headers) {
            file[at] = byte;
        }
        for file in [&file[..], &file[..length]] {
            match Image::parse(file) {
                Ok(image) => prop_assert!(image.segments.iter().all(|(at, bytes)| *at as usize + bytes.len() <= 1 << 20)),
                Err(why) => prop_assert!(!why.contains('\n') && !why.is_empty()),
            }
        }
    }
}
