//! `recto export --format`: the stored content of types as a table, a list or texts, for other
//! programs and for `recto import`.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use crate::app::export::ExportRequest;
use crate::app::export::csv_table::write_csv;
use crate::app::export::exported_entry::ExportedType;
use crate::app::export::markdown_text::MarkdownTexts;
use crate::app::export::markdown_text::media_path;
use crate::app::export::read_type;
use crate::app::export::text_places::TextPlaces;
use crate::cli::error::CommandError;
use crate::cli::export::content_folder::ContentFolder;
use crate::cli::export::content_folder::resolve_links;
use crate::cli::export::content_folder::write_named_file;
use crate::cli::export::export_args::ContentFormat;
use crate::cli::export::export_args::ExportArgs;
use crate::cli::export::export_args::check_apart;
use crate::cli::serve::ReadFolder;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::engine::Engine;
use crate::model::entry::EntryStatus;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;

/// The content of a workspace that is exported.
struct ContentExport<'a> {
    args: &'a ExportArgs,
    engine: &'a Engine,
    snapshot: Arc<Snapshot>,
    workspace: WorkspaceSlug,
    statuses: Vec<EntryStatus>,
    n_entries: usize,
    n_broken: usize,
}

pub(super) fn run(args: &ExportArgs, format: ContentFormat) -> Result<ExitCode, CommandError> {
    let statuses = args.statuses.iter().map(|it| {
        EntryStatus::parse(it)
            .ok_or_else(|| CommandError::usage(format!("--status {it}: there is no such status")))
    });
    let statuses: Vec<EntryStatus> = statuses.collect::<Result<_, _>>()?;
    let flags = args.place.to_flags().with(vec![("read_only", "true".to_string())]);
    let read = ReadFolder::open(flags)?;
    if let Some(target) = &args.folder {
        check_apart(&resolve_links(target), &read.root)?;
    }
    let engine = &read.service.app().engine;
    let name = args.workspace.as_str();
    let missing = || CommandError::no_workspace(name);
    let snapshot = engine.snapshot(name).ok_or_else(missing)?;
    let workspace = snapshot.workspace.clone();
    let mut export =
        ContentExport { args, engine, snapshot, workspace, statuses, n_entries: 0, n_broken: 0 };
    let done = match format {
        ContentFormat::Markdown => export.write_texts(),
        format => export.write_list(format),
    };
    let n_broken = export.n_broken;
    read.close();
    done?;
    Ok(if n_broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl ContentExport<'_> {
    /// Reads a type, and names the entries that cannot be read.
    fn read(&mut self, name: &str) -> Result<ExportedType, CommandError> {
        let known: Vec<&str> =
            self.snapshot.types().iter().map(|it| it.content_type.name.as_str()).collect();
        let unknown = || {
            let known = known.join(", ");
            CommandError::usage(format!("there is no content type `{name}`; there are: {known}"))
        };
        let type_name = TypeName::parse(name).map_err(|_| unknown())?;
        if self.snapshot.get(name).is_none() {
            return Err(unknown());
        }
        let request = ExportRequest {
            workspace: &self.workspace,
            type_name: &type_name,
            statuses: &self.statuses,
        };
        let read = read_type(self.engine, &self.snapshot, &request)
            .map_err(|error| CommandError::failed(error.message))?;
        read.broken.iter().for_each(|it| print_note(&format!("left out: {it}")));
        self.n_broken += read.broken.len();
        self.n_entries += read.entries.len();
        Ok(read)
    }

    /// Writes the entries of one type into a file, or to standard output.
    fn write_list(&mut self, format: ContentFormat) -> Result<(), CommandError> {
        let name = match self.args.types.as_slice() {
            [name] => name,
            [] => return Err(CommandError::usage("name the content type to export: --type TYPE")),
            _ => {
                let message = "this format takes one --type; `--format markdown` takes several";
                return Err(CommandError::usage(message));
            }
        };
        if self.args.force || (self.args.json && self.args.folder.is_none()) {
            let message = "--force is for folders, and --json for exports that go into a file";
            return Err(CommandError::usage(message));
        }
        let exported = self.read(name)?;
        let text = match format {
            ContentFormat::Csv => {
                let csv = write_csv(&exported);
                if csv.n_formulas > 0 {
                    let values = format_count(csv.n_formulas, "value begins", "values begin");
                    print_note(&format!(
                        "{values} with =, +, - or @: a spreadsheet takes them for formulas, \
                         whoever wrote them"
                    ));
                }
                csv.text
            }
            ContentFormat::Ndjson => write_lines(&exported),
            _ => write_objects(&exported),
        };
        let Some(path) = self.args.folder.as_deref() else { return print_text(&text) };
        write_named_file(path, text.as_bytes())?;
        self.report(1, 1)
    }

    /// Writes texts and media files into a folder.
    fn write_texts(&mut self) -> Result<(), CommandError> {
        let Some(root) = self.args.folder.as_deref() else {
            return Err(CommandError::usage("name the folder to export into"));
        };
        let mut names: Vec<String> = self.args.types.clone();
        if names.is_empty() {
            let types = self.snapshot.types().iter();
            names.extend(types.map(|it| it.content_type.name.to_string()));
        }
        let snapshot = self.snapshot.clone();
        let read = names.iter().map(|it| self.read(it));
        let types = read.collect::<Result<Vec<ExportedType>, CommandError>>()?;
        let places = TextPlaces::choose(&types);
        let (mut files, mut media) = (Vec::new(), BTreeSet::new());
        for exported in &types {
            let mut texts = MarkdownTexts::new(&snapshot, &exported.content_type, &places);
            if texts.has_draft_field() {
                let message = "has a field `draft`, which `recto import markdown` takes for the";
                print_note(&format!("`{}` {message} status", exported.content_type.name));
            }
            files.extend(exported.entries.iter().flat_map(|it| texts.write(it)));
            media.append(&mut texts.media);
        }
        let folder = ContentFolder::open(root, self.args.force)?;
        let mut n_written = 0;
        for file in &files {
            n_written += usize::from(folder.write(&file.path, file.text.as_bytes())?);
        }
        let mut n_files = files.len();
        for name in &media {
            let path = media_path(&self.workspace, name);
            match self.engine.folder().open_media(&self.workspace, name) {
                Ok(source) => {
                    n_written += usize::from(folder.copy(&path, source.into_file())?);
                    n_files += 1;
                }
                Err(error) => {
                    print_note(&format!("left out: {}", error.to_problem(&path)));
                    self.n_broken += 1;
                }
            }
        }
        self.report(n_files, n_written)
    }

    fn report(&self, n_files: usize, n_written: usize) -> Result<(), CommandError> {
        if self.args.json {
            return print_json(&serde_json::json!({
                "entries": self.n_entries,
                "files": n_files,
                "written": n_written,
                "broken": self.n_broken,
            }));
        }
        let (entries, files) = (
            format_count(self.n_entries, "entry", "entries"),
            format_count(n_files, "file", "files"),
        );
        let target = self.args.folder().display();
        print_text(&format!("exported {entries} to {target}: {files}, {n_written} written\n"))
    }
}

fn write_objects(exported: &ExportedType) -> String {
    let ty = &exported.content_type;
    let items: Vec<Json> = exported.entries.iter().map(|it| it.to_object(ty)).collect();
    String::from_utf8_lossy(&Json::Array(items).to_file()).into_owned()
}

fn write_lines(exported: &ExportedType) -> String {
    let mut text = Vec::new();
    for entry in &exported.entries {
        entry.to_object(&exported.content_type).write_compact(&mut text);
        text.push(b'\n');
    }
    String::from_utf8_lossy(&text).into_owned()
}
