//! The arguments of `recto import`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::app::import::import_options::SourceFormat;
use crate::app::import::markdown::MarkdownOptions;
use crate::app::import::php::PhpOptions;
use crate::app::import::request::ImportKind;
use crate::app::import::tables::TableFormat;
use crate::app::import::tables::TableOptions;
use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;

/// Arguments of `recto import`.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// The format of the source
    #[arg(value_name = "KIND")]
    kind: SourceKind,
    /// The file or folder to import
    #[arg(value_name = "SOURCE")]
    pub(super) source: PathBuf,
    /// The workspace to import into
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) workspace: String,
    /// The content type of the rows
    #[arg(long = "type", value_name = "TYPE")]
    type_name: Option<String>,
    /// A column and the field that it goes into; `column=` leaves a column out (repeatable)
    #[arg(long, value_name = "COLUMN=FIELD")]
    map: Vec<String>,
    /// The unique field by which existing entries are found; slug, else id, unless given
    #[arg(long, value_name = "FIELD")]
    key: Option<String>,
    /// The status of entries that name none
    #[arg(long, value_name = "STATUS")]
    status: Option<String>,
    /// The locale of the values
    #[arg(long, value_name = "LOCALE")]
    locale: Option<String>,
    /// The workspace of the source, for `php`; the one of the same name unless given
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
    /// Only report what would happen
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// The formats of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SourceKind {
    /// A table with the names of the columns in the first row
    Csv,
    /// A list of objects
    Json,
    /// An object on each line
    Ndjson,
    /// A folder of Markdown with front matter: Hugo, Jekyll, Astro, Eleventy, Decap
    Markdown,
    /// A workspace of the PHP service whose API this is, from its folder `storage`
    Php,
    /// An export of Contentful (`contentful space export`): the JSON file, or a folder with it and
    /// the assets
    Contentful,
    /// A folder with a snapshot of Directus, the items of its collections as JSON, and the files
    Directus,
    /// An export of Strapi (`strapi export --no-encrypt`): an archive, or its content as a folder
    Strapi,
    /// An export of WordPress (WXR), or a folder with it and the uploads
    #[value(name = "wordpress")]
    WordPress,
}

impl SourceKind {
    fn to_format(self) -> SourceFormat {
        match self {
            SourceKind::Csv => SourceFormat::Csv,
            SourceKind::Json => SourceFormat::Json,
            SourceKind::Ndjson => SourceFormat::Ndjson,
            SourceKind::Markdown => SourceFormat::Markdown,
            SourceKind::Php => SourceFormat::Php,
            SourceKind::Contentful => SourceFormat::Contentful,
            SourceKind::Directus => SourceFormat::Directus,
            SourceKind::Strapi => SourceFormat::Strapi,
            SourceKind::WordPress => SourceFormat::WordPress,
        }
    }
}

impl ImportArgs {
    /// Returns the format with its options. One of another format is refused.
    pub(super) fn to_kind(&self) -> Result<ImportKind, CommandError> {
        self.refuse_foreign_options()?;
        let format = match self.kind {
            SourceKind::Csv => TableFormat::Csv,
            SourceKind::Json => TableFormat::Json,
            SourceKind::Ndjson => TableFormat::Ndjson,
            SourceKind::Php => {
                return Ok(ImportKind::Php(PhpOptions { from: self.from.clone() }));
            }
            SourceKind::Contentful => return Ok(ImportKind::Contentful),
            SourceKind::Directus => return Ok(ImportKind::Directus),
            SourceKind::Strapi => return Ok(ImportKind::Strapi),
            SourceKind::WordPress => return Ok(ImportKind::WordPress),
            SourceKind::Markdown => {
                let (status, locale) = (self.status.clone(), self.locale.clone());
                return Ok(ImportKind::Markdown(MarkdownOptions { status, locale }));
            }
        };
        Ok(ImportKind::Table(format, self.to_table_options()?))
    }

    fn refuse_foreign_options(&self) -> Result<(), CommandError> {
        let kind = self.kind.to_format();
        let foreign = kind.foreign_options().filter(|it| self.has_option(it));
        let foreign: Vec<String> = foreign.map(|it| format!("--{it}")).collect();
        if foreign.is_empty() {
            return Ok(());
        }
        let names = foreign.join(", ");
        let message = format!("{names}: an import of the kind `{kind}` has no such option");
        Err(CommandError::usage(message))
    }

    fn has_option(&self, name: &str) -> bool {
        match name {
            "type" => self.type_name.is_some(),
            "map" => !self.map.is_empty(),
            "key" => self.key.is_some(),
            "status" => self.status.is_some(),
            "locale" => self.locale.is_some(),
            "from" => self.from.is_some(),
            _ => false,
        }
    }

    fn to_table_options(&self) -> Result<TableOptions, CommandError> {
        let type_name = self.type_name.clone().ok_or_else(|| {
            CommandError::usage("a table needs the content type of its rows: --type TYPE")
        })?;
        let mut map = Vec::new();
        for pair in &self.map {
            let parts = pair.rsplit_once('=');
            let (column, field) = parts
                .ok_or_else(|| CommandError::usage(format!("--map {pair}: write COLUMN=FIELD")))?;
            map.push((column.to_string(), field.to_string()));
        }
        Ok(TableOptions {
            type_name,
            map,
            key: self.key.clone(),
            status: self.status.clone(),
            locale: self.locale.clone(),
        })
    }
}
