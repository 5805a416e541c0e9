//! The model of a data folder that is edited by hand and through the API at random.

mod expectation;
pub(crate) mod random_files;
mod requests;
mod tampering;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use recto::app::App;
use recto::engine::Engine;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use recto::store::layout::Key;
use recto::store::read::watch::DirtySet;

use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder_model::random_files::Random;
use crate::support::folder_model::random_files::broken;
use crate::support::folder_model::random_files::build;
use crate::support::folder_model::random_files::entry;
use crate::support::folder_model::random_files::other_of_same_size;
use crate::support::folder_model::random_files::queries;
use crate::support::folder_model::random_files::schema;

/// 1 June 2026, about which all dates of entries lie.
pub(crate) const START: i64 = 1_780_272_000;

/// More than this, and a deletion takes ten seconds to be believed.
pub(crate) const DELETIONS_MAX: usize = 15;

pub(crate) const WS: &str = "workspaces/default";

/// A file as it was when it was last in order.
pub(crate) struct Good {
    pub(crate) bytes: Vec<u8>,
    pub(crate) modified: SystemTime,
}

pub(crate) struct Model {
    pub(crate) seed: u64,
    pub(crate) random: Random,
    pub(crate) data: Data,
    clock: Arc<TestClock>,
    now: i64,
    pub(crate) app: App,
    pub(crate) good: BTreeMap<String, Good>,
    /// What happened since the last comparison, for whoever has to find out why it failed.
    pub(crate) log: Vec<String>,
    /// What was gone when the engine looked last, and may not be believed yet.
    missing: BTreeSet<String>,
    /// Workspaces of an unknown format, each with what is served of it until the format is known.
    pub(crate) left_alone: BTreeMap<String, Vec<String>>,
    /// Whether a workspace without a file of its own was served: that goes on while one is broken.
    pub(crate) was_without_file: bool,
    deletions: usize,
    pub(crate) next: usize,
    /// The newest version of each workspace that was seen, and what was seen with it.
    versions: BTreeMap<String, u64>,
}

impl Model {
    pub(crate) fn new(seed: u64, entries: usize) -> Model {
        let data = Data::empty();
        let mut random = Random(seed);
        build(&data, &mut random, entries);
        let clock = Arc::new(TestClock::at(Timestamp::from_seconds(START)));
        let app = open(&data, &clock);
        let mut model = Model {
            seed,
            random,
            data,
            clock,
            now: START,
            app,
            good: BTreeMap::new(),
            log: Vec::new(),
            missing: BTreeSet::new(),
            left_alone: BTreeMap::new(),
            was_without_file: false,
            deletions: 0,
            next: 0,
            versions: BTreeMap::new(),
        };
        model.compare();
        model
    }

    pub(crate) fn run(mut self, steps: usize) {
        let mut left = steps;
        while left > 0 {
            let many = (1 + self.random.below(80)).min(left);
            left -= many;
            self.deletions = 0;
            // What is kept of queries is carried along from here.
            folder::picture(&self.app, &queries);
            for _ in 0..many {
                self.step();
            }
            self.compare();
        }
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    /// Lets everything be taken over and compares what is seen with what a new engine sees.
    pub(crate) fn compare(&mut self) {
        self.settle();
        let mut running = folder::picture(&self.app, &queries);
        let mut told = folder::problems(&self.app.engine);
        let (mut expected, mut expected_told) = self.expected();
        // These stay as they were, which `note_left_alone` looks at.
        let left_alone = self.left_alone.keys().cloned();
        let left_alone: Vec<String> = left_alone.collect();
        for picture in [&mut running, &mut expected] {
            picture.retain(|it, _| !left_alone.iter().any(|slug| is_of(it, slug)));
        }
        for told in [&mut told, &mut expected_told] {
            told.retain(|(it, _)| !self.is_left_alone(it) || it.ends_with("/workspace.json"));
        }
        let differences = folder::differences(&running, &expected);
        let (seed, log) = (self.seed, self.log.join("\n  "));
        let shown = differences.iter().take(4).cloned().collect::<Vec<_>>().join("\n");
        let count = differences.len();
        assert!(count == 0, "SEED={seed}: {count} differences after\n  {log}\n{shown}");
        let both: BTreeSet<_> =
            told.iter().filter(|it| expected_told.contains(it)).cloned().collect();
        told.retain(|it| !both.contains(it));
        expected_told.retain(|it| !both.contains(it));
        assert_eq!(told, expected_told, "SEED={seed}: problems after\n  {log}");
        for (slug, workspace) in self.app.engine.workspaces().iter() {
            let version = workspace.current_snapshot().version;
            let before = self.versions.insert(slug.to_string(), version).unwrap_or(0);
            assert!(before <= version, "SEED={seed}: version {before} of {slug} became {version}");
        }
        self.log.clear();
    }

    /// Remembers what is in order now, as the engine does. `reread` are the workspaces that it has
    /// just read as a whole, as it does at a start.
    pub(crate) fn learn(&mut self, there: &BTreeSet<String>, reread: &BTreeSet<String>) {
        let stands_in = |path: &str| {
            let parts: Vec<&str> = path.split('/').collect();
            let may = matches!(
                parts.as_slice(),
                ["workspaces", _, "workspace.json" | "media-categories.json"]
                    | ["workspaces", _, "schemas", _]
                    | ["workspaces", _, "content", _, _]
            );
            may && Key::parse(path).is_some()
        };
        // Definitions first: nobody reads entries of unknown types.
        let mut paths: Vec<&String> = there.iter().filter(|it| stands_in(it)).collect();
        paths.sort_by_key(|it| it.contains("/content/"));
        // What changed together with its definition is read by the one before as well, unless
        // nobody knew that one any more: of entries that no definition read, nothing is kept.
        let is_reread = |path: &str| path.split('/').nth(1).is_some_and(|it| reread.contains(it));
        let read_before: BTreeSet<&String> =
            paths.iter().copied().filter(|it| !is_reread(it) && self.is_read(it)).collect();
        for path in paths {
            let is_read = self.is_read(path) || read_before.contains(path);
            if is_read && !self.is_left_alone(path) && self.is_good(path) {
                self.learn_one(path);
            }
        }
    }

    /// Remembers what is in one file now.
    pub(crate) fn learn_one(&mut self, path: &str) {
        let place = self.data.at(path);
        let (modified, bytes) = (folder::modified(&place), fs::read(&place).unwrap());
        self.good.insert(path.to_string(), Good { bytes, modified });
    }

    pub(crate) fn step(&mut self) {
        match self.random.below(115) {
            0..22 => self.edit(),
            22..30 => self.save_like_an_editor(),
            30..36 => self.break_entry(),
            36..39 => self.half_write(),
            39..46 => self.move_entries(),
            46..52 => self.replace_by_something_else(),
            52..58 => self.edit_without_a_trace(),
            58..61 => self.misname(),
            61..68 => self.edit_schema(),
            68..75 => self.edit_media(),
            75..80 => self.edit_workspace(),
            80..84 => self.edit_whole_workspace(),
            84..87 => self.move_clock(),
            87..89 => self.restart(),
            89..93 => self.check_out(),
            93..95 => self.edit_token(),
            95..97 => self.move_folder(),
            97..99 => self.look(),
            _ => self.request(),
        }
    }

    /// The engine looks in the middle of things.
    pub(crate) fn look(&mut self) {
        self.log.push("look".to_string());
        let there = self.files();
        let missing: BTreeSet<String> =
            self.good.keys().filter(|it| !there.contains(*it)).cloned().collect();
        if missing.iter().any(|it| self.missing.contains(it)) {
            // What may or may not be believed gone by now is waited for.
            return self.settle();
        }
        self.app.engine.follower().refresh(&DirtySet::everything());
        folder::pack(&self.app.engine);
        self.missing = missing;
        let reread = self.note_left_alone();
        self.learn(&there, &reread);
    }

    /// Lets everything be taken over.
    pub(crate) fn settle(&mut self) {
        self.app.engine.follower().refresh_until_settled();
        folder::pack(&self.app.engine);
        let there = self.files();
        let reread = self.note_left_alone();
        self.was_without_file |= !there.contains(&format!("{WS}/workspace.json"));
        // A definition that is gone was believed in until a moment ago.
        self.learn(&there, &reread);
        self.good.retain(|path, _| there.contains(path));
        self.missing.clear();
        self.learn(&there, &BTreeSet::new());
    }

    /// Everything that is no folder, and the folders that stand where files should.
    pub(crate) fn files(&self) -> BTreeSet<String> {
        let mut there = BTreeSet::new();
        folder::files_below(self.data.root(), "workspaces", &mut there);
        there
    }

    pub(crate) fn entry_files(&mut self) -> Vec<String> {
        let types = ["posts", "posts", "posts", "topics", "authors", "start", "strays"];
        let ty = self.random.pick(&types).unwrap();
        let ws = if self.random.one_in(8) { "workspaces/press" } else { WS };
        self.data.files(&format!("{ws}/content/{ty}"), ".json")
    }

    pub(crate) fn some_entry(&mut self) -> Option<String> {
        let files = self.entry_files();
        self.random.pick(&files).cloned()
    }

    pub(crate) fn new_entry_path(&mut self) -> String {
        self.next += 1;
        let types = ["posts", "posts", "topics", "authors", "start", "strays"];
        let ty = self.random.pick(&types).unwrap();
        let ws = if self.random.one_in(8) { "workspaces/press" } else { WS };
        format!("{ws}/content/{ty}/new-{}.json", self.next)
    }

    pub(crate) fn edit(&mut self) {
        let path = if self.random.one_in(4) { None } else { self.some_entry() };
        let path = path.unwrap_or_else(|| self.new_entry_path());
        let text = entry(&mut self.random);
        self.log.push(format!("write {path}"));
        self.write_over(&path, &text);
    }

    /// Writes, even where something else than a file stands.
    pub(crate) fn write_over(&mut self, path: &str, text: &str) {
        if self.data.at(path).symlink_metadata().is_ok_and(|it| !it.is_file()) {
            self.data.remove(path);
        }
        if self
            .data
            .at(path)
            .parent()
            .is_some_and(|it| it.symlink_metadata().is_ok_and(|it| !it.is_dir()))
        {
            return;
        }
        self.data.write(path, text);
    }

    pub(crate) fn save_like_an_editor(&mut self) {
        let Some(path) = self.some_entry() else { return };
        let text = entry(&mut self.random);
        let (folder, name) = path.rsplit_once('/').unwrap();
        let beside = |name: String| format!("{folder}/{name}");
        match self.random.below(5) {
            0 => {
                self.log.push(format!("vim {path}"));
                self.data.write(&beside("4913".to_string()), "");
                self.data.remove(&beside("4913".to_string()));
                self.data.write(&beside(format!(".{name}.swp")), "swap");
                self.data.rename(&path, &format!("{path}~"));
                self.data.write(&path, &text);
                self.data.remove(&format!("{path}~"));
                self.data.remove(&beside(format!(".{name}.swp")));
            }
            1 => {
                self.log.push(format!("jetbrains {path}"));
                let (tmp, old) = (format!("{path}___jb_tmp___"), format!("{path}___jb_old___"));
                self.data.write(&tmp, &text);
                self.data.rename(&path, &old);
                self.data.rename(&tmp, &path);
                self.data.remove(&old);
            }
            2 => {
                self.log.push(format!("sed -i {path}"));
                self.data.write(&beside("sedAb12Cd".to_string()), &text);
                self.data.rename(&beside("sedAb12Cd".to_string()), &path);
            }
            3 => {
                self.log.push(format!("rsync -t {path}"));
                let tmp = beside(format!(".{name}.Xy12Zz"));
                self.data.write(&tmp, &text);
                let age = Duration::from_secs(86_400 * (1 + self.random.below(100) as u64));
                folder::set_modified(&self.data.at(&tmp), SystemTime::now() - age);
                self.data.rename(&tmp, &path);
            }
            _ => {
                self.log.push(format!("save in place {path}"));
                self.data.write(&path, &text);
            }
        }
    }

    pub(crate) fn break_entry(&mut self) {
        let Some(path) = self.some_entry() else { return };
        if path.contains("/strays/") {
            return; // what is kept of entries nobody reads is nobody's promise
        }
        let text = entry(&mut self.random);
        let broken = broken(&mut self.random, &text);
        self.log.push(format!(
            "break {path}: {:?}",
            String::from_utf8_lossy(&broken[..broken.len().min(40)])
        ));
        self.data.write(&path, broken);
    }

    /// Half a file, seen by the engine, and then the whole.
    pub(crate) fn half_write(&mut self) {
        let Some(path) = self.some_entry() else { return };
        let text = if self.random.one_in(3) {
            String::from_utf8_lossy(&self.data.read(&path)).into_owned()
        } else {
            entry(&mut self.random)
        };
        self.log.push(format!("half-write {path}"));
        let half = text.len() / 2;
        self.data.write(&path, &text.as_bytes()[..half]);
        self.look();
        self.data.write(&path, text);
    }

    pub(crate) fn may_delete(&mut self) -> bool {
        self.deletions += 1;
        self.deletions <= DELETIONS_MAX
    }

    pub(crate) fn move_entries(&mut self) {
        let files = self.entry_files();
        let (Some(one), Some(other)) = (self.random.pick(&files), self.random.pick(&files)) else {
            return;
        };
        let (one, other) = (one.clone(), other.clone());
        match self.random.below(6) {
            0 if self.may_delete() => {
                self.next += 1;
                let to = one.replace(".json", &format!("-{}.json", self.next));
                self.log.push(format!("rename {one} {to}"));
                self.data.rename(&one, &to);
            }
            1 if one != other => {
                self.log.push(format!("swap {one} {other}"));
                let aside = format!("{one}~");
                self.data.rename(&one, &aside);
                self.data.rename(&other, &one);
                self.data.rename(&aside, &other);
            }
            2 if one != other && self.may_delete() => {
                self.log.push(format!("rename {one} onto {other}"));
                self.data.rename(&one, &other);
            }
            3 => {
                let (folder, name) = one.rsplit_once('/').unwrap();
                let stem = name.trim_end_matches(".json").to_uppercase();
                let to = format!("{folder}/{stem}.json");
                if self.data.at(&to).symlink_metadata().is_ok_and(|it| !it.is_file()) {
                    return;
                }
                self.log.push(format!("copy {one} {to}"));
                fs::copy(self.data.at(&one), self.data.at(&to)).unwrap();
            }
            4 => {
                self.log.push(format!("unlink, look, create the same {one}"));
                let bytes = self.data.read(&one);
                self.data.remove(&one);
                self.look();
                if self.random.one_in(2) {
                    self.edit_schema();
                    self.look();
                }
                self.data.write(&one, bytes);
            }
            _ if self.may_delete() => {
                self.log.push(format!("delete {one}"));
                self.data.remove(&one);
            }
            _ => {}
        }
    }

    pub(crate) fn replace_by_something_else(&mut self) {
        let Some(path) = self.some_entry() else { return };
        if path.contains("/strays/") {
            return; // what is kept of entries nobody reads is nobody's promise
        }
        if !self.may_delete() {
            return;
        }
        self.data.remove(&path);
        match self.random.below(4) {
            0 => {
                self.log.push(format!("directory {path}"));
                self.data.write(&format!("{path}/inside.json"), "{}");
            }
            1 => {
                self.log.push(format!("pipe {path}"));
                self.data.pipe(&path);
            }
            2 => {
                self.log.push(format!("link {path}"));
                self.data.link_outside("file.json", &path);
            }
            _ => {
                self.log.push(format!("link to a neighbour {path}"));
                self.data.link("../../workspace.json", &path);
            }
        }
    }

    /// Edits that hardly show in a stat.
    pub(crate) fn edit_without_a_trace(&mut self) {
        let Some(path) = self.some_entry() else { return };
        let place = self.data.at(&path);
        let before = folder::modified(&place);
        let bytes = self.data.read(&path);
        match self.random.below(4) {
            0 => {
                self.log.push(format!("same size {path}"));
                self.data.write(&path, other_of_same_size(&bytes));
            }
            1 => {
                self.log.push(format!("same size and time {path}"));
                self.data.write(&path, other_of_same_size(&bytes));
                folder::set_modified(&place, before);
            }
            2 => {
                self.log.push(format!("same time {path}"));
                self.data.write(&path, entry(&mut self.random));
                folder::set_modified(&place, before);
            }
            _ => {
                self.log.push(format!("touch {path}"));
                let age = Duration::from_secs(self.random.below(1_000_000) as u64);
                folder::set_modified(&place, SystemTime::now() - age);
            }
        }
    }

    pub(crate) fn misname(&mut self) {
        let names = [
            "content/posts/bad name.json",
            "content/posts/x.JSON",
            "content/posts/a (Anna's conflicted copy).json",
            "content/Bad Type/a.json",
            "schemas/bad name.json",
            "media/bad:name?.png",
            "content/posts.json",
        ];
        let name = *self.random.pick(&names).unwrap();
        let path = format!("{WS}/{name}");
        if self.data.at(&path).exists() {
            self.log.push(format!("remove {path}"));
            self.data.remove(&path);
        } else if self.data.at(&path).parent().is_none_or(|it| it.is_dir() || !it.exists()) {
            self.log.push(format!("misname {path}"));
            self.data.write(&path, entry(&mut self.random));
        }
    }

    pub(crate) fn edit_schema(&mut self) {
        let name =
            *self.random.pick(&["posts", "posts", "topics", "authors", "start", "strays"]).unwrap();
        let path = format!("{WS}/schemas/{name}.json");
        self.deletions += 1;
        match self.random.below(12) {
            0 if self.random.one_in(2) => {
                self.log.push(format!("remove {path}"));
                self.data.remove(&path);
            }
            1 => {
                self.log.push(format!("break {path}"));
                self.write_over(&path, "{\"fields\": [");
            }
            2 => {
                self.log.push(format!("misdefine {path}"));
                self.write_over(&path, r#"{"label": 7, "fields": {"x": {"type": "nonsense"}}}"#);
            }
            3 if name != "strays" => {
                self.log.push(format!("directory {path}"));
                self.data.remove(&path);
                fs::create_dir(self.data.at(&path)).unwrap();
            }
            _ => {
                let text = schema(name, &mut self.random);
                self.log.push(format!("define {path} {text}"));
                self.write_over(&path, &text);
            }
        }
    }

    pub(crate) fn move_clock(&mut self) {
        self.now += 3_600 * (1 + self.random.below(60)) as i64;
        self.log.push(format!("now it is {}", self.now));
        self.clock.set(Timestamp::from_seconds(self.now));
        if self.random.one_in(2) {
            // Somebody asks, which makes everything public whose time has come.
            folder::picture(&self.app, &queries);
        }
    }

    pub(crate) fn restart(&mut self) {
        self.log.push("restart".to_string());
        self.settle();
        // The lock is let go of before it is taken again.
        let aside = tempfile::tempdir().unwrap();
        self.app = folder::app(&folder::fresh(aside.path(), &self.clock()));
        self.app = open(&self.data, &self.clock);
        self.versions.clear();
        self.left_alone.clear();
        // What counts is what the new engine found.
        self.was_without_file = !self.files().contains(&format!("{WS}/workspace.json"));
        self.note_left_alone();
        let nothing = self.left_alone.values().all(Vec::is_empty);
        assert!(nothing, "SEED={}: of an unknown format nothing is read", self.seed);
        folder::picture(&self.app, &queries);
    }

    /// As `git checkout` does: every file that differs is unlinked and made anew.
    pub(crate) fn check_out(&mut self) {
        let files = self.entry_files();
        let first = self.random.below(files.len().max(1));
        let some: Vec<String> = files.into_iter().skip(first).take(DELETIONS_MAX).collect();
        self.log.push(format!("check out {some:?}"));
        let before: Vec<Vec<u8>> = some.iter().map(|it| self.data.read(it)).collect();
        some.iter().for_each(|it| self.data.remove(it));
        if self.random.one_in(3) && self.deletions == 0 {
            self.look();
        }
        for (path, before) in some.iter().zip(before) {
            let text = entry(&mut self.random);
            let bytes = if self.random.one_in(4) { before } else { text.into_bytes() };
            self.data.write(path, bytes);
        }
    }

    pub(crate) fn edit_token(&mut self) {
        let path = "system/tokens/0123456789abcdef.json";
        self.log.push("token".to_string());
        match self.random.below(4) {
            0 => self.data.remove(path),
            1 => self.data.write(path, "{"),
            _ => {
                let word = self.random.word();
                let hash = "ab".repeat(32);
                self.data.write(
                    path,
                    format!(
                        r#"{{"name": "{word}", "secret_sha256": "{hash}", "permissions": [{{"actions": "content.read", "resources": "content:*"}}]}}"#
                    ),
                );
            }
        }
    }

    /// A folder goes aside and comes back, or something else takes its place.
    pub(crate) fn move_folder(&mut self) {
        let folders = [
            format!("{WS}/content/topics"),
            format!("{WS}/content/authors"),
            format!("{WS}/media-meta"),
        ];
        let path = self.random.pick(&folders).unwrap().clone();
        let aside = format!("{path}.bak");
        let place = self.data.at(&path);
        if self.data.at(&aside).exists() {
            self.log.push(format!("{path} comes back"));
            self.data.remove(&path);
            self.data.rename(&aside, &path);
        } else if place.is_dir() && self.data.files(&path, "").len() < 20 {
            self.log.push(format!("{path} goes aside"));
            self.data.rename(&path, &aside);
            if self.random.one_in(2) {
                self.data.link_outside("", &path);
            }
        }
    }
}

/// Whether something that is seen is of a workspace.
pub(crate) fn is_of(seen: &str, slug: &str) -> bool {
    seen.strip_prefix(slug).is_some_and(|it| it.is_empty() || it.starts_with(' '))
}

pub(crate) fn open(data: &Data, clock: &Arc<TestClock>) -> App {
    let clock: Arc<dyn Clock> = clock.clone();
    // A process that another run is about to start holds a copy of the lock for a moment.
    let mut opened = None;
    folder::eventually("the folder is free", || {
        opened = Engine::open(folder::options(data.root(), &clock)).ok();
        opened.is_some()
    });
    let engine = opened.unwrap();
    folder::pack(&engine);
    folder::app(&engine)
}
