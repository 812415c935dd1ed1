//! The one source of randomness: SplitMix64 on a seed.
//!
//! On its own because nothing else may be random. Written here, in a few lines, so that a seed
//! printed today still gives the same run after every dependency has moved on.

/// A stream of random numbers that is a function of its seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The stream number `index` of a seed: streams of different indices are independent.
    pub const fn stream(seed: u64, index: u64) -> Self {
        Rng(mix(seed ^ mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub const fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let span = high.wrapping_sub(low) as u64;
        if span == u64::MAX {
            return self.next() as i64;
        }
        low.wrapping_add(self.below(span + 1) as i64)
    }

    /// A number in the half-open interval from 0 to 1.
    pub const fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::new(1);
        assert_eq!([rng.next(), rng.next()], [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
    }

    #[test]
    fn bounds_are_kept_and_reached() {
        let mut rng = Rng::new(7);
        let mut seen = [false; 5];
        for _ in 0..200 {
            let n = rng.between(-2, 2);
            seen[(n + 2) as usize] = true;
        }
        assert!(seen.into_iter().all(|s| s));
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.between(3, 3), 3);
        rng.between(i64::MIN, i64::MAX);
    }
}
