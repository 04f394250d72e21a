//! A table of the MFC's commands, with one row for each command.

/// The lower half of a word written to `MFC_Cmd`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opcode(pub u16);

/// The MFC's action for an opcode, apart from the ordering suffixes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Transfers data from main storage to the local store.
    Get,
    /// Transfers data from the local store to main storage; `sndsig` is a put of four bytes.
    Put,
    /// `getllar`.
    GetLlar,
    /// `putllc`.
    PutLlc,
    /// `putlluc`.
    PutLluc,
    /// `putqlluc`: queued, with an implied fence.
    PutQlluc,
    /// `mfceieio` and `mfcsync`: order the whole queue and its storage accesses.
    Sync,
    /// `barrier`: orders the whole queue.
    Barrier,
    /// `sdcrt` and `sdcrtst`, data cache range touch: hints that have no effect on this chip.
    Hint,
    /// `sdcrz`, data cache range zero: claims lines and fills them with zeros.
    ZeroLines,
    /// `sdcrst` and `sdcrf`, data cache range store and flush.
    StoreLines,
}

impl Action {
    /// Whether the command counts as a put when the DMAC alternates between get and put commands.
    pub fn is_put(self) -> bool {
        self != Action::Get
    }

    /// Whether the command waits for all earlier commands of its queue, and all later commands wait for the command.
    ///
    /// MODEL: `mfcsync` and `mfceieio` also order the commands of other tag groups. The CBEA says that both order one
    /// tag group. On a console, both waited for a stalled list of another tag group (myps3tests, "sync command" and
    /// "eieio command"), and we follow the console.
    pub fn orders_queue(self) -> bool {
        matches!(self, Action::Barrier | Action::Sync)
    }
}

/// A decoded opcode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decoded {
    /// The action.
    pub action: Action,
    /// Whether the command has a list of elements in the local store.
    pub list: bool,
    /// Whether the command waits for earlier commands of its tag group.
    pub fence: bool,
    /// Whether the command waits for earlier commands of its tag group, and later commands of the group wait for this
    /// command.
    pub barrier: bool,
    /// Whether the SPU starts when the transfer is complete (for the proxy queue only).
    pub start: bool,
    /// Queues that accept the command.
    pub(super) queue: Queue,
    /// Rules for the parameters.
    pub(super) requires: Requires,
}

/// The queues that accept a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Queue {
    /// The SPU queue only.
    Spu,
    /// The proxy queue only.
    Proxy,
    /// Both.
    Either,
}

/// The rules for a command's parameters that are checked when the command is issued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Requires {
    /// No rule is checked at issue, because an immediate command has no tag, and its line is checked when the command
    /// is executed.
    Nothing,
    /// A tag.
    Tag,
    /// A tag and one contiguous block.
    Block,
    /// A tag and one contiguous block of four bytes.
    Signal,
    /// A tag and a list. The elements are checked when they are fetched.
    List,
}

/// How a command is ordered among the commands of its tag group.
#[derive(PartialEq, Eq)]
enum Order {
    Free,
    Fence,
    Barrier,
}

macro_rules! commands {
    ($($code:literal $constant:ident $name:literal $queue:ident $action:ident $order:ident $requires:ident;)*) => {
        impl Opcode {
            $(#[doc = concat!("`", $name, "`.")] pub const $constant: Opcode = Opcode($code);)*

            /// Decodes the opcode; `None` if the opcode is illegal.
            pub fn decode(self) -> Option<Decoded> {
                Some(match self.0 {
                    $($code => const { Decoded::new(Queue::$queue, Action::$action, Order::$order, Requires::$requires) },)*
                    _ => return None,
                })
            }

            /// The assembler's mnemonic.
            pub fn name(self) -> String {
                match self.0 {
                    $($code => $name.to_string(),)*
                    undefined => format!("opcode {undefined:#x}"),
                }
            }
        }
    };
}

// The columns are the opcode, constant, mnemonic, queues, action, order within the tag group, and rules for the
// parameters.
commands! {
    0x20 PUT      "put"      Either Put        Free    Block;
    0x21 PUTB     "putb"     Either Put        Barrier Block;
    0x22 PUTF     "putf"     Either Put        Fence   Block;
    0x24 PUTL     "putl"     Spu    Put        Free    List;
    0x25 PUTLB    "putlb"    Spu    Put        Barrier List;
    0x26 PUTLF    "putlf"    Spu    Put        Fence   List;
    0x28 PUTS     "puts"     Proxy  Put        Free    Block;
    0x29 PUTBS    "putbs"    Proxy  Put        Barrier Block;
    0x2a PUTFS    "putfs"    Proxy  Put        Fence   Block;
    // The putr* commands carry a result hint that this chip does not implement, and act as plain put commands.
    0x30 PUTR     "putr"     Either Put        Free    Block;
    0x31 PUTRB    "putrb"    Either Put        Barrier Block;
    0x32 PUTRF    "putrf"    Either Put        Fence   Block;
    0x34 PUTRL    "putrl"    Spu    Put        Free    List;
    0x35 PUTRLB   "putrlb"   Spu    Put        Barrier List;
    0x36 PUTRLF   "putrlf"   Spu    Put        Fence   List;
    0x40 GET      "get"      Either Get        Free    Block;
    0x41 GETB     "getb"     Either Get        Barrier Block;
    0x42 GETF     "getf"     Either Get        Fence   Block;
    0x44 GETL     "getl"     Spu    Get        Free    List;
    0x45 GETLB    "getlb"    Spu    Get        Barrier List;
    0x46 GETLF    "getlf"    Spu    Get        Fence   List;
    0x48 GETS     "gets"     Proxy  Get        Free    Block;
    0x49 GETBS    "getbs"    Proxy  Get        Barrier Block;
    0x4a GETFS    "getfs"    Proxy  Get        Fence   Block;
    0x80 SDCRT    "sdcrt"    Spu    Hint       Free    Tag;
    0x81 SDCRTST  "sdcrtst"  Spu    Hint       Free    Tag;
    0x89 SDCRZ    "sdcrz"    Spu    ZeroLines  Barrier Tag;
    0x8d SDCRST   "sdcrst"   Spu    StoreLines Barrier Tag;
    0x8f SDCRF    "sdcrf"    Spu    StoreLines Barrier Tag;
    0xa0 SNDSIG   "sndsig"   Either Put        Free    Signal;
    0xa1 SNDSIGB  "sndsigb"  Either Put        Barrier Signal;
    0xa2 SNDSIGF  "sndsigf"  Either Put        Fence   Signal;
    0xb0 PUTLLUC  "putlluc"  Spu    PutLluc    Free    Nothing;
    0xb4 PUTLLC   "putllc"   Spu    PutLlc     Free    Nothing;
    0xb8 PUTQLLUC "putqlluc" Spu    PutQlluc   Fence   Tag;
    0xc0 BARRIER  "barrier"  Either Barrier    Free    Tag;
    0xc8 MFCEIEIO "mfceieio" Either Sync       Barrier Tag;
    0xcc MFCSYNC  "mfcsync"  Either Sync       Barrier Tag;
    0xd0 GETLLAR  "getllar"  Spu    GetLlar    Free    Nothing;
}

impl Decoded {
    const fn new(queue: Queue, action: Action, order: Order, requires: Requires) -> Decoded {
        Decoded {
            action,
            list: matches!(requires, Requires::List),
            fence: matches!(order, Order::Fence),
            barrier: matches!(order, Order::Barrier),
            start: matches!(queue, Queue::Proxy),
            queue,
            requires,
        }
    }
}
