/* Loops that move no data, for what cellmark measures of an SPU.  Who runs it puts into the local store which loop
 * (kind) and how often (turns); two runs of different lengths tell what a turn takes.
 *
 * The instructions are written out: what a loop takes depends on their pairs.
 */
#include <stdint.h>

volatile uint32_t kind = 0, turns = 1;

/* A function of the number of turns: body some times, the counter, end, and the branch, which has the label 3. */
#define LOOP(name, times, body) COUNTED(name, times, body, "")
#define COUNTED(name, times, body, end) \
    extern void name(uint32_t); \
    __asm__("\t.text\n\t.balign 128\n" #name ":\n2:\n" \
            "\t.rept " #times "\n" body "\t.endr\n" \
            "\tai $3,$3,-1\n" end "3:\tbrnz $3,2b\n\tbi $lr\n");
#define PAIR(even, odd) "\t" even "\n\t" odd "\n"
#define ALONE(even) PAIR(even, "lnop")
#define SIX(op, a, b, c, d, e, f) ALONE(op a) ALONE(op b) ALONE(op c) ALONE(op d) ALONE(op e) ALONE(op f)

/* Sums that do not wait for each other: six of single precision, 13 of double, seven of integers. */
LOOP(single, 64, SIX("fma ", "$10,$10,$40,$41", "$11,$11,$40,$41", "$12,$12,$40,$41", "$13,$13,$40,$41",
                     "$14,$14,$40,$41", "$15,$15,$40,$41"))
LOOP(twice, 16, SIX("dfma ", "$10,$40,$41", "$11,$40,$41", "$12,$40,$41", "$13,$40,$41", "$14,$40,$41", "$15,$40,$41")
                SIX("dfma ", "$16,$40,$41", "$17,$40,$41", "$18,$40,$41", "$19,$40,$41", "$20,$40,$41", "$21,$40,$41")
                ALONE("dfma $22,$40,$41"))
LOOP(integer, 32, SIX("mpya ", "$10,$10,$40,$41", "$11,$11,$40,$41", "$12,$12,$40,$41", "$13,$13,$40,$41",
                      "$14,$14,$40,$41", "$15,$15,$40,$41")
                  ALONE("mpya $16,$16,$40,$41"))

/* Five shuffles, two rotations and two shifts. */
LOOP(shuffle, 64, PAIR("nop", "shufb $10,$10,$11,$40") PAIR("nop", "shufb $11,$11,$12,$40")
                  PAIR("nop", "shufb $12,$12,$13,$40") PAIR("nop", "shufb $13,$13,$14,$40")
                  PAIR("nop", "shufb $14,$14,$10,$40") PAIR("nop", "rotqbi $20,$20,$41")
                  PAIR("nop", "rotqbi $21,$21,$41") PAIR("nop", "shlqbi $22,$22,$41")
                  PAIR("nop", "shlqbi $23,$23,$41"))

/* Sums of single precision, each beside an instruction for the other pipeline. */
LOOP(both, 64, PAIR("fma $10,$10,$40,$41", "shufb $20,$20,$21,$42") PAIR("fma $11,$11,$40,$41", "shufb $21,$21,$22,$42")
               PAIR("fma $12,$12,$40,$41", "rotqbi $22,$22,$43") PAIR("fma $13,$13,$40,$41", "rotqbi $23,$23,$43")
               PAIR("fma $14,$14,$40,$41", "shufb $24,$24,$25,$42") PAIR("fma $15,$15,$40,$41", "shlqbi $25,$25,$43"))

/* Six reciprocals and six reciprocal square roots: estimates, each improved once. */
LOOP(estimates, 8,
     SIX("frest ", "$20,$10", "$21,$11", "$22,$12", "$23,$13", "$24,$14", "$25,$15")
     SIX("fi ", "$20,$10,$20", "$21,$11,$21", "$22,$12,$22", "$23,$13,$23", "$24,$14,$24", "$25,$15,$25")
     SIX("fnms ", "$30,$10,$20,$40", "$31,$11,$21,$40", "$32,$12,$22,$40", "$33,$13,$23,$40", "$34,$14,$24,$40",
         "$35,$15,$25,$40")
     SIX("fma ", "$10,$30,$20,$20", "$11,$31,$21,$21", "$12,$32,$22,$22", "$13,$33,$23,$23", "$14,$34,$24,$24",
         "$15,$35,$25,$25")
     SIX("frsqest ", "$60,$50", "$61,$51", "$62,$52", "$63,$53", "$64,$54", "$65,$55")
     SIX("and ", "$70,$50,$42", "$71,$51,$42", "$72,$52,$42", "$73,$53,$42", "$74,$54,$42", "$75,$55,$42")
     SIX("fi ", "$60,$70,$60", "$61,$71,$61", "$62,$72,$62", "$63,$73,$63", "$64,$74,$64", "$65,$75,$65")
     SIX("fm ", "$70,$70,$60", "$71,$71,$61", "$72,$72,$62", "$73,$73,$63", "$74,$74,$64", "$75,$75,$65")
     SIX("fnms ", "$30,$70,$60,$40", "$31,$71,$61,$40", "$32,$72,$62,$40", "$33,$73,$63,$40", "$34,$74,$64,$40",
         "$35,$75,$65,$40")
     SIX("fm ", "$30,$30,$41", "$31,$31,$41", "$32,$32,$41", "$33,$33,$41", "$34,$34,$41", "$35,$35,$41")
     SIX("fma ", "$50,$30,$60,$60", "$51,$31,$61,$61", "$52,$32,$62,$62", "$53,$33,$63,$63", "$54,$34,$64,$64",
         "$55,$35,$65,$65"))

/* A branch behind eleven instructions, with a hint and without. */
#define FIVE "\tlnop\n\tlnop\n\tlnop\n\tlnop\n\tlnop\n"
COUNTED(hinted, 1, "\thbrr 3f,2b\n" FIVE, FIVE)
COUNTED(unhinted, 1, FIVE, FIVE)

int main(void)
{
    static void (*const loops[])(uint32_t) = {single, twice, integer, shuffle, both, estimates, hinted, unhinted};

    loops[kind](turns);
    return 0;
}
