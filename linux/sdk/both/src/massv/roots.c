/* Quotients and roots in <massv.h>. */
#include "arrays.h"

#include <simdmath/_powers.h>

MASSV_OF_ONE(vsrec, _recipf4)
MASSV_OF_ONE(vssqrt, _sqrtf4)
MASSV_OF_ONE(vsrsqrt, _rsqrtf4)
MASSV_OF_ONE(vscbrt, _cbrtf4)
MASSV_OF_TWO(vsdiv, _divf4)
