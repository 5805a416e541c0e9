//! The tables, made and brought up to date by the first server that comes.

use postgres::Client;

use crate::store::cluster::postgres::connection::StatementError;

/// The migrations, in order.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// Makes the tables, or brings them up to date. Those of a newer version are refused.
pub(super) fn migrate(client: &mut Client) -> Result<(), StatementError> {
    let failed = StatementError::of_statement;
    let mut change = client.transaction().map_err(failed)?;
    // Servers that start together wait for each other.
    change.execute("SELECT pg_advisory_xact_lock(7379284, 2)", &[]).map_err(failed)?;
    let found = change
        .query_one("SELECT to_regclass('recto.info') IS NOT NULL", &[])
        .and_then(|it| it.try_get::<_, bool>(0))
        .map_err(failed)?;
    let version: i32 = match found {
        true => change
            .query_one("SELECT version FROM recto.info", &[])
            .and_then(|it| it.try_get(0))
            .map_err(failed)?,
        false => {
            change.batch_execute("CREATE SCHEMA IF NOT EXISTS recto").map_err(failed)?;
            0
        }
    };
    let known = i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX);
    if version > known {
        let message = format!("its tables are of version {version}, this program knows {known}");
        return Err(StatementError::Refused(String::new(), message));
    }
    let done = usize::try_from(version).unwrap_or_default();
    for migration in MIGRATIONS.iter().skip(done) {
        change.batch_execute(migration).map_err(failed)?;
    }
    change.execute("UPDATE recto.info SET version = $1", &[&known]).map_err(failed)?;
    change.commit().map_err(failed)
}
