//! The generated content: a data folder that is identical for identical settings, with text that
//! behaves like natural text.

use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;
use serde_json::json;

use crate::BenchError;
use crate::pictures;
use crate::words::Rng;
use crate::words::Vocabulary;

/// The workspace with all content.
pub(crate) const WORKSPACE: &str = "default";
/// The number of entries of the type `authors`.
pub(crate) const AUTHORS: usize = 100;
/// The options of the field `category`.
pub(crate) const CATEGORIES: [&str; 10] = [
    "launch", "guides", "news", "research", "culture", "travel", "food", "science", "design",
    "people",
];
const TAGS: usize = 30;
const POSTS_TYPE: &str = include_str!("posts.type.json");
const AUTHORS_TYPE: &str = include_str!("authors.type.json");
const BODY_BYTES: usize = 2_150;
/// 2024-01-01T00:00:00Z, the creation time of the first entry; one follows every eleven minutes.
const FIRST_ENTRY_SECOND: u64 = 1_704_067_200;
const ENTRY_INTERVAL_SECONDS: u64 = 660;
const MARKER: &str = "bench.json";
const USER_ID: &str = "01hjzbench0user0";
/// The number of writing threads; writing small files waits more than it computes.
const WRITERS: usize = 8;

/// The marker file of a generated folder, by which it is recognised and reused.
#[derive(Serialize, Deserialize, PartialEq)]
struct Marker {
    format: u32,
    seed: u64,
    entries: usize,
    /// False while entries are edited; such a folder is generated again.
    clean: bool,
}

/// An entry file, keys in the order of the storage format.
#[derive(Serialize)]
struct StoredEntry<D> {
    title: String,
    slug: String,
    status: &'static str,
    published_at: Option<String>,
    created_at: String,
    updated_at: String,
    author_id: &'static str,
    updated_by: &'static str,
    data: D,
}

#[derive(Serialize)]
struct PostData {
    body: String,
    category: &'static str,
    tags: Vec<String>,
    rating: f64,
    featured: bool,
    date: String,
    author: String,
}

/// The request body that creates a post.
#[derive(Serialize)]
struct NewPost<'a> {
    title: &'a str,
    status: &'static str,
    #[serde(flatten)]
    data: PostData,
}

#[derive(Serialize)]
struct AuthorData {
    email: String,
    bio: String,
}

/// A post as requests need it.
pub(crate) struct Post {
    /// Identifier and file stem.
    pub(crate) id: String,
    /// URL key.
    pub(crate) slug: String,
    /// True if anonymous readers see it.
    pub(crate) published: bool,
    /// The title in the file.
    pub(crate) title: String,
    created_second: u64,
}

/// A change made to a post by hand.
#[derive(Clone, Copy, Default)]
pub(crate) struct Edit {
    /// Appended to the title.
    pub(crate) title_suffix: Option<usize>,
    /// The rating that replaces the generated one.
    pub(crate) rating: Option<u32>,
}

/// A generated data folder.
pub(crate) struct Dataset {
    folder: PathBuf,
    seed: u64,
    vocabulary: Vocabulary,
    /// The posts, oldest first.
    pub(crate) posts: Vec<Post>,
    authors: Vec<String>,
}

impl Dataset {
    /// Opens the folder if it holds this content already, else generates it.
    pub(crate) fn open(folder: &Path, entries: usize, seed: u64) -> Result<Self, BenchError> {
        let vocabulary = Vocabulary::new(seed);
        let posts = (0..entries).map(|index| make_post(&vocabulary, seed, index)).collect();
        let authors = (0..AUTHORS).map(|index| make_id(seed, "author", author_second(index)));
        let authors = authors.collect();
        let dataset = Dataset { folder: folder.to_path_buf(), seed, vocabulary, posts, authors };
        let marker = dataset.marker(true);
        match read_marker(folder)? {
            Some(found) if found == marker => return Ok(dataset),
            Some(_) => std::fs::remove_dir_all(folder).map_err(BenchError::file(folder))?,
            None => (),
        }
        std::fs::create_dir_all(folder).map_err(BenchError::file(folder))?;
        dataset.set_clean(false)?;
        dataset.write_all()?;
        dataset.set_clean(true)?;
        Ok(dataset)
    }

    /// Returns the data folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of the posts.
    pub(crate) fn posts_folder(&self) -> PathBuf {
        self.workspace_path("content/posts")
    }

    /// Returns the path of a post.
    pub(crate) fn post_path(&self, post: &Post) -> PathBuf {
        self.posts_folder().join(format!("{}.json", post.id))
    }

    /// Returns the total size of all entry files.
    pub(crate) fn json_bytes(&self) -> Result<u64, BenchError> {
        let mut sum = 0;
        for name in ["content/posts", "content/authors"] {
            let folder = self.workspace_path(name);
            for file in std::fs::read_dir(&folder).map_err(BenchError::file(&folder))? {
                sum += file.and_then(|file| file.metadata()).map_err(BenchError::Io)?.len();
            }
        }
        Ok(sum)
    }

    /// Returns words to search for: frequent enough to be found, rare enough not to match
    /// everything.
    pub(crate) fn search_words(&self) -> impl Iterator<Item = &str> {
        (300..6_000).map(|rank| self.vocabulary.word(rank))
    }

    /// Returns the most frequent words.
    pub(crate) fn frequent_words(&self) -> Vec<&str> {
        (0..24).map(|rank| self.vocabulary.word(rank)).collect()
    }

    /// Returns the file of a post with an edit.
    pub(crate) fn post_file(&self, index: usize, edit: Edit) -> Result<Vec<u8>, BenchError> {
        let Some(post) = self.posts.get(index) else {
            return Err(BenchError::Run(format!("there is no post {index}")));
        };
        let (updated_second, mut data) = self.post_data(index, post);
        data.rating = edit.rating.map_or(data.rating, f64::from);
        let created_at = timestamp(post.created_second);
        let title = match edit.title_suffix {
            Some(suffix) => format!("{} edit{suffix}", post.title),
            None => post.title.clone(),
        };
        canonical(&StoredEntry {
            title,
            slug: post.slug.clone(),
            status: if post.published { "published" } else { "draft" },
            published_at: post.published.then(|| created_at.clone()),
            created_at,
            updated_at: timestamp(updated_second),
            author_id: USER_ID,
            updated_by: USER_ID,
            data,
        })
    }

    /// Returns the request body, as JSON, that creates a post with the data of another one.
    pub(crate) fn new_post(&self, index: usize, title: &str) -> Result<String, BenchError> {
        let Some(post) = self.posts.get(index) else {
            return Err(BenchError::Run(format!("there is no post {index}")));
        };
        let (_, data) = self.post_data(index, post);
        let post = NewPost { title, status: "published", data };
        serde_json::to_string(&post).map_err(BenchError::json("generated"))
    }

    /// Returns the time of the last change of a post and its fields.
    fn post_data(&self, index: usize, post: &Post) -> (u64, PostData) {
        // The body has a random stream of its own, so that the head does not depend on it.
        let mut rng = Rng::new(self.seed, (1 << 40) + index as u64);
        let body_bytes = rng.between(BODY_BYTES * 3 / 4, BODY_BYTES * 5 / 4);
        let updated_second = post.created_second + rng.below(40 * 86_400) as u64;
        let rating = rng.between(10, 50) as f64 / 10.0;
        let data = PostData {
            category: rng.pick(&CATEGORIES),
            tags: (0..rng.between(1, 4)).map(|n| tag((n * 7 + rng.below(7)) % TAGS)).collect(),
            rating,
            featured: rng.chance(10),
            date: timestamp(post.created_second - rng.below(1_500 * 86_400) as u64)
                .chars()
                .take(10)
                .collect(),
            author: self.authors.get(rng.below(AUTHORS)).cloned().unwrap_or_default(),
            body: self.vocabulary.markdown(&mut rng, body_bytes),
        };
        (updated_second, data)
    }

    /// Marks the folder as clean, or as being edited.
    pub(crate) fn set_clean(&self, clean: bool) -> Result<(), BenchError> {
        write(&self.folder.join(MARKER), &canonical(&self.marker(clean))?)
    }

    fn marker(&self, clean: bool) -> Marker {
        Marker { format: 1, seed: self.seed, entries: self.posts.len(), clean }
    }

    fn workspace_path(&self, name: &str) -> PathBuf {
        self.folder.join("workspaces").join(WORKSPACE).join(name)
    }

    fn write_all(&self) -> Result<(), BenchError> {
        for name in ["schemas", "content/posts", "content/authors", "media"] {
            let path = self.workspace_path(name);
            std::fs::create_dir_all(&path).map_err(BenchError::file(&path))?;
        }
        write_workspace(&self.folder)?;
        write(&self.workspace_path("schemas/authors.json"), AUTHORS_TYPE.as_bytes())?;
        write(&self.workspace_path("schemas/posts.json"), POSTS_TYPE.as_bytes())?;
        for (name, bytes) in pictures::all(self.seed)? {
            write(&self.workspace_path("media").join(name), &bytes)?;
        }
        for index in 0..AUTHORS {
            self.write_author(index)?;
        }
        self.write_posts()
    }

    fn write_posts(&self) -> Result<(), BenchError> {
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    scope.spawn(move || {
                        (writer..self.posts.len()).step_by(WRITERS).try_for_each(|index| {
                            let path = self.post_path(&self.posts[index]);
                            write(&path, &self.post_file(index, Edit::default())?)
                        })
                    })
                })
                .collect();
            writers.into_iter().try_for_each(|writer| {
                writer.join().map_err(|_| BenchError::Run("a writer thread died".into()))?
            })
        })
    }

    fn write_author(&self, index: usize) -> Result<(), BenchError> {
        let mut rng = Rng::new(self.seed, (1 << 50) + index as u64);
        let mut title = String::new();
        self.vocabulary.clause(&mut rng, 1, &mut title);
        title.push(' ');
        self.vocabulary.clause(&mut rng, 1, &mut title);
        let slug = slug(&title, index);
        let at = timestamp(author_second(index));
        let data = AuthorData {
            email: format!("{slug}@example.org"),
            bio: self.vocabulary.markdown(&mut rng, 300),
        };
        let id = self.authors.get(index).map_or("", String::as_str);
        let entry = StoredEntry {
            title,
            slug,
            status: "published",
            published_at: Some(at.clone()),
            created_at: at.clone(),
            updated_at: at,
            author_id: USER_ID,
            updated_by: USER_ID,
            data,
        };
        let path = self.workspace_path("content/authors").join(format!("{id}.json"));
        write(&path, &canonical(&entry)?)
    }
}

/// Makes a data folder without content, for the memory of an idle server.
pub(crate) fn make_empty(folder: &Path) -> Result<(), BenchError> {
    let path = folder.join("workspaces").join(WORKSPACE);
    std::fs::create_dir_all(&path).map_err(BenchError::file(&path))?;
    write_workspace(folder)
}

fn write_workspace(folder: &Path) -> Result<(), BenchError> {
    let at = timestamp(FIRST_ENTRY_SECOND);
    let workspace = json!({
        "format": 1, "label": "Default", "archived": false, "created_at": at, "updated_at": at
    });
    let path = folder.join("workspaces").join(WORKSPACE).join("workspace.json");
    write(&path, &canonical(&workspace)?)
}

fn make_post(vocabulary: &Vocabulary, seed: u64, index: usize) -> Post {
    let mut rng = Rng::new(seed, index as u64);
    let mut title = String::new();
    let n_words = rng.between(3, 8);
    vocabulary.clause(&mut rng, n_words, &mut title);
    let created_second = FIRST_ENTRY_SECOND + index as u64 * ENTRY_INTERVAL_SECONDS;
    Post {
        id: make_id(seed, "post", created_second),
        slug: slug(&title, index),
        published: !rng.chance(4),
        title,
        created_second,
    }
}

/// Returns the creation time of an author. All authors are older than the first post.
fn author_second(index: usize) -> u64 {
    FIRST_ENTRY_SECOND - (AUTHORS - index) as u64 * 3_600
}

/// Returns the words of the title, cut at 80 bytes, and a number, which makes it unique.
fn slug(title: &str, index: usize) -> String {
    let mut slug = String::new();
    let plain = deunicode::deunicode(title).to_lowercase();
    for word in plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if slug.len() + word.len() > 80 {
            break;
        }
        slug.push_str(word);
        slug.push('-');
    }
    format!("{slug}{}", index + 1)
}

fn tag(index: usize) -> String {
    format!("tag-{:02}", index + 1)
}

/// Returns an id: ten characters of milliseconds and six random ones, so that ids sort by creation.
fn make_id(seed: u64, kind: &str, second: u64) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let chance = Rng::new(seed ^ kind.len() as u64, second).next();
    let (mut time, mut rest) = (second * 1_000, chance);
    let mut id = [0_u8; 16];
    for place in id[..10].iter_mut().rev() {
        *place = ALPHABET[(time & 31) as usize];
        time >>= 5;
    }
    for place in &mut id[10..] {
        *place = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    id.iter().map(|&byte| char::from(byte)).collect()
}

fn timestamp(second: u64) -> String {
    let second = i64::try_from(second).unwrap_or(0);
    jiff::Timestamp::from_second(second).unwrap_or_default().to_string()
}

/// Returns canonical JSON like the server writes it: two spaces, UTF-8, a final newline.
fn canonical(value: &impl Serialize) -> Result<Vec<u8>, BenchError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(BenchError::json("generated"))?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), BenchError> {
    std::fs::write(path, bytes).map_err(BenchError::file(path))
}

/// Reads the marker of a generated folder.
///
/// # Errors
///
/// Fails if the folder is not empty and has no marker.
fn read_marker(folder: &Path) -> Result<Option<Marker>, BenchError> {
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut files) => files.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(BenchError::file(folder)(error)),
    };
    if is_empty {
        return Ok(None);
    }
    let foreign = || {
        let folder = folder.display();
        BenchError::Run(format!("{folder} is not empty and was not made by recto bench"))
    };
    let marker = std::fs::read(folder.join(MARKER)).map_err(|_| foreign())?;
    serde_json::from_slice(&marker).map(Some).map_err(|_| foreign())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_folder_is_made_once_and_never_over_foreign_files() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("posts");
        let dataset = Dataset::open(&folder, 40, 7).expect("generated");
        let first = dataset.post_path(&dataset.posts[0]);
        let text = std::fs::read_to_string(&first).expect("an entry");
        assert!(text.starts_with("{\n  \"title\": \"") && text.ends_with("}\n"), "{text}");

        std::fs::write(&first, "edited").expect("edited");
        Dataset::open(&folder, 40, 7).expect("used again");
        assert_eq!(std::fs::read_to_string(&first).expect("an entry"), "edited");
        dataset.set_clean(false).expect("marked");
        Dataset::open(&folder, 40, 7).expect("made anew");
        assert_eq!(std::fs::read_to_string(&first).expect("an entry"), text);

        std::fs::remove_file(folder.join(MARKER)).expect("removed");
        assert!(Dataset::open(&folder, 40, 7).is_err(), "somebody else's folder");
    }

    #[test]
    fn entries_are_about_3_kb_and_mostly_published() {
        let parent = tempfile::tempdir().expect("a folder");
        let dataset = Dataset::open(&parent.path().join("posts"), 300, 1).expect("generated");
        let bytes = dataset.json_bytes().expect("counted") / 300;
        assert!((2_700..3_400).contains(&bytes), "{bytes} bytes each");
        let published = dataset.posts.iter().filter(|post| post.published).count();
        assert!((270..300).contains(&published), "{published} published");
        let ids: Vec<_> = dataset.posts.iter().map(|post| &post.id).collect();
        assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 16));
        assert_eq!(dataset.posts.iter().map(|post| &post.slug).collect::<HashSet<_>>().len(), 300);
    }

    #[test]
    fn the_options_are_those_of_the_type() {
        let options = |field: &str| {
            let posts: serde_json::Value = serde_json::from_str(POSTS_TYPE).expect("JSON");
            serde_json::from_value::<Vec<String>>(posts["fields"][field]["options"].clone())
        };
        assert_eq!(options("category").expect("texts"), CATEGORIES);
        assert_eq!(options("tags").expect("texts"), (0..TAGS).map(tag).collect::<Vec<_>>());
    }

    #[test]
    fn an_edit_changes_only_what_it_names() {
        let parent = tempfile::tempdir().expect("a folder");
        let dataset = Dataset::open(&parent.path().join("posts"), 3, 1).expect("generated");
        let lines = |edit| {
            let file = dataset.post_file(1, edit).expect("made");
            String::from_utf8(file).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let (plain, edited) =
            (lines(Edit::default()), lines(Edit { rating: Some(901), ..Edit::default() }));
        let changed = plain.iter().zip(&edited).filter(|(a, b)| a != b).count();
        assert_eq!((plain.len(), changed), (edited.len(), 1));
    }
}
