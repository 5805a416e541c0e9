//! Sketches of pictures that are put into the folder by hand: computed once, and known after a
//! restart.

use std::sync::Arc;

use recto::app::jobs::sketching::sketch_new_pictures;
use recto::app::media::has_thumbnail;
use recto::engine::Engine;
use recto::model::media::PictureSketch;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;

use crate::support::folder;
use crate::support::folder::Data;

const LIBRARY: &str = "tests/data/library/workspaces/default/media";

fn open(data: &Data) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    Engine::open(folder::options(data.root(), &clock)).unwrap()
}

fn sketch(engine: &Engine) -> Option<Arc<PictureSketch>> {
    engine.snapshot("default").unwrap().media.get("logo.png").unwrap().sketch.clone()
}

#[test]
fn pictures_in_the_folder_are_sketched_once() {
    let data = Data::empty();
    let place = "workspaces/default/media/logo.png";
    data.write(place, std::fs::read(format!("{LIBRARY}/logo.png")).unwrap());
    data.write("workspaces/default/media/torn.png", b"\x89PNG\r\n\x1a\n broken");
    let engine = open(&data);
    assert_eq!(sketch(&engine), None);
    assert!(sketch_new_pictures(&folder::app(&engine)));
    let seen = sketch(&engine).unwrap();
    assert!(seen.color.starts_with('#') && !seen.placeholder.is_empty(), "{seen:?}");
    engine.close();
    drop(engine);
    // The next start knows it, without a look at the pixels.
    let engine = open(&data);
    assert_eq!(sketch(&engine), Some(seen.clone()));
    // Other bytes under the same name are another picture.
    data.write(place, std::fs::read(format!("{LIBRARY}/sunset.jpg")).unwrap());
    engine.follower().refresh_until_settled();
    assert_eq!(sketch(&engine), None);
    assert!(sketch_new_pictures(&folder::app(&engine)));
    assert_ne!(sketch(&engine), Some(seen));
}

#[test]
fn a_picture_that_cannot_be_decoded_has_no_thumbnail() {
    let data = Data::empty();
    let mut bytes = std::fs::read(format!("{LIBRARY}/logo.png")).unwrap();
    // Its header says its size.
    bytes.truncate(bytes.len() / 2);
    data.write("workspaces/default/media/half.png", bytes);
    let find = |engine: &Engine| {
        let snapshot = engine.snapshot("default").unwrap();
        has_thumbnail(snapshot.media.get("half.png").unwrap())
    };
    let engine = open(&data);
    assert!(find(&engine), "nobody has seen the pixels");
    assert!(sketch_new_pictures(&folder::app(&engine)));
    assert!(!find(&engine));
    engine.close();
    drop(engine);
    assert!(!find(&open(&data)));
}
