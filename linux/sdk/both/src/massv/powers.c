/* Powers and logarithms in <massv.h>. */
#include "arrays.h"

#include <simdmath/_powers.h>

MASSV_OF_ONE(vsexp, _expf4)
MASSV_OF_ONE(vsexpm1, _expm1f4)
MASSV_OF_ONE(vslog, _logf4)
MASSV_OF_ONE(vslog10, _log10f4)
MASSV_OF_ONE(vslog1p, _log1pf4)
MASSV_OF_ONE(vssinh, _sinhf4)
MASSV_OF_ONE(vscosh, _coshf4)
MASSV_OF_ONE(vstanh, _tanhf4)
MASSV_OF_TWO(vspow, _powf4)
