//! Backups in a target outside the folder: of one moment, only what is new is written, old ones go,
//! and what is damaged is found.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use recto::engine::backups::repository::TargetError;
use recto::engine::backups::repository::new_backup::BackupSummary;
use recto::engine::backups::repository::new_backup::make_backup;
use recto::engine::backups::repository::pruning::prune_backups;
use recto::engine::backups::repository::run::BackupDestination;
use recto::engine::backups::repository::run::BackupRun;
use recto::engine::backups::repository::run::BackupSource;
use recto::engine::backups::repository::run::run_backup;
use recto::engine::backups::repository::stored_files::NoSink;
use recto::engine::backups::repository::stored_files::read_files;
use recto::engine::backups::repository::target::BackupTarget;
use recto::model::backup::BackupPart;
use recto::model::backup_schedule::RetentionRule;
use recto::model::backup_schedule::StoredBackupName;
use recto::stdx::time::Timestamp;
use recto::store::archive::BackupSelection;
use recto::store::archive::capture::FileTaker;
use recto::store::archive::capture::capture_files;
use recto::store::archive::restored_folder::RestoredFolder;
use recto::store::archive::survey::SurveyedFile;
use recto::store::disk::OsDisk;
use recto::store::error::StoreError;
use recto::store::layout;
use recto::store::lock::JobLock;
use recto::store::lock::WriteLock;
use recto::store::objects::ObjectStore;
use recto::store::objects::directory::DirectoryStore;

use crate::support::backups::Files;
use crate::support::backups::files;
use crate::support::backups::furnish;
use crate::support::folder::Data;

/// Far in the future, so that the stats of all files are settled.
fn at(text: &str) -> Timestamp {
    Timestamp::parse(&format!("2999-{text}Z")).unwrap()
}

fn name(text: &str) -> StoredBackupName {
    StoredBackupName::parse(text).unwrap()
}

/// A data folder with something of everything, and a target.
struct Place {
    data: Data,
    target: tempfile::TempDir,
    disk: OsDisk,
    lock: WriteLock,
    passphrase: Option<&'static str>,
}

impl Place {
    fn new() -> Place {
        let data = Data::empty();
        furnish(&data);
        let disk = OsDisk::open(data.root()).unwrap();
        let lock = WriteLock::open(data.root()).unwrap();
        Place { data, target: tempfile::tempdir().unwrap(), disk, lock, passphrase: None }
    }

    fn store(&self) -> DirectoryStore {
        DirectoryStore::new(self.target.path().to_path_buf())
    }

    fn run(&self, now: Timestamp, rule: RetentionRule) -> Result<BackupRun, TargetError> {
        let store = self.store();
        let source = BackupSource { root: self.data.root(), disk: &self.disk, lock: &self.lock };
        let destination = BackupDestination {
            store: &store,
            passphrase: self.passphrase,
            rule,
            takes_over: false,
        };
        run_backup(&source, &destination, now, &|| false)
    }

    fn make(&self, now: Timestamp) -> BackupSummary {
        self.run(now, RetentionRule::default()).unwrap().summary
    }

    /// The files of a restored backup; the newest unless one is named.
    fn restored(&self, wanted: Option<&str>) -> Files {
        let store = self.store();
        let target = BackupTarget::open(&store, self.passphrase).unwrap();
        let manifest = target.find_backup(wanted.map(name).as_ref()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut restored = RestoredFolder::begin(folder.path()).unwrap();
        assert_eq!(read_files(&target, &manifest, &mut restored).unwrap(), []);
        restored.commit().unwrap();
        files(folder.path())
    }

    /// The damaged files of the newest backup.
    fn damaged(&self) -> Vec<String> {
        let store = self.store();
        let target = BackupTarget::open(&store, self.passphrase).unwrap();
        let manifest = target.find_backup(None).unwrap();
        let found = read_files(&target, &manifest, &mut NoSink).unwrap();
        found.into_iter().map(|it| it.path).collect()
    }

    fn objects(&self) -> Vec<String> {
        self.store().list("objects/").unwrap().into_iter().map(|it| it.name).collect()
    }
}

#[test]
fn a_restored_backup_is_the_folder_byte_by_byte() {
    let mut place = Place::new();
    // Neither what is broken nor what is empty is left out.
    place.data.write("workspaces/main/content/posts/broken.json", b"{\"title\": ");
    place.data.write("workspaces/main/content/posts/empty.json", b"");
    place.data.write("workspaces/main/media/clip.mp4", vec![7; 3 * 1024 * 1024]);
    for passphrase in [None, Some("correct horse")] {
        place.passphrase = passphrase;
        place.target = tempfile::tempdir().unwrap();
        let made = place.make(at("05-03T03:30:00"));
        let expect = files(place.data.root());
        assert_eq!((made.files, made.problems), (expect.len() as u64, 0));
        assert_eq!(made.bytes, expect.values().map(|it| it.len() as u64).sum::<u64>());
        assert!(place.restored(None) == expect, "{passphrase:?}");
    }
}

#[test]
fn only_what_is_new_is_written() {
    let place = Place::new();
    place.data.write("workspaces/main/media/clip.mp4", vec![7; 2 * 1024 * 1024]);
    let first = place.make(at("05-03T03:30:00"));
    let before = files(place.data.root());
    let second = place.make(at("05-04T03:30:00"));
    assert!(first.new_bytes > second.new_bytes + 2 * 1024 * 1024, "{first:?} {second:?}");
    place.data.write("workspaces/main/content/posts/a.json", b"{\"title\": \"Changed\"}");
    place.data.write("workspaces/main/media/copy.mp4", vec![7; 2 * 1024 * 1024]);
    place.data.remove("workspaces/main/content/posts/b.json");
    let third = place.make(at("05-05T03:30:00"));
    assert!(third.new_bytes < 16 * 1024, "{third:?}");
    assert!(place.restored(None) == files(place.data.root()));
    assert!(place.restored(Some("2999-05-03-033000")) == before);
}

#[test]
fn old_backups_go_and_their_objects_with_them() {
    let place = Place::new();
    let rule = RetentionRule { daily: 2, weekly: 0, monthly: 0 };
    let mut states = BTreeMap::new();
    for day in 1..=5 {
        let title = format!("{{\"title\": \"{}\"}}", "x".repeat(100 * day));
        place.data.write("workspaces/main/content/posts/a.json", title);
        place.data.write("workspaces/main/media/p.png", vec![day as u8; 2 * 1024 * 1024]);
        let run = place.run(at(&format!("05-0{day}T03:30:00")), rule).unwrap();
        run.pruned.unwrap();
        states.insert(format!("2999-05-0{day}-033000"), files(place.data.root()));
    }
    let store = place.store();
    let target = BackupTarget::open(&store, None).unwrap();
    let left: Vec<_> = target.list_backups().unwrap().into_iter().map(String::from).collect();
    assert_eq!(left, ["2999-05-04-033000", "2999-05-05-033000"]);
    for name in &left {
        assert!(place.restored(Some(name)) == states[name], "{name}");
    }
    let mut needed: Vec<String> = Vec::new();
    for name in &left {
        let manifest = target.find_backup(Some(&self::name(name))).unwrap();
        needed.extend(manifest.needed_objects().iter().map(|it| it.as_str().to_string()));
    }
    needed.sort();
    needed.dedup();
    let mut objects: Vec<String> =
        place.objects().iter().map(|it| it.rsplit('/').next().unwrap().to_string()).collect();
    objects.sort();
    assert_eq!(objects, needed);
}

#[test]
fn nothing_is_removed_while_a_kept_backup_cannot_be_read() {
    let place = Place::new();
    let rule = RetentionRule { daily: 2, weekly: 0, monthly: 0 };
    for day in 1..=2 {
        place.data.write("workspaces/main/media/p.png", vec![day; 2 * 1024 * 1024]);
        place.run(at(&format!("05-0{day}T03:30:00")), rule).unwrap();
    }
    fs::write(place.target.path().join("backups/2999-05-02-033000.json.gz"), "x").unwrap();
    let before = place.objects();
    let run = place.run(at("05-03T03:30:00"), rule).unwrap();
    assert!(matches!(run.pruned, Err(TargetError::Damaged { .. })), "{:?}", run.pruned);
    let after = place.objects();
    assert!(before.iter().all(|it| after.contains(it)));
    assert!(place.target.path().join("backups/2999-05-01-033000.json.gz").exists());
    assert!(place.restored(None) == files(place.data.root()));
}

#[test]
fn packs_that_are_mostly_gone_are_written_anew() {
    let place = Place::new();
    let path = |number: usize| format!("workspaces/main/content/posts/n{number}.json");
    let entry = |number: usize| format!("{{\"title\": \"{number}{}\"}}", "x".repeat(1_000));
    (0..100).for_each(|it| place.data.write(&path(it), entry(it)));
    place.make(at("05-03T03:30:00"));
    // When the last backup needs less than half of a pack, the next one writes that elsewhere.
    (0..80).for_each(|it| place.data.remove(&path(it)));
    let rule = RetentionRule { daily: 1, weekly: 0, monthly: 0 };
    for day in ["05-05", "05-07"] {
        place.run(at(&format!("{day}T03:30:00")), rule).unwrap().pruned.unwrap();
    }
    let plain_bytes = |name: &String| unpack(&place.store().get(name).unwrap().unwrap()).len();
    let bytes: usize = place.objects().iter().map(plain_bytes).sum();
    assert!(bytes < 60_000, "{bytes}");
    assert!(place.restored(None) == files(place.data.root()));
}

#[test]
fn damage_is_found_and_healed_by_the_next_backup() {
    let place = Place::new();
    place.data.write("workspaces/main/media/clip.mp4", vec![7; 2 * 1024 * 1024]);
    place.make(at("05-03T03:30:00"));
    assert!(place.damaged().is_empty());
    let large = place.objects().into_iter().find(|it| !it.ends_with(".gz")).unwrap();
    let path = place.target.path().join(&large);
    let mut bytes = fs::read(&path).unwrap();
    bytes[1_000] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(place.damaged(), ["workspaces/main/media/clip.mp4"]);
    // A missing object is written again.
    fs::remove_file(&path).unwrap();
    assert_eq!(place.damaged(), ["workspaces/main/media/clip.mp4"]);
    place.make(at("05-04T03:30:00"));
    assert!(place.damaged().is_empty());
    assert!(place.restored(Some("2999-05-03-033000")) == files(place.data.root()));
}

#[test]
fn sealed_backups_tell_nothing_without_the_passphrase() {
    let mut place = Place::new();
    place.passphrase = Some("correct horse");
    let secret = vec![b's'; 2 * 1024 * 1024];
    place.data.write("workspaces/main/media/secret.txt", &secret);
    place.make(at("05-03T03:30:00"));
    let sum = {
        use sha2::Digest;
        sha2::Sha256::digest(&secret).iter().map(|it| format!("{it:02x}")).collect::<String>()
    };
    for object in place.store().list("").unwrap() {
        assert!(!object.name.contains(&sum), "{}", object.name);
        let bytes = place.store().get(&object.name).unwrap().unwrap();
        let finds = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
        assert!(!finds(&"s".repeat(12)) && !finds("workspaces"), "{}", object.name);
        let is_marker = object.name == "recto-backups.json";
        assert!(is_marker || finds("age-encryption.org/v1"), "{}", object.name);
    }
    let store = place.store();
    for wrong in [None, Some("wrong"), Some("")] {
        let opened = BackupTarget::open(&store, wrong);
        assert!(matches!(opened, Err(TargetError::Passphrase(_))), "{wrong:?}");
    }
    // A marker that somebody replaced does not make it read what they wrote.
    let marker = place.target.path().join("recto-backups.json");
    let text = fs::read_to_string(&marker).unwrap();
    assert!(text.contains(r#""sealed":true"#), "{text}");
    fs::write(&marker, text.replace("true", "false")).unwrap();
    let opened = BackupTarget::open(&store, place.passphrase);
    assert!(matches!(opened, Err(TargetError::Passphrase(_))));
}

#[test]
fn objects_and_manifests_that_were_swapped_are_damaged() {
    let mut place = Place::new();
    place.passphrase = Some("correct horse");
    place.data.write("workspaces/main/media/one.txt", vec![b'1'; 2 * 1024 * 1024]);
    place.data.write("workspaces/main/media/two.txt", vec![b'2'; 2 * 1024 * 1024]);
    place.make(at("05-03T03:30:00"));
    place.data.write("workspaces/main/content/posts/a.json", b"{\"title\": \"Newer\"}");
    place.make(at("05-04T03:30:00"));
    let large: Vec<_> = place.objects().into_iter().filter(|it| !it.ends_with(".gz.age")).collect();
    assert_eq!(large.len(), 2);
    let at = |name: &str| place.target.path().join(name);
    fs::copy(at(&large[0]), at(&large[1])).unwrap();
    assert_eq!(place.damaged().len(), 1);
    let manifest = |day: &str| at(&format!("backups/2999-05-{day}-033000.json.gz.age"));
    fs::copy(manifest("03"), manifest("04")).unwrap();
    let store = place.store();
    let target = BackupTarget::open(&store, place.passphrase).unwrap();
    assert!(matches!(target.find_backup(None), Err(TargetError::Damaged { .. })));
}

#[test]
fn one_backup_at_a_time() {
    let place = Place::new();
    let held = JobLock::try_acquire(place.data.root(), layout::BACKUP_LOCK).unwrap().unwrap();
    let run = place.run(at("05-03T03:30:00"), RetentionRule::default());
    assert!(matches!(run, Err(TargetError::Busy)));
    drop(held);
    place.make(at("05-03T03:30:00"));
}

#[test]
fn a_backup_that_was_stopped_leaves_the_others() {
    let place = Place::new();
    place.make(at("05-03T03:30:00"));
    let before = files(place.data.root());
    for number in 0..3 {
        let path = format!("workspaces/main/media/{number}.txt");
        place.data.write(&path, vec![b'0' + number; 2 * 1024 * 1024]);
    }
    let store = place.store();
    let target = BackupTarget::open(&store, None).unwrap();
    let asked = std::cell::Cell::new(0);
    let stops = || asked.replace(asked.get() + 1) == 2;
    let made = make_backup(&target, &place.disk, &place.lock, at("05-04T03:30:00"), &stops);
    assert!(matches!(made, Err(TargetError::Stopped)), "{made:?}");
    assert!(place.restored(None) == before);
    // What it left behind is removed with the next one that succeeds, unless that needs it.
    place.data.remove("workspaces/main/media/0.txt");
    let run = place.run(at("05-05T03:30:00"), RetentionRule::default()).unwrap();
    assert_eq!(run.pruned.unwrap().objects, 1);
    assert!(place.restored(None) == files(place.data.root()));
    let target = BackupTarget::open(&store, None).unwrap();
    assert_eq!(prune_backups(&target, &RetentionRule::default()).unwrap().objects, 0);
}

#[test]
fn a_target_that_lost_its_marker_is_not_begun_anew() {
    let place = Place::new();
    place.make(at("05-03T03:30:00"));
    fs::remove_file(place.target.path().join("recto-backups.json")).unwrap();
    let run = place.run(at("05-04T03:30:00"), RetentionRule::default());
    assert!(matches!(run, Err(TargetError::Unusable(_))), "{run:?}");
}

/// Takes files into memory, and does something to the folder when it takes the first.
struct MemoryTaker<'a> {
    taken: Files,
    meddle: Option<Box<dyn FnOnce() + 'a>>,
}

impl FileTaker for MemoryTaker<'_> {
    type Error = StoreError;

    fn take_unchanged(&mut self, _file: &SurveyedFile) -> bool {
        false
    }

    fn take(&mut self, file: &SurveyedFile, bytes: &mut dyn Read) -> Result<(), StoreError> {
        let mut all = Vec::new();
        bytes.read_to_end(&mut all).unwrap();
        self.taken.insert(file.path.clone(), all);
        if let Some(meddle) = self.meddle.take() {
            meddle();
        }
        Ok(())
    }

    fn forget(&mut self, path: &str) {
        self.taken.remove(path);
    }
}

/// Replaces a file as writers do: another one is renamed onto its name.
fn replace(root: &Path, path: &str, bytes: &[u8]) {
    let place = root.join(path);
    fs::write(place.with_extension("tmp"), bytes).unwrap();
    fs::rename(place.with_extension("tmp"), place).unwrap();
}

#[test]
fn a_capture_shows_the_moment_of_its_last_listing() {
    let place = Place::new();
    let root = place.data.root();
    let entry = |name: &str| format!("workspaces/main/content/posts/{name}.json");
    let meddle = Box::new(|| {
        replace(root, &entry("a"), b"{\"title\": \"other\"}");
        fs::remove_file(root.join(entry("b"))).unwrap();
        replace(root, &entry("c"), b"{\"title\": \"new\"}");
        // More than is left for the moment when writers wait.
        replace(root, "workspaces/main/media/p.png", &vec![1; 5 * 1024 * 1024]);
    });
    let mut taker = MemoryTaker { taken: Files::new(), meddle: Some(meddle) };
    let selection = BackupSelection::new(BackupPart::ALL.into_iter().collect(), None);
    let left_out = capture_files(&place.disk, &place.lock, &selection, &mut taker).unwrap();
    assert_eq!(left_out, []);
    assert!(taker.taken == files(root));
}

fn unpack(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

fn pack(plain: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// Replaces the list of files of a backup that is not sealed, as somebody could who writes to its
/// target.
fn forge(place: &Place, change: impl FnOnce(String) -> Vec<String>) {
    use sha2::Digest;
    let (store, manifest) = (place.store(), "backups/2999-05-03-033000.json.gz");
    let text = unpack(&store.get(manifest).unwrap().unwrap());
    let mut json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let object = |id: &str| format!("objects/{}/{id}", &id[..2]);
    let id = object(json["index"][0].as_str().unwrap());
    let lines = String::from_utf8(unpack(&store.get(&id).unwrap().unwrap())).unwrap();
    let mut ids = Vec::new();
    for list in change(lines) {
        let sum = sha2::Sha256::digest(list.as_bytes());
        let id = format!("{}.gz", sum.iter().map(|it| format!("{it:02x}")).collect::<String>());
        store.put(&object(&id), &pack(list.as_bytes())).unwrap();
        ids.push(id);
    }
    json["index"] = ids.into();
    store.put(manifest, &pack(json.to_string().as_bytes())).unwrap();
}

#[test]
fn forged_lists_of_files_reach_nothing() {
    let place = Place::new();
    let read = || {
        let store = place.store();
        let target = BackupTarget::open(&store, None).unwrap();
        let manifest = target.find_backup(None).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut restored = RestoredFolder::begin(&folder.path().join("data")).unwrap();
        let read = read_files(&target, &manifest, &mut restored);
        let outside = fs::read_dir(folder.path()).unwrap().count() - 1;
        assert_eq!(outside, 0);
        read.map(|defects| defects.into_iter().map(|it| it.path).collect::<Vec<_>>())
    };
    place.make(at("05-03T03:30:00"));
    let with_path = |lines: &str, path: &str| {
        let line = lines.lines().next().unwrap();
        let (_, rest) = line.split_once("\",\"size\"").unwrap();
        vec![format!("{{\"path\":\"{path}\",\"size\"{rest}\n")]
    };
    for path in ["../x.json", "/tmp/x.json", "workspaces/../../x.json", ".recto/locks/x", "x"] {
        forge(&place, |lines| with_path(&lines, path));
        assert_eq!(read().unwrap(), [path]);
        place.store().delete("backups/2999-05-03-033000.json.gz").unwrap();
        place.make(at("05-03T03:30:00"));
    }
    // The same file twice, in one object and in two; a piece beyond its object; no list at all.
    let line = |lines: &str| format!("{}\n", lines.lines().next().unwrap());
    let forgeries: [&dyn Fn(String) -> Vec<String>; 4] = [
        &|lines| vec![line(&lines).repeat(2)],
        &|lines| vec![line(&lines); 2],
        &|lines| vec![line(&lines).replace("]]", "9999999]]")],
        &|_| vec!["no list\n".to_string()],
    ];
    for forgery in forgeries {
        forge(&place, forgery);
        assert!(matches!(read(), Err(TargetError::Damaged { .. })));
        place.store().delete("backups/2999-05-03-033000.json.gz").unwrap();
        place.make(at("05-03T03:30:00"));
    }
    assert_eq!(read().unwrap(), Vec::<String>::new());
}
