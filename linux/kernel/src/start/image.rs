//! A program and its dynamic linker.

use crate::elf::Executable;
use std::rc::Rc;

/// A program, ready to be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Path of the program, used in messages and passed to the program.
    pub path: String,
    /// Absolute path of the program, as the program sees it.
    pub place: Vec<u8>,
    /// The program.
    pub program: Executable,
    /// The dynamic linker, which starts a dynamically linked program.
    pub interpreter: Option<Executable>,
    /// Contents of the program's file, whose symbols supply the function names in messages.
    pub file: Rc<[u8]>,
}

impl Image {
    /// Reads a program. Its place is `/` until the caller knows a better one. `library` returns the file at a path in the sysroot, or an error that names the searched
    /// location.
    ///
    /// # Errors
    /// The one-line error describes the defect of the program, or how to provide its missing dynamic linker.
    pub fn read(
        path: &str,
        file: Vec<u8>,
        library: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Image, String> {
        let program = Executable::parse(&file).map_err(|why| format!("{path}: {why}"))?;
        let interpreter = program.interpreter.as_deref().map(|name| linker(path, name, library)).transpose()?;
        let place = [b"/", path.rsplit('/').next().unwrap_or_default().as_bytes()].concat();
        Ok(Image { path: path.to_string(), place, program, interpreter, file: file.into() })
    }
}

fn linker(
    program: &str,
    name: &str,
    library: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Executable, String> {
    let file = library(name).map_err(|looked| {
        let package = if name.contains("64") { "libc6-ppc64-cross" } else { "libc6-powerpc-cross" };
        format!(
            "{program} is dynamically linked and needs {name} of a PowerPC C library, which is {looked}; \
             install {package} (Debian, Ubuntu), give --sysroot DIR, \
             or link the program with -static, so that it needs none"
        )
    })?;
    let linker = Executable::parse(&file).map_err(|why| format!("{name}, the dynamic linker of {program}: {why}"))?;
    match linker.interpreter {
        Some(_) => Err(format!("{name}, the dynamic linker of {program}, needs a dynamic linker itself")),
        None => Ok(linker),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_linker_is_told_in_one_line_that_says_what_to_do() {
        let mut none = |_: &str| Err("not installed".to_string());
        let why = linker("./hello", "/lib/ld.so.1", &mut none).unwrap_err();
        assert!(why.starts_with("./hello is dynamically linked and needs /lib/ld.so.1"), "{why}");
        assert!(why.contains("libc6-powerpc-cross") && why.contains("--sysroot") && !why.contains('\n'));
    }

    #[test]
    fn the_refusal_names_the_program() {
        let mut none = |_: &str| Err(String::new());
        let why = Image::read("./notes.txt", b"text".to_vec(), &mut none).unwrap_err();
        assert!(why.starts_with("./notes.txt: not an ELF file"), "{why}");
    }
}
