//! The kernel's hardware: the machine, and the decoded code of the process. Changes to pages or bytes invalidate
//! decoded code.

use crate::hardware::{Access, BadAddress, Hardware, Mapping, PAGE_BYTES};
use crate::layout::UPPER;
use crate::width::Width;
use cell::door::Supervisor;
use cell::ea::Target;
use cell::page_table::{AccessKind, effective};
use ppu::predecode::Code;

/// The simulated machine, as the hardware that the kernel accesses.
pub struct Machine<'t> {
    pub supervisor: &'t mut dyn Supervisor,
    /// Decoded code.
    pub code: &'t mut Code,
    /// Width of the process.
    pub width: Width,
}

impl Machine<'_> {
    /// Checks that the process may access a range of storage in this way.
    fn check(&mut self, ea: u32, bytes: usize, kind: AccessKind) -> Result<(), BadAddress> {
        let pages = self.supervisor.pages();
        let mut at = pages.effective(ea);
        let end = at + bytes as u64;
        while at < end {
            let pages = self.supervisor.pages();
            // Storage that is about to move is still accessible at its old location.
            let region = match pages.region(at, kind) {
                Err(BadAddress::Away(_)) => pages.region(at, AccessKind::Kernel),
                region => region,
            };
            match region?.0 {
                Target::Register(..) => return Err(BadAddress::Forbidden(at)),
                Target::Memory(_) | Target::LocalStore(..) => (),
            }
            at = (at / u64::from(PAGE_BYTES) + 1) * u64::from(PAGE_BYTES);
        }
        Ok(())
    }
}

impl Hardware for Machine<'_> {
    fn width(&self) -> Width {
        self.width
    }

    fn effective(&self, low: u32) -> u64 {
        effective(self.width.pick(0, UPPER), low)
    }

    fn spes(&mut self) -> Option<&mut dyn Supervisor> {
        Some(self.supervisor)
    }

    fn time_base(&self) -> u64 {
        self.supervisor.time_base()
    }

    fn free_bytes(&mut self) -> u64 {
        self.supervisor.pages().free_bytes()
    }

    fn read(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress> {
        self.check(ea, out.len(), AccessKind::Load)?;
        let ea = self.supervisor.pages().effective(ea);
        self.supervisor.read(ea, out)
    }

    fn write(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress> {
        self.check(ea, bytes.len(), AccessKind::Store)?;
        self.fill(ea, bytes)
    }

    fn look(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress> {
        let ea = self.supervisor.pages().effective(ea);
        self.supervisor.read(ea, out)
    }

    fn fill(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress> {
        self.code.forget(ea, u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        let ea = self.supervisor.pages().effective(ea);
        self.supervisor.write(ea, bytes)
    }

    fn map(&mut self, ea: u32, bytes: u32, to: Mapping, access: Access) {
        self.code.forget(ea, bytes);
        self.supervisor.map(ea, bytes, to, access);
    }

    fn take_frames(&mut self, bytes: u32) -> Option<Vec<u32>> {
        self.supervisor.pages().take_frames(bytes)
    }

    fn map_frames(&mut self, ea: u32, frames: &[u32], huge: bool, access: Access) {
        self.code.forget(ea, frames.len() as u32 * PAGE_BYTES);
        self.supervisor.map_frames(ea, frames, huge, access);
    }

    fn drop_frames(&mut self, frames: &[u32]) {
        self.supervisor.drop_frames(frames);
    }

    fn unmap(&mut self, ea: u32, bytes: u32) {
        self.code.forget(ea, bytes);
        self.supervisor.unmap(ea, bytes);
    }

    fn set_away(&mut self, ea: u32, bytes: u32, away: bool) {
        self.supervisor.set_away(ea, bytes, away);
    }

    fn protect(&mut self, ea: u32, bytes: u32, access: Access) {
        self.code.forget(ea, bytes);
        self.supervisor.pages().protect(ea, bytes, access);
    }

    fn move_pages(&mut self, from: u32, to: u32, bytes: u32) {
        self.code.forget(from, bytes);
        self.code.forget(to, bytes);
        self.supervisor.move_pages(from, to, bytes);
    }

    fn wake_ppe(&mut self, hardware_thread: usize) {
        self.supervisor.interrupt(hardware_thread);
    }
}
