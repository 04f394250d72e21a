/* The vector library of MASS: functions of single precision on arrays of *n numbers. Link with -lmassv.
 *
 * This is CellStats' own implementation of the published interface, with the functions and the accuracy of
 * <simdmath.h>. Arrays may lie anywhere. A result may replace its argument.
 */
#ifndef CELLSTATS_MASSV_H
#define CELLSTATS_MASSV_H

#ifdef __cplusplus
extern "C" {
#endif

/* y[i] = f(x[i]) */
void vsrec(float *y, float *x, int *n);
void vssqrt(float *y, float *x, int *n);
void vsrsqrt(float *y, float *x, int *n);
void vscbrt(float *y, float *x, int *n);
void vsexp(float *y, float *x, int *n);
void vsexpm1(float *y, float *x, int *n);
void vslog(float *y, float *x, int *n);
void vslog10(float *y, float *x, int *n);
void vslog1p(float *y, float *x, int *n);
void vssin(float *y, float *x, int *n);
void vscos(float *y, float *x, int *n);
void vstan(float *y, float *x, int *n);
void vsasin(float *y, float *x, int *n);
void vsacos(float *y, float *x, int *n);
void vssinh(float *y, float *x, int *n);
void vscosh(float *y, float *x, int *n);
void vstanh(float *y, float *x, int *n);

/* z[i] = f(x[i], y[i]); vsatan2 gives atan2(x[i], y[i]). */
void vsdiv(float *z, float *x, float *y, int *n);
void vspow(float *z, float *x, float *y, int *n);
void vsatan2(float *z, float *x, float *y, int *n);

/* Sines and cosines of x[i], in two arrays, or as complex numbers cos x[i] + sqrt(-1) sin x[i]. */
void vssincos(float *sines, float *cosines, float *x, int *n);
void vscosisin(float _Complex *y, float *x, int *n);

#ifdef __cplusplus
}
#endif

#endif
