/* Signals: their receivers, times and contents. A program continues unchanged after its handler. */
#define _GNU_SOURCE
#include "check.h"
#include <altivec.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#undef bool

static volatile int count, deepest, depth;
static volatile siginfo_t last;
static void *volatile stack_at;

static void note(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    stack_at = __builtin_frame_address(0);
    last = *info;
    count++;
}

static void nested(int number)
{
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (count++ < 3)
        raise(number);
    depth--;
}

static void catch(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(number, &action, 0) == 0);
}

static void masks(void)
{
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 2);
    catch(SIGUSR1, note, SA_SIGINFO);
    catch(SIGRTMIN + 2, note, SA_SIGINFO);
    CHECK(sigprocmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR1));
    count = 0;
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    for (int i = 0; i < 3; i++)
        sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 40 + i});
    CHECK(count == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) && sigismember(&pending, SIGRTMIN + 2));
    struct timespec none = {0, 0};
    siginfo_t info;
    CHECK(sigtimedwait(&set, &info, &none) == SIGUSR1 && info.si_code == SI_USER && info.si_pid == getpid());
    CHECK(sigtimedwait(&set, &info, &none) == SIGRTMIN + 2 && info.si_code == SI_QUEUE && info.si_int == 40);
    CHECK(sigprocmask(SIG_SETMASK, &old, 0) == 0);
    CHECK(count == 2 && last.si_int == 42);
    sigprocmask(SIG_BLOCK, &set, 0);
    CHECK(sigtimedwait(&set, &info, &none) == -1 && errno == EAGAIN);
    raise(SIGUSR1);
    CHECK(sigsuspend(&old) == -1 && errno == EINTR && count == 3);
    sigprocmask(SIG_SETMASK, 0, &pending);
    CHECK(sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_SETMASK, &old, 0);
}

static void nesting(void)
{
    signal(SIGUSR2, nested);
    count = deepest = 0;
    raise(SIGUSR2);
    CHECK(count == 4 && deepest == 1);
    struct sigaction action = {.sa_handler = nested, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR2, &action, 0);
    count = deepest = 0;
    raise(SIGUSR2);
    CHECK(count == 4 && deepest == 4);
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGUSR2, &action, 0);
    count = 9;
    raise(SIGUSR2);
    sigaction(SIGUSR2, 0, &action);
    CHECK(action.sa_handler == SIG_DFL);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    signal(SIGCHLD, SIG_DFL);
    raise(SIGCHLD);
}

static void alternate(void)
{
    static char stack[32768] __attribute__((aligned(16)));
    stack_t new = {.ss_sp = stack, .ss_size = sizeof stack}, old;
    CHECK(sigaltstack(&new, &old) == 0 && (old.ss_flags & SS_DISABLE));
    catch(SIGUSR1, note, SA_SIGINFO | SA_ONSTACK);
    raise(SIGUSR1);
    CHECK(stack_at > (void *)stack && stack_at < (void *)(stack + sizeof stack));
    CHECK(sigaltstack(0, &old) == 0 && old.ss_sp == stack && old.ss_flags == 0);
    new.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&new, 0) == 0);
    raise(SIGUSR1);
    CHECK(stack_at < (void *)stack || stack_at > (void *)(stack + sizeof stack));
}

/* A handler that overwrites registers of all kinds. */
static void spoil(int number)
{
    volatile double x = number;
    for (int i = 0; i < 20; i++)
        x = x * 1.5 + i;
    volatile vector unsigned v = {1, 2, 3, (unsigned)number};
    v = v + v;
    char text[64];
    snprintf(text, sizeof text, "%g %d", x, number);
    count++;
}

static void registers(void)
{
    signal(SIGUSR1, spoil);
    long process = getpid(), thread = gettid();
    count = 0;
    register double a asm("fr14") = 1.25, b asm("fr31") = -7.5;
    register vector unsigned v asm("v20") = {11, 12, 13, 14};
    register int i asm("r20") = 77;
    asm volatile("" : "+d"(a), "+d"(b), "+v"(v), "+r"(i));
    register long nr asm("r0") = 250, x asm("r3") = process, y asm("r4") = thread, z asm("r5") = SIGUSR1;
    asm volatile("sc" : "+r"(nr), "+r"(x), "+r"(y), "+r"(z), "+d"(a), "+d"(b), "+v"(v), "+r"(i) : : "cr0", "ctr", "memory",
                 "r6", "r7", "r8", "r9", "r10", "r11", "r12");
    CHECK(count == 1 && x == 0 && a == 1.25 && b == -7.5 && i == 77);
    CHECK(vec_all_eq(v, ((vector unsigned){11, 12, 13, 14})));
}

static void skip(int number, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    CHECK(u->uc_mcontext.regs->nip == (unsigned long)info->si_addr || number == SIGSEGV);
    u->uc_mcontext.regs->nip += 4;
    u->uc_mcontext.regs->gpr[14] = 4711;
    last = *info;
    count++;
}

static void faults(void)
{
    catch(SIGILL, skip, SA_SIGINFO);
    catch(SIGTRAP, skip, SA_SIGINFO);
    catch(SIGSEGV, skip, SA_SIGINFO);
    register long x asm("r14") = 0;
    count = 0;
    asm volatile(".long 0" : "+r"(x));
    CHECK(count == 1 && x == 4711 && last.si_signo == SIGILL);
    x = 0;
    asm volatile("trap" : "+r"(x));
    CHECK(count == 2 && x == 4711 && last.si_signo == SIGTRAP);
    register long at asm("r15") = 0x30;
    asm volatile("lwz 14,4(15)" : "+r"(x) : "r"(at));
    CHECK(count == 3 && x == 4711 && last.si_addr == (void *)0x34);
}

static sigjmp_buf after;

static void divided(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    last = *info;
    count++;
    siglongjmp(after, 1);
}

static void floating(void)
{
    volatile double zero = 0, result = 1;
    catch(SIGFPE, divided, SA_SIGINFO);
    count = 0;
    result = 1 / zero;
    CHECK(result > 1e300 && count == 0);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(feenableexcept(FE_DIVBYZERO) != -1);
    if (sigsetjmp(after, 1) == 0)
        result = 2 / zero;
    CHECK(count == 1 && last.si_code == FPE_FLTDIV);
    CHECK(prctl(PR_SET_FPEXC, PR_FP_EXC_DISABLED) == 0);
}

static void *sleeper(void *unused)
{
    (void)unused;
    struct timespec time = {1000, 0}, left;
    int result = nanosleep(&time, &left);
    return (void *)(long)(result == -1 && errno == EINTR && left.tv_sec < 1000);
}

static void threads(void)
{
    pthread_t thread;
    void *result;
    catch(SIGUSR1, note, SA_SIGINFO | SA_RESTART);
    pthread_create(&thread, 0, sleeper, 0);
    struct timespec time = {0, 10000000};
    nanosleep(&time, 0);
    count = 0;
    CHECK(pthread_kill(thread, SIGUSR1) == 0);
    pthread_join(thread, &result);
    CHECK(result == (void *)1 && count == 1 && last.si_code == SI_TKILL);
    CHECK(kill(getpid(), 0) == 0 && kill(1, 0) == -1);
    CHECK(kill(getpid(), 77) == -1 && errno == EINVAL);
}

static ucontext_t main_context, other_context;
static int other_ran;

static void other(void)
{
    other_ran = 1;
    swapcontext(&other_context, &main_context);
    other_ran = 2;
}

static void contexts(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = sizeof stack;
    other_context.uc_link = &main_context;
    makecontext(&other_context, other, 0);
    swapcontext(&main_context, &other_context);
    CHECK(other_ran == 1);
    swapcontext(&main_context, &other_context);
    CHECK(other_ran == 2);
}

int main(void)
{
    masks();
    nesting();
    alternate();
    registers();
    faults();
    floating();
    threads();
    contexts();
    puts("ok");
    return 0;
}
