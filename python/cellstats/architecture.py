"""Constants of the Cell Broadband Engine Architecture, under their names in the architecture books.

Defines channels, MFC command opcodes and the map of the effective-address space. All machines share
these constants; values that differ between machines are in the machine files. Sources: CBEA version
1.02 (channels, opcodes, problem-state registers) and spu_mfcio.h (the names of the constants).
"""

from enum import IntEnum


class Channel(IntEnum):
    """Architectural names and numbers of the SPU channels."""

    SPU_RdEventStat = 0
    SPU_WrEventMask = 1
    SPU_WrEventAck = 2
    SPU_RdSigNotify1 = 3
    SPU_RdSigNotify2 = 4
    SPU_WrDec = 7
    SPU_RdDec = 8
    MFC_WrMSSyncReq = 9
    SPU_RdEventMask = 11
    MFC_RdTagMask = 12
    SPU_RdMachStat = 13
    SPU_WrSRR0 = 14
    SPU_RdSRR0 = 15
    MFC_LSA = 16
    MFC_EAH = 17
    MFC_EAL = 18
    MFC_Size = 19
    MFC_TagID = 20
    MFC_Cmd = 21
    MFC_WrTagMask = 22
    MFC_WrTagUpdate = 23
    MFC_RdTagStat = 24
    MFC_RdListStallStat = 25
    MFC_WrListStallAck = 26
    MFC_RdAtomicStat = 27
    SPU_WrOutMbox = 28
    SPU_RdInMbox = 29
    SPU_WrOutIntrMbox = 30


class Command(IntEnum):
    """MFC command opcodes, the low 16 bits of the command word."""

    PUT = 0x20
    PUTB = 0x21
    PUTF = 0x22
    PUTL = 0x24
    PUTLB = 0x25
    PUTLF = 0x26
    GET = 0x40
    GETB = 0x41
    GETF = 0x42
    GETL = 0x44
    GETLB = 0x45
    GETLF = 0x46
    SDCRT = 0x80
    SDCRTST = 0x81
    SDCRZ = 0x89
    SDCRST = 0x8D
    SDCRF = 0x8F
    SNDSIG = 0xA0
    SNDSIGB = 0xA1
    SNDSIGF = 0xA2
    PUTLLUC = 0xB0
    PUTLLC = 0xB4
    PUTQLLUC = 0xB8
    BARRIER = 0xC0
    EIEIO = 0xC8
    SYNC = 0xCC
    GETLLAR = 0xD0


MFC_MIN_DMA_SIZE = 16
MFC_MAX_DMA_SIZE = 16384
MFC_MAX_DMA_LIST_ELEMENTS = 2048

MFC_TAG_UPDATE_IMMEDIATE = 0
MFC_TAG_UPDATE_ANY = 1
MFC_TAG_UPDATE_ALL = 2

MFC_PUTLLC_STATUS = 1
MFC_PUTLLUC_STATUS = 2
MFC_GETLLAR_STATUS = 4

MFC_TAG_INVALID = 0xFFFF_FFFF
MFC_TAG_VALID = 0

LINE_BYTES = 128
"""Size in bytes of a lock line, a cache line, and the longest bus request."""


class Register(IntEnum):
    """Problem-state registers of an SPE: byte offsets from its problem-state area."""

    MFC_LSA = 0x3004
    MFC_EAH = 0x3008
    MFC_EAL = 0x300C
    MFC_Size_Tag = 0x3010
    MFC_ClassID_CMD = 0x3014
    MFC_QStatus = 0x3104
    Prxy_QueryType = 0x3204
    Prxy_QueryMask = 0x321C
    Prxy_TagStatus = 0x322C
    SPU_Out_Mbox = 0x4004
    SPU_In_Mbox = 0x400C
    SPU_Mbox_Stat = 0x4014
    SPU_RunCntl = 0x401C
    SPU_Status = 0x4024
    SPU_NPC = 0x4034
    SPU_Sig_Notify_1 = 0x1400C
    SPU_Sig_Notify_2 = 0x1C00C


# MODEL: main memory starts at effective address 0. Each physical SPE has a window at higher
# addresses, with the local store first and problem state after it. An operating system may choose
# any addresses.
SPE_WINDOWS_EA = 0x200_0000_0000
SPE_WINDOW_BYTES = 0x8_0000
PROBLEM_STATE_OFFSET = 0x4_0000


def local_store_ea(spe: int, address: int = 0) -> int:
    """The effective address of byte `address` of a physical SPE's local store.

    >>> hex(local_store_ea(1, 0x100))
    '0x20000080100'
    """
    return SPE_WINDOWS_EA + spe * SPE_WINDOW_BYTES + address


def register_ea(spe: int, register: Register) -> int:
    """The effective address of a problem-state register of a physical SPE.

    >>> hex(register_ea(0, Register.SPU_In_Mbox))
    '0x2000004400c'
    """
    return local_store_ea(spe) + PROBLEM_STATE_OFFSET + register


def list_element(size: int, eal: int, *, stall_and_notify: bool = False) -> bytes:
    """The eight bytes of one DMA list element in local store.

    >>> list_element(0x80, 0x1000, stall_and_notify=True).hex()
    '8000008000001000'
    """
    notify = 0x8000_0000 if stall_and_notify else 0
    return ((notify | size) << 32 | eal).to_bytes(8, "big")
