/* Powers and logarithms in <massv.h>. */
#include "arrays.h"

#include <simdmath/coshf4.h>
#include <simdmath/expf4.h>
#include <simdmath/expm1f4.h>
#include <simdmath/log10f4.h>
#include <simdmath/log1pf4.h>
#include <simdmath/logf4.h>
#include <simdmath/powf4.h>
#include <simdmath/sinhf4.h>
#include <simdmath/tanhf4.h>

MASSV_OF_ONE(vsexp, _expf4)
MASSV_OF_ONE(vsexpm1, _expm1f4)
MASSV_OF_ONE(vslog, _logf4)
MASSV_OF_ONE(vslog10, _log10f4)
MASSV_OF_ONE(vslog1p, _log1pf4)
MASSV_OF_ONE(vssinh, _sinhf4)
MASSV_OF_ONE(vscosh, _coshf4)
MASSV_OF_ONE(vstanh, _tanhf4)
MASSV_OF_TWO(vspow, _powf4)
