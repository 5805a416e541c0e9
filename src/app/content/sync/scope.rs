//! The scope of a cursor: who reads, and what of the workspace.

use std::collections::BTreeSet;

use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::sync::cursor::Cursor;
use crate::model::grant::Grants;
use crate::model::problem::FieldProblems;
use crate::query::index::snapshot::Snapshot;
use crate::query::inventory::section::SectionChange;
use crate::query::inventory::section::SectionKind;
use crate::query::request::list_query;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::query::request::params::list_name;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The difference between readers of entries with media items and others.
const FULL_MEDIA: Checksum = Checksum(1);

/// The reader of a bundle and its parameters.
#[derive(Clone)]
pub(super) struct Scope {
    /// The types that are asked for; `None` for everything.
    types: Option<BTreeSet<String>>,
    /// The locale that is asked for; `None` for all.
    pub(super) locale: Option<String>,
    /// The form of entries: with media items or without.
    pub(super) shape: Shape,
    /// The checksum of the reader, the locale and the form: everything that inventories depend on.
    /// Types are no part of it, so that a reader who asks for many sets of types fills nothing.
    pub(super) reader: Checksum,
    /// The checksum of the reader and all parameters.
    pub(super) sum: Checksum,
}

impl Scope {
    /// Parses the parameters, of which `problems` takes what is wrong with them.
    pub(super) fn parse(
        snapshot: &Snapshot,
        caller: &Caller,
        params: &QueryParams,
        problems: &mut FieldProblems,
    ) -> Scope {
        let types = params.list_names("types");
        let types = types.map(|it| it.into_iter().map(str::to_string).collect::<BTreeSet<_>>());
        let asked = list_query::requested_locale(params);
        let locale = asked.and_then(|it| find_locale(snapshot, caller, it));
        if let Some(asked) = asked.filter(|_| locale.is_none()) {
            problems.add("locale", format!("No content type has the locale `{asked}`."));
        }
        let full_media = list_query::asks_for_full_media(params, &mut |name, message| {
            problems.add(name, message);
        });
        let shape = Shape { full_media, ..Shape::default() };
        let reader = sum_reader(snapshot, caller, locale.as_deref());
        let reader = if full_media { reader.plus(FULL_MEDIA) } else { reader };
        let mut sum = ChecksumBuilder::new();
        sum.add_number(reader.0);
        for name in types.iter().flatten() {
            sum.add_part(name.as_bytes());
        }
        // Without types is something else than with none of them.
        sum.add_number(types.as_ref().map_or(u64::MAX, |it| it.len() as u64));
        Scope { types, locale, shape, reader, sum: sum.finish() }
    }

    /// Checks that the caller may know of all types that it asks for.
    pub(super) fn check_types(
        &self,
        snapshot: &Snapshot,
        caller: &Caller,
        problems: &mut FieldProblems,
    ) {
        for name in self.types.iter().flatten() {
            if content_types::find(snapshot, caller, name).is_err() {
                problems.add("types", format!("There is no content type `{name}`."));
            }
        }
    }

    pub(super) fn cursor_at(&self, state: Checksum) -> Cursor {
        Cursor { scope: self.sum, state }
    }

    /// Returns true if the cursor belongs to this reader, with these parameters.
    pub(super) fn owns(&self, cursor: Cursor) -> bool {
        self.sum == cursor.scope
    }

    /// Returns true if the type is asked for.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.types.as_ref().is_none_or(|it| it.contains(name))
    }

    /// Returns true if media files are asked for: without `types`.
    pub(super) fn has_media(&self) -> bool {
        self.types.is_none()
    }

    /// Leaves of a change what is asked for.
    pub(super) fn retain_change(&self, change: &mut SectionChange) {
        let has_all = match change.key.kind {
            SectionKind::Media | SectionKind::Categories => self.has_media(),
            SectionKind::Entries => self.has_type(&change.key.type_name),
            SectionKind::Types => {
                change.gone.retain(|it| self.has_type(it));
                change.shown.retain(|(it, _)| self.has_type(it));
                true
            }
        };
        if !has_all {
            change.gone.clear();
            change.shown.clear();
        }
    }
}

/// Returns the locale that all types answer like the one that is asked for: the longest one that
/// matches it in any of them. Inventories are kept by locale, so there are only as many as there
/// are locales.
fn find_locale(snapshot: &Snapshot, caller: &Caller, asked: &str) -> Option<String> {
    let types = content_types::list(snapshot, caller);
    let matches = types.iter().filter_map(|it| {
        let ty = &it.content_type;
        ty.locales.get(ty.match_locale(asked)?)
    });
    matches.map(|it| it.as_str()).max_by_key(|it| it.len()).map(str::to_string)
}

/// Returns a checksum of who reads: everybody without a credential is the same reader, and a token
/// is another one when its grants change.
fn sum_reader(snapshot: &Snapshot, caller: &Caller, locale: Option<&str>) -> Checksum {
    let mut sum = ChecksumBuilder::new();
    sum.add_part(snapshot.workspace.as_bytes());
    sum.add_part(caller.author_id_and_name().0.as_bytes());
    // Grants always serialize.
    let grants = |it: &Grants| serde_json::to_vec(it.list()).unwrap_or_default();
    sum.add_part(&caller.grants().map(grants).unwrap_or_default());
    sum.add_part(locale.unwrap_or_default().as_bytes()).finish()
}

/// Lists the parts of a request that have no effect.
pub(super) fn list_warnings(params: &QueryParams, known: &[&str]) -> Vec<String> {
    let is_known =
        |name: &str| known.contains(&name) || ["types", "locale", "media"].contains(&name);
    let unknown = params.iter().filter(|(name, _)| !is_known(list_name(name)));
    let unknown = unknown.map(|(name, _)| list_query::describe_unknown(name));
    unknown.chain(params.describe_repeats()).collect()
}
