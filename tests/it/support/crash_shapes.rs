//! Every shape a change of the data folder can have: what is there before, and the steps.

use recto::store::disk::Disk;
use recto::store::disk::memory::MemDisk;
use recto::store::layout::FilePath;
use recto::store::layout::Folder;
use recto::store::write::file_op::FileOp;
use recto::store::write::file_op::FileTransaction;

/// A folder and what happens to it: changes that are committed together, each by itself whole.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    before: &'static [(&'static str, &'static str)],
    changes: fn(&MemDisk) -> Vec<FileTransaction>,
    /// Whether it has to succeed when the disk is full.
    pub(crate) frees_room: bool,
}

impl Shape {
    /// The folder before.
    pub(crate) fn disk(&self) -> MemDisk {
        let disk = MemDisk::with_files(self.before.iter().map(|(path, bytes)| (at(path), bytes)));
        // As in every folder that was ever written to.
        for folder in [".recto", ".recto/tmp"].iter().filter(|it| disk.stat(it).is_err()) {
            disk.make_folder(folder, 0o700).unwrap();
        }
        let disk = if self.is_split() { disk.split_state() } else { disk };
        // Every type with entries has a trash.
        let types = self.before.iter().filter_map(|(path, _)| path.strip_prefix("content/"));
        for of_type in types.filter_map(|it| it.split('/').next()) {
            for folder in [at("trash"), at(&format!("trash/{of_type}"))] {
                if disk.stat(&folder).is_err() {
                    disk.make_folder(&folder, 0o750).unwrap();
                }
            }
        }
        disk.copy_durable()
    }

    /// Whether the state is on another file system than the content.
    fn is_split(&self) -> bool {
        self.before.iter().any(|(path, _)| path.starts_with("system/"))
    }

    /// What happens, given the folder it happens to.
    pub(crate) fn changes(&self, disk: &MemDisk) -> Vec<FileTransaction> {
        (self.changes)(disk)
    }
}

/// All files are those of one workspace, or of the installation.
pub(crate) fn at(path: &str) -> String {
    if path.starts_with("system/") || path.starts_with(".recto/") {
        return path.to_string();
    }
    format!("workspaces/main/{path}")
}

/// The file of ours at a path.
fn file(path: &str) -> FilePath {
    FilePath::parse(&at(path)).unwrap()
}

fn create(path: &str, bytes: &str) -> FileOp {
    FileOp::Create { path: file(path), bytes: bytes.as_bytes().to_vec().into() }
}

fn replace(disk: &MemDisk, path: &str, bytes: &str) -> FileOp {
    let seen = disk.stat(&at(path)).ok().map(|it| it.stat);
    let bytes = bytes.as_bytes().to_vec().into();
    FileOp::Replace { path: file(path), bytes, seen, keep: None }
}

/// Replaces an entry, whose old file becomes a revision.
fn update(disk: &MemDisk, entry: &str, bytes: &str) -> FileOp {
    let seen = disk.stat(&at(&format!("content/{entry}.json"))).ok().map(|it| it.stat);
    let keep = Some(file(&format!("revisions/{entry}/{REVISION}.json")));
    let (path, bytes) = (file(&format!("content/{entry}.json")), bytes.as_bytes().to_vec().into());
    FileOp::Replace { path, bytes, seen, keep }
}

fn remove(path: &str) -> FileOp {
    FileOp::Remove { path: file(path) }
}

fn rename(from: &str, to: &str) -> FileOp {
    FileOp::Rename { from: file(from), to: file(to) }
}

fn remove_folder(folder: &str) -> FileOp {
    FileOp::RemoveFolder { folder: Folder::parse(&at(folder)).unwrap() }
}

fn steps(steps: Vec<FileOp>) -> FileTransaction {
    FileTransaction { steps, ..FileTransaction::default() }
}

const REVISION: &str = "01jz8x3m5q7v9c2a-update-tok_1";
const LATER_REVISION: &str = "01jz8x3m5q7v9c2b-update-tok_1";

const ENTRY: (&str, &str) = ("content/posts/a.json", r#"{"title": "A"}"#);
const OTHER: (&str, &str) = ("content/posts/b.json", r#"{"title": "B"}"#);
const SCHEMA: (&str, &str) = ("schemas/posts.json", r#"{"label": "Posts"}"#);
const TRASHED: (&str, &str) = ("trash/posts/t.json", r#"{"title": "T"}"#);
const REVISED: (&str, &str) = ("revisions/posts/t/01jz8x3m5q7v9c2a.json", r#"{"title": "Old"}"#);
const MEDIA: (&str, &str) = ("media/p.png", "PNG");
const MEDIA_REVISED: (&str, &str) = ("media-revisions/p.png/01jz8x3m5q7v9c2a.png", "Old PNG");
const META: (&str, &str) = ("media-meta/p.png.json", r#"{"alt": "P"}"#);

/// An entry that is changed twice in one batch. A crash may leave a revision of the first change,
/// although nobody was told that it was made.
pub(crate) const CHANGED_TWICE: Shape = Shape {
    name: "change an entry twice in one batch",
    before: &[SCHEMA, ENTRY, OTHER],
    changes: |disk| {
        let keep = Some(file(&format!("revisions/posts/a/{LATER_REVISION}.json")));
        let (path, bytes) = (file("content/posts/a.json"), b"second".to_vec().into());
        vec![
            steps(vec![update(disk, "posts/a", "first")]),
            steps(vec![FileOp::Replace { path, bytes, seen: None, keep }]),
        ]
    },
    frees_room: false,
};

/// One row a shape.
pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "create an entry, the first of its type",
        before: &[SCHEMA],
        changes: |_| vec![steps(vec![create("content/posts/a.json", "new")])],
        frees_room: false,
    },
    Shape {
        name: "update an entry, keeping a revision",
        before: &[SCHEMA, ENTRY, OTHER],
        changes: |disk| vec![steps(vec![update(disk, "posts/a", "new")])],
        frees_room: false,
    },
    Shape {
        name: "soft-delete an entry, then stamp it",
        before: &[SCHEMA, ENTRY, OTHER, TRASHED],
        changes: |disk| {
            vec![FileTransaction {
                steps: vec![rename("content/posts/a.json", "trash/posts/a.json")],
                afterwards: vec![replace(disk, "trash/posts/a.json", "stamped")],
                ..FileTransaction::default()
            }]
        },
        frees_room: true,
    },
    Shape {
        name: "soft-delete an entry that another refers to, which loses the reference",
        before: &[SCHEMA, ENTRY, OTHER],
        changes: |disk| {
            vec![FileTransaction {
                steps: vec![
                    rename("content/posts/a.json", "trash/posts/a.json"),
                    update(disk, "posts/b", "without a"),
                ],
                afterwards: vec![replace(disk, "trash/posts/a.json", "stamped")],
                ..FileTransaction::default()
            }]
        },
        frees_room: false,
    },
    Shape {
        name: "soft-delete the first entry of a type",
        before: &[SCHEMA, ENTRY],
        changes: |_| vec![steps(vec![rename("content/posts/a.json", "trash/posts/a.json")])],
        frees_room: true,
    },
    Shape {
        name: "restore an entry",
        before: &[SCHEMA, ENTRY, TRASHED, REVISED],
        changes: |_| {
            let (back, gone) = (create("content/posts/t.json", "clean"), "trash/posts/t.json");
            vec![steps(vec![back, remove(gone)])]
        },
        frees_room: false,
    },
    Shape {
        name: "purge an entry",
        before: &[SCHEMA, ENTRY, TRASHED, REVISED],
        changes: |_| {
            vec![steps(vec![remove("trash/posts/t.json"), remove_folder("revisions/posts/t")])]
        },
        frees_room: true,
    },
    Shape {
        name: "delete a type with all that is in it",
        before: &[SCHEMA, ENTRY, OTHER, TRASHED, REVISED, ("schemas/pages.json", "{}")],
        changes: |_| {
            vec![steps(vec![
                remove("schemas/posts.json"),
                remove_folder("content/posts"),
                remove_folder("trash/posts"),
                remove_folder("revisions/posts"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a type of which there is nothing",
        before: &[SCHEMA],
        changes: |_| {
            let folders = ["content/posts", "trash/posts", "revisions/posts"];
            let mut ops = vec![remove("schemas/posts.json")];
            ops.extend(folders.map(remove_folder));
            vec![steps(ops)]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a type in whose folder somebody keeps a note",
        before: &[SCHEMA, ENTRY, OTHER, ("content/posts/README.md", "note")],
        changes: |_| {
            vec![steps(vec![remove("schemas/posts.json"), remove_folder("content/posts")])]
        },
        frees_room: false,
    },
    Shape {
        name: "migrate a field of few entries",
        before: &[SCHEMA, ENTRY, OTHER],
        changes: |disk| {
            vec![steps(vec![
                replace(disk, "schemas/posts.json", "new schema"),
                update(disk, "posts/a", "new a"),
                update(disk, "posts/b", "new b"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "migrate a field of many entries",
        before: &[
            SCHEMA,
            ENTRY,
            OTHER,
            ("content/posts/c.json", "{}"),
            ("content/posts/d.json", "{}"),
            ("content/posts/e.json", "{}"),
            ("content/posts/f.json", "{}"),
        ],
        changes: |disk| {
            let mut ops = vec![replace(disk, "schemas/posts.json", "new schema")];
            let ids = ["a", "b", "c", "d", "e", "f"];
            ops.extend(ids.map(|it| update(disk, &format!("posts/{it}"), it)));
            vec![steps(ops)]
        },
        frees_room: false,
    },
    Shape {
        name: "re-key a single page",
        before: &[
            ("schemas/home.json", "{}"),
            ("content/home/x.json", "{}"),
            ("revisions/home/x/01jz8x3m5q7v9c2a.json", "old"),
        ],
        changes: |disk| {
            vec![steps(vec![
                replace(disk, "schemas/home.json", "single"),
                rename("content/home/x.json", "content/home/home.json"),
                rename(
                    "revisions/home/x/01jz8x3m5q7v9c2a.json",
                    "revisions/home/home/01jz8x3m5q7v9c2a.json",
                ),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "upload a file",
        before: &[SCHEMA],
        changes: |disk| {
            vec![steps(vec![
                create("media-meta/q.png.json", "meta"),
                place(disk, "1-90.tmp", "media/q.png"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "upload several files",
        before: &[SCHEMA, MEDIA, META],
        changes: |disk| {
            vec![steps(vec![
                place(disk, "1-91.tmp", "media/q.png"),
                create("media-meta/q.png.json", "meta q"),
                place(disk, "1-92.tmp", "media/r.png"),
                create("media-meta/r.png.json", "meta r"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a file",
        before: &[SCHEMA, MEDIA, META],
        changes: |_| vec![steps(vec![remove("media/p.png"), remove("media-meta/p.png.json")])],
        frees_room: true,
    },
    Shape {
        name: "replace a file, keeping a revision",
        before: &[SCHEMA, MEDIA, META],
        changes: |disk| vec![steps(vec![place_over(disk, "1-93.tmp", "p.png")])],
        frees_room: false,
    },
    Shape {
        name: "restore a file from a revision, which is one no longer",
        before: &[SCHEMA, MEDIA, META, MEDIA_REVISED],
        changes: |disk| {
            vec![FileTransaction {
                steps: vec![place_over(disk, "1-94.tmp", "p.png")],
                afterwards: vec![remove(MEDIA_REVISED.0)],
                ..FileTransaction::default()
            }]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a file with its revisions",
        before: &[SCHEMA, MEDIA, META, MEDIA_REVISED],
        changes: |_| {
            vec![steps(vec![
                remove("media/p.png"),
                remove("media-meta/p.png.json"),
                remove_folder("media-revisions/p.png"),
            ])]
        },
        frees_room: true,
    },
    Shape {
        name: "rename a file with its revisions",
        before: &[SCHEMA, MEDIA, META, MEDIA_REVISED],
        changes: |_| {
            vec![steps(vec![
                rename("media/p.png", "media/q.png"),
                rename("media-meta/p.png.json", "media-meta/q.png.json"),
                rename(MEDIA_REVISED.0, "media-revisions/q.png/01jz8x3m5q7v9c2a.png"),
                remove_folder("media-revisions/p.png"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "rename a file and what refers to it",
        before: &[SCHEMA, ENTRY, OTHER, MEDIA, META],
        changes: |disk| {
            vec![steps(vec![
                rename("media/p.png", "media/q.png"),
                rename("media-meta/p.png.json", "media-meta/q.png.json"),
                update(disk, "posts/a", "q.png"),
                update(disk, "posts/b", "q.png"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "rename a category",
        before: &[META, ("media-categories.json", "[]"), ("media-meta/q.png.json", "{}")],
        changes: |disk| {
            vec![steps(vec![
                replace(disk, "media-categories.json", "new"),
                replace(disk, "media-meta/p.png.json", "new p"),
                replace(disk, "media-meta/q.png.json", "new q"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "several changes that were asked for at once",
        before: &[SCHEMA, ENTRY, OTHER, TRASHED],
        changes: |disk| {
            vec![
                steps(vec![create("content/posts/n.json", "n")]),
                steps(vec![update(disk, "posts/a", "new a")]),
                steps(vec![rename("content/posts/b.json", "trash/posts/b.json")]),
            ]
        },
        frees_room: false,
    },
    Shape {
        name: "many changes that were asked for at once",
        before: &[SCHEMA, ENTRY],
        changes: |disk| {
            let ids = ["n", "o", "p", "q", "r"];
            let create = |it| steps(vec![create(&format!("content/posts/{it}.json"), it)]);
            let mut changes: Vec<FileTransaction> = ids.map(create).into();
            changes.push(steps(vec![update(disk, "posts/a", "new a")]));
            changes
        },
        frees_room: false,
    },
    Shape {
        name: "create an entry and change it in one batch",
        before: &[SCHEMA],
        changes: |_| {
            let keep = Some(file(&format!("revisions/posts/a/{REVISION}.json")));
            let (path, bytes) = (file("content/posts/a.json"), b"second".to_vec().into());
            vec![
                steps(vec![create("content/posts/a.json", "first")]),
                steps(vec![FileOp::Replace { path, bytes, seen: None, keep }]),
            ]
        },
        frees_room: false,
    },
    Shape {
        name: "rename a category, and then write one of its files as it was",
        before: &[META, ("media-categories.json", "[]")],
        changes: |_| {
            let put = |path, bytes: &str| {
                let (path, bytes) = (file(path), bytes.as_bytes().to_vec().into());
                FileOp::Replace { path, bytes, seen: None, keep: None }
            };
            let rename =
                vec![put("media-categories.json", "new"), put("media-meta/p.png.json", "new p")];
            vec![steps(rename), steps(vec![put("media-categories.json", "[]")])]
        },
        frees_room: false,
    },
    Shape {
        name: "write several files of which the first stays as it was",
        before: &[
            SCHEMA,
            ENTRY,
            ("content/posts/b.json", "old b"),
            ("content/posts/c.json", "old c"),
        ],
        changes: |disk| {
            vec![steps(vec![
                replace(disk, "content/posts/a.json", ENTRY.1),
                replace(disk, "content/posts/b.json", "new b"),
                replace(disk, "content/posts/c.json", "new c"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a type, and then make it again",
        before: &[SCHEMA, ENTRY],
        changes: |_| {
            vec![
                steps(vec![remove("schemas/posts.json"), remove_folder("content/posts")]),
                steps(vec![create("schemas/posts.json", "again")]),
                steps(vec![create("content/posts/a.json", "again")]),
            ]
        },
        frees_room: false,
    },
];

/// Bytes that came in beforehand, durably, and go to their place.
fn place(disk: &MemDisk, spooled: &str, to: &str) -> FileOp {
    let source = format!(".recto/tmp/{spooled}");
    disk.edit_file(&source, format!("bytes of {to}").as_bytes());
    FileOp::Place { source, path: file(to) }
}

/// Bytes that came in beforehand take the place of a media file, which becomes a revision.
fn place_over(disk: &MemDisk, spooled: &str, media: &str) -> FileOp {
    let source = format!(".recto/tmp/{spooled}");
    disk.edit_file(&source, b"other bytes");
    let path = file(&format!("media/{media}"));
    let seen = disk.stat(&path).unwrap().stat;
    let keep = Some(file(&format!("media-revisions/{media}/{REVISION}.png")));
    FileOp::PlaceOver { source, path, seen, keep }
}

const USER: (&str, &str) = ("system/users/u.json", r#"{"username": "u"}"#);
const SPOOLED: (&str, &str) = (".recto/tmp/1-1.tmp", "PNG");

/// Changes of the state, which is on another file system than the content and the journal.
pub(crate) const STATE_SHAPES: &[Shape] = &[
    Shape {
        name: "create a token",
        before: &[USER],
        changes: |_| vec![steps(vec![create("system/tokens/01jz8x3m5q7v9c2a.json", "new")])],
        frees_room: false,
    },
    Shape {
        name: "update a user",
        before: &[USER],
        changes: |disk| vec![steps(vec![replace(disk, "system/users/u.json", "new")])],
        frees_room: false,
    },
    Shape {
        name: "change a workspace and the settings",
        before: &[USER, SCHEMA, ("system/settings.json", "old")],
        changes: |disk| {
            vec![steps(vec![
                create("workspace.json", "new"),
                replace(disk, "system/settings.json", "new"),
                replace(disk, "schemas/posts.json", "new"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "change the settings and a workspace",
        before: &[USER, ("workspace.json", "old"), ("system/settings.json", "old")],
        changes: |disk| {
            vec![steps(vec![
                replace(disk, "system/settings.json", "new"),
                replace(disk, "workspace.json", "new"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "give a user a picture that was uploaded",
        before: &[USER, SPOOLED],
        changes: |disk| {
            vec![steps(vec![
                FileOp::Place { source: at(SPOOLED.0), path: file("system/avatars/u.png") },
                replace(disk, "system/users/u.json", "new"),
            ])]
        },
        frees_room: false,
    },
    Shape {
        name: "delete a user with the picture",
        before: &[USER, ("system/avatars/u.png", "PNG"), ("system/users/v.json", "{}")],
        changes: |_| {
            vec![steps(vec![remove("system/users/u.json"), remove("system/avatars/u.png")])]
        },
        frees_room: true,
    },
];
