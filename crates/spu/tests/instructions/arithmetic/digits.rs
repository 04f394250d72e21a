//! Exact numbers, represented by a sign and a sequence of binary digits. The sequence is long enough for any product of
//! two doubles.

/// The digit at index 0 represents two to the power of -`BELOW`.
const BELOW: i32 = 2300;
/// The number of digits.
const DIGITS: usize = 4700;

/// An exact number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    pub negative: bool,
    digits: Vec<bool>,
}

impl Number {
    /// The number with this sign and with the magnitude `significand` times two to the power of `exponent`.
    pub fn new(negative: bool, significand: u128, exponent: i32) -> Self {
        let mut digits = vec![false; DIGITS];
        for bit in 0..128 {
            if significand >> bit & 1 == 1 {
                digits[(exponent + BELOW) as usize + bit] = true;
            }
        }
        Self { negative, digits }
    }

    /// Whether all digits are zero.
    pub fn is_zero(&self) -> bool {
        !self.digits.contains(&true)
    }

    /// The sum. A zero sum is positive.
    pub fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self { negative: self.negative, digits: sum(&self.digits, &other.digits) };
        }
        // Compares the digits in order, beginning with the most significant digit.
        match self.digits.iter().rev().cmp(other.digits.iter().rev()) {
            std::cmp::Ordering::Less => other.plus(self),
            std::cmp::Ordering::Equal => Self::new(false, 0, 0),
            std::cmp::Ordering::Greater => {
                Self { negative: self.negative, digits: difference(&self.digits, &other.digits) }
            }
        }
    }

    /// The power of two that the leading digit represents. The number must not be zero.
    pub fn leading_exponent(&self) -> i32 {
        self.digits.iter().rposition(|&digit| digit).unwrap() as i32 - BELOW
    }

    /// The magnitude as a multiple of two to the power of `exponent`. Lower digits are dropped.
    pub fn multiple_of(&self, exponent: i32) -> u128 {
        let (_, above) = self.cut(exponent);
        assert!(above.iter().rposition(|&digit| digit).is_none_or(|top| top < 128), "more than 128 bits");
        above.iter().take(128).rev().fold(0, |value, &digit| value << 1 | u128::from(digit))
    }

    /// Whether any digit that represents less than two to the power of `exponent` is set.
    pub fn has_below(&self, exponent: i32) -> bool {
        self.cut(exponent).0.contains(&true)
    }

    /// Whether the magnitude is greater than that of the other number.
    pub fn exceeds(&self, other: &Self) -> bool {
        self.digits.iter().rev().gt(other.digits.iter().rev())
    }

    fn cut(&self, exponent: i32) -> (&[bool], &[bool]) {
        self.digits.split_at((exponent + BELOW) as usize)
    }
}

fn sum(x: &[bool], y: &[bool]) -> Vec<bool> {
    let mut carry = 0;
    let add = |(&x, &y): (&bool, &bool)| {
        let column = u8::from(x) + u8::from(y) + carry;
        carry = column / 2;
        column % 2 == 1
    };
    x.iter().zip(y).map(add).collect()
}

fn difference(x: &[bool], y: &[bool]) -> Vec<bool> {
    let mut borrow = 0;
    let subtract = |(&x, &y): (&bool, &bool)| {
        let column = i8::from(x) - i8::from(y) - borrow;
        borrow = i8::from(column < 0);
        column.rem_euclid(2) == 1
    };
    x.iter().zip(y).map(subtract).collect()
}
