//! Integer products, sums of products, and sums across elements.

use spu::Quadword;

/// Products of the even elements, or of the odd elements, of A and B.
macro_rules! products {
    ($($even:ident $odd:ident $get:ident $from:ident $signed:ty, $wide:ty, $unsigned:ty;)*) => {$(
        #[doc = concat!("`", stringify!($even), "`: products of elements 0, 2, 4 and so on.")]
        #[inline]
        pub fn $even(a: Quadword, b: Quadword) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(std::array::from_fn(|k| (<$wide>::from(a[2 * k] as $signed) * <$wide>::from(b[2 * k] as $signed)) as $unsigned))
        }

        #[doc = concat!("`", stringify!($odd), "`: products of elements 1, 3, 5 and so on.")]
        #[inline]
        pub fn $odd(a: Quadword, b: Quadword) -> Quadword {
            let (a, b) = (a.$get(), b.$get());
            Quadword::$from(std::array::from_fn(|k| {
                (<$wide>::from(a[2 * k + 1] as $signed) * <$wide>::from(b[2 * k + 1] as $signed)) as $unsigned
            }))
        }
    )*};
}

products! {
    vmuleub vmuloub bytes from_halfwords u8, u16, u16;
    vmulesb vmulosb bytes from_halfwords i8, i16, u16;
    vmuleuh vmulouh halfwords from_words u16, u32, u32;
    vmulesh vmulosh halfwords from_words i16, i32, u32;
}

/// Clamps a number to a signed halfword. Also returns whether clamping changed the number.
fn signed_halfword(number: i32) -> (u16, bool) {
    let clamped = number.clamp(i16::MIN.into(), i16::MAX.into());
    (clamped as u16, clamped != number)
}

/// Clamps a number to a signed word. Also returns whether clamping changed the number.
fn signed_word(number: i64) -> (u32, bool) {
    let clamped = number.clamp(i32::MIN.into(), i32::MAX.into());
    (clamped as u32, clamped != number)
}

/// Clamps a number to an unsigned word. Also returns whether clamping changed the number.
fn unsigned_word(number: u64) -> (u32, bool) {
    let clamped = number.min(u32::MAX.into());
    (clamped as u32, clamped != number)
}

/// Adds the halfwords of C to the left 17 bits of products of signed halfwords. The function adds `rounding` to each
/// product first.
fn high_products(a: Quadword, b: Quadword, c: Quadword, rounding: i32) -> (Quadword, bool) {
    let (a, b, c) = (a.halfwords(), b.halfwords(), c.halfwords());
    let mut saturated = false;
    let sums = std::array::from_fn(|k| {
        let product = (i32::from(a[k] as i16) * i32::from(b[k] as i16) + rounding) >> 15;
        let (sum, one) = signed_halfword(product + i32::from(c[k] as i16));
        saturated |= one;
        sum
    });
    (Quadword::from_halfwords(sums), saturated)
}

/// `vmhaddshs`: the left 17 bits of products, plus C.
#[inline]
pub fn vmhaddshs(a: Quadword, b: Quadword, c: Quadword) -> (Quadword, bool) {
    high_products(a, b, c, 0)
}

/// `vmhraddshs`: the left 17 bits of rounded products, plus C.
#[inline]
pub fn vmhraddshs(a: Quadword, b: Quadword, c: Quadword) -> (Quadword, bool) {
    high_products(a, b, c, 0x4000)
}

/// `vmladduhm`: the right halves of products, plus C.
#[inline]
pub fn vmladduhm(a: Quadword, b: Quadword, c: Quadword) -> Quadword {
    let (a, b, c) = (a.halfwords(), b.halfwords(), c.halfwords());
    Quadword::from_halfwords(std::array::from_fn(|k| a[k].wrapping_mul(b[k]).wrapping_add(c[k])))
}

/// Adds the products of the elements in each word to the word of C.
macro_rules! sums_of_products {
    ($($name:ident $get:ident $count:literal |$a:ident, $b:ident| $product:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`: sums of the products in each word, plus C.")]
        #[inline]
        pub fn $name(a: Quadword, b: Quadword, c: Quadword) -> Quadword {
            let (a, b, c) = (a.$get(), b.$get(), c.words());
            Quadword::from_words(std::array::from_fn(|k| {
                (0..$count).fold(c[k], |sum, j| {
                    let ($a, $b) = (a[$count * k + j], b[$count * k + j]);
                    sum.wrapping_add($product)
                })
            }))
        }
    )*};
}

sums_of_products! {
    vmsumubm bytes 4 |a, b| u32::from(a) * u32::from(b);
    vmsummbm bytes 4 |a, b| (i32::from(a as i8) * i32::from(b)) as u32;
    vmsumuhm halfwords 2 |a, b| u32::from(a) * u32::from(b);
    vmsumshm halfwords 2 |a, b| (i32::from(a as i16) * i32::from(b as i16)) as u32;
}

/// `vmsumuhs`: sums of the products in each word, plus C. Returns whether any sum saturated.
#[inline]
pub fn vmsumuhs(a: Quadword, b: Quadword, c: Quadword) -> (Quadword, bool) {
    let (a, b, c) = (a.halfwords(), b.halfwords(), c.words());
    each_word(|k| {
        let product = |j: usize| u64::from(a[j]) * u64::from(b[j]);
        unsigned_word(product(2 * k) + product(2 * k + 1) + u64::from(c[k]))
    })
}

/// `vmsumshs`: sums of the products in each word, plus C. Returns whether any sum saturated.
#[inline]
pub fn vmsumshs(a: Quadword, b: Quadword, c: Quadword) -> (Quadword, bool) {
    let (a, b, c) = (a.halfwords(), b.halfwords(), c.words());
    each_word(|k| {
        let product = |j: usize| i64::from(a[j] as i16) * i64::from(b[j] as i16);
        signed_word(product(2 * k) + product(2 * k + 1) + i64::from(c[k] as i32))
    })
}

/// Joins the four words that `f` returns. Also returns whether any of the words saturated.
fn each_word(f: impl Fn(usize) -> (u32, bool)) -> (Quadword, bool) {
    let mut saturated = false;
    let sums = std::array::from_fn(|k| {
        let (sum, one) = f(k);
        saturated |= one;
        sum
    });
    (Quadword::from_words(sums), saturated)
}

/// `vsum4ubs`: sums of the bytes in each word, plus B.
#[inline]
pub fn vsum4ubs(a: Quadword, b: Quadword) -> (Quadword, bool) {
    let (a, b) = (a.bytes(), b.words());
    each_word(|k| unsigned_word(a[4 * k..4 * k + 4].iter().map(|&a| u64::from(a)).sum::<u64>() + u64::from(b[k])))
}

/// `vsum4sbs`: sums of the signed bytes in each word, plus B.
#[inline]
pub fn vsum4sbs(a: Quadword, b: Quadword) -> (Quadword, bool) {
    let (a, b) = (a.bytes(), b.words());
    each_word(|k| {
        signed_word(a[4 * k..4 * k + 4].iter().map(|&a| i64::from(a as i8)).sum::<i64>() + i64::from(b[k] as i32))
    })
}

/// `vsum4shs`: sums of the signed halfwords in each word, plus B.
#[inline]
pub fn vsum4shs(a: Quadword, b: Quadword) -> (Quadword, bool) {
    let (a, b) = (a.halfwords(), b.words());
    each_word(|k| signed_word(i64::from(a[2 * k] as i16) + i64::from(a[2 * k + 1] as i16) + i64::from(b[k] as i32)))
}

/// `vsum2sws`: sums of the words in each doubleword, plus the right word of B. The left words become zero.
#[inline]
pub fn vsum2sws(a: Quadword, b: Quadword) -> (Quadword, bool) {
    let (a, b) = (a.words().map(signed), b.words().map(signed));
    each_word(|k| if k % 2 == 0 { (0, false) } else { signed_word(a[k - 1] + a[k] + b[k]) })
}

/// `vsumsws`: the sum of all words, plus the rightmost word of B. The other words become zero.
#[inline]
pub fn vsumsws(a: Quadword, b: Quadword) -> (Quadword, bool) {
    let (a, b) = (a.words().map(signed), b.words().map(signed));
    each_word(|k| if k < 3 { (0, false) } else { signed_word(a.iter().sum::<i64>() + b[3]) })
}

fn signed(word: u32) -> i64 {
    i64::from(word as i32)
}
