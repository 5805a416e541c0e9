//! Bulk loading: first names and stats ([`scan_folders`]), then bytes ([`read_all`]). A cold disk
//! is only fast with many requests at once, so both use more threads than there are cores, and a
//! file is processed on the thread that read it.

use std::borrow::Borrow;
use std::io;
use std::sync::Arc;

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
pub(crate) use crate::store::disk::is_absence;
use crate::store::disk::{self, Disk, FileKind, FolderItem, Listing, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{self, Folder, Key, NameMeaning};
use crate::store::read::body_pack::BodyPack;

/// The number of reading threads for a disk that may be cold.
pub const READERS: usize = 32;

/// The number of files that a reader takes at a time.
pub const SHARE: usize = 64;

/// A listed folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderRef {
    /// The folder.
    pub folder: Folder,
    /// The path.
    pub path: String,
    /// The inode, which differs after the folder was removed and created again.
    pub inode: u64,
}

impl FolderRef {
    /// Returns the path of a name in the folder. That of the data folder itself is empty.
    fn path_of(&self, name: &str) -> String {
        match self.path.is_empty() {
            true => name.to_string(),
            false => format!("{}/{name}", self.path),
        }
    }
}

/// A listed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRef {
    /// The key.
    pub key: Key,
    /// The parent folder.
    pub folder: Arc<FolderRef>,
    /// The name in the folder.
    pub name: Box<str>,
    /// The stat at the time of the listing.
    pub stat: Stat,
}

impl FileRef {
    /// Returns the path of the file.
    pub fn path(&self) -> String {
        format!("{}/{}", self.folder.path, self.name)
    }
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileBody<'a> {
    /// The complete content.
    pub bytes: &'a [u8],
    /// The stat from just before the file was read.
    pub stat: Stat,
    /// The checksum of the bytes.
    pub sum: Checksum,
}

/// The content of some folders and those below them.
#[derive(Debug, Default)]
pub struct FolderScan {
    /// The existing folders, sorted by their paths.
    pub folders: Vec<ScannedFolder>,
    /// Names and items that cannot be loaded.
    pub problems: Vec<Problem>,
}

/// A folder with its files.
#[derive(Debug)]
pub struct ScannedFolder {
    /// The folder.
    pub here: Arc<FolderRef>,
    /// The items with names of files, of whatever type they are, sorted by their names.
    pub files: Vec<FileRef>,
}

impl FolderScan {
    /// Returns the files of all folders.
    pub fn into_files(self) -> impl Iterator<Item = FileRef> {
        self.folders.into_iter().flat_map(|it| it.files)
    }
}

/// Lists `folders` and the watched ones below them, or all below a folder that is not watched. A
/// missing folder is empty; a subfolder that cannot be listed is reported as a problem.
pub fn scan_folders(disk: &dyn Disk, folders: &[Folder]) -> Result<FolderScan, StoreError> {
    let (scan, unlisted) = scan_levels(disk, folders);
    match unlisted.into_iter().find(|(folder, _)| folders.contains(folder)) {
        Some((folder, error)) => Err(StoreError::io("list", folder.path())(error)),
        None => Ok(scan),
    }
}

/// Like [`scan_folders`], but reports those of `folders` that cannot be listed as problems, too.
pub fn scan_listable(disk: &dyn Disk, folders: &[Folder]) -> FolderScan {
    scan_levels(disk, folders).0
}

/// Returns what is in `folders` and below them, and which of all these cannot be listed.
fn scan_levels(disk: &dyn Disk, folders: &[Folder]) -> (FolderScan, Vec<(Folder, io::Error)>) {
    let (mut found, mut problems, mut unlisted) = (Vec::new(), Vec::new(), Vec::new());
    let mut level: Vec<Folder> = folders.to_vec();
    while !level.is_empty() {
        let listings = map_parallel(
            &level,
            READERS,
            || (),
            |(), folder| {
                let path = folder.path();
                let listing = list_with_retry(disk, &path);
                (path, listing)
            },
        );
        let mut below = Vec::new();
        for (folder, (path, listing)) in level.into_iter().zip(listings) {
            let listing = match listing {
                Ok(listing) => listing,
                Err(error) if is_absence(&error) => continue,
                Err(error) => {
                    problems.push(unreadable_folder(path, &error));
                    unlisted.push((folder, error));
                    continue;
                }
            };
            let folder = Arc::new(FolderRef { folder, path, inode: listing.inode });
            problems.extend(find_collisions(&folder, &listing));
            let contents = classify_listing(&folder, listing);
            problems.extend(contents.problems);
            found.push(ScannedFolder { here: folder, files: contents.files });
            below.extend(contents.folders.into_iter().map(|(folder, _)| folder));
        }
        level = below;
    }
    found.sort_by(|one, other| one.here.path.cmp(&other.here.path));
    problems.sort_by(|one, other| one.path.cmp(&other.path));
    (FolderScan { folders: found, problems }, unlisted)
}

/// Returns true if an error tells that a file is gone. A link, or something else that is no folder,
/// in the place of the folder of users or roles tells nothing of them: without users, the next
/// visitor would set the installation up again, and without their files, roles would grant more.
pub(crate) fn is_removal(key: &Key, error: &io::Error) -> bool {
    let is_of_people = matches!(key, Key::User(_) | Key::Role(_));
    is_absence(error) && (!is_of_people || error.kind() == io::ErrorKind::NotFound)
}

/// The number of attempts to list a folder.
const LIST_TRIES: usize = 3;

/// Lists a folder, with retries after transient errors: a file that is missing here would be
/// missing in the served content.
fn list_with_retry(disk: &dyn Disk, path: &str) -> io::Result<Listing> {
    for _ in 1..LIST_TRIES {
        match disk.list(path) {
            Err(error) if disk::is_transient(&error) => std::thread::yield_now(),
            listed => return listed,
        }
    }
    disk.list(path)
}

/// Returns the files of Recto in a folder, watched or not; an empty list if the folder does not
/// exist.
pub fn list_files(disk: &dyn Disk, folder: &Folder) -> Result<Vec<FileRef>, StoreError> {
    let path = folder.path();
    let listing = match disk.list(&path) {
        Ok(listing) => listing,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", path)(error)),
    };
    let here = Arc::new(FolderRef { folder: folder.clone(), path, inode: listing.inode });
    Ok(classify_listing(&here, listing).files)
}

/// Reads files on several threads and applies `make` to each. The results are in the order of the
/// files. The buffer with the bytes is reused for the next file.
pub fn read_all<F, T>(
    disk: &dyn Disk,
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<FileBody<'_>, ReadError>) -> T + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    let read = |_: &FileRef, path: &str, bytes: &mut Vec<u8>| read_with_sum(disk, path, bytes);
    read_files(disk, files, threads, make, |_| {}, read)
}

/// Like [`read_all`], but takes the bytes from the pack if they are those of the listed state: one
/// large file is read faster than very many small ones. `finish` is applied to what was made of up
/// to [`SHARE`] files in a row.
pub fn read_all_packed<F, T>(
    disk: &dyn Disk,
    pack: Option<&BodyPack>,
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<FileBody<'_>, ReadError>) -> T + Sync,
    finish: impl Fn(&mut [Option<T>]) + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    read_files(disk, files, threads, make, finish, |file, path, bytes| {
        match pack.and_then(|it| it.get_current(path, &file.stat, bytes)) {
            Some(sum) => Ok((file.stat, sum)),
            None => read_with_sum(disk, path, bytes),
        }
    })
}

fn read_with_sum(
    disk: &dyn Disk,
    path: &str,
    bytes: &mut Vec<u8>,
) -> Result<(Stat, Checksum), ReadError> {
    disk.read(path, bytes).map(|stat| (stat, Checksum::of_bytes(bytes)))
}

fn read_files<F, T>(
    disk: &dyn Disk,
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<FileBody<'_>, ReadError>) -> T + Sync,
    finish: impl Fn(&mut [Option<T>]) + Sync,
    read: impl Fn(&FileRef, &str, &mut Vec<u8>) -> Result<(Stat, Checksum), ReadError> + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    let state = || (Vec::new(), String::new());
    let work = |(bytes, path): &mut (Vec<u8>, String), item: &F| {
        let file: &FileRef = item.borrow();
        path.clear();
        path.extend([&file.folder.path, "/", &file.name]);
        let read = read(file, path, bytes);
        make(item, read.map(|(stat, sum)| FileBody { bytes, stat, sum }))
    };
    let begin = |share: &[F]| {
        if disk.is_shared() {
            let paths = share.iter().map(|it| it.borrow().path());
            disk.read_ahead(&paths.collect::<Vec<_>>());
        }
    };
    map_shares(files, threads, begin, state, work, finish)
}

/// The classified items of a folder.
#[derive(Debug, Default)]
pub(crate) struct FolderContents {
    pub(crate) files: Vec<FileRef>,
    /// The subfolders with their inodes.
    pub(crate) folders: Vec<(Folder, u64)>,
    pub(crate) problems: Vec<Problem>,
}

/// Classifies the items of a folder.
pub(crate) fn classify_listing(folder: &Arc<FolderRef>, listing: Listing) -> FolderContents {
    let mut contents = FolderContents::default();
    contents.files.reserve_exact(listing.items.len());
    for item in listing.items {
        contents.add_item(folder, item);
    }
    contents.problems.extend(garbled_problems(folder, &listing.garbled));
    contents
}

/// Returns the problem of a folder that cannot be listed.
pub(crate) fn unreadable_folder(path: String, error: &std::io::Error) -> Problem {
    let message = format!("The folder cannot be read: {error}.");
    Problem::new(ProblemKind::Unreadable, path, message)
}

/// Returns the problems of names that are not UTF-8.
pub(crate) fn garbled_problems(folder: &FolderRef, names: &[String]) -> Vec<Problem> {
    let problem = |name: &String| {
        Problem::new(ProblemKind::InvalidName, folder.path_of(name), "The name is not UTF-8.")
    };
    names.iter().map(problem).collect()
}

impl FolderContents {
    pub(crate) fn add_item(&mut self, folder: &Arc<FolderRef>, item: FolderItem) {
        match folder.folder.classify_folder(&item.name) {
            NameMeaning::Ours(below) if item.kind == FileKind::Folder => {
                // Revisions and trash are listed on demand.
                if below.is_watched() || !folder.folder.is_watched() {
                    self.folders.push((below, item.stat.inode));
                }
                return;
            }
            NameMeaning::Ours(_)
                if item.kind != FileKind::File || !layout::is_ignored(&item.name) =>
            {
                return self.add_not_a_file(folder, &item);
            }
            NameMeaning::Misnamed(kind, message) if item.kind == FileKind::Folder => {
                return self.add_problem(kind, folder, &item, message);
            }
            NameMeaning::Ignored
                if item.kind != FileKind::Folder
                    && layout::is_keyless_folder(&folder.path, &item.name) =>
            {
                return self.add_not_a_file(folder, &item);
            }
            NameMeaning::Ours(_) | NameMeaning::Misnamed(..) | NameMeaning::Ignored => {}
        }
        match folder.folder.classify_file(&item.name) {
            // Files that are not read must be regular files, since only their stat is used.
            NameMeaning::Ours(key) if !key.is_json() && item.kind != FileKind::File => {
                self.add_not_a_file(folder, &item);
            }
            NameMeaning::Ours(key) => {
                let (folder, name) = (Arc::clone(folder), item.name.into_boxed_str());
                self.files.push(FileRef { key, folder, name, stat: item.stat });
            }
            NameMeaning::Misnamed(kind, message) => self.add_problem(kind, folder, &item, message),
            NameMeaning::Ignored if is_among_entries(&folder.folder, &item) => {
                self.add_problem(ProblemKind::InvalidName, folder, &item, AMONG_ENTRIES);
            }
            NameMeaning::Ignored => {}
        }
    }

    /// Reports what is in the place of a file, or of a folder.
    fn add_not_a_file(&mut self, folder: &FolderRef, item: &FolderItem) {
        let message = match item.kind {
            FileKind::Link => "This is a symbolic link, which is not followed.",
            FileKind::Folder => "This is a directory, not a file.",
            FileKind::File => "This is a file, not a directory.",
            FileKind::Other => "This is a pipe, a socket or a device.",
        };
        self.add_problem(ProblemKind::NotAFile, folder, item, message);
    }

    fn add_problem(
        &mut self,
        kind: ProblemKind,
        folder: &FolderRef,
        item: &FolderItem,
        message: &str,
    ) {
        let path = folder.path_of(&item.name);
        self.problems.push(Problem::new(kind, path, message));
    }
}

/// The message about a folder among entries.
const AMONG_ENTRIES: &str = "Entries are files directly in the folder of their type: nothing in \
                             this folder is served.";

/// Returns true for a folder in that of a type, where people may have put entries.
fn is_among_entries(here: &Folder, item: &FolderItem) -> bool {
    let is_folder = item.kind == FileKind::Folder && !layout::is_ignored(&item.name);
    is_folder && matches!(here, Folder::Entries(..))
}

/// Returns the problems of names that are equal on systems that ignore case. The first in order is
/// used, the others are reported.
pub(crate) fn find_collisions(here: &FolderRef, listing: &Listing) -> Vec<Problem> {
    if !listing.has_capitals {
        return Vec::new();
    }
    let items = &listing.items;
    let mut sums: Vec<(Checksum, usize)> = Vec::with_capacity(items.len());
    let mut lower = String::new();
    for (index, item) in items.iter().enumerate() {
        lower.clear();
        if item.name.is_ascii() {
            lower.push_str(&item.name);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(item.name.chars().flat_map(char::to_lowercase));
        }
        sums.push((Checksum::of_bytes(lower.as_bytes()), index));
    }
    sums.sort_unstable();
    let mut problems = Vec::new();
    for group in sums.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let names = group.iter().filter_map(|(_, index)| items.get(*index)).map(|it| &*it.name);
        let mut names = names.filter(|name| is_ours(&here.folder, name));
        let Some(first) = names.next() else { continue };
        for name in names {
            let message = format!("The name differs from `{first}` only in case.");
            let path = here.path_of(name);
            problems.push(Problem::new(ProblemKind::CaseCollision, path, message));
        }
    }
    problems
}

fn is_ours(folder: &Folder, name: &str) -> bool {
    folder.classify_file(name).into_ours().is_some()
        || folder.classify_folder(name).into_ours().is_some()
}

/// Applies `work` to all items on several threads, each with its own state. The results are in the
/// order of the items.
pub fn map_parallel<I: Sync, S, T: Send>(
    items: &[I],
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &I) -> T + Sync,
) -> Vec<T> {
    map_shares(items, threads, |_| {}, state, work, |_| {})
}

/// Like [`map_parallel`], and applies `begin` to each share of items before, and `finish` to its
/// results after.
fn map_shares<I: Sync, S, T: Send>(
    items: &[I],
    threads: usize,
    begin: impl Fn(&[I]) + Sync,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &I) -> T + Sync,
    finish: impl Fn(&mut [Option<T>]) + Sync,
) -> Vec<T> {
    // Results are written directly to their final place: small temporary lists between long-lived
    // allocations would fragment the heap.
    let mut results: Vec<Option<T>> = std::iter::repeat_with(|| None).take(items.len()).collect();
    let shares = Mutex::new(items.chunks(SHARE).zip(results.chunks_mut(SHARE)));
    let run = || {
        let mut state = state();
        loop {
            let share = shares.lock().next();
            let Some((items, places)) = share else { return };
            begin(items);
            for (item, place) in items.iter().zip(places.iter_mut()) {
                *place = Some(work(&mut state, item));
            }
            finish(places);
        }
    };
    let threads = threads.min(items.len().div_ceil(SHARE));
    if threads <= 1 {
        run();
        return results.into_iter().flatten().collect();
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        for worker in workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::store::disk::OsDisk;
    use crate::store::read::moment::Moment;

    fn data(files: &[(&str, &str)]) -> (tempfile::TempDir, OsDisk) {
        let data = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let place = data.path().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
        }
        let disk = OsDisk::open(data.path()).unwrap();
        (data, disk)
    }

    const ROOTS: &[Folder] = &[Folder::Workspaces, Folder::System];

    #[test]
    fn finds_what_is_ours() {
        let (_data, disk) = data(&[
            ("workspaces/main/workspace.json", "{}"),
            ("workspaces/main/content/posts/b.json", "{}"),
            ("workspaces/main/content/posts/a.json", "{}"),
            ("workspaces/main/content/posts/a.json~", "{}"),
            ("workspaces/main/content/posts/c d.json", "{}"),
            ("workspaces/main/revisions/posts/a/1.json", "{}"),
            ("workspaces/main/media/x.png", "png"),
            ("workspaces/main/notes/x.json", "{}"),
            ("workspaces/Main/workspace.json", "{}"),
            ("system/settings.json", "{}"),
            (".recto/tmp/1.tmp", ""),
        ]);
        let scan = scan_folders(&disk, ROOTS).unwrap();
        let files = scan.folders.iter().flat_map(|it| &it.files);
        let paths: Vec<_> = files.map(FileRef::path).collect();
        let expect = [
            "system/settings.json",
            "workspaces/main/workspace.json",
            "workspaces/main/content/posts/a.json",
            "workspaces/main/content/posts/b.json",
            "workspaces/main/media/x.png",
        ];
        assert_eq!(paths, expect);
        let problems: Vec<_> = scan.problems.iter().map(|it| &*it.path).collect();
        let expect = ["workspaces/Main", "workspaces/main/content/posts/c d.json"];
        assert_eq!(problems, expect);
        assert!(super::scan_folders(&disk, &[Folder::Tokens]).unwrap().folders.is_empty());
    }

    #[test]
    fn results_are_in_order_however_many_read() {
        let files: Vec<_> = (0..500)
            .map(|n| (format!("workspaces/main/content/p/e{n:03}.json"), n.to_string()))
            .collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let (_data, disk) = data(&files);
        let files: Vec<_> = scan_folders(&disk, ROOTS).unwrap().into_files().collect();
        for threads in [1, 2, 32] {
            let texts = read_all(&disk, &files, threads, |file: &FileRef, body| {
                let body = body.unwrap();
                assert_eq!(body.stat, file.stat);
                String::from_utf8(body.bytes.to_vec()).unwrap()
            });
            let expect: Vec<_> = (0..500).map(|n: i32| n.to_string()).collect();
            assert_eq!(texts, expect);
        }
    }

    #[test]
    fn the_pack_stands_in_for_files_that_are_as_they_were() {
        let (data, disk) = data(&[
            ("workspaces/main/content/posts/a.json", "a"),
            ("workspaces/main/content/posts/b.json", "b"),
        ]);
        let listed: Vec<_> = scan_folders(&disk, ROOTS).unwrap().into_files().collect();
        let pack = BodyPack::open(&data.path().join(".recto/bodies"));
        pack.wait_until_open();
        let mut later = Moment::now();
        later.wall_ns += 60_000_000_000;
        for file in &listed {
            // These bytes differ from those of the file, which shows where they come from.
            pack.put_at(later, &file.path(), &file.stat, Checksum::of_bytes(b"packed"), b"packed");
        }
        fs::write(data.path().join("workspaces/main/content/posts/b.json"), "new").unwrap();
        let listed: Vec<_> = scan_folders(&disk, ROOTS).unwrap().into_files().collect();
        let text = |_: &FileRef, body: Result<FileBody<'_>, ReadError>| {
            String::from_utf8(body.unwrap().bytes.to_vec()).unwrap()
        };
        let texts = read_all_packed(&disk, Some(&pack), &listed, 2, text, |_| {});
        assert_eq!(texts, ["packed", "new"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_in_the_way_is_told() {
        let (data, disk) = data(&[("workspaces/main/content/posts/a.json", "{}")]);
        let at = |path: &str| data.path().join("workspaces/main").join(path);
        fs::create_dir(at("content/posts/b.json")).unwrap();
        fs::create_dir(at("content/posts/older")).unwrap();
        fs::create_dir(at("content/posts/older~")).unwrap();
        fs::write(at("content/pages"), "").unwrap();
        fs::write(at("content/pages~"), "").unwrap();
        fs::write(at("trash"), "").unwrap();
        fs::create_dir(at("media")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", at("content/posts/c.json")).unwrap();
        std::os::unix::fs::symlink("/etc", at("content/news")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", at("media/x.txt")).unwrap();
        let scan = scan_folders(&disk, ROOTS).unwrap();
        let mut told: Vec<_> = scan.problems.clone();
        let files: Vec<_> = scan.into_files().collect();
        told.extend(
            read_all(&disk, &files, 2, |file: &FileRef, body| {
                body.err().map(|error| error.to_problem(&file.path()))
            })
            .into_iter()
            .flatten(),
        );
        let told: Vec<_> = told.iter().map(|it| format!("{} {}", it.kind, it.path)).collect();
        let expect = [
            "not_a_file workspaces/main/content/news",
            "not_a_file workspaces/main/content/pages",
            "invalid_name workspaces/main/content/posts/older",
            "not_a_file workspaces/main/media/x.txt",
            "not_a_file workspaces/main/trash",
            "not_a_file workspaces/main/content/posts/b.json",
            "not_a_file workspaces/main/content/posts/c.json",
        ];
        assert_eq!(told, expect);
    }
}
