//! ThumbHash: a picture in about 25 bytes, for what is shown until the picture has loaded. The
//! format is described at <https://evanw.github.io/thumbhash/>.

use std::f32::consts::PI;

/// The longest side in pixels of a picture that is hashed.
pub const SIDE_MAX: usize = 100;

/// One channel of a picture: `width` values for each row.
struct Channel {
    width: usize,
    values: Vec<f32>,
}

/// The frequencies of a channel: the constant, the others, and the largest of them.
struct Frequencies {
    constant: f32,
    varying: Vec<f32>,
    scale: f32,
}

/// Returns the hash of a picture with four bytes for each pixel, which are not premultiplied.
/// Returns `None` unless there are as many pixels as the sides say, at most [`SIDE_MAX`] each way.
pub fn compute_thumb_hash(width: usize, height: usize, rgba: &[u8]) -> Option<Vec<u8>> {
    let fits = |side: usize| (1..=SIDE_MAX).contains(&side);
    if !fits(width) || !fits(height) || rgba.len() != width * height * 4 {
        return None;
    }
    let ([light, yellow, red, alpha], has_alpha) = split_channels(width, rgba);
    let longest = width.max(height) as f32;
    let most = if has_alpha { 5.0 } else { 7.0 };
    let across = (most * width as f32 / longest).round().max(1.0) as usize;
    let down = (most * height as f32 / longest).round().max(1.0) as usize;
    let light = light.transform(across.max(3), down.max(3));
    let (yellow, red) = (yellow.transform(3, 3), red.transform(3, 3));
    let is_landscape = width > height;
    let head = bits(63.0 * light.constant, 63)
        | bits(31.5 + 31.5 * yellow.constant, 63) << 6
        | bits(31.5 + 31.5 * red.constant, 63) << 12
        | bits(31.0 * light.scale, 31) << 18
        | u32::from(has_alpha) << 23;
    let side = if is_landscape { down } else { across };
    let tail = side as u32
        | bits(63.0 * yellow.scale, 63) << 3
        | bits(63.0 * red.scale, 63) << 9
        | u32::from(is_landscape) << 15;
    let mut hash = head.to_le_bytes().get(..3)?.to_vec();
    hash.extend_from_slice(tail.to_le_bytes().get(..2)?);
    let mut channels = vec![light, yellow, red];
    if has_alpha {
        let alpha = alpha.transform(5, 5);
        hash.push((bits(15.0 * alpha.constant, 15) | bits(15.0 * alpha.scale, 15) << 4) as u8);
        channels.push(alpha);
    }
    let varying: Vec<f32> = channels.into_iter().flat_map(|it| it.varying).collect();
    for pair in varying.chunks(2) {
        let nibble = |at: usize| pair.get(at).map_or(0, |it| bits(15.0 * it, 15));
        hash.push((nibble(0) | nibble(1) << 4) as u8);
    }
    Some(hash)
}

/// Returns lightness, yellow against blue, red against green, and opacity, with the picture laid on
/// its average colour; and true if it is transparent somewhere.
fn split_channels(width: usize, rgba: &[u8]) -> ([Channel; 4], bool) {
    let pixels = || {
        rgba.chunks_exact(4).map(|it| match it {
            [r, g, b, a] => [*r, *g, *b, *a].map(|it| f32::from(it) / 255.0),
            _ => [0.0; 4],
        })
    };
    let mut sums = [0.0_f32; 4];
    for [r, g, b, a] in pixels() {
        for (sum, value) in sums.iter_mut().zip([r * a, g * a, b * a, a]) {
            *sum += value;
        }
    }
    let opacity = sums[3];
    let average = sums.map(|it| if opacity > 0.0 { it / opacity } else { it });
    let mut channels =
        [(); 4].map(|()| Channel { width, values: Vec::with_capacity(rgba.len() / 4) });
    for [r, g, b, a] in pixels() {
        let laid = |value: f32, under: f32| under * (1.0 - a) + a * value;
        let (r, g, b) = (laid(r, average[0]), laid(g, average[1]), laid(b, average[2]));
        let values = [(r + g + b) / 3.0, (r + g) / 2.0 - b, r - g, a];
        for (channel, value) in channels.iter_mut().zip(values) {
            channel.values.push(value);
        }
    }
    (channels, rgba.chunks_exact(4).any(|it| it.last() != Some(&u8::MAX)))
}

impl Channel {
    /// The cosine transform, of the lowest frequencies in a triangle.
    fn transform(&self, across: usize, down: usize) -> Frequencies {
        let height = self.values.len() / self.width;
        let mut found = Frequencies { constant: 0.0, varying: Vec::new(), scale: 0.0 };
        for y in 0..down {
            let mut x = 0;
            while x * down < across * (down - y) {
                let value = self.find_frequency(x, y, height);
                if x > 0 || y > 0 {
                    found.varying.push(value);
                    found.scale = found.scale.max(value.abs());
                } else {
                    found.constant = value;
                }
                x += 1;
            }
        }
        if found.scale > 0.0 {
            let scale = found.scale;
            found.varying.iter_mut().for_each(|it| *it = 0.5 + 0.5 / scale * *it);
        }
        found
    }

    fn find_frequency(&self, x: usize, y: usize, height: usize) -> f32 {
        let cosine = |of: usize, at: usize, side: usize| {
            (PI / side as f32 * of as f32 * (at as f32 + 0.5)).cos()
        };
        let across: Vec<f32> = (0..self.width).map(|at| cosine(x, at, self.width)).collect();
        let rows = self.values.chunks_exact(self.width).enumerate();
        let sum: f32 = rows
            .map(|(at, row)| {
                let row: f32 = row.iter().zip(&across).map(|(value, cosine)| value * cosine).sum();
                row * cosine(y, at, height)
            })
            .sum();
        sum / (self.width * height) as f32
    }
}

/// Rounds a value to a whole number from 0 to `most`.
fn bits(value: f32, most: u32) -> u32 {
    (value.round().max(0.0) as u32).min(most)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn picture(width: usize, height: usize, pixel: impl Fn(usize, usize) -> [u8; 4]) -> String {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rgba: Vec<u8> = places.flat_map(|(x, y)| pixel(x, y)).collect();
        STANDARD.encode(compute_thumb_hash(width, height, &rgba).unwrap())
    }

    /// The expected values are those of the reference implementation.
    #[test]
    fn hashes_are_those_of_the_reference() {
        let check = |made: String, expect: &str| assert_eq!(made, expect);
        let one = picture(30, 20, |x, y| {
            let (green, blue) = (if y > 12 { 200 } else { 30 }, if x + y > 25 { 10 } else { 240 });
            [(x * x / 4) as u8, green, blue, 255]
        });
        check(one, "WNYFpZithoZikYhfuaaHc4CCGflI");
        let two = picture(20, 30, |x, y| {
            let alpha = if x > y { 255 } else { (x * 10) as u8 };
            [(y * y / 4) as u8, if x > 12 { 200 } else { 30 }, 9, alpha]
        });
        check(two, "T3qFGwo44IBpZofggPYQrGB3fHaJh4k=");
        check(picture(1, 1, |_, _| [200, 10, 10, 255]), "0nonv14H+AeHiIeAj4CI+AeHcHAIB4cA");
        check(picture(100, 3, |x, _| [x as u8, 0, 255, 0]), "AAiCAYAAAAAAAAAAAAAAAAAAAAAAAAA=");
    }

    #[test]
    fn what_is_no_small_picture_has_no_hash() {
        assert_eq!(compute_thumb_hash(0, 1, &[]), None);
        assert_eq!(compute_thumb_hash(1, 1, &[0; 3]), None);
        assert_eq!(compute_thumb_hash(101, 1, &[0; 404]), None);
    }
}
