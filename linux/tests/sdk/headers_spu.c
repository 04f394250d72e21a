/* All checkpoints of <profile.h>, and the clock and a timer of <spu_timer.h>. Ends with 0 if they work. */
#include <profile.h>
#include <spu_mfcio.h>
#include <spu_timer.h>

static volatile int ticks;

static void count(int timer)
{
    (void)timer;
    ticks++;
}

static void pass_all_checkpoints(void)
{
    prof_clear();
    prof_start();
    prof_cp1();
    prof_cp2();
    prof_cp3();
    prof_cp4();
    prof_cp5();
    prof_cp6();
    prof_cp7();
    prof_cp8();
    prof_cp9();
    prof_cp10();
    prof_cp11();
    prof_cp12();
    prof_cp13();
    prof_cp14();
    prof_cp15();
    prof_cp16();
    prof_cp17();
    prof_cp18();
    prof_cp19();
    prof_cp20();
    prof_cp21();
    prof_cp22();
    prof_cp23();
    prof_cp24();
    prof_cp25();
    prof_cp26();
    prof_cp27();
    prof_cp28();
    prof_cp29();
    prof_stop();
}

int main(void)
{
    uint64_t begun;
    int timer;

    pass_all_checkpoints();
    spu_slih_register(MFC_DECREMENTER_EVENT, spu_clock_slih);
    spu_clock_start();
    begun = spu_clock_read();
    timer = spu_timer_alloc(1000, count);
    if (timer < 0 || spu_timer_start(timer))
        return 1;
    while (ticks < 3)
        ;
    if (spu_clock_read() - begun < 3000)
        return 2;
    return spu_timer_stop(timer) || spu_timer_free(timer) || spu_clock_stop() ? 3 : 0;
}
