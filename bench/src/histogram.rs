//! A latency histogram of fixed size with 32 steps in each power of two, which makes it exact to 3
//! %.

use std::time::Duration;

const STEP_BITS: u32 = 5;
const STEPS: usize = 1 << STEP_BITS;

/// Counts of latencies in nanoseconds.
pub(crate) struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Histogram {
    /// Returns an empty histogram.
    pub(crate) fn new() -> Self {
        Histogram { counts: vec![0; STEPS * 65], total: 0 }
    }

    /// Counts one latency.
    pub(crate) fn add(&mut self, latency: Duration) {
        let nanos = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        if let Some(count) = self.counts.get_mut(bucket_of(nanos)) {
            *count += 1;
            self.total += 1;
        }
    }

    /// Adds the counts of another histogram.
    pub(crate) fn merge(&mut self, other: &Histogram) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.total += other.total;
    }

    /// Returns the latency within which `percent` of all stay.
    pub(crate) fn percentile(&self, percent: f64) -> Duration {
        let wanted = (self.total as f64 * percent / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_nanos(upper_bound(bucket));
            }
        }
        Duration::ZERO
    }
}

/// Returns the bucket of a value. Below 32, every value has its own bucket; above, the five bits
/// after the leading one select it.
fn bucket_of(value: u64) -> usize {
    let Some(power) = value.checked_ilog2().filter(|&power| power >= STEP_BITS) else {
        return value as usize;
    };
    let shift = power - STEP_BITS;
    let step = (value >> shift) as usize - STEPS;
    (shift as usize + 1) * STEPS + step
}

fn upper_bound(bucket: usize) -> u64 {
    if bucket < STEPS {
        return bucket as u64;
    }
    let shift = (bucket / STEPS - 1) as u32;
    let lower = ((STEPS + bucket % STEPS) as u64) << shift;
    lower + ((1_u64 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_their_values() {
        for value in [0, 1, 31, 32, 33, 63, 64, 1_000, 123_456, 1 << 40, u64::MAX] {
            let bound = upper_bound(bucket_of(value));
            assert!(bound >= value, "{value} in a bucket up to {bound}");
            assert!(bound - value <= value / 32, "{value} in a bucket up to {bound}");
        }
    }

    #[test]
    fn percentiles() {
        let mut histogram = Histogram::new();
        (1..=100).for_each(|micros| histogram.add(Duration::from_micros(micros)));
        let check = |percent, micros: u64| {
            let got = histogram.percentile(percent).as_micros() as u64;
            assert!(got.abs_diff(micros) <= 3, "p{percent} is {got} µs");
        };
        check(50.0, 50);
        check(99.0, 99);
        check(100.0, 100);
        assert_eq!(Histogram::new().percentile(50.0), Duration::ZERO);
    }
}
