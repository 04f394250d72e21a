/* Atomic integers of <libsync.h>. */
#include <libsync.h>

void atomic_set(atomic_ea_t v, int value)
{
    _atomic_set(v, value);
}

int atomic_read(atomic_ea_t v)
{
    return _atomic_read(v);
}

void atomic_add(int a, atomic_ea_t v)
{
    _atomic_add(a, v);
}

void atomic_sub(int a, atomic_ea_t v)
{
    _atomic_sub(a, v);
}

void atomic_inc(atomic_ea_t v)
{
    _atomic_inc(v);
}

void atomic_dec(atomic_ea_t v)
{
    _atomic_dec(v);
}

int atomic_add_return(int a, atomic_ea_t v)
{
    return _atomic_add_return(a, v);
}

int atomic_sub_return(int a, atomic_ea_t v)
{
    return _atomic_sub_return(a, v);
}

int atomic_inc_return(atomic_ea_t v)
{
    return _atomic_inc_return(v);
}

int atomic_dec_return(atomic_ea_t v)
{
    return _atomic_dec_return(v);
}

int atomic_sub_and_test(int a, atomic_ea_t v)
{
    return _atomic_sub_and_test(a, v);
}

int atomic_dec_and_test(atomic_ea_t v)
{
    return _atomic_dec_and_test(v);
}

int atomic_dec_if_positive(atomic_ea_t v)
{
    return _atomic_dec_if_positive(v);
}
