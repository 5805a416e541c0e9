//! Updates of the program: checking the release channel, downloading, verifying and installing.
//! Nothing is requested unless the operator names a channel, and nothing is accepted unless the
//! operator's key signed it.
//!
//! A program is verified three times: before the download (the signature over its description),
//! after it (its checksum), and at the installation, on the bytes that were copied beside the old
//! program. Only then is it run, to ask for its version.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use sha2::Digest as _;
use sha2::Sha256;

use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::problem::FieldProblems;
use crate::model::release::Build;
use crate::model::release::MANIFEST_BYTES_MAX;
use crate::model::release::PROGRAM_BYTES_MAX;
use crate::model::release::Release;
use crate::model::release::ReleaseKey;
use crate::model::release::Sha256Digest;
use crate::model::release::version::Version;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::platform;
use crate::stdx::platform::TARGET;
use crate::stdx::time::Timestamp;
use crate::store::error::StoreError;
use crate::store::lock::JobLock;
use crate::store::updates::program_file::ProgramCandidate;
use crate::store::updates::program_file::ProgramFile;
use crate::store::updates::update_store::UpdateStore;
use crate::store::write::spool::Spooled;

/// The longest time to fetch the manifest.
const MANIFEST_WAIT: Duration = Duration::from_secs(30);
/// The longest time to fetch a program.
const PROGRAM_WAIT: Duration = Duration::from_secs(15 * 60);
/// The longest time in which a new program must print its version.
const VERSION_WAIT: Duration = Duration::from_secs(20);

/// A sink for fetched bytes, called for each piece.
pub type ByteSink<'a> = &'a mut (dyn FnMut(&[u8]) -> io::Result<()> + Send);

/// The limits of a fetch.
#[derive(Clone, Copy, Debug)]
pub struct FetchLimits {
    /// The most bytes.
    pub bytes: u64,
    /// The longest time.
    pub time: Duration,
}

/// A fetcher of URLs.
pub trait Fetcher {
    /// Fetches a URL into `sink`. The error is a sentence.
    fn fetch(
        &self,
        url: &str,
        most: FetchLimits,
        sink: ByteSink<'_>,
    ) -> std::result::Result<(), String>;
}

/// The source of new versions, and the program that they replace.
#[derive(Clone, Debug)]
pub struct UpdateSettings {
    /// The URL of the manifest of the newest release; `None` to request nothing.
    pub url: Option<String>,
    /// The key that releases are signed with.
    pub key: Option<ReleaseKey>,
    /// The running version.
    pub current: Version,
    /// The program to replace, or the reason why it must not be replaced.
    pub program: std::result::Result<PathBuf, String>,
}

impl Default for UpdateSettings {
    fn default() -> Self {
        let program = Err("The path of the program is not known.".to_string());
        UpdateSettings { url: None, key: None, current: Version::of_this_program(), program }
    }
}

/// The state of updates in the form that is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UpdateStatus {
    /// The running version.
    pub current_version: String,
    /// The latest release, as of the last check; null if the channel was not asked yet.
    pub latest: Option<LatestRelease>,
    /// True if that release is newer and has a program for this platform.
    pub update_available: bool,
    /// The URL of the release channel; null if none is configured.
    pub channel_url: Option<String>,
    /// The downloaded release that can be installed.
    pub staged: Option<StagedRelease>,
    /// True if a release was installed that does not run yet.
    pub restart_needed: bool,
    /// The time of the last check.
    pub checked_at: Option<Timestamp>,
    /// The platform of the program.
    pub target: &'static str,
    /// The state in one sentence.
    pub message: String,
}

/// A release in the form that is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct LatestRelease {
    /// The version.
    pub version: String,
    /// The time of the release.
    pub released_at: Option<Timestamp>,
    /// The release notes as untrusted Markdown.
    pub notes: String,
    /// The size of the program in bytes, if known.
    pub size: Option<u64>,
}

/// A downloaded release in the form that is shown.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct StagedRelease {
    /// The version.
    pub version: String,
    /// The SHA-256 of its program.
    pub sha256: String,
    /// The size of the program in bytes.
    pub size: u64,
    /// The time of the download.
    pub downloaded_at: Timestamp,
}

/// New versions of the program.
pub struct Updates {
    store: UpdateStore,
    settings: UpdateSettings,
    /// The start time of this process.
    started: Timestamp,
}

impl Updates {
    /// Returns the updates for a process that started at `started`.
    pub fn new(store: UpdateStore, settings: UpdateSettings, started: Timestamp) -> Updates {
        Updates { store, settings, started }
    }

    /// Returns the state.
    pub fn status(&self) -> UpdateStatus {
        self.build_status(&self.load_state())
    }

    /// Checks the release channel.
    pub fn check_channel(&self, now: Timestamp, fetch: &dyn Fetcher) -> Result<UpdateStatus> {
        self.url()?;
        let _turn = self.acquire_lock()?;
        let state = self.query_channel(now, fetch)?;
        Ok(self.build_status(&state))
    }

    /// Checks the release channel, and downloads its release if it is newer. Returns the version,
    /// unless it had been downloaded already.
    pub fn download(
        &self,
        now: Timestamp,
        fetch: &dyn Fetcher,
    ) -> Result<(Option<Version>, UpdateStatus)> {
        self.url()?;
        self.key()?;
        let _turn = self.acquire_lock()?;
        let mut state = self.query_channel(now, fetch)?;
        let release = state.latest.clone().ok_or_else(|| Error::internal("nothing was found"))?;
        let build = self.newer_build(&release, &state)?;
        if self.is_here(build, &state) {
            return Ok((None, self.build_status(&state)));
        }
        let program = self.download_build(build, fetch)?;
        let sha256 = build.sha256.to_string();
        self.store.keep_program(program, &sha256)?;
        state.staged = Some((release.clone(), now));
        self.store.write_status(state.to_map())?;
        self.store.remove_others(Some(&sha256));
        Ok((Some(build.version.clone()), self.build_status(&state)))
    }

    /// Replaces the running program by the downloaded release, and keeps the old one beside it.
    /// Returns the version, which runs after the next start.
    pub fn install(&self, now: Timestamp) -> Result<(Version, UpdateStatus)> {
        self.key()?;
        let _turn = self.acquire_lock()?;
        let mut state = self.load_state();
        let nothing = || {
            Error::conflict(
                "There is nothing to install. Download a new version of \
                                          Recto first.",
            )
        };
        let (release, _) = state.staged.clone().ok_or_else(nothing)?;
        let build = self.newer_build(&release, &state)?;
        let program =
            self.settings.program.as_ref().map_err(|why| Error::conflict(why.as_str()))?;
        let binary = ProgramFile::new(program.clone());
        let candidate = self.verify_build(build, &binary).inspect_err(|error| {
            tracing::warn!(version = %build.version, %error, "an update could not be installed");
            if error.code == Code::UpdateFailed {
                // The download is unusable, and would prevent another one.
                self.store.remove_others(None);
            }
        })?;
        let previous = candidate.replace_program().map_err(replacement_error)?;
        tracing::info!(version = %build.version, previous = %previous.display(), "an update was \
                                                                                  installed");
        state.installed = Some((build.version.clone(), now));
        state.staged = None;
        self.store.write_status(state.to_map())?;
        self.store.remove_others(None);
        Ok((build.version.clone(), self.build_status(&state)))
    }

    fn url(&self) -> Result<&str> {
        let missing = || unset_error("updates.url", "No update channel is configured.");
        self.settings.url.as_deref().ok_or_else(missing)
    }

    fn key(&self) -> Result<&ReleaseKey> {
        let missing = || {
            let message = "Recto installs new versions only if the key that signs them is \
                           configured \
                           (`updates.public_key`).";
            unset_error("updates.public_key", message)
        };
        self.settings.key.as_ref().ok_or_else(missing)
    }

    /// Acquires the update lock, which excludes other processes too.
    fn acquire_lock(&self) -> Result<JobLock> {
        let busy = || Error::conflict("Another update is already running.");
        self.store.acquire_lock()?.ok_or_else(busy)
    }

    /// Fetches the manifest, and saves its release.
    fn query_channel(&self, now: Timestamp, fetch: &dyn Fetcher) -> Result<UpdateState> {
        let (url, mut bytes) = (self.url()?, Vec::new());
        let mut sink = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let most = FetchLimits { bytes: MANIFEST_BYTES_MAX, time: MANIFEST_WAIT };
        let fetched = fetch.fetch(url, most, &mut sink);
        let release = fetched.and_then(|()| Release::parse_manifest(&bytes, TARGET));
        let release = release.map_err(|why| {
            Error::update_failed(format!(
                "The manifest of the update channel cannot be used: \
                                          {why}"
            ))
        })?;
        if let (Some(key), Some(build)) = (&self.settings.key, &release.build) {
            check_signed(build, key)?;
        }
        let mut state = self.load_state();
        state.checked_at = Some(now);
        state.channel = url.to_string();
        state.latest = Some(release);
        self.store.write_status(state.to_map())?;
        Ok(state)
    }

    /// Returns the program of a release that may be installed: signed, for this platform, and newer
    /// than the running version and one waiting for a restart.
    fn newer_build<'a>(&self, release: &'a Release, state: &UpdateState) -> Result<&'a Build> {
        let newest = self.newest_here(state);
        if release.version <= *newest {
            let message = format!("Recto {} is not newer than {newest}.", release.version);
            return Err(Error::conflict(message));
        }
        let missing = || {
            let version = &release.version;
            Error::conflict(format!("Recto {version} is not available for {TARGET}."))
        };
        let build = release.build.as_ref().ok_or_else(missing)?;
        check_signed(build, self.key()?)?;
        Ok(build)
    }

    fn newest_here<'a>(&'a self, state: &'a UpdateState) -> &'a Version {
        let installed = self.pending_version(state).unwrap_or(&self.settings.current);
        installed.max(&self.settings.current)
    }

    /// Returns the version that was installed after this process started.
    fn pending_version<'a>(&self, state: &'a UpdateState) -> Option<&'a Version> {
        let (version, at) = state.installed.as_ref()?;
        (*at >= self.started && *version > self.settings.current).then_some(version)
    }

    fn is_here(&self, build: &Build, state: &UpdateState) -> bool {
        let staged = state.staged.as_ref().and_then(|(release, _)| release.build.as_ref());
        staged.is_some_and(|it| it.sha256 == build.sha256 && it.version == build.version)
            && self.store.program_size(&build.sha256.to_string()).is_some()
    }

    /// Downloads a program to the temporary files. Returns it if it is the signed one.
    fn download_build(&self, build: &Build, fetch: &dyn Fetcher) -> Result<Spooled> {
        let most =
            FetchLimits { bytes: build.size.unwrap_or(PROGRAM_BYTES_MAX), time: PROGRAM_WAIT };
        if most.bytes > PROGRAM_BYTES_MAX {
            return Err(Error::update_failed("The program exceeds the size limit."));
        }
        let (mut spool, mut hash, mut full) = (self.store.create_spool()?, Sha256::new(), None);
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
        check_program(build, &Sha256Digest(hash.finalize().into()), program.size, &program.head)?;
        Ok(program)
    }

    /// Copies the download beside the program it replaces, and checks its bytes and its version.
    fn verify_build(&self, build: &Build, binary: &ProgramFile) -> Result<ProgramCandidate> {
        let gone = |_| Error::conflict("The downloaded program is missing. Download it again.");
        let (mut file, _) = self.store.open_program(&build.sha256.to_string()).map_err(gone)?;
        let candidate =
            binary.copy_beside(&mut file, PROGRAM_BYTES_MAX).map_err(replacement_error)?;
        let sha256 = Sha256Digest(candidate.sha256);
        check_program(build, &sha256, candidate.size, &candidate.head)?;
        candidate.make_executable().map_err(replacement_error)?;
        let line = candidate.version_line(VERSION_WAIT).map_err(|error| {
            Error::update_failed(format!("The new program does not run here: {error}."))
        })?;
        if line != format!("recto {}", build.version) {
            let message = format!("The new program identifies itself as `{line}`.");
            return Err(Error::update_failed(message));
        }
        Ok(candidate)
    }

    fn load_state(&self) -> UpdateState {
        UpdateState::from_map(&self.store.load_status())
    }

    fn build_status(&self, state: &UpdateState) -> UpdateStatus {
        // The release of another channel does not count.
        let latest =
            state.latest.as_ref().filter(|_| Some(&state.channel) == self.settings.url.as_ref());
        let newest = self.newest_here(state);
        let is_newer = |it: &Release| it.version > *newest;
        let available = latest.is_some_and(|it| is_newer(it) && it.build.is_some());
        let staged = state.staged.as_ref().filter(|(it, _)| is_newer(it));
        let staged = staged.and_then(|(it, at)| self.render_staged(it, *at));
        UpdateStatus {
            current_version: self.settings.current.to_string(),
            update_available: available,
            channel_url: self.settings.url.clone(),
            restart_needed: self.pending_version(state).is_some(),
            checked_at: state.checked_at.filter(|_| latest.is_some()),
            target: TARGET,
            message: self.build_message(latest, staged.as_ref(), state),
            latest: latest.map(LatestRelease::from_release),
            staged,
        }
    }

    fn render_staged(&self, release: &Release, downloaded_at: Timestamp) -> Option<StagedRelease> {
        let sha256 = release.build.as_ref()?.sha256.to_string();
        let size = self.store.program_size(&sha256)?;
        let version = release.version.to_string();
        Some(StagedRelease { version, sha256, size, downloaded_at })
    }

    fn build_message(
        &self,
        latest: Option<&Release>,
        staged: Option<&StagedRelease>,
        state: &UpdateState,
    ) -> String {
        let current = &self.settings.current;
        if let Some(version) = self.pending_version(state) {
            return format!("Recto {version} is installed. Restart the server to run it.");
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
                "No update channel is configured (`updates.url`), so Recto does not look for \
                 updates."
                    .into()
            }
            None => "Recto has not looked for updates yet.".into(),
            Some(it) if it.version <= *current => format!("Recto {current} is the newest version."),
            Some(Release { version, build: None, .. }) => {
                format!("Recto {version} is available, but not for {TARGET}.")
            }
            Some(Release { version, .. }) if self.settings.key.is_none() => format!(
                "Recto {version} is available. To download it here, configure the key that signs \
                 new versions (`updates.public_key`)."
            ),
            Some(Release { version, .. }) => format!("Recto {version} is available."),
        }
    }
}

impl LatestRelease {
    fn from_release(release: &Release) -> LatestRelease {
        LatestRelease {
            version: release.version.to_string(),
            released_at: release.released_at,
            notes: release.notes.clone(),
            size: release.build.as_ref().and_then(|it| it.size),
        }
    }
}

fn unset_error(setting: &str, message: &str) -> Error {
    Error::invalid(FieldProblems::from_problem(setting, message))
}

/// Converts a store error. The path of the program is for the operator only.
fn replacement_error(error: StoreError) -> Error {
    if error.is_full() {
        return error.into();
    }
    let message = "The program cannot be replaced, because the server may not write to its folder.";
    Error { source: Some(error.to_string()), ..Error::conflict(message) }
}

fn check_signed(build: &Build, key: &ReleaseKey) -> Result<()> {
    if build.is_signed_by(key) {
        return Ok(());
    }
    let message =
        "The download is not signed with the configured key for this version and platform.";
    Err(Error::update_failed(message))
}

/// Checks that bytes are the signed program. The signature itself was verified before.
fn check_program(build: &Build, sha256: &Sha256Digest, size: u64, head: &[u8]) -> Result<()> {
    if *sha256 != build.sha256 || build.size.is_some_and(|it| it != size) {
        return Err(Error::update_failed("The program does not match the signed checksum."));
    }
    if !platform::is_program(head) {
        return Err(Error::update_failed(format!(
            "The signed file is not a program for {TARGET}."
        )));
    }
    Ok(())
}

/// The saved state.
#[derive(Clone, Debug, Default)]
struct UpdateState {
    checked_at: Option<Timestamp>,
    /// The URL of the channel that was checked.
    channel: String,
    latest: Option<Release>,
    staged: Option<(Release, Timestamp)>,
    installed: Option<(Version, Timestamp)>,
}

impl UpdateState {
    /// Parses the saved state. Unreadable parts are ignored.
    fn from_map(map: &Map) -> UpdateState {
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        let time = |key: &str| text(key).and_then(Timestamp::parse);
        let release = |key: &str| map.get(key).and_then(|it| Release::parse(it, TARGET).ok());
        UpdateState {
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
