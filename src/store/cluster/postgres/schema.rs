//! The tables, made and brought up to date by the first server that comes.

use postgres::{Client, GenericClient};

use crate::store::cluster::postgres::connection::StatementError;

/// The migrations, in order.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// Brings the tables up to date, if there are any.
pub(super) fn migrate_existing(client: &mut Client) -> Result<(), StatementError> {
    if read_version(client)? == 0 {
        return Err(StatementError::Unusable("it has no content of Recto".to_string()));
    }
    migrate(client)
}

/// Makes the tables, or brings them up to date. Those of a newer version are refused.
pub(super) fn migrate(client: &mut Client) -> Result<(), StatementError> {
    let failed = StatementError::of_statement;
    let known = i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX);
    if read_version(client)? == known {
        return Ok(());
    }
    let mut change = client.transaction().map_err(failed)?;
    // Servers that start together wait for each other.
    change.execute("SELECT pg_advisory_xact_lock(7379284, 2)", &[]).map_err(failed)?;
    let version = read_version(&mut change)?;
    if version == 0 {
        change.batch_execute("CREATE SCHEMA IF NOT EXISTS recto").map_err(failed)?;
    }
    if version > known {
        let message = format!("its tables are of version {version}, this program knows {known}");
        return Err(StatementError::Unusable(message));
    }
    let done = usize::try_from(version).unwrap_or_default();
    for migration in MIGRATIONS.iter().skip(done) {
        change.batch_execute(migration).map_err(failed)?;
    }
    change.execute("UPDATE recto.info SET version = $1", &[&known]).map_err(failed)?;
    change.commit().map_err(failed)
}

/// Returns the version of the tables; 0 if there are none.
fn read_version(client: &mut impl GenericClient) -> Result<i32, StatementError> {
    let mut get = |query| client.query_one(query, &[]);
    let found = get("SELECT to_regclass('recto.info') IS NOT NULL");
    let version = found.and_then(|it| match it.try_get(0)? {
        true => get("SELECT version FROM recto.info")?.try_get(0),
        false => Ok(0),
    });
    version.map_err(StatementError::of_statement)
}
