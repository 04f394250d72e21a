//! Program, arguments and environment of a new process.

use super::image::Image;
use crate::layout::{Layout, STACK_BYTES};

/// Program, arguments and environment of a new process.
#[derive(Clone, Debug)]
pub struct NewProcess {
    /// The program.
    pub image: Image,
    /// `argv`.
    pub arguments: Vec<Vec<u8>>,
    /// `envp`, as `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Where the process has its stack and its mappings.
    pub layout: Layout,
}

impl NewProcess {
    /// Checks that the process can be started.
    ///
    /// # Errors
    /// The arguments do not fit on the stack, or the program is where its stack and its mappings would be.
    pub fn check(&self) -> Result<(), String> {
        let texts = self.arguments.iter().chain(&self.environment);
        let bytes: usize = texts.map(|text| text.len() + 1 + size_of::<u32>()).sum();
        let most = (STACK_BYTES / 4) as usize;
        if bytes > most {
            return Err(format!("arguments and environment of {bytes} bytes; at most {most} fit"));
        }
        let (_, end) = self.image.program.extent();
        if self.layout == Layout::Low && end > self.layout.mappings_end() {
            let path = &self.image.path;
            return Err(format!("{path} is linked at addresses up to {end:#x}; run it without low addresses"));
        }
        Ok(())
    }
}
