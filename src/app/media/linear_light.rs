//! Linear light: the values of pixels as amounts of light, which can be added and averaged. The
//! bytes of a picture are not: half of 255 looks like a fifth of the light.

use std::sync::OnceLock;

/// Returns the linear value of each byte.
pub(crate) fn linear_values() -> &'static [u16; 256] {
    static VALUES: OnceLock<[u16; 256]> = OnceLock::new();
    VALUES.get_or_init(|| {
        let mut byte = 0.0_f64;
        [(); 256].map(|()| {
            let value = byte / 255.0;
            byte += 1.0;
            let linear =
                if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
            (linear * 65_535.0).round() as u16
        })
    })
}

/// Returns the byte for each linear value.
pub(crate) fn byte_values() -> &'static [u8] {
    static VALUES: OnceLock<Vec<u8>> = OnceLock::new();
    VALUES.get_or_init(|| {
        let byte = |linear: u16| {
            let value = f64::from(linear) / 65_535.0;
            let coded = match value <= 0.003_130_8 {
                true => value * 12.92,
                false => 1.055 * value.powf(1.0 / 2.4) - 0.055,
            };
            (coded * 255.0).round() as u8
        };
        (0..=u16::MAX).map(byte).collect()
    })
}

/// Returns the byte for a linear value.
pub(crate) fn to_byte(linear: u16) -> u8 {
    byte_values().get(usize::from(linear)).copied().unwrap_or(u8::MAX)
}

/// Returns the linear value of a byte.
pub(crate) fn to_linear(byte: u8) -> u16 {
    linear_values().get(usize::from(byte)).copied().unwrap_or(u16::MAX)
}

/// Returns the average colour of pixels of four bytes; transparent ones count less.
pub(crate) fn average_color(rgba: &[u8]) -> [u8; 3] {
    let (mut sums, mut opacity) = ([0_u64; 3], 0_u64);
    for pixel in rgba.chunks_exact(4) {
        let alpha = pixel.last().copied().map_or(0, u64::from);
        opacity += alpha;
        for (sum, byte) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(to_linear(*byte)) * alpha;
        }
    }
    sums.map(|sum| {
        let average = sum.checked_div(opacity).unwrap_or_default();
        to_byte(u16::try_from(average).unwrap_or(u16::MAX))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_way_to_light_and_back() {
        for byte in 0..=u8::MAX {
            assert_eq!(to_byte(to_linear(byte)), byte);
        }
    }

    #[test]
    fn colors_are_averaged_as_light() {
        let check = |rgba: &[u8], expect: [u8; 3]| assert_eq!(average_color(rgba), expect);
        check(&[255, 255, 255, 255, 0, 0, 0, 255], [188, 188, 188]);
        check(&[255, 0, 0, 255, 0, 255, 0, 0], [255, 0, 0]);
        check(&[10, 20, 30, 0], [0, 0, 0]);
        check(&[], [0, 0, 0]);
    }
}
