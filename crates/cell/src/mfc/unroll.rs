//! Unrolls a queued command into bus requests: list element by list element, line by line.

use super::mmu::{Mmu, Translated};
use super::queue::{Entry, ListElement, Stage};
use crate::command::{Action, DmaFault, check_block, wrapped};
use crate::ea;
use crate::machine::Machine;
use crate::page_table::{AccessKind, BadAddress};
use crate::request::{Issuer, Request, RequestKind};
use crate::store::LocalStore;
use crate::units::{BusCycle, EntryId, LINE_BYTES, RampIndex, SpeId};

impl Entry {
    /// Loads the next list element if all bytes of the current element have been requested.
    pub(super) fn next_element(&mut self, now: BusCycle, machine: &Machine, ls: &LocalStore) -> Result<(), DmaFault> {
        if self.left_bytes > 0 || self.list_left_bytes == 0 {
            return Ok(());
        }
        let at = u64::from(self.command.ea as u32) + u64::from(self.command.size - self.list_left_bytes);
        let element = ListElement::decode(ls.read_u64(at));
        if self.list_left_bytes < self.command.size {
            self.lsa = wrapped(self.lsa.next_multiple_of(16), &machine.mfc);
        }
        self.list_left_bytes -= 8;
        // The stall-and-notify flag has no effect on the last element (CBEA 9.3.7).
        self.stall_after = element.stall && self.list_left_bytes > 0;
        // The MFC fetches the next list element while it unrolls this one.
        self.element_ready_at = now + machine.mfc.list_element_bus_cycles;
        self.load(element, machine)
    }

    fn load(&mut self, element: ListElement, machine: &Machine) -> Result<(), DmaFault> {
        self.left_bytes = element.size;
        self.mapped = None;
        self.ea = self.command.ea & !0xffff_ffff | u64::from(element.eal);
        if element.size == 0 {
            return Ok(());
        }
        if element.size < 16 {
            self.lsa = self.lsa & !15 | element.eal & 15;
        }
        if u64::from(element.eal) + u64::from(element.size) > 1 << 32 {
            return Err(DmaFault::ElementCrosses { ea: self.ea, size: element.size });
        }
        check_block(self.lsa, self.ea, element.size, &machine.mfc).map_err(DmaFault::Element)
    }

    /// Creates the next bus request, which does not cross the end of a line in main storage. Creates no request while
    /// the translation of its address is not available.
    pub(super) fn unroll(
        &mut self,
        (spe, ramp, id): (SpeId, RampIndex, EntryId),
        mmu: &mut Mmu,
        now: BusCycle,
        machine: &Machine,
    ) -> Result<Option<Request>, DmaFault> {
        if self.left_bytes == 0 {
            return Ok(None);
        }
        let bytes = self.left_bytes.min(self.bytes_of_line());
        if self.mapped.is_none_or(|(_, left)| left < u64::from(bytes)) {
            self.map(bytes, mmu, now, machine)?;
        }
        Ok(self.mapped.map(|(target, _)| self.request(target, bytes, spe, ramp, id)))
    }

    /// Like [`Entry::unroll`], but returns `None` for the last request of a transfer or of a mapped region, and if the
    /// target is not known yet.
    #[inline(always)]
    pub(super) fn next_of_many(&mut self, spe: SpeId, ramp: RampIndex, id: EntryId) -> Option<Request> {
        let bytes = self.bytes_of_line();
        match self.mapped {
            Some((target, left)) if self.left_bytes > bytes && left > u64::from(bytes) => {
                Some(self.request(target, bytes, spe, ramp, id))
            }
            _ => None,
        }
    }

    /// Number of bytes from the next byte to the end of its line in main storage.
    #[inline(always)]
    fn bytes_of_line(&self) -> u32 {
        (LINE_BYTES - self.ea % LINE_BYTES) as u32
    }

    /// Creates the request for the next `bytes` bytes, at `target`.
    #[inline(always)]
    fn request(&mut self, target: ea::Target, bytes: u32, spe: SpeId, ramp: RampIndex, id: EntryId) -> Request {
        let kind = match self.decoded.action {
            Action::Get => RequestKind::Read,
            Action::ZeroLines => RequestKind::Claim,
            _ => RequestKind::Write,
        };
        let request = Request {
            kind,
            issuer: Issuer::Mfc(spe, id),
            ramp,
            bytes: bytes as u8,
            lsa: self.lsa,
            target,
            value: 0,
            retries: 0,
        };
        // Cache-line commands do not use a local-store address, so advancing `lsa` has no effect on them.
        self.lsa = self.lsa.wrapping_add(bytes);
        self.ea += u64::from(bytes);
        self.left_bytes -= bytes;
        if let Some((target, left)) = &mut self.mapped {
            target.move_on(bytes);
            *left -= u64::from(bytes);
        }
        self.outstanding += 1;
        request
    }

    /// Looks up the target of the next byte, for a request of `bytes` bytes.
    fn map(&mut self, bytes: u32, mmu: &mut Mmu, now: BusCycle, machine: &Machine) -> Result<(), DmaFault> {
        self.mapped = None;
        let kind = if self.decoded.action == Action::Get { AccessKind::Load } else { AccessKind::Store };
        let (target, left) = match mmu.translate(self.ea, kind, now, machine).map_err(DmaFault::Storage)? {
            Translated::To(target, left) => (target, left),
            Translated::At(at) => {
                self.translated_at = at;
                return Ok(());
            }
        };
        if left < u64::from(bytes) {
            return Err(DmaFault::Storage(BadAddress::Unmapped(self.ea)));
        }
        if matches!(target, ea::Target::Register(..)) && bytes != 4 {
            return Err(DmaFault::RegisterSize { ea: self.ea, bytes });
        }
        // Each register is looked up separately.
        let left = if matches!(target, ea::Target::Register(..)) { u64::from(bytes) } else { left };
        self.mapped = Some((target, left));
        Ok(())
    }

    /// Changes the stage when all bytes have been requested.
    pub(super) fn update_stage(&mut self) {
        if self.left_bytes > 0 {
            return;
        }
        if self.stall_after {
            self.stage = Stage::Stalled;
            self.stall_after = false;
        } else if self.list_left_bytes == 0 {
            self.stage = if self.outstanding == 0 { Stage::Ending } else { Stage::Draining };
        }
    }

    /// Passes a lock-line command to the atomic unit, unless the translation of its address is not available.
    pub(super) fn is_given_to_atomic_unit(&mut self, mmu: &mut Mmu, now: BusCycle, machine: &Machine) -> bool {
        self.translated_at = mmu.available_at(self.ea, false, now, machine);
        if self.translated_at > now {
            return false;
        }
        self.stage = Stage::Draining;
        self.outstanding = 1;
        true
    }

    /// Creates the single request of a command that only orders other commands.
    pub(super) fn order_storage(&mut self, spe: SpeId, ramp: RampIndex, id: EntryId) -> Request {
        self.stage = Stage::Draining;
        self.outstanding = 1;
        let target = ea::Target::Memory(0);
        Request {
            kind: RequestKind::Sync,
            issuer: Issuer::Mfc(spe, id),
            ramp,
            bytes: 0,
            lsa: 0,
            target,
            value: 0,
            retries: 0,
        }
    }
}
