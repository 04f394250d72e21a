/* C = A B in single precision: 128 x 128, with SIMD intrinsics.
 *
 *     cellstats spu programs/samples/matrix.elf -n 4
 *
 * Every SPE generates A and B itself, computes its share of C's rows, checks it, and puts it into main memory
 * at 0x100000, row by row. The elements are small integers, so every product and sum is exact, regardless of
 * the rounding mode. The exit status is 1 if a row is wrong.
 */
#include <spu_intrinsics.h>
#include <spu_mfcio.h>
#include <stdint.h>
#include <stdio.h>

#define N 128
#define VECTORS (N / 4)
#define RESULT_EA 0x100000ull
#define ROW_BYTES (N * sizeof(float))

/* The size of a block of C that stays in registers, in rows and in vectors. */
#define BLOCK_ROWS 4
#define BLOCK_VECTORS 4

static vec_float4 a[N][VECTORS], b[N][VECTORS], c[N][VECTORS];

/* Element (row, column) of A, from 0 to 10, and of B, from -6 to 6. */
static float element_a(int row, int column)
{
    return (row * 3 + column * 5) % 11;
}

static float element_b(int row, int column)
{
    return (row * 7 + column) % 13 - 6;
}

static void make_matrices(void)
{
    int row, column;

    for (row = 0; row < N; row++)
        for (column = 0; column < N; column++) {
            ((float *)a[row])[column] = element_a(row, column);
            ((float *)b[row])[column] = element_b(row, column);
        }
}

/* A vector whose four elements are element `ELEMENT` of another vector. */
#define SPLAT(vector, ELEMENT) \
    spu_shuffle(vector, vector, (vec_uchar16)spu_splats(0x00010203u + 0x04040404u * (ELEMENT)))

/* One step of the innermost loop: row k of B's block times column k of A's. */
#define STEP(ELEMENT)                                                         \
    for (j = 0; j < BLOCK_VECTORS; j++)                                       \
        for (i = 0; i < BLOCK_ROWS; i++)                                      \
            sums[i][j] = spu_madd(SPLAT(of_a[i], ELEMENT), b[4 * k + (ELEMENT)][column + j], sums[i][j]);

/* Computes the block of C that begins at `row` and vector `column`. */
static void multiply_block(int row, int column)
{
    vec_float4 sums[BLOCK_ROWS][BLOCK_VECTORS], of_a[BLOCK_ROWS];
    int i, j, k;

    for (i = 0; i < BLOCK_ROWS; i++)
        for (j = 0; j < BLOCK_VECTORS; j++)
            sums[i][j] = spu_splats(0.0f);
    for (k = 0; k < VECTORS; k++) {
        for (i = 0; i < BLOCK_ROWS; i++)
            of_a[i] = a[row + i][k];
        STEP(0)
        STEP(1)
        STEP(2)
        STEP(3)
    }
    for (i = 0; i < BLOCK_ROWS; i++)
        for (j = 0; j < BLOCK_VECTORS; j++)
            c[row + i][column + j] = sums[i][j];
}

/* Checks that C w = A (B w) in these rows, where w is 1, 2, ..., N. This check (Freivalds) is almost as
 * strong as a second product, and much cheaper. */
static int rows_are_right(int first, int end)
{
    static int64_t bw[N];
    int row, column;

    for (row = 0; row < N; row++)
        for (bw[row] = 0, column = 0; column < N; column++)
            bw[row] += (int)element_b(row, column) * (column + 1);
    for (row = first; row < end; row++) {
        int64_t left = 0, right = 0;

        for (column = 0; column < N; column++) {
            left += (int64_t)(int)((float *)c[row])[column] * (column + 1);
            right += (int)element_a(row, column) * bw[column];
        }
        if (left != right) {
            printf("row %d is wrong\n", row);
            return 0;
        }
    }
    return 1;
}

int main(uint64_t speid, uint64_t rank, uint64_t spes)
{
    int first = rank * (N / BLOCK_ROWS) / spes * BLOCK_ROWS;
    int end = (rank + 1) * (N / BLOCK_ROWS) / spes * BLOCK_ROWS;
    int row, column;
    uint32_t ticks;

    (void)speid;
    make_matrices();
    spu_write_decrementer(UINT32_MAX);
    for (row = first; row < end; row += BLOCK_ROWS)
        for (column = 0; column < VECTORS; column += BLOCK_VECTORS)
            multiply_block(row, column);
    ticks = UINT32_MAX - spu_read_decrementer();
    for (row = first; row < end; row++)
        mfc_put(c[row], RESULT_EA + row * ROW_BYTES, ROW_BYTES, 0, 0, 0);
    mfc_write_tag_mask(1 << 0);
    mfc_read_tag_status_all();
    printf("SPE %d: %d operations in %u ticks\n", (int)rank, (end - first) * N * N * 2, ticks);
    return !rows_are_right(first, end);
}
