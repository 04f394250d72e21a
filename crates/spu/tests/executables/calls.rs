//! PPE-assisted calls, in the form that newlib's stubs use.

use cell::store::{LocalStore, Store};
use spu::calls::Calls;
use spu::calls::host::{Host, Refusal, Whence, errno};
use std::cell::RefCell;
use std::rc::Rc;

const C99: u32 = 0x2100;
const POSIX: u32 = 0x2101;
const VPRINTF: u32 = 37;
const VSNPRINTF: u32 = 39;
const PUTS: u32 = 25;
const PERROR: u32 = 22;

/// Addresses in the local store.
const STOP: u32 = 0x100;
const FRAME: u32 = 0x1000;
const VARIABLE: u32 = 0x2000;
const TEXT: u32 = 0x3000;

/// The file number and the bytes of each write of the program.
type Written = Rc<RefCell<Vec<(u32, Vec<u8>)>>>;

struct Console(Written);

impl Host for Console {
    fn open(&mut self, path: &[u8], _: u32, _: u32) -> Result<u32, Refusal> {
        if path == b"there" { Ok(3) } else { Err(Refusal::Errno(errno::NOENT)) }
    }
    fn close(&mut self, _: u32) -> Result<(), Refusal> {
        Ok(())
    }
    fn read(&mut self, _: u32, n: usize) -> Result<Vec<u8>, Refusal> {
        Ok(b"input"[..n.min(5)].to_vec())
    }
    fn write(&mut self, file: u32, bytes: &[u8]) -> Result<(), Refusal> {
        self.0.borrow_mut().push((file, bytes.to_vec()));
        Ok(())
    }
    fn seek(&mut self, _: u32, _: i64, _: Whence) -> Result<u64, Refusal> {
        Err(Refusal::End("the host gives up".to_string()))
    }
    fn remove(&mut self, _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }
    fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }
}

/// An argument of a variadic call: a word or a doubleword.
#[derive(Clone, Copy)]
enum Value {
    Word(i32),
    Long(i64),
    Double(f64),
}

use Value::{Double, Long, Word};

struct Program {
    ls: LocalStore,
    calls: Calls<'static>,
    written: Written,
}

impl Program {
    fn new() -> Program {
        let written = Written::default();
        let calls = Calls::new(Box::new(Console(Rc::clone(&written))));
        Program { ls: Store::new(262_144, 262_144), calls, written }
    }

    /// Makes a PPE-assisted call with these words as arguments. Returns the call's result and `errno`.
    fn call(&mut self, library: u32, function: u32, arguments: &[u32]) -> Result<(u32, u32), String> {
        for (at, argument) in (FRAME..).step_by(16).zip(arguments) {
            self.ls.write_u32(at.into(), *argument);
        }
        self.ls.write_u32(STOP.into(), function << 24 | FRAME);
        self.calls.call(library, &mut self.ls, STOP, 1_500_000_000)?;
        Ok((self.ls.read_u32(FRAME.into()), self.ls.read_u32(u64::from(FRAME) + 12)))
    }

    fn text(&mut self, text: &str) -> u32 {
        self.ls.write(TEXT.into(), text.as_bytes());
        self.ls.write(u64::from(TEXT) + text.len() as u64, &[0]);
        TEXT
    }

    /// Calls `printf` and returns the text that it writes.
    fn print(&mut self, format: &str, values: &[Value]) -> String {
        for (at, value) in (u64::from(VARIABLE)..).step_by(16).zip(values) {
            match value {
                Word(value) => self.ls.write_u32(at, *value as u32),
                Long(value) => self.ls.write_u64(at, *value as u64),
                Double(value) => self.ls.write_u64(at, value.to_bits()),
            }
        }
        let format = self.text(format);
        self.written.borrow_mut().clear();
        // The format is followed by the two words of the va_list: the address of the arguments, and the end address of
        // the arguments that were passed in registers.
        let (length, _) = self.call(C99, VPRINTF, &[format, VARIABLE, VARIABLE + 0x800]).expect("a call");
        let written = self.written.take();
        assert!(written.iter().all(|(file, _)| *file == 1));
        let text: Vec<u8> = written.into_iter().flat_map(|(_, text)| text).collect();
        assert_eq!(length as usize, text.len());
        String::from_utf8(text).expect("text")
    }
}

#[test]
fn integers_in_all_forms() {
    let mut program = Program::new();
    for (format, value, expected) in [
        ("%d", Word(-7), "-7"),
        ("%5d|", Word(42), "   42|"),
        ("%-5d|", Word(42), "42   |"),
        ("%05d", Word(-42), "-0042"),
        ("%+d", Word(42), "+42"),
        ("% d", Word(42), " 42"),
        ("%.4d", Word(42), "0042"),
        ("%08.4d", Word(42), "    0042"),
        ("%.0d", Word(0), ""),
        ("%u", Word(-1), "4294967295"),
        ("%#x", Word(255), "0xff"),
        ("%#X", Word(0), "0"),
        ("%#o", Word(8), "010"),
        ("%#o", Word(0), "0"),
        ("%hhd", Word(0x1ff), "-1"),
        ("%hu", Word(-1), "65535"),
        ("%ld", Word(-3), "-3"),
        ("%lld", Long(i64::MIN), "-9223372036854775808"),
        ("%llx", Long(-1), "ffffffffffffffff"),
        ("%zu", Word(9), "9"),
        ("%c%%", Word(0x41), "A%"),
        ("%p", Word(0x3fff0), "0x3fff0"),
    ] {
        assert_eq!(program.print(format, &[value]), expected, "{format}");
    }
}

#[test]
fn doubles_in_all_forms() {
    let mut program = Program::new();
    for (format, value, expected) in [
        ("%f", 1.5, "1.500000"),
        ("%.0f", 0.5, "0"),
        ("%.0f", 1.5, "2"),
        ("%#.0f", 1.0, "1."),
        ("%.3f", -0.0, "-0.000"),
        ("%010.2f", -2.71, "-000002.71"),
        ("%.20f", 0.1, "0.10000000000000000555"),
        ("%e", 12345.678, "1.234568e+04"),
        ("%.0E", 9.9e-120, "1E-119"),
        ("%e", 0.0, "0.000000e+00"),
        ("%g", 100_000.0, "100000"),
        ("%g", 1_000_000.0, "1e+06"),
        ("%g", 0.0001, "0.0001"),
        ("%g", 0.00001, "1e-05"),
        ("%#g", 1.0, "1.00000"),
        ("%.3g", 999.9, "1e+03"),
        ("%g", 0.0, "0"),
        ("%F", f64::INFINITY, "INF"),
        ("%07f|", f64::NEG_INFINITY, "   -inf|"),
        ("%a", 1.0, "0x1p+0"),
        ("%a", -0.1, "-0x1.999999999999ap-4"),
        ("%.2A", 1.999, "0X2.00P+0"),
        ("%a", 5e-324, "0x0.0000000000001p-1022"),
        ("%.3a", 0.0, "0x0.000p+0"),
    ] {
        assert_eq!(program.print(format, &[Double(value)]), expected, "{format} of {value}");
    }
}

#[test]
fn texts_widths_from_arguments_and_counts() {
    let mut program = Program::new();
    program.ls.write(0x5000, b"four\0");
    assert_eq!(program.print("<%s>", &[Word(0x5000)]), "<four>");
    assert_eq!(program.print("<%6.2s>", &[Word(0x5000)]), "<    fo>");
    assert_eq!(program.print("<%-*.*s>", &[Word(6), Word(3), Word(0x5000)]), "<fou   >");
    assert_eq!(program.print("<%*d>", &[Word(-4), Word(7)]), "<7   >");
    assert_eq!(program.print("%s", &[Word(0)]), "(null)");
    assert_eq!(program.print("abc%n", &[Word(0x6000)]), "abc");
    assert_eq!(program.ls.read_u32(0x6000), 3);
    assert_eq!(program.print("%d %lld %.1f", &[Word(1), Long(2), Double(3.0)]), "1 2 3.0");
}

#[test]
fn arguments_on_the_stack_follow_those_in_registers_behind_the_frames_head() {
    let mut program = Program::new();
    let format = program.text("%d%d%d");
    for (at, value) in [(0, 1), (16, 2), (64, 3)] {
        program.ls.write_u32(u64::from(VARIABLE) + at, value);
    }
    program.call(C99, VPRINTF, &[format, VARIABLE, VARIABLE + 32]).expect("a call");
    assert_eq!(program.written.take(), [(1, b"123".to_vec())]);
}

#[test]
fn a_buffer_gets_what_it_has_room_for_and_the_caller_learns_what_there_was() {
    let mut program = Program::new();
    let format = program.text("0123456789");
    program.ls.write(0x7000, &[0xff; 8]);
    let done = program.call(C99, VSNPRINTF, &[0x7000, 5, format, VARIABLE, VARIABLE + 0x800]);
    assert_eq!((done, program.ls.bytes(0x7000, 8)), (Ok((10, 0)), b"0123\0\xff\xff\xff".to_vec()));
    let done = program.call(C99, VSNPRINTF, &[0x7000, 0, format, VARIABLE, VARIABLE + 0x800]);
    assert_eq!((done, program.ls.bytes(0x7000, 4)), (Ok((10, 0)), b"0123".to_vec()));
}

#[test]
fn a_conversion_that_is_none_stands_as_it_is_and_takes_no_argument() {
    let mut program = Program::new();
    // The PPE's C library writes the same text, with the flags in its own order and without length modifiers.
    for (format, values, expected) in [
        ("abc%y def %d", &[Word(5)][..], "abc%y def 5"),
        ("%-+5.2ly %d", &[Word(5)], "%+-5.2y 5"),
        ("%0#-+ 12.3kz %d", &[Word(5)], "%#+-12.3kz 5"),
        ("% 0k", &[], "% 0k"),
        ("%*.*k %d", &[Word(7), Word(3), Word(5)], "%7.3k 5"),
        ("%*.*k %d", &[Word(-7), Word(-3), Word(5)], "%-7k 5"),
        ("%.k %'d %'k", &[Word(5)], "%.0k 5 %'k"),
        ("%hhhd %lllld", &[], "%hd %lld"),
        ("%D %\n", &[], "%D %\n"),
        ("%5%|%-5%|", &[], "%|%|"),
        ("%p|%7p", &[Word(0), Word(0)], "(nil)|  (nil)"),
    ] {
        assert_eq!(program.print(format, values), expected, "{format}");
    }
}

#[test]
fn a_format_that_cannot_be_followed_fails_where_it_cannot() {
    let mut program = Program::new();
    for (format, written, why) in [
        ("%", "", errno::INVAL),
        ("abc %d%", "abc 0", errno::INVAL),
        ("abc%-5.l", "abc", errno::INVAL),
        ("abc%99999999999999999999d", "abc", errno::OVERFLOW),
        ("%.999999f", "", errno::OVERFLOW),
    ] {
        program.written.borrow_mut().clear();
        let format = program.text(format);
        let done = program.call(C99, VPRINTF, &[format, VARIABLE, VARIABLE + 0x800]);
        assert_eq!(done, Ok((u32::MAX, why)));
        let text: Vec<u8> = program.written.take().into_iter().flat_map(|(_, text)| text).collect();
        assert_eq!(String::from_utf8_lossy(&text), written);
        program.ls.write(0x7000, &[0xff; 8]);
        let done = program.call(C99, VSNPRINTF, &[0x7000, 5, format, VARIABLE, VARIABLE + 0x800]);
        assert_eq!(done, Ok((u32::MAX, why)));
        let kept = &written[..written.len().min(4)];
        assert_eq!(program.ls.bytes(0x7000, kept.len() + 1), [kept.as_bytes(), &[0]].concat());
    }
}

#[test]
fn a_failing_call_says_why_in_errno() {
    let mut program = Program::new();
    let path = program.text("not there");
    assert_eq!(program.call(C99, 10, &[path, path]), Ok((0, errno::INVAL)));
    assert_eq!(program.call(POSIX, 15, &[path, 0, 0]), Ok((u32::MAX, errno::NOENT)));
    assert_eq!(program.call(POSIX, 16, &[3, 0x5000, 1 << 30]), Ok((u32::MAX, errno::FAULT)));
    assert_eq!(program.call(C99, 2, &[9]), Ok((u32::MAX, errno::BADF)));
    // Function 11 of POSIX is mmap, and function 31 of C99 is system.
    assert_eq!(program.call(POSIX, 11, &[]), Ok((u32::MAX, errno::NOSYS)));
    assert_eq!(program.call(C99, 31, &[path]), Ok((u32::MAX, errno::NOSYS)));
}

#[test]
fn perror_says_what_the_number_means() {
    let mut program = Program::new();
    let mut perror = |prefix: Option<&str>, errno: u32| {
        let prefix = prefix.map_or(0, |prefix| program.text(prefix));
        assert_eq!(program.call(C99, PERROR, &[prefix, errno]), Ok((0, 0)));
        let written = program.written.take();
        assert!(written.iter().all(|(file, _)| *file == 2));
        let text: Vec<u8> = written.into_iter().flat_map(|(_, text)| text).collect();
        String::from_utf8(text).expect("text")
    };
    assert_eq!(perror(Some("data.bin"), 2), "data.bin: No such file or directory\n");
    assert_eq!(perror(Some(""), 13), "Permission denied\n");
    assert_eq!(perror(None, 0), "Success\n");
    // Linux does not use the error numbers 41 and 58, because the errors that they would represent share other numbers.
    // On the PowerPC, however, 58 is a separate error.
    assert_eq!(perror(None, 41), "Unknown error 41\n");
    assert_eq!(perror(None, 58), "File locking deadlock error\n");
    assert_eq!(perror(None, 133), "Memory page has hardware error\n");
    assert_eq!(perror(None, 134), "Unknown error 134\n");
    assert_eq!(perror(None, u32::MAX), "Unknown error -1\n");
}

#[test]
fn the_time_of_day_begins_with_the_run() {
    let mut program = Program::new();
    assert_eq!(program.call(POSIX, 7, &[0x5000, 0]), Ok((0, 0)));
    assert_eq!((program.ls.read_u32(0x5000), program.ls.read_u32(0x5004)), (1, 500_000));
}

#[test]
fn unknown_functions_and_a_host_that_gives_up_end_the_run() {
    let mut program = Program::new();
    let unknown = program.call(C99, 200, &[]).expect_err("an unknown function");
    assert!(unknown.starts_with("function 200 of library 0x2100 is not provided"), "{unknown}");
    assert!(program.call(0x2105, 1, &[]).is_err());
    assert_eq!(program.call(POSIX, 9, &[3, 0, 0]), Err("the host gives up".to_string()));
}

#[test]
fn streams_outlive_a_call_and_text_may_wrap_round_the_local_store() {
    let mut program = Program::new();
    program.ls.write(262_140, b"wrapped\0");
    assert_eq!(program.call(C99, PUTS, &[262_140]), Ok((0, 0)));
    assert_eq!(program.written.take(), [(1, b"wrapped\n".to_vec())]);
    program.ls.write(0x5000, b"there\0r\0");
    assert_eq!(program.call(C99, 10, &[0x5000, 0x5006]), Ok((4, 0)));
    assert_eq!(program.call(C99, 6, &[4]), Ok((u32::from(b'i'), 0)));
    assert_eq!(program.call(C99, 34, &[u32::from(b'?'), 4]), Ok((u32::from(b'?'), 0)));
    assert_eq!(program.call(C99, 13, &[0x5100, 2, 3, 4]), Ok((3, 0)));
    assert_eq!(program.ls.bytes(0x5100, 6), b"?input");
}
