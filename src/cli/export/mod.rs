//! `recto export`: the public API of a workspace as files, for any host of files. The service
//! itself answers in this process, so files have the bytes of live answers.

mod addresses;
mod content_export;
mod content_folder;
mod export_args;
mod exporter;
mod host_rules;
mod manifest;
mod nginx;
mod target_folder;
mod unread_content;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::header;
use http_body_util::BodyExt;
use serde_json::Value;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::sync;
use crate::app::jobs::sketching::sketch_new_pictures;
use crate::cli::error::CommandError;
use crate::cli::export::addresses::Address;
use crate::cli::export::addresses::AddressList;
use crate::cli::export::addresses::ExportSubject;
use crate::cli::export::addresses::collect_addresses;
pub(super) use crate::cli::export::export_args::ExportArgs;
use crate::cli::export::export_args::check_apart;
use crate::cli::export::exporter::ExportOutcome;
use crate::cli::export::exporter::Exporter;
use crate::cli::export::exporter::OTHER_ENDINGS;
use crate::cli::export::host_rules::HEADERS_FILE;
use crate::cli::export::host_rules::Hosting;
use crate::cli::export::host_rules::NGINX_FILE;
use crate::cli::export::host_rules::REDIRECTS_FILE;
use crate::cli::export::manifest::ExportedFile;
use crate::cli::export::manifest::MANIFEST_FILE;
use crate::cli::export::manifest::Manifest;
use crate::cli::export::target_folder::TargetFolder;
use crate::cli::export::unread_content::UnreadContent;
use crate::cli::serve;
use crate::cli::serve::ReadFolder;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::query::request::params::QueryParams;
use crate::stdx::processor::count_cores;

/// The number of times that media files are looked at which change meanwhile.
const LOOKS_MAX: usize = 5;

/// The time until they are looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The most notes of one kind that are printed.
const NOTES_MAX: usize = 20;

/// The result of an export.
#[derive(Default)]
struct ExportReport {
    files: usize,
    written: usize,
    removed: usize,
    cursor: String,
    /// The addresses without a new file, and the files of content that cannot be read, with the
    /// reason.
    failed: BTreeMap<String, String>,
    left_out: Vec<String>,
    notes: Vec<String>,
}

pub(super) fn run(args: &ExportArgs) -> Result<ExitCode, CommandError> {
    if let Some(format) = args.format {
        return content_export::run(args, format);
    }
    let mut flags: Vec<(&'static str, String)> = vec![("read_only", "true".to_string())];
    flags.extend(args.base_url.iter().map(|it| ("base_url", it.clone())));
    let read = ReadFolder::open(args.place.to_flags().with(flags))?;
    check_apart(args.folder(), &read.root)?;
    let workers = count_cores();
    let runtime = serve::build_runtime(workers)?;
    let is_there = args.folder().exists();
    let report = export(args, &read, &runtime, workers);
    read.close();
    if report.is_err() && !is_there {
        // A refused export leaves no empty folder; one with files stays.
        let _ = std::fs::remove_dir(args.folder());
    }
    let report = report?;
    report.print(args.json)?;
    Ok(if report.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Looks at media files as a server does while it runs: tags of their bytes and sketches are part
/// of answers.
fn learn_media(app: &App) {
    for _ in 0..LOOKS_MAX {
        let is_tagged = app.engine.follower().tag_media();
        if sketch_new_pictures(app) && is_tagged {
            return;
        }
        // A file that was written just now can change without a sign of it.
        app.engine.scheduler().wait_unless_closed(LOOK_AGAIN);
    }
    print_note("some media files are changing; their placeholders and tags may be missing");
}

fn export(
    args: &ExportArgs,
    read: &ReadFolder,
    runtime: &Runtime,
    workers: usize,
) -> Result<ExportReport, CommandError> {
    let app = read.service.app();
    learn_media(app);
    let workspace = args.workspace.as_str();
    let snapshot = app.engine.snapshot(workspace).filter(|it| !it.meta.archived);
    let snapshot = snapshot.ok_or_else(|| CommandError::no_workspace(workspace))?;
    let (target, earlier) = TargetFolder::open(args.folder(), args.force)?;
    // By now it is known where the path leads.
    check_apart(args.folder(), &read.root)?;
    if let Some(earlier) = earlier.as_ref().filter(|it| it.workspace != workspace) {
        let (folder, other) = (args.folder().display(), &earlier.workspace);
        return Err(CommandError::usage(format!("{folder} has the export of `{other}`")));
    }
    let nobody = Caller::Anonymous;
    let bundle = sync::open_bundle(app, &snapshot, &nobody, &QueryParams::default());
    let cursor = bundle.map_err(|error| CommandError::failed(error.message))?.cursor.to_string();
    let manifest = Manifest::new(workspace, app.engine.base_url(), cursor);
    let before = earlier.clone().filter(|it| it.is_comparable(&manifest));
    let list = collect_addresses(app, &snapshot, &read.base_path);
    let unread = UnreadContent::find(app, &snapshot);
    let (service, base_path) = (read.service.clone(), read.base_path.clone());
    let exporter = Exporter { service, base_path, snapshot, target, before };
    let report = ExportReport::default();
    let job = ExportJob { args, manifest, earlier, list, unread, report };
    job.run(exporter, runtime, workers)
}

/// An export under way.
struct ExportJob<'a> {
    args: &'a ExportArgs,
    manifest: Manifest,
    /// The manifest of the export before.
    earlier: Option<Manifest>,
    list: AddressList,
    /// The content that is missing in the addresses.
    unread: UnreadContent,
    report: ExportReport,
}

impl ExportJob<'_> {
    fn run(
        mut self,
        mut exporter: Exporter,
        runtime: &Runtime,
        workers: usize,
    ) -> Result<ExportReport, CommandError> {
        let changed = match &self.args.since {
            Some(since) => Some(self.find_changed(&exporter, runtime, since)?),
            None => None,
        };
        let addresses = std::mem::take(&mut self.list.addresses);
        let is_spoilt = |it: &Address| {
            let known = exporter.before.as_ref().and_then(|before| before.get(&it.target()));
            match &exporter.before {
                Some(_) => known.is_none_or(|it| !exporter.target.is_untouched(&it)),
                None => false,
            }
        };
        let addresses =
            addresses.into_iter().filter(|it| !self.keep_incomplete(&exporter.target, it));
        let (asked, kept): (Vec<Address>, Vec<Address>) =
            addresses.partition(|it| changed.as_ref().is_none_or(|c| c.has(it)) || is_spoilt(it));
        // Rules tell all files, and a part alone knows only some.
        let is_part = changed.is_some_and(|it| !it.everything) && exporter.before.is_none();
        self.claim_files(&mut exporter, &asked)?;
        // What did not change stays as it is, if it is there.
        for target in kept.iter().map(Address::target) {
            let known = exporter.before.as_ref().and_then(|it| it.get(&target));
            known.into_iter().for_each(|it| self.manifest.add(target.clone(), it));
        }
        let exporter = Arc::new(exporter);
        let outcomes = runtime.block_on(exporter.export_all(asked, workers));
        for (target, outcome) in outcomes {
            self.take(target, outcome);
        }
        self.follow_moved(&exporter, runtime);
        self.keep_unread(&exporter.target);
        if is_part {
            let note = "only a part was exported, so the rules for hosts were not; keep those of \
                        the \
                        whole export, and its .recto-export.json";
            self.report.notes.push(note.to_string());
        } else {
            self.write_rules(&exporter)?;
        }
        self.finish(&exporter)
    }

    /// Returns what changed for a reader without a token since a cursor.
    fn find_changed(
        &self,
        exporter: &Exporter,
        runtime: &Runtime,
        since: &str,
    ) -> Result<ChangedContent, CommandError> {
        let earlier = self.earlier.as_ref();
        if earlier.is_some_and(|it| it.cursor == since || exporter.before.is_none()) {
            // The tags of the files say it, or nothing says anything of them.
            return Ok(ChangedContent { everything: true, ..ChangedContent::default() });
        }
        if !since.bytes().all(|it| it.is_ascii_hexdigit()) {
            return Err(CommandError::usage(format!("`{since}` is not a cursor")));
        }
        let path = format!("/api/v1/workspaces/{}/sync?since={since}", self.manifest.workspace);
        let (status, body) = runtime.block_on(async {
            let response = exporter.request(&path, None).await;
            let status = response.status();
            (status, response.into_body().collect().await.map(|it| it.to_bytes()))
        });
        let body = body.map_err(CommandError::failed)?;
        match status {
            StatusCode::OK => Ok(ChangedContent::parse(&body)),
            StatusCode::GONE => Err(CommandError::usage(
                "the cursor is too old, or of another folder: export without --since",
            )),
            status => Err(CommandError::failed(format!(
                "cannot find out what has changed: \
                                                        {status}"
            ))),
        }
    }

    /// Makes sure that nothing of others is in the way, and writes down which files are about to be
    /// written: an export that is interrupted knows them again.
    fn claim_files(
        &mut self,
        exporter: &mut Exporter,
        asked: &[Address],
    ) -> Result<(), CommandError> {
        let paths = asked.iter().filter_map(|it| it.file_path(&exporter.base_path));
        let mut claimed: BTreeSet<String> = paths.collect();
        if !self.args.no_rules {
            claimed.extend([HEADERS_FILE, REDIRECTS_FILE, NGINX_FILE].map(str::to_string));
        }
        let target = &mut exporter.target;
        claimed.retain(|it| !target.owns(it));
        let in_the_way: Vec<&String> = claimed.iter().filter(|it| target.is_taken(it)).collect();
        if let Some(first) = in_the_way.first() {
            let count = format_count(in_the_way.len(), "file", "files");
            return Err(CommandError::usage(format!(
                "{count} that no export wrote would be replaced, such as {first}; nothing was \
                 changed"
            )));
        }
        self.check_clashes(target, asked, &exporter.base_path)?;
        target.remove_drafts().map_err(write_error)?;
        let wanted = asked.iter().filter_map(|it| it.file_path(&exporter.base_path));
        self.report.removed += target.make_room(&wanted.collect()).map_err(write_error)?;
        if claimed.is_empty() {
            return Ok(());
        }
        let variants =
            asked.iter().filter(|it| it.query.is_some() && it.subject == ExportSubject::File);
        let variants: Vec<String> =
            variants.filter_map(|it| it.file_path(&exporter.base_path)).collect();
        for ending in OTHER_ENDINGS {
            let named = variants.iter().map(|it| format!("{it}.{ending}"));
            claimed.extend(named.filter(|it| !target.is_taken(it)));
        }
        let mut draft = self.earlier.clone().unwrap_or_else(|| self.manifest.clone());
        draft.others.extend(claimed.iter().cloned());
        target.own(claimed);
        write_manifest(target, &draft)
    }

    /// Refuses to export names that differ in case only, where the folder takes them for one.
    fn check_clashes(
        &self,
        target: &TargetFolder,
        asked: &[Address],
        base_path: &str,
    ) -> Result<(), CommandError> {
        if !target.ignores_case().map_err(write_error)? {
            return Ok(());
        }
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for path in asked.iter().filter_map(|it| it.file_path(base_path)) {
            if let Some(other) = seen.insert(path.to_lowercase(), path.clone()) {
                let message = "differ in case only, and this folder takes them for one file";
                return Err(CommandError::usage(format!("{other} and {path} {message}")));
            }
        }
        Ok(())
    }

    fn take(&mut self, target: String, outcome: ExportOutcome) {
        match outcome {
            ExportOutcome::Exported { file, is_new } => {
                self.report.written += usize::from(is_new);
                self.manifest.add(target, file);
            }
            ExportOutcome::Absent => self.report.left_out.push(target),
            ExportOutcome::Failed(message) => {
                // What is there stays: it is better than nothing.
                let known = self.earlier.as_ref().and_then(|it| it.get(&target));
                known.into_iter().for_each(|it| self.manifest.add(target.clone(), it));
                self.report.failed.insert(target, message);
            }
        }
    }

    /// Leaves the file of an earlier export in place of an answer in which something is missing.
    /// Returns false if there is none.
    fn keep_incomplete(&mut self, target: &TargetFolder, address: &Address) -> bool {
        if !self.unread.is_missing_in(address) {
            return false;
        }
        let known = self.earlier.as_ref().and_then(|it| it.get(&address.target()));
        let Some(file) = known.filter(|it| target.is_untouched(it)) else { return false };
        self.manifest.add(address.target(), file);
        true
    }

    /// Leaves all that an earlier export wrote of content that cannot be read now, and reports that
    /// content.
    fn keep_unread(&mut self, folder: &TargetFolder) {
        self.report.failed.extend(self.unread.reasons.clone());
        let Some(earlier) = &self.earlier else { return };
        if !self.unread.is_empty() {
            let note = "files of the earlier export were kept, because content cannot be read; what \
                        was unpublished or deleted since may still be in them";
            self.report.notes.push(note.to_string());
        }
        let workspace = &self.manifest.workspace;
        let gone = earlier.files().map(|(target, record, _)| (target, record.path.as_str()));
        let gone = gone.filter(|(target, _)| self.manifest.get(target).is_none());
        let was_unread = |(target, path): &(&str, &str)| {
            self.unread.was_at(workspace, target, || folder.read(path).ok())
        };
        let kept = gone.filter(was_unread).filter_map(|(it, _)| Some((it, earlier.get(it)?)));
        let kept: Vec<(&str, ExportedFile)> = kept.collect();
        let moved = earlier.moved.iter().filter(|(from, _)| {
            self.unread.may_have_moved(workspace, from) && !self.manifest.moved.contains_key(*from)
        });
        let moved: Vec<(&String, &String)> = moved.collect();
        for (from, to) in moved {
            self.manifest.moved.insert(from.clone(), to.clone());
        }
        for (target, file) in kept {
            self.manifest.moved.remove(target);
            self.manifest.add(target.to_string(), file);
        }
    }

    /// Asks where the former addresses of entries lead.
    fn follow_moved(&mut self, exporter: &Arc<Exporter>, runtime: &Runtime) {
        let former = std::mem::take(&mut self.list.former);
        self.manifest.moved = runtime.block_on(async {
            let mut moved = BTreeMap::new();
            for path in former {
                let response = exporter.request(&path, None).await;
                let to = response.headers().get(header::LOCATION);
                let to = to.filter(|_| response.status() == StatusCode::MOVED_PERMANENTLY);
                let to = to.and_then(|it| it.to_str().ok());
                // Rules have no way to write others.
                if let Some(to) = to.filter(|it| it.bytes().all(is_plain)) {
                    moved.insert(path, to.to_string());
                }
            }
            moved
        });
    }

    /// Writes the rules for hosts.
    fn write_rules(&mut self, exporter: &Exporter) -> Result<(), CommandError> {
        if self.args.no_rules {
            return Ok(());
        }
        let hosting = Hosting::of_manifest(&self.manifest, &exporter.base_path);
        let (headers, n_headers) = hosting.write_headers();
        let (redirects, n_redirects) = hosting.write_redirects();
        let config = nginx::write_config(&hosting);
        for (path, text) in
            [(HEADERS_FILE, headers), (REDIRECTS_FILE, redirects), (NGINX_FILE, config)]
        {
            let placed = exporter.target.write(path, text.as_bytes()).map_err(write_error)?;
            self.report.written += usize::from(placed.is_new);
            self.manifest.others.insert(path.to_string());
        }
        self.report.notes.extend(Hosting::describe_limits(n_headers, n_redirects));
        Ok(())
    }

    /// Removes what is no longer exported, and writes the manifest.
    fn finish(mut self, exporter: &Exporter) -> Result<ExportReport, CommandError> {
        let kept = self.manifest.list_paths();
        let earlier = self.earlier.as_ref().map(Manifest::list_paths).unwrap_or_default();
        let mut stuck = Vec::new();
        let gone = earlier.into_iter().filter(|it| !kept.contains(it));
        for path in gone.filter(|it| exporter.target.owns(it)) {
            match exporter.target.remove(path) {
                Ok(is_there) => self.report.removed += usize::from(is_there),
                Err(error) => {
                    self.report.failed.insert(path.to_string(), error.to_string());
                    stuck.push(path.to_string());
                }
            }
        }
        // The next export tries again.
        self.manifest.others.extend(stuck);
        write_manifest(&exporter.target, &self.manifest)?;
        self.report.files = self.manifest.count_files();
        self.report.cursor = self.manifest.cursor;
        self.report.left_out.extend(self.list.left_out);
        Ok(self.report)
    }
}

/// The content that changed for a reader without a token.
#[derive(Default)]
struct ChangedContent {
    everything: bool,
    types: BTreeSet<String>,
    media: bool,
}

impl ChangedContent {
    /// Parses the lines of `sync`.
    fn parse(lines: &[u8]) -> ChangedContent {
        let mut changed = ChangedContent::default();
        for line in lines.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            let line: Value = serde_json::from_slice(line).unwrap_or_default();
            let kind = line["of"].as_str().or(line["kind"].as_str()).unwrap_or_default();
            match kind {
                "entry" => changed.types.extend(line["type"].as_str().map(str::to_string)),
                "media" => changed.media = true,
                "type" => changed.types.extend(line["id"].as_str().map(str::to_string)),
                _ => {}
            }
        }
        changed
    }

    /// Returns true if what is at an address may have changed. An entry may have got the slug that
    /// another one of its type lost, so all of the type are looked at.
    fn has(&self, address: &Address) -> bool {
        self.everything
            || match &address.subject {
                ExportSubject::Entry(name) => self.types.contains(name),
                ExportSubject::File => self.media,
                ExportSubject::List(..) | ExportSubject::Other => true,
            }
    }
}

/// Returns true if a byte of an address means nothing else in the rules of any host.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~' | b'%')
}

fn write_manifest(target: &TargetFolder, manifest: &Manifest) -> Result<(), CommandError> {
    let text = manifest.to_text().map_err(CommandError::failed)?;
    target.write(MANIFEST_FILE, &text).map(drop).map_err(write_error)
}

fn write_error(error: std::io::Error) -> CommandError {
    CommandError::failed(format!("cannot write the export: {error}"))
}

impl ExportReport {
    fn print(&self, as_json: bool) -> Result<(), CommandError> {
        if as_json {
            return print_json(&json!({
                "files": self.files,
                "written": self.written,
                "removed": self.removed,
                "cursor": self.cursor,
                "failed": self.failed,
                "left_out": self.left_out,
                "notes": self.notes,
            }));
        }
        let failed = self.failed.iter().map(|(target, why)| format!("failed: {target}: {why}"));
        print_some(failed.collect());
        print_some(self.left_out.iter().map(|it| format!("left out: {it}")).collect());
        self.notes.iter().for_each(|it| print_note(it));
        let files = format_count(self.files, "file", "files");
        let failed = match self.failed.len() {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let (written, removed) = (self.written, self.removed);
        print_text(&format!(
            "exported {files}: {written} written, {removed} removed{failed}\ncursor {}\n",
            self.cursor
        ))
    }
}

fn print_some(lines: Vec<String>) {
    lines.iter().take(NOTES_MAX).for_each(|it| print_note(it));
    if let Some(more) = lines.len().checked_sub(NOTES_MAX).filter(|it| *it > 0) {
        print_note(&format!("and {more} more"));
    }
}
