//! New versions of the program: told of by a channel that the operator names, downloaded, verified,
//! and put in the place of the one that runs. Nothing is asked of anybody unless a channel is
//! named, and nothing counts unless the operator's key signed it.
//!
//! A program is verified three times: before a byte of it is fetched (the signature of what it is
//! to be), once it is here (its sum), and again when it is installed, on the very bytes that are
//! put beside the old program. Only then can it be run, to be asked for its version.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use sha2::Digest as _;
use sha2::Sha256;

use crate::app::App;
use crate::app::access::By;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::problem::FieldProblems;
use crate::model::release::Build;
use crate::model::release::Digest;
use crate::model::release::MANIFEST_BYTES_MAX;
use crate::model::release::PROGRAM_BYTES_MAX;
use crate::model::release::Release;
use crate::model::release::ReleaseKey;
use crate::model::version::Version;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::platform;
use crate::stdx::platform::TARGET;
use crate::stdx::time::Timestamp;
use crate::store::binary::Binary;
use crate::store::binary::Candidate;
use crate::store::error::StoreError;
use crate::store::lock::UpdateLock;
use crate::store::spool::Spooled;
use crate::store::updates::Shelf;

/// How long the channel may take to tell of a release.
const MANIFEST_WAIT: Duration = Duration::from_secs(30);
/// How long a program may take to get here.
const PROGRAM_WAIT: Duration = Duration::from_secs(15 * 60);
/// How long a new program may take to tell its version.
const VERSION_WAIT: Duration = Duration::from_secs(20);

/// Takes what comes, piece by piece.
pub type Sink<'a> = &'a mut (dyn FnMut(&[u8]) -> io::Result<()> + Send);

/// What something that is fetched may cost.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// How many bytes it may have.
    pub bytes: u64,
    /// How long it may take.
    pub time: Duration,
}

/// Gets what is at an address.
pub trait Fetch {
    /// Hands all of it on to `sink`; whatever keeps it from that is told as a sentence.
    fn fetch(&self, url: &str, most: Most, sink: Sink<'_>) -> std::result::Result<(), String>;
}

/// Where new versions come from, and what they replace.
#[derive(Clone, Debug)]
pub struct UpdateSettings {
    /// Where the manifest of the newest release is; nothing is asked when there is none.
    pub url: Option<String>,
    /// The key that releases are signed with.
    pub key: Option<ReleaseKey>,
    /// The version that runs.
    pub current: Version,
    /// The program that is replaced, or why none can be.
    pub program: std::result::Result<PathBuf, String>,
}

impl Default for UpdateSettings {
    fn default() -> Self {
        let program = Err("Nobody said where the program is.".to_string());
        UpdateSettings { url: None, key: None, current: Version::of_this_program(), program }
    }
}

/// What is known of new versions, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The version that runs.
    pub current_version: String,
    /// The release the channel told of when it was asked last.
    pub latest: Option<Latest>,
    /// Whether that is newer, and there is a program of it for this platform.
    pub update_available: bool,
    /// Where releases are told of.
    pub channel_url: Option<String>,
    /// The release that was downloaded and can be installed.
    pub staged: Option<StagedRelease>,
    /// Whether a release was installed that does not run yet.
    pub restart_needed: bool,
    /// When the channel was asked last.
    pub checked_at: Option<Timestamp>,
    /// The platform that programs are looked for.
    pub target: &'static str,
    /// All of that in a sentence.
    pub message: String,
}

/// A release, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Latest {
    /// Its version.
    pub version: String,
    /// When it was made.
    pub released_at: Option<Timestamp>,
    /// What is new, as Markdown that nobody vouches for.
    pub notes: String,
    /// How many bytes its program has, if that was told.
    pub size: Option<u64>,
}

/// A release that was downloaded, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub struct StagedRelease {
    /// Its version.
    pub version: String,
    /// The SHA-256 of its program.
    pub sha256: String,
    /// How many bytes that has.
    pub size: u64,
    /// When it was downloaded.
    pub downloaded_at: Timestamp,
}

/// What is known, for whoever may know it.
pub fn status(app: &App, by: &By) -> Result<Status> {
    expect_right(by, Action::UpdatesRead)?;
    Ok(app.updates.status())
}

/// Asks the channel.
pub fn check(app: &App, by: &By, fetch: &dyn Fetch) -> Result<Status> {
    expect_right(by, Action::UpdatesCheck)?;
    app.updates.check(app.engine.clock().now(), fetch)
}

/// Asks the channel, and brings its release here if that is newer.
pub fn download(app: &App, by: &By, fetch: &dyn Fetch) -> Result<Status> {
    expect_right(by, Action::UpdatesDownload)?;
    let (version, status) = app.updates.download(app.engine.clock().now(), fetch)?;
    if let Some(version) = version {
        tell(app, by, EventKind::UpdateDownloaded, &version);
    }
    Ok(status)
}

/// Puts the release that was downloaded in the place of the program that runs.
pub fn install(app: &App, by: &By) -> Result<Status> {
    expect_right(by, Action::UpdatesInstall)?;
    let (version, status) = app.updates.install(app.engine.clock().now())?;
    tell(app, by, EventKind::UpdateInstalled, &version);
    Ok(status)
}

fn expect_right(by: &By, action: Action) -> Result<()> {
    let updates = Resource::Whole(Area::Updates);
    by.caller.may("", action, &updates, &Facts::default()).map(drop)
}

fn tell(app: &App, by: &By, kind: EventKind, version: &Version) {
    let version = version.to_string();
    app.engine.tell_system(vec![Event::by(&by.actor, kind, Subject::Release { version })]);
}

/// New versions of the program.
pub struct Updates {
    shelf: Shelf,
    settings: UpdateSettings,
    /// Since when this process runs.
    began: Timestamp,
}

impl Updates {
    /// For a process that began to run at a time.
    pub fn new(shelf: Shelf, settings: UpdateSettings, began: Timestamp) -> Updates {
        Updates { shelf, settings, began }
    }

    /// What is known.
    pub fn status(&self) -> Status {
        self.status_of(&self.state())
    }

    /// Asks the channel.
    pub fn check(&self, now: Timestamp, fetch: &dyn Fetch) -> Result<Status> {
        self.url()?;
        let _turn = self.turn()?;
        let state = self.look(now, fetch)?;
        Ok(self.status_of(&state))
    }

    /// Asks the channel, and brings its release here if that is newer: the version, unless it was
    /// here already.
    pub fn download(&self, now: Timestamp, fetch: &dyn Fetch) -> Result<(Option<Version>, Status)> {
        self.url()?;
        self.key()?;
        let _turn = self.turn()?;
        let mut state = self.look(now, fetch)?;
        let release = state.latest.clone().ok_or_else(|| Error::internal("nothing was found"))?;
        let build = self.newer_build(&release, &state)?;
        if self.is_here(build, &state) {
            return Ok((None, self.status_of(&state)));
        }
        let program = self.bring(build, fetch)?;
        let sha256 = build.sha256.to_string();
        self.shelf.keep(program, &sha256)?;
        state.staged = Some((release.clone(), now));
        self.shelf.set_status(state.to_map())?;
        self.shelf.clear_but(Some(&sha256));
        Ok((Some(build.version.clone()), self.status_of(&state)))
    }

    /// Puts the release that was downloaded in the place of the program that runs, which is kept
    /// beside it, and tells its version. It counts after the next start.
    pub fn install(&self, now: Timestamp) -> Result<(Version, Status)> {
        self.key()?;
        let _turn = self.turn()?;
        let mut state = self.state();
        let nothing = || Error::conflict("There is nothing to install: download a release first.");
        let (release, _) = state.staged.clone().ok_or_else(nothing)?;
        let build = self.newer_build(&release, &state)?;
        let program =
            self.settings.program.as_ref().map_err(|why| Error::conflict(why.as_str()))?;
        let binary = Binary::at(program.clone());
        let candidate = self.verified(build, &binary).inspect_err(|error| {
            tracing::warn!(version = %build.version, %error, "an update was not installed");
            if error.code == Code::UpdateFailed {
                // It is of no use, and in the way of another download.
                self.shelf.clear_but(None);
            }
        })?;
        let previous = candidate.take_place().map_err(not_replaced)?;
        tracing::info!(version = %build.version, previous = %previous.display(), "an update was installed");
        state.installed = Some((build.version.clone(), now));
        state.staged = None;
        self.shelf.set_status(state.to_map())?;
        self.shelf.clear_but(None);
        Ok((build.version.clone(), self.status_of(&state)))
    }

    fn url(&self) -> Result<&str> {
        let missing = || unset("updates.url", "No release channel is configured.");
        self.settings.url.as_deref().ok_or_else(missing)
    }

    fn key(&self) -> Result<&ReleaseKey> {
        let missing = || {
            let message = "Without the key that releases are signed with nothing is installed.";
            unset("updates.public_key", message)
        };
        self.settings.key.as_ref().ok_or_else(missing)
    }

    /// One at a time, also beside other processes.
    fn turn(&self) -> Result<UpdateLock> {
        let busy = || Error::conflict("An update is under way already.");
        self.shelf.lock()?.ok_or_else(busy)
    }

    /// Asks the channel, and writes down what it says.
    fn look(&self, now: Timestamp, fetch: &dyn Fetch) -> Result<State> {
        let (url, mut bytes) = (self.url()?, Vec::new());
        let mut sink = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let most = Most { bytes: MANIFEST_BYTES_MAX, time: MANIFEST_WAIT };
        let fetched = fetch.fetch(url, most, &mut sink);
        let release = fetched.and_then(|()| Release::of_manifest(&bytes, TARGET));
        let release = release.map_err(|why| {
            Error::update_failed(format!("The release manifest cannot be used: {why}"))
        })?;
        if let (Some(key), Some(build)) = (&self.settings.key, &release.build) {
            expect_signed(build, key)?;
        }
        let mut state = self.state();
        state.checked_at = Some(now);
        state.channel = url.to_string();
        state.latest = Some(release);
        self.shelf.set_status(state.to_map())?;
        Ok(state)
    }

    /// The program of a release that may be installed: signed, for this platform, and newer than
    /// what runs or waits for a restart.
    fn newer_build<'a>(&self, release: &'a Release, state: &State) -> Result<&'a Build> {
        let newest = self.newest_here(state);
        if release.version <= *newest {
            let message = format!("Recto {} is not newer than {newest}.", release.version);
            return Err(Error::conflict(message));
        }
        let missing = || {
            let version = &release.version;
            Error::conflict(format!("There is no program of Recto {version} for {TARGET}."))
        };
        let build = release.build.as_ref().ok_or_else(missing)?;
        expect_signed(build, self.key()?)?;
        Ok(build)
    }

    fn newest_here<'a>(&'a self, state: &'a State) -> &'a Version {
        let installed = self.waiting(state).unwrap_or(&self.settings.current);
        installed.max(&self.settings.current)
    }

    /// The version that was installed after this process began.
    fn waiting<'a>(&self, state: &'a State) -> Option<&'a Version> {
        let (version, at) = state.installed.as_ref()?;
        (*at >= self.began && *version > self.settings.current).then_some(version)
    }

    fn is_here(&self, build: &Build, state: &State) -> bool {
        let staged = state.staged.as_ref().and_then(|(release, _)| release.build.as_ref());
        staged.is_some_and(|it| it.sha256 == build.sha256 && it.version == build.version)
            && self.shelf.size(&build.sha256.to_string()).is_some()
    }

    /// Fetches a program among the unfinished files, and gives it if it is the one it should be.
    fn bring(&self, build: &Build, fetch: &dyn Fetch) -> Result<Spooled> {
        let most = Most { bytes: build.size.unwrap_or(PROGRAM_BYTES_MAX), time: PROGRAM_WAIT };
        if most.bytes > PROGRAM_BYTES_MAX {
            return Err(Error::update_failed("The program is larger than programs may be."));
        }
        let (mut spool, mut hash, mut full) = (self.shelf.spool()?, Sha256::new(), None);
        let fetched = fetch.fetch(&build.url, most, &mut |piece| {
            hash.update(piece);
            spool.write(piece).map_err(|error| {
                full = Some(error);
                io::ErrorKind::Other.into()
            })
        });
        if let Some(error) = full {
            return Err(error.into());
        }
        fetched.map_err(|why| {
            Error::update_failed(format!("The program cannot be downloaded: {why}"))
        })?;
        let program = spool.finish()?;
        expect_program(build, &Digest(hash.finalize().into()), program.size, &program.head)?;
        Ok(program)
    }

    /// What was downloaded, beside the program it replaces, able to run, and of the right version.
    fn verified(&self, build: &Build, binary: &Binary) -> Result<Candidate> {
        let gone = |_| Error::conflict("What was downloaded is gone: download it again.");
        let (mut file, _) = self.shelf.open(&build.sha256.to_string()).map_err(gone)?;
        let candidate = binary.put_beside(&mut file, PROGRAM_BYTES_MAX).map_err(not_replaced)?;
        let sha256 = Digest(candidate.sha256);
        expect_program(build, &sha256, candidate.size, &candidate.head)?;
        candidate.make_executable().map_err(not_replaced)?;
        let line = candidate.version_line(VERSION_WAIT).map_err(|error| {
            Error::update_failed(format!("The new program does not run here: {error}."))
        })?;
        if line != format!("recto {}", build.version) {
            let message = format!("The new program says that it is `{line}`.");
            return Err(Error::update_failed(message));
        }
        Ok(candidate)
    }

    fn state(&self) -> State {
        State::of_map(&self.shelf.status())
    }

    fn status_of(&self, state: &State) -> Status {
        // What another channel said is nothing of this one's.
        let latest =
            state.latest.as_ref().filter(|_| Some(&state.channel) == self.settings.url.as_ref());
        let newest = self.newest_here(state);
        let is_newer = |it: &Release| it.version > *newest;
        let available = latest.is_some_and(|it| is_newer(it) && it.build.is_some());
        let staged = state.staged.as_ref().filter(|(it, _)| is_newer(it));
        let staged = staged.and_then(|(it, at)| self.shown(it, *at));
        Status {
            current_version: self.settings.current.to_string(),
            update_available: available,
            channel_url: self.settings.url.clone(),
            restart_needed: self.waiting(state).is_some(),
            checked_at: state.checked_at.filter(|_| latest.is_some()),
            target: TARGET,
            message: self.message(latest, staged.as_ref(), state),
            latest: latest.map(Latest::of),
            staged,
        }
    }

    fn shown(&self, release: &Release, downloaded_at: Timestamp) -> Option<StagedRelease> {
        let sha256 = release.build.as_ref()?.sha256.to_string();
        let size = self.shelf.size(&sha256)?;
        let version = release.version.to_string();
        Some(StagedRelease { version, sha256, size, downloaded_at })
    }

    fn message(
        &self,
        latest: Option<&Release>,
        staged: Option<&StagedRelease>,
        state: &State,
    ) -> String {
        let current = &self.settings.current;
        if let Some(version) = self.waiting(state) {
            return format!("Recto {version} is installed and runs after the next start.");
        }
        if let Some(staged) = staged {
            let version = &staged.version;
            return match &self.settings.program {
                Ok(_) => {
                    format!("Recto {version} is downloaded and verified, and can be installed.")
                }
                Err(why) => format!("Recto {version} is downloaded and verified. {why}"),
            };
        }
        match latest {
            _ if self.settings.url.is_none() => {
                "No release channel is configured (`updates.url`), so nothing is looked for.".into()
            }
            None => "The release channel was not asked yet.".into(),
            Some(it) if it.version <= *current => format!("Recto {current} is the newest version."),
            Some(Release { version, build: None, .. }) => {
                format!("There is Recto {version}, but no program of it for {TARGET}.")
            }
            Some(Release { version, .. }) if self.settings.key.is_none() => format!(
                "There is Recto {version}. It can be downloaded here once the key that releases \
                 are signed with is configured (`updates.public_key`)."
            ),
            Some(Release { version, .. }) => format!("There is Recto {version}."),
        }
    }
}

impl Latest {
    fn of(release: &Release) -> Latest {
        Latest {
            version: release.version.to_string(),
            released_at: release.released_at,
            notes: release.notes.clone(),
            size: release.build.as_ref().and_then(|it| it.size),
        }
    }
}

fn unset(setting: &str, message: &str) -> Error {
    Error::invalid(FieldProblems::one(setting, message))
}

/// Where the program is, is for the operator alone.
fn not_replaced(error: StoreError) -> Error {
    use io::ErrorKind::QuotaExceeded;
    use io::ErrorKind::StorageFull;
    if let Some(StorageFull | QuotaExceeded) = error.io_kind() {
        return error.into();
    }
    let message =
        "The program cannot be replaced: the folder it is in is not this server's to change.";
    Error { source: Some(error.to_string()), ..Error::conflict(message) }
}

fn expect_signed(build: &Build, key: &ReleaseKey) -> Result<()> {
    if build.is_signed_by(key) {
        return Ok(());
    }
    let message =
        "The release is not signed with the configured key for this version and platform.";
    Err(Error::update_failed(message))
}

/// Whether bytes are the program that was signed. The signature itself was looked at before.
fn expect_program(build: &Build, sha256: &Digest, size: u64, head: &[u8]) -> Result<()> {
    if *sha256 != build.sha256 || build.size.is_some_and(|it| it != size) {
        return Err(Error::update_failed("The program is not the one that was signed."));
    }
    if !platform::is_program(head) {
        return Err(Error::update_failed(format!("What was signed is no program for {TARGET}.")));
    }
    Ok(())
}

/// What is written down.
#[derive(Clone, Debug, Default)]
struct State {
    checked_at: Option<Timestamp>,
    /// Which channel was asked.
    channel: String,
    latest: Option<Release>,
    staged: Option<(Release, Timestamp)>,
    installed: Option<(Version, Timestamp)>,
}

impl State {
    /// What cannot be read is not known.
    fn of_map(map: &Map) -> State {
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        let time = |key: &str| text(key).and_then(Timestamp::parse);
        let release = |key: &str| map.get(key).and_then(|it| Release::parse(it, TARGET).ok());
        State {
            checked_at: time("checked_at"),
            channel: text("channel_url").unwrap_or_default().to_string(),
            latest: release("latest"),
            staged: release("staged").zip(time("downloaded_at")),
            installed: text("installed").and_then(Version::parse).zip(time("installed_at")),
        }
    }

    fn to_map(&self) -> Map {
        let mut map = Map::default();
        if let Some(at) = self.checked_at {
            map.push("checked_at", at.to_string());
            map.push("channel_url", self.channel.as_str());
        }
        if let Some(latest) = &self.latest {
            map.push("latest", latest.to_json());
        }
        if let Some((release, at)) = &self.staged {
            map.push("staged", release.to_json());
            map.push("downloaded_at", at.to_string());
        }
        if let Some((version, at)) = &self.installed {
            map.push("installed", version.as_str());
            map.push("installed_at", at.to_string());
        }
        map
    }
}
