/* The SPE side of spe_kernels.c. */
#include "spe.h"
#include "spe_kernels.h"

#include <spu_intrinsics.h>

static struct task task __attribute__((aligned(128)));

/* Each kernel begins in a line of its own, so that its time does not depend on the others. */
#define KERNEL static __attribute__((noipa, aligned(128), optimize("O3"))) unsigned int

/* Six reciprocals and six reciprocal roots, each an estimate that is improved once, eight times in a turn. Each
 * instruction is beside one for the odd pipeline, or `beside_and` beside the six that clear the signs. */
#define PAIR(even, odd) "\t" even "\n\t" odd "\n"
#define SIX(odd, op, a, b, c, d, e, f) PAIR(op a, odd) PAIR(op b, odd) PAIR(op c, odd) PAIR(op d, odd) PAIR(op e, odd) \
                                       PAIR(op f, odd)
#define RECIPROCALS(name, beside_and) \
    extern unsigned int name(unsigned int); \
    __asm__("\t.text\n\t.balign 128\n" #name ":\n2:\n\t.rept 8\n" \
            SIX("lnop", "frest ", "$20,$10", "$21,$11", "$22,$12", "$23,$13", "$24,$14", "$25,$15") \
            SIX("lnop", "fi ", "$20,$10,$20", "$21,$11,$21", "$22,$12,$22", "$23,$13,$23", "$24,$14,$24", \
                "$25,$15,$25") \
            SIX("lnop", "fnms ", "$30,$10,$20,$40", "$31,$11,$21,$40", "$32,$12,$22,$40", "$33,$13,$23,$40", \
                "$34,$14,$24,$40", "$35,$15,$25,$40") \
            SIX("lnop", "fma ", "$10,$30,$20,$20", "$11,$31,$21,$21", "$12,$32,$22,$22", "$13,$33,$23,$23", \
                "$14,$34,$24,$24", "$15,$35,$25,$25") \
            SIX("lnop", "frsqest ", "$60,$50", "$61,$51", "$62,$52", "$63,$53", "$64,$54", "$65,$55") \
            SIX(beside_and, "and ", "$70,$50,$42", "$71,$51,$42", "$72,$52,$42", "$73,$53,$42", "$74,$54,$42", \
                "$75,$55,$42") \
            SIX("lnop", "fi ", "$60,$70,$60", "$61,$71,$61", "$62,$72,$62", "$63,$73,$63", "$64,$74,$64", \
                "$65,$75,$65") \
            SIX("lnop", "fm ", "$70,$70,$60", "$71,$71,$61", "$72,$72,$62", "$73,$73,$63", "$74,$74,$64", \
                "$75,$75,$65") \
            SIX("lnop", "fnms ", "$30,$70,$60,$40", "$31,$71,$61,$40", "$32,$72,$62,$40", "$33,$73,$63,$40", \
                "$34,$74,$64,$40", "$35,$75,$65,$40") \
            SIX("lnop", "fm ", "$30,$30,$41", "$31,$31,$41", "$32,$32,$41", "$33,$33,$41", "$34,$34,$41", \
                "$35,$35,$41") \
            SIX("lnop", "fma ", "$50,$30,$60,$60", "$51,$31,$61,$61", "$52,$32,$62,$62", "$53,$33,$63,$63", \
                "$54,$34,$64,$64", "$55,$35,$65,$65") \
            "\t.endr\n\tai $3,$3,-1\n\tbrnz $3,2b\n\tbi $lr\n");

RECIPROCALS(reciprocals_lnop, "lnop")
RECIPROCALS(reciprocals_nop, "nop")

KERNEL estimate_chain(unsigned int times)
{
    const qword one = (qword)spu_splats(1.0f);
    unsigned long long turn, turns = times;
    qword value = (qword)spu_splats(task.seed);

    for (turn = 0; turn < turns; turn++) {
        qword estimate = si_fi(value, si_frest(value));

        value = si_fma(si_fnms(value, estimate, one), estimate, estimate);
    }
    return si_to_uint(value);
}

#define VECTORS 64
/* The vector in turn, the next one and the one after that, all in the local store. */
#define THIS vectors[n]
#define NEXT vectors[(n + 1) % VECTORS]
#define THIRD vectors[(n + 2) % VECTORS]

KERNEL integers(unsigned int turns)
{
    vec_int4 vectors[VECTORS];
    unsigned long turn;
    int n;

    for (n = 0; n < VECTORS; n++)
        THIS = spu_splats((int)task.seed);
    for (turn = 0; turn < turns; turn++)
        for (n = 0; n < VECTORS; n++) {
            THIS = spu_add(THIS, NEXT);
            THIS = spu_madd((vec_short8)THIS, (vec_short8)NEXT, THIRD);
            THIS = spu_mhhadd((vec_short8)THIS, (vec_short8)NEXT, THIRD);
            THIS = spu_mulh((vec_short8)THIS, (vec_short8)NEXT);
            THIS = spu_mule((vec_short8)THIS, (vec_short8)NEXT);
            THIS = spu_mulo((vec_short8)THIS, (vec_short8)NEXT);
            THIS = spu_sub(THIS, NEXT);
        }
    return spu_extract(vectors[0], 0);
}

KERNEL floats(unsigned int turns)
{
    vec_float4 vectors[VECTORS];
    unsigned long turn;
    int n;

    for (n = 0; n < VECTORS; n++)
        THIS = (vec_float4)spu_splats(task.seed);
    for (turn = 0; turn < turns; turn++)
        for (n = 0; n < VECTORS; n++) {
            THIS = spu_add(THIS, NEXT);
            THIS = spu_madd(THIS, NEXT, THIRD);
            THIS = spu_msub(THIS, NEXT, THIRD);
            THIS = spu_mul(THIS, NEXT);
            THIS = (vec_float4)spu_nmadd((vec_double2)THIS, (vec_double2)NEXT, (vec_double2)THIRD);
            THIS = spu_nmsub(THIS, NEXT, THIRD);
            THIS = spu_sub(THIS, NEXT);
        }
    return spu_extract((vec_uint4)vectors[0], 0);
}

/* The hint stands two instructions before its branch, as in CorePy's loop. */
extern unsigned int multiply_adds(unsigned int);
__asm__("\t.text\n\t.balign 128\nmultiply_adds:\n\til $4,0\n\tori $6,$3,0\n"
        "1:\n\t.rept 128\n"
        "\tfma $20,$30,$40,$50\n\tfma $21,$31,$41,$51\n\tfma $22,$32,$42,$52\n"
        "\tfma $23,$33,$43,$53\n\tfma $24,$34,$44,$54\n\tfma $25,$35,$45,$55\n\t.endr\n"
        "\tai $4,$4,1\n\thbrr 2f,1b\n\tcgt $5,$6,$4\n2:\tbrnz $5,1b\n\tbi $lr\n");

int main(unsigned long long speid, unsigned long long ea, unsigned long long unused)
{
    static unsigned int (*const kernels[KERNELS])(unsigned int) = {
        [RECIPROCAL_LNOP] = reciprocals_lnop,
        [RECIPROCAL_NOP] = reciprocals_nop,
        [ESTIMATE_CHAIN] = estimate_chain,
        [INTEGERS] = integers,
        [FLOATS] = floats,
        [MULTIPLY_ADDS] = multiply_adds,
    };
    unsigned int begun;

    (void)speid, (void)unused;
    get_and_wait(&task, ea, sizeof task);
    spu_write_decrementer(0xffffffff);
    begun = spu_read_decrementer();
    task.word = kernels[task.kernel](task.turns);
    task.ticks = begun - spu_read_decrementer();
    put_and_wait(&task, ea, sizeof task);
    return 0;
}
