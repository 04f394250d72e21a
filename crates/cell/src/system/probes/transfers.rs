//! Updates the counters at a line's grant, at its delivery, and at the end of its command.

use super::set::Probes;
use crate::eib::Grant;
use crate::mfc::Entry;
use crate::record::TransferRecord;
use crate::request::{Issuer, Request, RequestKind};
use crate::system::board::Board;
use crate::system::time::Time;
use crate::units::SpeId;

impl Probes {
    /// A line is granted a ring. `bytes` is the number of useful bytes in the line, and `beats` is the line's length
    /// on the ring.
    #[inline(always)]
    pub fn granted(&mut self, grant: &Grant, bytes: impl FnOnce() -> u8, beats: u64, board: &Board, time: &Time) {
        let (now, skipped) = (time.now(), time.skipped());
        let ring = &mut self.counters.rings[usize::from(grant.ring)];
        ring.grants += 1;
        ring.segment_busy_bus_cycles += u64::from(grant.hops) * beats;
        let last_segment_free_at = grant.arrives_at - board.machine.eib.hop_bus_cycles;
        ring.busy_bus_cycles += self.occupancy.ring_busy(usize::from(grant.ring), now, last_segment_free_at);
        self.traced(|trace| trace.granted(grant, now));
        if let Some(transfers) = &mut self.transfers {
            transfers.push(TransferRecord {
                granted_at: now + skipped,
                arrived_at: grant.arrives_at + skipped,
                ring: grant.ring,
                from: grant.from,
                to: grant.to,
                bytes: bytes(),
            });
        }
    }

    /// The bytes of a request have been transferred.
    pub fn moved(&mut self, request: &Request) {
        if let Issuer::Mfc(spe, _) = request.issuer {
            let counters = &mut self.counters.spes[usize::from(spe.0)];
            let (lines, bytes) = match request.kind {
                RequestKind::Write => (&mut counters.put_lines, &mut counters.put_bytes),
                _ => (&mut counters.get_lines, &mut counters.get_bytes),
            };
            *lines += 1;
            *bytes += u64::from(request.bytes);
        }
    }

    /// A DMA command has ended. The command's latency is counted if its tag group is recorded: from its write to
    /// the command channel, or from the time at which it was offered to the program.
    pub fn command_ended(&mut self, spe: SpeId, ended: &Entry, board: &Board, time: &Time) {
        if self.latency_tag == Some(ended.command.tag) {
            let latency = match ended.offered_at {
                Some(at) => time.now() + time.skipped() - at,
                None => time.now() - ended.ready_at + board.machine.mfc.issue_bus_cycles,
            };
            *self.counters.latencies[usize::from(spe.0)].entry(latency).or_default() += 1;
        }
    }
}
