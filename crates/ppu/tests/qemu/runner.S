# The runner. For each block of a program's table, it loads all registers from the block, executes the block's
# instruction, and stores all registers into the block. At the end it writes the table to standard output. `elf.rs`
# defines the layout of the table, and `block.rs` the offsets in a block.
#
#   powerpc-linux-gnu-gcc -E -DTARGET=32 runner.S | powerpc-linux-gnu-as -maltivec -mppc   -a32 -o r.o -
#   powerpc-linux-gnu-gcc -E -DTARGET=64 runner.S | powerpc-linux-gnu-as -maltivec -mppc64 -a64 -o r.o -
#   powerpc-linux-gnu-objcopy -O binary -j .text r.o r.bin && xxd -p -c 32 r.bin > runner32.hex (runner64.hex)

#if TARGET == 64
#define LOAD ld
#define STORE std
#define AT(n) (8 * (n))
#define HALF 0
#else
#define LOAD lwz
#define STORE stw
#define AT(n) (8 * (n) + 4)
#define HALF 4
#endif

# Variables at absolute addresses, which need no base register.
#define SAVED    0x4000
#define BLOCK    0x4010
#define LEFT     0x4020
#define MARK     0x4030
#define FIRST    0x4040
#define TOTAL    0x4048
#define SLOT     0x6000

#define FPRS     0x100
#define VRS      0x200
#define VSCR     0x400
#define FPSCR    0x410
#define CR       0x418
#define XER      0x41c
#define LR       0x420
#define CTR      0x428
#define VRSAVE   0x430
#define MARKED   0x434
#define WORD     0x438
#define SIZE     0x600

        .text
next:
        lwz     30, LEFT(0)
        cmpwi   30, 0
        beq     done
        addi    30, 30, -1
        stw     30, LEFT(0)
        lwz     31, BLOCK(0)
        lwz     0, WORD(31)
        stw     0, SLOT(0)
        li      3, SLOT
        dcbst   0, 3
        sync
        icbi    0, 3
        sync
        isync
        li      3, VSCR
        lvx     0, 31, 3
        mtvscr  0
        lfd     0, FPSCR(31)
        mtfsf   255, 0
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        lfd     \n, FPRS + 8 * \n(31)
        li      3, VRS + 16 * \n
        lvx     \n, 31, 3
        .endr
        lwz     3, CR(31)
        mtcrf   255, 3
        lwz     3, XER(31)
        mtxer   3
        LOAD    3, LR + HALF(31)
        mtlr    3
        LOAD    3, CTR + HALF(31)
        mtctr   3
        lwz     3, VRSAVE(31)
        mtspr   256, 3
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        LOAD    \n, AT(\n)(31)
        .endr
        ba      SLOT
# After the instruction: the branch at SLOT + 4 leads here. The branch at SLOT + 16, a branch target, leads to `taken`.
save:
        STORE   31, SAVED(0)
        lwz     31, BLOCK(0)
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
        STORE   \n, AT(\n)(31)
        .endr
        LOAD    0, SAVED(0)
        STORE   0, AT(31)(31)
        mfcr    0
        stw     0, CR(31)
        mfxer   0
        stw     0, XER(31)
        mflr    0
        STORE   0, LR + HALF(31)
        mfctr   0
        STORE   0, CTR + HALF(31)
        mfspr   0, 256
        stw     0, VRSAVE(31)
        lwz     0, MARK(0)
        stw     0, MARKED(31)
        li      0, 0
        stw     0, MARK(0)
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        stfd    \n, FPRS + 8 * \n(31)
        li      3, VRS + 16 * \n
        stvx    \n, 31, 3
        .endr
        mffs    0
        stfd    0, FPSCR(31)
        mfvscr  0
        li      3, VSCR
        stvx    0, 31, 3
        addi    31, 31, SIZE
        stw     31, BLOCK(0)
        b       next
taken:
        STORE   31, SAVED(0)
        li      31, 1
        stw     31, MARK(0)
        LOAD    31, SAVED(0)
        b       save
done:
        lwz     4, FIRST(0)
        lwz     5, TOTAL(0)
        li      3, 1
        li      0, 4
        sc
        lwz     4, FIRST(0)
        add     4, 4, 3
        stw     4, FIRST(0)
        lwz     5, TOTAL(0)
        subf.   5, 3, 5
        stw     5, TOTAL(0)
        cmpwi   5, 0
        bgt     done
        li      3, 0
        li      0, 1
        sc
        .globl  save_address, taken_address
        .set    save_address, save - next
        .set    taken_address, taken - next
