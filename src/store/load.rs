//! The whole folder, or parts of it: first names and stats ([`scan`]), then bytes ([`read_all`]).
//! A cold disk is fast only when it is asked for much at once, so both use more threads than there
//! are cores, and what is made of a file is made on the thread that read it.

use std::borrow::Borrow;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::sum::Sum;
pub(crate) use crate::store::disk::is_absence;
use crate::store::disk::{self, Disk, Kind, Listed, Listing, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key, Named};
use crate::store::pack::Pack;

/// How many threads read when the disk may be cold.
pub const READERS: usize = 32;

/// How many files a reader takes at a time.
const SHARE: usize = 32;

/// A folder that was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderRef {
    /// Which folder it is.
    pub folder: Folder,
    /// Where it is.
    pub path: String,
    /// Another one after it was removed and made again.
    pub inode: u64,
}

/// A file that was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRef {
    /// Which file it is.
    pub key: Key,
    /// The folder it is in.
    pub folder: Arc<FolderRef>,
    /// Its name in the folder.
    pub name: Box<str>,
    /// Its stat when it was listed.
    pub stat: Stat,
}

impl FileRef {
    /// Where the file is.
    pub fn path(&self) -> String {
        format!("{}/{}", self.folder.path, self.name)
    }
}

/// The bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// All of them.
    pub bytes: &'a [u8],
    /// The stat from just before they were read.
    pub stat: Stat,
    /// Whether they came from the pack and not from the file.
    pub packed: bool,
    sum: Sum,
}

impl Body<'_> {
    /// The sum of the bytes.
    pub fn sum(&self) -> Sum {
        self.sum
    }
}

/// Everything found in some folders and those below them: folder by folder in the order of their
/// paths, file by file in the order of their names.
#[derive(Debug, Default)]
pub struct Scan {
    /// The folders that are there.
    pub folders: Vec<Arc<FolderRef>>,
    /// The files under names of ours, whatever they turn out to be.
    pub files: Vec<FileRef>,
    /// Names and things that cannot be loaded.
    pub problems: Vec<Problem>,
}

/// Lists `folders` and the watched ones below them. A folder that is not there is empty; one below
/// that cannot be listed is a problem.
pub fn scan(disk: &dyn Disk, folders: &[Folder]) -> Result<Scan, StoreError> {
    let mut found: Vec<(Arc<FolderRef>, Vec<FileRef>)> = Vec::new();
    let mut problems = Vec::new();
    let mut level: Vec<Folder> = folders.to_vec();
    while !level.is_empty() {
        let listings = in_parallel(
            &level,
            READERS,
            || (),
            |(), folder| {
                let path = folder.path();
                let listing = list_patiently(disk, &path);
                (path, listing)
            },
        );
        let mut below = Vec::new();
        for (folder, (path, listing)) in level.into_iter().zip(listings) {
            let listing = match listing {
                Ok(listing) => listing,
                Err(error) if is_absence(&error) => continue,
                Err(error) if folders.contains(&folder) => {
                    return Err(StoreError::io("list", path)(error));
                }
                Err(error) => {
                    problems.push(unreadable_folder(path, &error));
                    continue;
                }
            };
            let folder = Arc::new(FolderRef { folder, path, inode: listing.inode });
            problems.extend(collisions(&folder, &listing.items));
            let contents = sort_out(&folder, listing);
            problems.extend(contents.problems);
            found.push((folder, contents.files));
            below.extend(contents.folders.into_iter().map(|(folder, _)| folder));
        }
        level = below;
    }
    found.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
    problems.sort_by(|one, other| one.path.cmp(&other.path));
    let (folders, files): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    Ok(Scan { folders, files: files.into_iter().flatten().collect(), problems })
}

/// How often a folder is listed before it counts as one that cannot be listed.
const LIST_TRIES: usize = 3;

/// Lists a folder, and tries again when that fails for a reason that may pass: what is missing here
/// is missing in what is served.
fn list_patiently(disk: &dyn Disk, path: &str) -> io::Result<Listing> {
    for _ in 1..LIST_TRIES {
        match disk.list(path) {
            Err(error) if disk::passes(&error) => std::thread::yield_now(),
            listed => return listed,
        }
    }
    disk.list(path)
}

/// The files of ours in one folder, watched or not; none when it is not there.
pub fn files_in(disk: &dyn Disk, folder: &Folder) -> Result<Vec<FileRef>, StoreError> {
    let path = folder.path();
    let listing = match disk.list(&path) {
        Ok(listing) => listing,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", path)(error)),
    };
    let here = Arc::new(FolderRef { folder: folder.clone(), path, inode: listing.inode });
    Ok(sort_out(&here, listing).files)
}

/// Reads files and makes something of each, on several threads. The results are in the order of
/// the files. The bytes are lent: their memory is used for the next file.
pub fn read_all<F, T>(
    disk: &dyn Disk,
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<Body<'_>, ReadError>) -> T + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    read_from(files, threads, make, |_, path, bytes| {
        disk.read(path, bytes).map(|stat| (stat, Sum::of(bytes), false))
    })
}

/// The same, with bytes from the pack where it has those of exactly the file that was listed:
/// one large file is read faster than very many small ones.
pub fn read_all_packed<F, T>(
    disk: &dyn Disk,
    pack: &Pack,
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<Body<'_>, ReadError>) -> T + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    read_from(files, threads, make, |file, path, bytes| {
        match pack.get_current(path, &file.stat, bytes) {
            Some(sum) => Ok((file.stat, sum, true)),
            None => disk.read(path, bytes).map(|stat| (stat, Sum::of(bytes), false)),
        }
    })
}

fn read_from<F, T>(
    files: &[F],
    threads: usize,
    make: impl Fn(&F, Result<Body<'_>, ReadError>) -> T + Sync,
    read: impl Fn(&FileRef, &str, &mut Vec<u8>) -> Result<(Stat, Sum, bool), ReadError> + Sync,
) -> Vec<T>
where
    F: Borrow<FileRef> + Sync,
    T: Send,
{
    let state = || (Vec::new(), String::new());
    in_parallel(files, threads, state, |(bytes, path): &mut (Vec<u8>, String), item| {
        let file: &FileRef = item.borrow();
        path.clear();
        path.extend([&file.folder.path, "/", &file.name]);
        let read = read(file, path, bytes);
        make(item, read.map(|(stat, sum, packed)| Body { bytes, stat, packed, sum }))
    })
}

/// What the names in one folder turned out to be.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) files: Vec<FileRef>,
    /// With the inode of each.
    pub(crate) folders: Vec<(Folder, u64)>,
    pub(crate) problems: Vec<Problem>,
}

/// Tells files, folders and what is wrong apart.
pub(crate) fn sort_out(folder: &Arc<FolderRef>, listing: Listing) -> Contents {
    let mut contents = Contents::default();
    for item in listing.items {
        contents.add(folder, item);
    }
    contents.problems.extend(garbled(&folder.path, &listing.garbled));
    contents
}

/// A folder that cannot be listed.
pub(crate) fn unreadable_folder(path: String, error: &std::io::Error) -> Problem {
    let message = format!("The folder cannot be read: {error}.");
    Problem::new(ProblemKind::Unreadable, path, message)
}

/// Names that are no text.
pub(crate) fn garbled(folder: &str, names: &[String]) -> Vec<Problem> {
    let problem = |name: &String| {
        let message = "The name is not UTF-8.";
        Problem::new(ProblemKind::InvalidName, format!("{folder}/{name}"), message)
    };
    names.iter().map(problem).collect()
}

impl Contents {
    pub(crate) fn add(&mut self, folder: &Arc<FolderRef>, item: Listed) {
        match folder.folder.folder(&item.name) {
            Named::Ours(below) if !below.is_watched() => return,
            Named::Ours(below) if item.kind == Kind::Folder => {
                return self.folders.push((below, item.stat.inode));
            }
            Named::Ours(_) if item.kind != Kind::File => return self.not_a_file(folder, &item),
            Named::Misnamed(kind, message) if item.kind == Kind::Folder => {
                return self.problem(kind, folder, &item, message);
            }
            Named::Ours(_) | Named::Misnamed(..) | Named::Ignored => {}
        }
        match folder.folder.file(&item.name) {
            // What is not read is known by its stat alone, so it has to be a file at first sight.
            Named::Ours(key) if !key.is_json() && item.kind != Kind::File => {
                self.not_a_file(folder, &item);
            }
            Named::Ours(key) => {
                let (folder, name) = (Arc::clone(folder), item.name.into_boxed_str());
                self.files.push(FileRef { key, folder, name, stat: item.stat });
            }
            Named::Misnamed(kind, message) => self.problem(kind, folder, &item, message),
            Named::Ignored => {}
        }
    }

    fn not_a_file(&mut self, folder: &FolderRef, item: &Listed) {
        let message = match item.kind {
            Kind::Link => "This is a symbolic link, which is not followed.",
            Kind::Folder => "This is a directory, not a file.",
            Kind::File | Kind::Other => "This is a pipe, a socket or a device.",
        };
        self.problem(ProblemKind::NotAFile, folder, item, message);
    }

    fn problem(&mut self, kind: ProblemKind, folder: &FolderRef, item: &Listed, message: &str) {
        let path = format!("{}/{}", folder.path, item.name);
        self.problems.push(Problem::new(kind, path, message));
    }
}

/// Names that are one and the same on systems which ignore case; the first in order is the one
/// that counts, the others are the problem.
pub(crate) fn collisions(here: &FolderRef, items: &[Listed]) -> Vec<Problem> {
    let mut sums: Vec<(Sum, usize)> = Vec::with_capacity(items.len());
    let mut lower = String::new();
    for (index, item) in items.iter().enumerate() {
        lower.clear();
        if item.name.is_ascii() {
            lower.push_str(&item.name);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(item.name.chars().flat_map(char::to_lowercase));
        }
        sums.push((Sum::of(lower.as_bytes()), index));
    }
    sums.sort_unstable();
    let mut problems = Vec::new();
    for group in sums.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1) {
        let names = group.iter().filter_map(|(_, index)| items.get(*index)).map(|it| &*it.name);
        let mut names = names.filter(|name| is_ours(&here.folder, name));
        let Some(first) = names.next() else { continue };
        for name in names {
            let message = format!("The name differs from `{first}` only in case.");
            let path = format!("{}/{name}", here.path);
            problems.push(Problem::new(ProblemKind::CaseCollision, path, message));
        }
    }
    problems
}

fn is_ours(folder: &Folder, name: &str) -> bool {
    folder.file(name).ours().is_some() || folder.folder(name).ours().is_some()
}

/// Does `work` for every item on several threads, each with a state of its own; results are in
/// the order of the items.
pub fn in_parallel<I: Sync, S, T: Send>(
    items: &[I],
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &I) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(items.len().div_ceil(SHARE));
    if threads <= 1 {
        let mut state = state();
        return items.iter().map(|item| work(&mut state, item)).collect();
    }
    // Results go straight to their places: small lists of them, made between what is kept for long,
    // would leave holes behind.
    let mut results: Vec<Option<T>> = std::iter::repeat_with(|| None).take(items.len()).collect();
    let shares = Mutex::new(items.chunks(SHARE).zip(results.chunks_mut(SHARE)));
    let run = || {
        let mut state = state();
        loop {
            // Taking a share cannot fail half way, so poison means nothing.
            let share = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((items, places)) = share else { return };
            for (item, place) in items.iter().zip(places) {
                *place = Some(work(&mut state, item));
            }
        }
    };
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
    use crate::store::known::Moment;

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
        let scan = scan(&disk, ROOTS).unwrap();
        let paths: Vec<_> = scan.files.iter().map(FileRef::path).collect();
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
        assert!(super::scan(&disk, &[Folder::Tokens]).unwrap().files.is_empty());
    }

    #[test]
    fn results_are_in_order_however_many_read() {
        let files: Vec<_> = (0..500)
            .map(|n| (format!("workspaces/main/content/p/e{n:03}.json"), n.to_string()))
            .collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let (_data, disk) = data(&files);
        let scan = scan(&disk, ROOTS).unwrap();
        for threads in [1, 2, 32] {
            let texts = read_all(&disk, &scan.files, threads, |file: &FileRef, body| {
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
        let listed = scan(&disk, ROOTS).unwrap();
        let pack = Pack::open(&data.path().join(".recto/bodies"));
        let mut later = Moment::now();
        later.wall_ns += 60_000_000_000;
        for file in &listed.files {
            // Other bytes than those of the file tell where they come from.
            pack.put_at(later, &file.path(), &file.stat, Sum::of(b"packed"), b"packed");
        }
        fs::write(data.path().join("workspaces/main/content/posts/b.json"), "new").unwrap();
        let listed = scan(&disk, ROOTS).unwrap();
        let texts = read_all_packed(&disk, &pack, &listed.files, 2, |_: &FileRef, body| {
            String::from_utf8(body.unwrap().bytes.to_vec()).unwrap()
        });
        assert_eq!(texts, ["packed", "new"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_in_the_way_is_told() {
        let (data, disk) = data(&[("workspaces/main/content/posts/a.json", "{}")]);
        let at = |path: &str| data.path().join("workspaces/main").join(path);
        fs::create_dir(at("content/posts/b.json")).unwrap();
        fs::create_dir(at("media")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", at("content/posts/c.json")).unwrap();
        std::os::unix::fs::symlink("/etc", at("content/news")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", at("media/x.txt")).unwrap();
        let scan = scan(&disk, ROOTS).unwrap();
        let mut told: Vec<_> = scan.problems.clone();
        told.extend(
            read_all(&disk, &scan.files, 2, |file: &FileRef, body| {
                body.err().map(|error| error.problem(&file.path()))
            })
            .into_iter()
            .flatten(),
        );
        let told: Vec<_> = told.iter().map(|it| format!("{} {}", it.kind, it.path)).collect();
        let expect = [
            "not_a_file workspaces/main/content/news",
            "not_a_file workspaces/main/media/x.txt",
            "not_a_file workspaces/main/content/posts/b.json",
            "not_a_file workspaces/main/content/posts/c.json",
        ];
        assert_eq!(told, expect);
    }
}
