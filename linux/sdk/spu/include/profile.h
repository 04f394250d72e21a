/* Checkpoints of the SPU for a simulator's profile, as the Cell SDK has them.
 *
 * A checkpoint N is the instruction `and $N,$N,$N`, which changes nothing and takes one cycle. prof_clear,
 * prof_start and prof_stop are the checkpoints 0, 30 and 31. `cellstats spu --profile` counts them as the
 * instructions that they are.
 */
#ifndef CELLSTATS_PROFILE_H
#define CELLSTATS_PROFILE_H

#define _PROF_CHECKPOINT(n) __asm__ volatile("and $" #n ",$" #n ",$" #n : : : "memory")

#define prof_cp(n) _PROF_CHECKPOINT(n)
#define prof_clear() _PROF_CHECKPOINT(0)
#define prof_start() _PROF_CHECKPOINT(30)
#define prof_stop() _PROF_CHECKPOINT(31)
#define prof_cp0() _PROF_CHECKPOINT(0)
#define prof_cp1() _PROF_CHECKPOINT(1)
#define prof_cp2() _PROF_CHECKPOINT(2)
#define prof_cp3() _PROF_CHECKPOINT(3)
#define prof_cp4() _PROF_CHECKPOINT(4)
#define prof_cp5() _PROF_CHECKPOINT(5)
#define prof_cp6() _PROF_CHECKPOINT(6)
#define prof_cp7() _PROF_CHECKPOINT(7)
#define prof_cp8() _PROF_CHECKPOINT(8)
#define prof_cp9() _PROF_CHECKPOINT(9)
#define prof_cp10() _PROF_CHECKPOINT(10)
#define prof_cp11() _PROF_CHECKPOINT(11)
#define prof_cp12() _PROF_CHECKPOINT(12)
#define prof_cp13() _PROF_CHECKPOINT(13)
#define prof_cp14() _PROF_CHECKPOINT(14)
#define prof_cp15() _PROF_CHECKPOINT(15)
#define prof_cp16() _PROF_CHECKPOINT(16)
#define prof_cp17() _PROF_CHECKPOINT(17)
#define prof_cp18() _PROF_CHECKPOINT(18)
#define prof_cp19() _PROF_CHECKPOINT(19)
#define prof_cp20() _PROF_CHECKPOINT(20)
#define prof_cp21() _PROF_CHECKPOINT(21)
#define prof_cp22() _PROF_CHECKPOINT(22)
#define prof_cp23() _PROF_CHECKPOINT(23)
#define prof_cp24() _PROF_CHECKPOINT(24)
#define prof_cp25() _PROF_CHECKPOINT(25)
#define prof_cp26() _PROF_CHECKPOINT(26)
#define prof_cp27() _PROF_CHECKPOINT(27)
#define prof_cp28() _PROF_CHECKPOINT(28)
#define prof_cp29() _PROF_CHECKPOINT(29)
#define prof_cp30() _PROF_CHECKPOINT(30)
#define prof_cp31() _PROF_CHECKPOINT(31)

#endif
