/* The software-managed cache of the Cell SDK: an SPE's copies of lines of main memory, in sets of some lines.
 *
 * This is CellStats' own implementation of the published interface. Define a cache by macros, then include this
 * file; the file undefines the macros, so that it can be included again for another cache:
 *
 *     CACHE_NAME, CACHED_TYPE     identifier of the cache, and the type of its elements
 *     CACHE_TYPE                  CACHE_TYPE_RO (0) or CACHE_TYPE_RW (1, the default)
 *     CACHELINE_LOG2SIZE          log2 of the bytes in a line, 4 to 14; 7 by default
 *     CACHE_LOG2NWAY              log2 of the lines in a set, 0 to 3; 2 by default
 *     CACHE_LOG2NSETS             log2 of the sets, 0 to 12; 6 by default
 *     CACHE_SET_TAGID(set)        the DMA tag of a set; the set's number modulo 32 by default
 *     CACHE_READ_X4               if it is defined, there is cache_rd_x4
 *     CACHE_STATS                 if it is defined, cache_pr_stats prints counts
 *
 * Operations on the cache `name`; an element must not cross the end of a line:
 *
 *     cache_rd(name, ea)          the element at an effective address
 *     cache_rd_x4(name, eas)      four elements of 4 bytes at the addresses in a vec_uint4, as a vec_uint4
 *     cache_wr(name, ea, value)   stores an element
 *     cache_rw(name, ea)          a pointer to the element, valid until its line is replaced; because the program
 *                                 may store through it, this counts as a store, unless the cache is read-only
 *     cache_touch(name, ea)       such a pointer for reading, without waiting for the line
 *     cache_wait(name, pointer)   waits for the line of a touched element
 *     cache_lock(name, pointer), cache_unlock(name, pointer)
 *                                 keeps a line from being replaced; one line of each set must stay unlocked
 *     cache_flush(name)           writes changed lines back, and forgets all lines that are not locked
 *     cache_pr_stats(name)        prints the counts
 *
 * Lines of a set are replaced in turn. A changed line is written back as a whole when it is replaced or flushed,
 * so two SPEs must not change the same line between flushes. The tag mask of the program (MFC_WrTagMask) stays as
 * it is.
 */
#ifndef CELLSTATS_CACHE_API_H
#define CELLSTATS_CACHE_API_H

#include <spu_mfcio.h>
#include <stdlib.h>

#define CACHE_TYPE_RO 0
#define CACHE_TYPE_RW 1

#define _CACHE_JOINED(name, part) _cache_##name##_##part
#define _CACHE_OF(name, part) _CACHE_JOINED(name, part)

/* An effective address may be given as a pointer of a 32-bit PPE program, which must not be extended by its
 * sign. */
#define _CACHE_EA(ea) __builtin_choose_expr(sizeof(ea) == 8, (ea), (unsigned int)(ea))

#define cache_rd(name, ea) (*_CACHE_OF(name, element)(_CACHE_EA(ea), 0))
#define cache_rd_x4(name, eas) _CACHE_OF(name, four_elements)(eas)
#define cache_wr(name, ea, value) ((void)(*_CACHE_OF(name, changed_element)(_CACHE_EA(ea)) = (value)))
#define cache_rw(name, ea) _CACHE_OF(name, element)(_CACHE_EA(ea), _CACHE_OF(name, is_writable))
#define cache_touch(name, ea) _CACHE_OF(name, touched_element)(_CACHE_EA(ea))
#define cache_wait(name, pointer) _CACHE_OF(name, wait)(_CACHE_OF(name, line_of)(pointer))
#define cache_lock(name, pointer) _CACHE_OF(name, lock)(pointer)
#define cache_unlock(name, pointer) _CACHE_OF(name, unlock)(pointer)
#define cache_flush(name) _CACHE_OF(name, flush)()
#define cache_pr_stats(name) _CACHE_OF(name, print)()

/* A line's address is a multiple of 16. These flags are added to it; a line without an address has no flags. */
enum { _CACHE_VALID = 1, _CACHE_CHANGED = 2, _CACHE_LOCKED = 4, _CACHE_COMING = 8, _CACHE_FLAGS = 15 };

struct _cache_counts {
    unsigned int read_hits, read_misses, write_hits, write_misses, replaced, written_back, flushes;
};

static inline void _cache_wait_for_tags(unsigned int mask)
{
    unsigned int before = mfc_read_tag_mask();

    mfc_write_tag_mask(mask);
    mfc_read_tag_status_all();
    mfc_write_tag_mask(before);
}
#endif

#if !defined CACHE_NAME || !defined CACHED_TYPE
#error "define CACHE_NAME and CACHED_TYPE before you include <cache-api.h>"
#endif
#ifndef CACHE_TYPE
#define CACHE_TYPE CACHE_TYPE_RW
#endif
#ifndef CACHELINE_LOG2SIZE
#define CACHELINE_LOG2SIZE 7
#endif
#ifndef CACHE_LOG2NWAY
#define CACHE_LOG2NWAY 2
#endif
#ifndef CACHE_LOG2NSETS
#define CACHE_LOG2NSETS 6
#endif
#ifndef CACHE_SET_TAGID
#define CACHE_SET_TAGID(set) ((set) & 31)
#endif
#if CACHE_TYPE != CACHE_TYPE_RO && CACHE_TYPE != CACHE_TYPE_RW
#error "CACHE_TYPE must be CACHE_TYPE_RO or CACHE_TYPE_RW"
#endif
#if CACHELINE_LOG2SIZE < 4 || CACHELINE_LOG2SIZE > 14
#error "CACHELINE_LOG2SIZE must be from 4 to 14: a line is one DMA transfer"
#endif
#if CACHE_LOG2NWAY < 0 || CACHE_LOG2NWAY > 3 || CACHE_LOG2NSETS < 0 || CACHE_LOG2NSETS > 12
#error "CACHE_LOG2NWAY must be from 0 to 3, and CACHE_LOG2NSETS from 0 to 12"
#endif

#define _CACHE(part) _CACHE_OF(CACHE_NAME, part)
#define _CACHE_FUNCTION static inline __attribute__((unused))
#define _CACHE_WAYS (1u << CACHE_LOG2NWAY)
#define _CACHE_SETS (1u << CACHE_LOG2NSETS)
#define _CACHE_LINE (1u << CACHELINE_LOG2SIZE)

enum { _CACHE(is_writable) = CACHE_TYPE == CACHE_TYPE_RW };

static char _CACHE(bytes)[_CACHE_SETS * _CACHE_WAYS * _CACHE_LINE] __attribute__((aligned(128)));
/* For each line, its address with its flags. The lines of a set are consecutive. */
static unsigned long long _CACHE(lines)[_CACHE_SETS * _CACHE_WAYS];
/* For each set, the way that is replaced next. */
static unsigned char _CACHE(oldest)[_CACHE_SETS];

#ifdef CACHE_STATS
#include <stdio.h>
static struct _cache_counts _CACHE(counts);
#define _CACHE_COUNT(what) (_CACHE(counts).what++)
#else
#define _CACHE_COUNT(what) ((void)0)
#endif

_CACHE_FUNCTION unsigned int _CACHE(tag_of)(unsigned int line)
{
    return CACHE_SET_TAGID(line >> CACHE_LOG2NWAY) & 31;
}

_CACHE_FUNCTION unsigned int _CACHE(line_of)(const volatile void *pointer)
{
    return (unsigned int)((const volatile char *)pointer - _CACHE(bytes)) >> CACHELINE_LOG2SIZE;
}

_CACHE_FUNCTION void _CACHE(wait)(unsigned int line)
{
    if (_CACHE(lines)[line] & _CACHE_COMING) {
        _cache_wait_for_tags(1u << _CACHE(tag_of)(line));
        _CACHE(lines)[line] &= ~(unsigned long long)_CACHE_COMING;
    }
}

_CACHE_FUNCTION void _CACHE(write_back)(unsigned int line)
{
    const unsigned long long address = _CACHE(lines)[line] & ~(unsigned long long)_CACHE_FLAGS;

    mfc_put(&_CACHE(bytes)[line * _CACHE_LINE], address, _CACHE_LINE, _CACHE(tag_of)(line), 0, 0);
    _CACHE_COUNT(written_back);
}

/* The line of the set to be replaced: the next one in turn that is not locked. */
_CACHE_FUNCTION unsigned int _CACHE(replaced)(unsigned int set)
{
    unsigned int n, line;

    for (n = 0; n < _CACHE_WAYS; n++) {
        line = set * _CACHE_WAYS + _CACHE(oldest)[set];
        _CACHE(oldest)[set] = (_CACHE(oldest)[set] + 1) & (_CACHE_WAYS - 1);
        if (!(_CACHE(lines)[line] & _CACHE_LOCKED))
            return line;
    }
    abort();
}

/* Requests the line at `address` in the place of another one. The fence orders it after the other line's
 * write-back. */
static __attribute__((unused, noinline))
unsigned int _CACHE(requested)(unsigned int set, unsigned long long address)
{
    unsigned int line = _CACHE(replaced)(set);

    if (_CACHE(lines)[line])
        _CACHE_COUNT(replaced);
    _CACHE(wait)(line);
    if (_CACHE(lines)[line] & _CACHE_CHANGED)
        _CACHE(write_back)(line);
    mfc_getf(&_CACHE(bytes)[line * _CACHE_LINE], address, _CACHE_LINE, _CACHE(tag_of)(line), 0, 0);
    _CACHE(lines)[line] = address | _CACHE_VALID | _CACHE_COMING;
    return line;
}

/* The line that has the address `ea`. `write` decides only how the access is counted. */
_CACHE_FUNCTION unsigned int _CACHE(found)(unsigned long long ea, int write)
{
    const unsigned long long address = ea & ~(unsigned long long)(_CACHE_LINE - 1);
    const unsigned int set = (unsigned int)(ea >> CACHELINE_LOG2SIZE) & (_CACHE_SETS - 1);
    unsigned int line;

    for (line = set * _CACHE_WAYS; line < (set + 1) * _CACHE_WAYS; line++)
        if ((_CACHE(lines)[line] | _CACHE_FLAGS) == (address | _CACHE_FLAGS) && _CACHE(lines)[line]) {
            if (write)
                _CACHE_COUNT(write_hits);
            else
                _CACHE_COUNT(read_hits);
            return line;
        }
    if (write)
        _CACHE_COUNT(write_misses);
    else
        _CACHE_COUNT(read_misses);
    return _CACHE(requested)(set, address);
}

_CACHE_FUNCTION CACHED_TYPE *_CACHE(at)(unsigned int line, unsigned long long ea)
{
    return (CACHED_TYPE *)&_CACHE(bytes)[line * _CACHE_LINE + ((unsigned int)ea & (_CACHE_LINE - 1))];
}

_CACHE_FUNCTION CACHED_TYPE *_CACHE(touched_element)(unsigned long long ea)
{
    return _CACHE(at)(_CACHE(found)(ea, 0), ea);
}

_CACHE_FUNCTION CACHED_TYPE *_CACHE(element)(unsigned long long ea, int write)
{
    unsigned int line = _CACHE(found)(ea, write);

    _CACHE(wait)(line);
    if (write)
        _CACHE(lines)[line] |= _CACHE_CHANGED;
    return _CACHE(at)(line, ea);
}

/* A cache that is only read has no such function, so that the compiler refuses cache_wr. */
#if CACHE_TYPE == CACHE_TYPE_RW
_CACHE_FUNCTION CACHED_TYPE *_CACHE(changed_element)(unsigned long long ea)
{
    return _CACHE(element)(ea, 1);
}
#endif

#ifdef CACHE_READ_X4
_CACHE_FUNCTION vec_uint4 _CACHE(four_elements)(vec_uint4 eas)
{
    vec_uint4 elements = spu_splats(0u);
    int n;

    for (n = 0; n < 4; n++)
        elements = spu_insert(*(unsigned int *)_CACHE(element)(spu_extract(eas, n), 0), elements, n);
    return elements;
}
#endif

_CACHE_FUNCTION void _CACHE(lock)(const volatile void *pointer)
{
    _CACHE(lines)[_CACHE(line_of)(pointer)] |= _CACHE_LOCKED;
}

_CACHE_FUNCTION void _CACHE(unlock)(const volatile void *pointer)
{
    _CACHE(lines)[_CACHE(line_of)(pointer)] &= ~(unsigned long long)_CACHE_LOCKED;
}

_CACHE_FUNCTION void _CACHE(flush)(void)
{
    unsigned int line, tags = 0;

    for (line = 0; line < _CACHE_SETS * _CACHE_WAYS; line++) {
        if (_CACHE(lines)[line] & _CACHE_CHANGED)
            _CACHE(write_back)(line);
        if (_CACHE(lines)[line] & (_CACHE_CHANGED | _CACHE_COMING))
            tags |= 1u << _CACHE(tag_of)(line);
        if (_CACHE(lines)[line] & _CACHE_LOCKED)
            _CACHE(lines)[line] &= ~(unsigned long long)(_CACHE_CHANGED | _CACHE_COMING);
        else
            _CACHE(lines)[line] = 0;
    }
    _cache_wait_for_tags(tags);
    _CACHE_COUNT(flushes);
}

_CACHE_FUNCTION void _CACHE(print)(void)
{
#ifdef CACHE_STATS
    const struct _cache_counts *counts = &_CACHE(counts);

    printf("cache with %u sets of %u lines of %u bytes: %u read hits, %u read misses, %u write hits, "
           "%u write misses, %u lines replaced, %u lines written back, %u flushes\n",
           _CACHE_SETS, _CACHE_WAYS, _CACHE_LINE, counts->read_hits, counts->read_misses, counts->write_hits,
           counts->write_misses, counts->replaced, counts->written_back, counts->flushes);
#endif
}

#undef CACHE_NAME
#undef CACHED_TYPE
#undef CACHE_TYPE
#undef CACHELINE_LOG2SIZE
#undef CACHE_LOG2NWAY
#undef CACHE_LOG2NSETS
#undef CACHE_SET_TAGID
#undef CACHE_READ_X4
#undef _CACHE
#undef _CACHE_FUNCTION
#undef _CACHE_WAYS
#undef _CACHE_SETS
#undef _CACHE_LINE
#undef _CACHE_COUNT
