//! Variants of pictures: few files for many wishes, never more bytes than the picture, and no panic
//! whatever a file holds.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::Arc;

use image::DynamicImage;
use image::ImageFormat;
use image::Rgba;
use image::RgbaImage;
use recto::app::App;
use recto::app::jobs::sketching::sketch_new_pictures;
use recto::app::media::variants::FoundVariant;
use recto::app::media::variants::VariantParts;
use recto::app::media::variants::WantedVariant;
use recto::engine::Engine;
use recto::model::media::MediaItem;
use recto::model::media::VariantSpec;
use recto::model::name::WorkspaceSlug;
use recto::query::request::params::QueryParams;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::read::variant_cache::KeptVariant;

use crate::support::folder;
use crate::support::folder::Data;

const FORMATS: [ImageFormat; 4] =
    [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif];

/// The requests that each picture is tried with.
const QUERIES: [&str; 6] = [
    "w=64",
    "w=96&h=64",
    "w=128&h=128&fit=contain",
    "h=160&format=jpeg&q=30",
    "w=64&format=png",
    "format=webp",
];

struct Library {
    data: Data,
    app: App,
}

fn open(data: Data) -> Library {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
    Library { data, app: folder::app(&engine) }
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("default").unwrap()
}

impl Library {
    fn item(&self, name: &str) -> Arc<MediaItem> {
        self.app.engine.snapshot("default").unwrap().media.get(name).unwrap().clone()
    }

    /// The bytes that a request is answered with, if they are not those of the file.
    fn get(&self, name: &str, query: &str) -> Option<Vec<u8>> {
        let params = QueryParams::parse(query).unwrap();
        let spec = VariantSpec::parse_query(|key| params.get(key)).unwrap();
        let item = self.item(name);
        let wanted = WantedVariant { spec, accepts_webp: true };
        let found = FoundVariant::new(&ws(), &item, wanted)?;
        let engine = &self.app.engine;
        let blob = engine.folder().open_media(&ws(), &item.filename).unwrap();
        let parts =
            VariantParts { engine, budget: &self.app.thumbnails.budget, cache_bytes_max: 1 << 30 };
        match self.app.variants.get(&found, &item, blob, parts).unwrap() {
            KeptVariant::Original => None,
            KeptVariant::Made(bytes) => Some(bytes.to_vec()),
        }
    }

    fn count_kept(&self) -> usize {
        let mut found = BTreeSet::new();
        folder::files_below(self.data.root(), ".recto/variants", &mut found);
        found.len()
    }
}

fn encode(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Vec::new();
    let fitting =
        if format == ImageFormat::Jpeg { picture.to_rgb8().into() } else { picture.clone() };
    let fitting: DynamicImage = fitting;
    fitting.write_to(&mut Cursor::new(&mut out), format).unwrap();
    out
}

/// A picture with lines and noise, and transparent parts.
fn draw(width: u32, height: u32, seed: u32) -> DynamicImage {
    let mut state = seed | 1;
    DynamicImage::from(RgbaImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (state >> 24) as u8 / (seed % 7 + 1) as u8;
        let alpha = if seed.is_multiple_of(3) && x % 9 < 4 { (y * 7) as u8 } else { 255 };
        Rgba([noise, (x * 5) as u8, (y * 3) as u8, alpha])
    }))
}

#[test]
fn ten_thousand_widths_are_few_files() {
    let data = Data::empty();
    let bytes = encode(&draw(400, 300, 1), ImageFormat::Jpeg);
    data.write("workspaces/default/media/a.jpg", bytes);
    let library = open(data);
    for width in 1..=10_000 {
        // Wider than the widest is refused.
        let width = (width - 1) % 3_840 + 1;
        library.get("a.jpg", &format!("w={width}"));
    }
    let kept = library.count_kept();
    assert!((1..=40).contains(&kept), "{kept}");
}

#[test]
fn variants_have_fewer_bytes_than_pictures_of_any_kind() {
    let data = Data::empty();
    let mut names = Vec::new();
    for number in 0..200_u32 {
        let format = FORMATS[number as usize % FORMATS.len()];
        let (width, height) = (1 + number * 37 % 211, 1 + number * 53 % 173);
        let mut bytes = encode(&draw(width, height, number), format);
        match number % 8 {
            // Cut off, damaged inside, and with a size that is not its own.
            5 => bytes.truncate(bytes.len() * 2 / 3),
            6 => {
                let at = bytes.len() / 2;
                bytes.iter_mut().skip(at).step_by(11).for_each(|it| *it ^= 0x5a);
            }
            7 => bytes.iter_mut().skip(16).take(8).for_each(|it| *it = 0xff),
            _ => {}
        }
        let name = format!("p{number}.{}", format.extensions_str()[0]);
        data.write(&format!("workspaces/default/media/{name}"), bytes);
        names.push(name);
    }
    let library = open(data);
    let mut n_made = 0;
    for name in &names {
        let item = library.item(name);
        for query in QUERIES {
            let Some(bytes) = library.get(name, query) else { continue };
            assert!((bytes.len() as u64) < item.size, "{name} {query}");
            let made = image::load_from_memory(&bytes).unwrap();
            let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
            let of_picture = pixels(item.width.unwrap(), item.height.unwrap());
            assert!(pixels(made.width(), made.height()) <= of_picture, "{name} {query}");
            n_made += 1;
        }
    }
    assert!(n_made > 100, "{n_made}");
}

#[test]
fn a_margin_leaves_photographs_jpegs() {
    let data = Data::empty();
    let plain = DynamicImage::from(RgbaImage::from_pixel(800, 600, Rgba([200, 40, 30, 255])));
    let pictures = [
        ("photo.jpg", draw(400, 300, 1), ImageFormat::Jpeg),
        ("photo.png", draw(400, 300, 1), ImageFormat::Png),
        ("plain.png", plain, ImageFormat::Png),
        ("holes.png", draw(400, 300, 3), ImageFormat::Png),
    ];
    for (name, picture, format) in &pictures {
        data.write(&format!("workspaces/default/media/{name}"), encode(picture, *format));
    }
    let library = open(data);
    let check = |name: &str, is_jpeg: bool| {
        let bytes = library.get(name, "w=128&h=128&fit=contain").expect(name);
        let format = image::guess_format(&bytes).unwrap();
        assert_eq!(format == ImageFormat::Jpeg, is_jpeg, "{name} {format:?}");
        let made = image::load_from_memory(&bytes).unwrap().to_rgba8();
        assert_eq!(made.dimensions(), (128, 128), "{name}");
        let [red, green, blue, alpha] = made.get_pixel(0, 0).0;
        let is_white = alpha == 255 && red.min(green).min(blue) > 250;
        assert!(if is_jpeg { is_white } else { alpha == 0 }, "{name} {:?}", made.get_pixel(0, 0));
    };
    check("photo.jpg", true);
    check("photo.png", true);
    check("plain.png", false);
    check("holes.png", false);
}

#[test]
fn one_variant_is_made_once_for_all_who_ask() {
    let data = Data::empty();
    data.write("workspaces/default/media/a.png", encode(&draw(300, 200, 2), ImageFormat::Png));
    let library = open(data);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let ask = || scope.spawn(|| library.get("a.png", "w=128&h=64"));
        let asked: Vec<_> = (0..16).map(|_| ask()).collect();
        asked.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|it| it.is_some() && *it == answers[0]));
    assert_eq!(library.count_kept(), 1);
}

#[test]
fn pictures_that_move_are_not_stopped() {
    let data = Data::empty();
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for seed in [3, 9] {
        encoder.encode_frame(image::Frame::new(draw(200, 100, seed).to_rgba8())).unwrap();
    }
    drop(encoder);
    data.write("workspaces/default/media/moving.gif", bytes);
    let still = encode(&draw(200, 100, 3), ImageFormat::Gif);
    data.write("workspaces/default/media/still.gif", still);
    let library = open(data);
    assert_eq!(library.get("moving.gif", "w=64"), None);
    assert!(library.get("still.gif", "w=64").is_some());
    // Once that is known, the item tells it as well.
    assert!(sketch_new_pictures(&library.app));
    assert!(library.item("moving.gif").is_animated() && !library.item("still.gif").is_animated());
    assert_eq!(library.get("moving.gif", "w=64"), None);
    assert!(library.get("still.gif", "w=64").is_some());
}
