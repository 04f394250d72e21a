/* Quotients and roots in <massv.h>. */
#include "arrays.h"

#include <simdmath/cbrtf4.h>
#include <simdmath/divf4.h>
#include <simdmath/recipf4.h>
#include <simdmath/rsqrtf4.h>
#include <simdmath/sqrtf4.h>

MASSV_OF_ONE(vsrec, _recipf4)
MASSV_OF_ONE(vssqrt, _sqrtf4)
MASSV_OF_ONE(vsrsqrt, _rsqrtf4)
MASSV_OF_ONE(vscbrt, _cbrtf4)
MASSV_OF_TWO(vsdiv, _divf4)
