//! The order in which a thread visits the elements of a region, lap after lap. A lap visits each element once.

/// An order of elements, with the current position.
#[derive(Clone, Debug)]
pub enum Order {
    /// Sequential.
    Next {
        /// Offset of the next element.
        at: u64,
        /// Bytes from one element to the next.
        distance: u64,
        /// Offset at which the order wraps around to 0.
        end: u64,
    },
    /// Scattered: pseudo-random.
    Scattered {
        /// Elements visited so far.
        count: u64,
        /// Number of elements (a power of two) minus 1.
        mask: u64,
        /// Bytes from one element to the next in memory.
        distance: u64,
        /// Element at which the order begins.
        seed: u64,
    },
}

impl Order {
    /// A sequential order through a region of at least one element.
    pub fn one_after_the_other(region_bytes: u64, distance: u64) -> Order {
        Order::Next { at: 0, distance, end: region_bytes / distance * distance }
    }

    /// A scattered order of 2^n elements, for the largest n that fits the region.
    pub fn scattered(region_bytes: u64, distance: u64, seed: u64) -> Order {
        let mask = (1 << (region_bytes / distance).ilog2()) - 1;
        Order::Scattered { count: 0, mask, distance, seed }
    }

    /// Returns the offset of the next element.
    #[inline]
    pub fn next_offset(&mut self) -> u64 {
        match self {
            Order::Next { at, distance, end } => {
                let offset = *at;
                *at = if offset + *distance >= *end { 0 } else { offset + *distance };
                offset
            }
            Order::Scattered { count, mask, distance, seed } => {
                let offset = scatter(count.wrapping_add(*seed), *mask) * *distance;
                *count += 1;
                offset
            }
        }
    }
}

/// The numbers below `count`, each once, in a pseudo-random order.
pub fn permutation(count: u64, seed: u64) -> impl Iterator<Item = u64> {
    let mask = count.next_power_of_two() - 1;
    (0..=mask).map(move |nth| scatter(nth.wrapping_add(seed), mask)).filter(move |number| *number < count)
}

/// A permutation of the numbers up to `mask`. The permutation uses two invertible operations: multiplication by an odd
/// factor, and xor with a right shift.
fn scatter(number: u64, mask: u64) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let half = mask.count_ones() / 2 + 1;
    let mixed = number.wrapping_mul(FACTOR) & mask;
    let mixed = (mixed ^ mixed >> half).wrapping_mul(FACTOR) & mask;
    mixed ^ mixed >> half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_visited_once_a_lap() {
        for (mut order, elements) in [
            (Order::one_after_the_other(1000, 64), 15),
            (Order::scattered(64, 64, 7), 1),
            (Order::scattered(64 * 1000, 64, 7), 512),
        ] {
            for _ in 0..3 {
                let mut lap: Vec<u64> = (0..elements).map(|_| order.next_offset()).collect();
                lap.sort_unstable();
                assert!(lap.iter().copied().eq((0..elements).map(|i| 64 * i)), "{order:?}");
            }
        }
    }

    #[test]
    fn a_permutation_has_every_number_once() {
        for count in [1, 2, 3, 64, 1000] {
            let mut numbers: Vec<u64> = permutation(count, 7).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn neighbours_are_seldom_visited_one_after_the_other() {
        let mut order = Order::scattered(64 * 4096, 64, 0);
        let lap: Vec<u64> = (0..4096).map(|_| order.next_offset()).collect();
        let near = lap.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 4 * 64).count();
        assert!(near < 40, "{near} of 4095");
    }
}
