//! The names of stored uploads, which are safe in every URL and on every file system.

use crate::model::name::Filename;
use crate::stdx::slug::slugify;

/// The stem used if nothing of the original name can be used.
const NAMELESS: &str = "file";

/// Returns the stored name of a file whose original name is `original`: `Über uns.JPEG` becomes
/// `uber-uns.jpeg`, or `uber-uns-2.jpeg` if that is taken. `extension` is that of the file's type;
/// `is_taken` is called with names in lower case. Returns `None` if no valid name can have this
/// extension.
///
/// The result contains a dot and none of `~ # _`, so it is neither a word of the API (`bulk`) nor a
/// temporary file of an editor; the name of a Windows device gets a number as well.
pub fn build_stored_name(
    original: &str,
    extension: &str,
    mut is_taken: impl FnMut(&str) -> bool,
) -> Option<Filename> {
    let stem = slugify(file_stem(original));
    let stem = if stem.is_empty() { NAMELESS } else { &stem };
    let first = Filename::parse(&format!("{stem}.{extension}")).ok();
    let numbered = |number: u32| Filename::parse(&format!("{stem}-{number}.{extension}")).ok();
    let first = first.into_iter();
    first.chain((2..=u32::MAX).map_while(numbered)).find(|it| !is_taken(it))
}

/// Returns the name without its extension. Old browsers send whole paths.
fn file_stem(original: &str) -> &str {
    let name = original.rsplit(['/', '\\']).next().unwrap_or(original);
    match name.rsplit_once('.') {
        Some((stem, extension)) if is_extension(extension) => stem,
        _ => name,
    }
}

/// Returns true for extensions like `jpg`, `7z` and `webmanifest`, but not for the `2` of `Report
/// v1.2` or the end of a sentence.
fn is_extension(text: &str) -> bool {
    (2..=11).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric())
        && text.bytes().any(|it| it.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        let check = |original: &str, extension: &str, taken: &[&str], expect: &str| {
            let name = build_stored_name(original, extension, |it| taken.contains(&it)).unwrap();
            assert_eq!(name, expect, "{original}");
        };
        check("photo.jpg", "jpg", &[], "photo.jpg");
        check("Photo.JPEG", "png", &[], "photo.png");
        check("photo.jpg", "jpg", &["photo.jpg"], "photo-2.jpg");
        check("photo.jpg", "jpg", &["photo.jpg", "photo-2.jpg"], "photo-3.jpg");
        check("photo-2.jpg", "jpg", &["photo-2.jpg"], "photo-2-2.jpg");
        check("Über uns (neu).jpg", "jpg", &[], "uber-uns-neu.jpg");
        check("北京.png", "png", &[], "bei-jing.png");
        check("C:\\fakepath\\a b.png", "png", &[], "a-b.png");
        check("../../etc/passwd.txt", "txt", &[], "passwd.txt");
        check("..", "png", &[], "file.png");
        check("", "png", &["file.png"], "file-2.png");
        check(".htaccess", "txt", &[], "file.txt");
        check("!?.png", "png", &[], "file.png");
        check("Report v1.2", "pdf", &[], "report-v1-2.pdf");
        check("a.tar.gz", "gz", &[], "a-tar.gz");
        check("page.html", "txt", &[], "page.txt");
        check("bulk-visibility", "png", &[], "bulk-visibility.png");
        check("nul.png", "png", &[], "nul-2.png");
        check("COM1.png", "png", &["com1-2.png"], "com1-3.png");
        check("4913", "txt", &[], "4913.txt");
        check("~lock.tmp", "txt", &[], "lock.txt");
        check(&"ä".repeat(500), "txt", &[], &format!("{}.txt", "a".repeat(100)));
    }

    proptest! {
        #[test]
        fn every_name_can_be_stored(original: String, taken in 0..4usize) {
            let mut left = taken;
            let name = build_stored_name(&original, "png", |_| {
                left = left.saturating_sub(1);
                left > 0
            }).unwrap();
            let fits = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b".-".contains(&it);
            prop_assert!(name.bytes().all(fits) && name.ends_with(".png") && name.len() < 120);
        }
    }
}
