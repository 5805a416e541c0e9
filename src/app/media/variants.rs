//! Variants of pictures: made on first use, one at a time for each, and kept in a cache.

use std::collections::HashMap;
use std::io::BufReader;
use std::sync::Arc;
use std::sync::OnceLock;

use image::DynamicImage;
use image::ImageFormat;

use crate::app::error::Result;
use crate::app::media::decode_budget::DecodeBudget;
use crate::app::media::encoding;
use crate::app::media::pictures;
use crate::app::media::pictures::DecodeError;
use crate::app::media::pictures::has_variants;
use crate::app::media::resizing;
use crate::engine::Engine;
use crate::model::media::MediaItem;
use crate::model::media::PictureFormat;
use crate::model::media::PictureFraming;
use crate::model::media::VariantPlan;
use crate::model::media::VariantSpec;
use crate::model::name::WorkspaceSlug;
use crate::stdx::animation::is_animated;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::image_header::ImageHeader;
use crate::stdx::sync::Mutex;
use crate::store::read::blob::Blob;
use crate::store::read::variant_cache::KeptVariant;

/// The version of the variants: another one makes other bytes.
const VERSION: u64 = 2;

/// The qualities of a JPEG that would have more bytes than the picture itself.
const LOWER_QUALITIES: [u8; 2] = [60, 40];

/// A variant being made, on which concurrent requests wait.
type PendingVariant = Arc<OnceLock<std::result::Result<KeptVariant, DecodeError>>>;

/// A variant that a request asks for.
#[derive(Clone, Copy, Debug)]
pub struct WantedVariant {
    /// The size, the shape and the format.
    pub spec: VariantSpec,
    /// True if the client takes WebP.
    pub accepts_webp: bool,
}

/// The variant of a file, with the key of its bytes.
#[derive(Clone, Copy, Debug)]
pub struct FoundVariant {
    /// The checksum of everything that makes the bytes what they are, and of who may see them.
    pub key: Checksum,
    plan: VariantPlan,
    wanted: WantedVariant,
}

/// The maker of variants, which never makes the same one twice at once.
#[derive(Default)]
pub struct VariantMaker {
    making: Mutex<HashMap<Checksum, PendingVariant>>,
}

/// The parts that a variant is made with.
#[derive(Clone, Copy)]
pub struct VariantParts<'a> {
    /// The data folder.
    pub engine: &'a Engine,
    /// The memory for decoding.
    pub budget: &'a DecodeBudget,
    /// The size of the cache in bytes.
    pub cache_bytes_max: u64,
}

impl VariantMaker {
    /// Returns a variant of the file in `blob`, and makes it if necessary, which takes long.
    pub fn get(
        &self,
        found: &FoundVariant,
        item: &MediaItem,
        blob: Blob,
        parts: VariantParts<'_>,
    ) -> Result<KeptVariant> {
        let pending = self.making.lock().entry(found.key).or_default().clone();
        let made = pending.get_or_init(|| match found.load(parts.engine) {
            Some(kept) => Ok(kept),
            None => found.make_and_keep(item, blob, parts),
        });
        self.making.lock().remove(&found.key);
        match made {
            Ok(kept) => Ok(kept.clone()),
            // Browsers may read what is not decoded here.
            Err(DecodeError::Broken | DecodeError::TooLarge | DecodeError::NoMemory) => {
                Ok(KeptVariant::Original)
            }
            Err(DecodeError::Busy) => Err(pictures::busy_error()),
        }
    }
}

impl FoundVariant {
    /// Returns the variant of a file; `None` if that is the file itself: no picture, one that
    /// moves, or one that would stay as it is.
    pub fn new(
        ws: &WorkspaceSlug,
        item: &MediaItem,
        wanted: WantedVariant,
    ) -> Option<FoundVariant> {
        let size = item.width.zip(item.height).filter(|_| has_variants(item))?;
        let framing = PictureFraming { focus: item.focus, crop: item.crop };
        let plan = VariantPlan::new(&wanted.spec, size, framing);
        let stays = wanted.spec.format.is_none_or(|it| it.mime() == item.mime);
        if plan.is_whole(size) && stays {
            return None;
        }
        let mut summer = ChecksumBuilder::new();
        // Files and visibilities have variants of their own: a checksum is no proof of the bytes.
        summer.add_number(VERSION).add_part(ws.as_bytes()).add_part(item.filename.as_bytes());
        summer.add_part(item.visibility.as_str().as_bytes()).add_number(item.picture_tag().0);
        let WantedVariant { spec, accepts_webp } = wanted;
        let takes_webp = accepts_webp && spec.format.is_none();
        plan.add_to_checksum(&mut summer);
        let format = spec.format.map_or("", PictureFormat::as_str);
        summer.add_number(spec.quality.into()).add_part(format.as_bytes());
        summer.add_number(takes_webp.into());
        Some(FoundVariant { key: summer.finish(), plan, wanted })
    }

    /// Returns the kept variant, if there is one.
    pub fn load(&self, engine: &Engine) -> Option<KeptVariant> {
        engine.folder().read_variant(self.key)
    }

    fn make_and_keep(
        &self,
        item: &MediaItem,
        blob: Blob,
        parts: VariantParts<'_>,
    ) -> std::result::Result<KeptVariant, DecodeError> {
        let made = match self.encode_variant(parts.budget, item, blob) {
            Ok(Some(bytes)) => KeptVariant::Made(bytes.into()),
            Ok(None) | Err(DecodeError::Broken) => KeptVariant::Original,
            Err(why) => return Err(why),
        };
        let kept = parts.engine.folder().save_variant(self.key, &made, parts.cache_bytes_max);
        if let Err(error) = kept {
            tracing::warn!(%error, "a variant of a picture cannot be stored");
        }
        Ok(made)
    }

    /// Makes the file of the variant while its memory is set aside; `None` if it would have as many
    /// bytes as the picture, or would stand still.
    fn encode_variant(
        &self,
        budget: &DecodeBudget,
        item: &MediaItem,
        blob: Blob,
    ) -> std::result::Result<Option<Vec<u8>>, DecodeError> {
        let mut source = BufReader::new(blob.into_file());
        let header = ImageHeader::read(&mut source).ok_or(DecodeError::Broken)?;
        let known = item.width.zip(item.height);
        if Some(header.upright_size()) != known || is_animated(header.format, &mut source) {
            return Ok(None);
        }
        let beside = resizing::estimate_bytes(&self.plan, header.width);
        let (picture, _held) = pictures::decode_whole(budget, &mut source, &header, beside)?;
        let shown = resizing::make_variant(picture, &self.plan).ok_or(DecodeError::Broken)?;
        Ok(self.encode_smallest(shown, header.format, item.size))
    }

    /// Returns the smallest of the files that show a variant equally well, if it is smaller than
    /// the picture.
    fn encode_smallest(
        &self,
        shown: DynamicImage,
        source: ImageFormat,
        bytes_max: u64,
    ) -> Option<Vec<u8>> {
        // A margin is no reason against a JPEG, so the formats are chosen without it.
        let formats = self.choose_formats(&shown, source);
        let variant = resizing::add_margin(shown, self.plan.canvas);
        let quality = self.wanted.spec.quality;
        let encode = |format| encoding::encode_picture(&variant, format, quality);
        let smallest = formats.iter().filter_map(|it| encode(*it)).min_by_key(Vec::len)?;
        if (smallest.len() as u64) < bytes_max {
            return Some(smallest);
        }
        let lower = LOWER_QUALITIES
            .iter()
            .filter(|it| formats.contains(&PictureFormat::Jpeg) && **it < quality);
        let mut lower =
            lower.filter_map(|it| encoding::encode_picture(&variant, PictureFormat::Jpeg, *it));
        lower.find(|it| (it.len() as u64) < bytes_max)
    }

    /// Returns the formats that show a picture equally well, as far as the client takes them.
    fn choose_formats(
        &self,
        shown: &DynamicImage,
        source: ImageFormat,
    ) -> &'static [PictureFormat] {
        let WantedVariant { spec, accepts_webp } = self.wanted;
        match spec.format {
            Some(PictureFormat::Jpeg) => &[PictureFormat::Jpeg],
            Some(PictureFormat::Png) => &[PictureFormat::Png],
            Some(PictureFormat::Webp) => &[PictureFormat::Webp],
            None if encoding::is_transparent(shown) && accepts_webp => {
                &[PictureFormat::Webp, PictureFormat::Png]
            }
            None if encoding::is_transparent(shown) => &[PictureFormat::Png],
            // Photographs take several times as many bytes without loss.
            None if source == ImageFormat::Jpeg => &[PictureFormat::Jpeg],
            None if accepts_webp => &[PictureFormat::Jpeg, PictureFormat::Webp, PictureFormat::Png],
            None => &[PictureFormat::Jpeg, PictureFormat::Png],
        }
    }
}
