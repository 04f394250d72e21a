//! The section of a machine file for address translation: page sizes, and the buffers of the MFCs and of the PPE.

use super::schema::{Field, Kind, Section, Values, between, power_of_two, section};

section! {
    /// Address translation in the MFCs and in the PPE: page sizes, buffers of translations, costs of misses.
    translation: Translation {
        /// Page size of the operating system, for the memory and the SPE windows of Linux programs.
        page_bytes: u32, "bytes", power_of_two(4_096, 16_777_216);
        /// Page size of main memory and of SPE windows, for FUNCTIONs and programs without an operating system.
        function_page_bytes: u32, "bytes", power_of_two(4_096, 16_777_216);
        /// Page size of the memory that a Linux program maps with huge pages.
        huge_page_bytes: u32, "bytes", power_of_two(4_096, 16_777_216);
        /// Number of segments of 256 MB that an MFC can translate at once.
        segment_entries: u32, "entries", between(1, 64);
        /// Delay of a DMA command in a segment that the MFC does not hold: the operating system handles an interrupt.
        segment_fault_ns: u64, "ns", between(0, 1_000_000);
        /// Delay of a DMA command that is the first use of a page of a Linux program.
        storage_fault_ns: u64, "ns", between(0, 1_000_000);
        /// Number of pages in the TLB of an MFC.
        mfc_tlb_entries: u32, "entries", power_of_two(1, 65_536);
        /// Number of pages in one set of the TLB of an MFC.
        mfc_tlb_ways: u32, "entries", power_of_two(1, 64);
        /// Time for which an MFC walks the page table after a miss of its TLB.
        mfc_walk_bus_cycles: u64, "bus cycles", between(0, 100_000);
        /// Number of 4 KB blocks in each ERAT of the PPE, which is the first level of translation.
        erat_entries: u32, "entries", power_of_two(1, 4_096);
        /// Number of 4 KB blocks in one set of an ERAT.
        erat_ways: u32, "entries", power_of_two(1, 64);
        /// Time that a miss of an ERAT takes if the TLB has the page.
        erat_miss_spu_cycles: u64, "SPU cycles", between(0, 10_000);
        /// Number of pages in the PPE's TLB.
        ppe_tlb_entries: u32, "entries", power_of_two(1, 65_536);
        /// Number of pages in one set of the PPE's TLB.
        ppe_tlb_ways: u32, "entries", power_of_two(1, 64);
        /// Time for which the PPE walks the page table after a miss of its TLB.
        ppe_walk_spu_cycles: u64, "SPU cycles", between(0, 100_000);
    }
}
