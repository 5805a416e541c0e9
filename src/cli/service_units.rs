//! `recto service`: the units with which systemd starts this program for a data folder. They are
//! those of the Debian package (`packaging/`), with other paths.

use std::io;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use clap::Subcommand;

use crate::cli::config::Flags;
use crate::cli::config::LoadedConfig;
use crate::cli::error::CommandError;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::cli::update;

/// The units of the package.
const SERVICE: &str = include_str!("../../packaging/recto.service");
const SOCKET: &str = include_str!("../../packaging/recto.socket");

/// The first line of the units that this command writes. It removes no others.
const MARK: &str = "# Written by `recto service install`.\n";

/// The folder of the units that an administrator adds.
const UNIT_DIR: &str = "/etc/systemd/system";

/// The settings that the units keep. Others belong in a file that the server reads.
const KEPT_SETTINGS: [&str; 3] = ["data", "state_dir", "listen"];

/// The folders that the unit of the package hides from the server.
const HIDDEN_FOLDERS: [&str; 3] = ["/home", "/root", "/run/user"];

/// The subcommands of `recto service`.
#[derive(Debug, Subcommand)]
pub(super) enum ServiceCommand {
    /// Write systemd units that serve the data folder with this program
    Install(InstallServiceArgs),
    /// Remove these units again; the data folder stays
    Uninstall(UninstallServiceArgs),
}

/// Arguments of `recto service install`.
#[derive(Debug, clap::Args)]
pub(super) struct InstallServiceArgs {
    /// The user to run as; the owner of the data folder, unless given
    #[arg(long, value_name = "NAME", value_parser = parse_user)]
    user: Option<String>,
    #[command(flatten)]
    target: UnitTarget,
    #[command(flatten)]
    flags: Flags,
}

/// Arguments of `recto service uninstall`.
#[derive(Debug, clap::Args)]
pub(super) struct UninstallServiceArgs {
    #[command(flatten)]
    target: UnitTarget,
}

#[derive(Debug, clap::Args)]
struct UnitTarget {
    /// The name of the units
    #[arg(long, value_name = "NAME", default_value = "recto", value_parser = parse_unit_name)]
    name: String,
    /// The folder of the units
    #[arg(long, value_name = "DIR", default_value = UNIT_DIR)]
    unit_dir: PathBuf,
}

/// Everything that differs from the units of the package.
struct UnitValues {
    name: String,
    program: PathBuf,
    data: PathBuf,
    state_dir: Option<PathBuf>,
    user: String,
    listen: String,
}

fn parse_user(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(|it: char| it.is_control() || it.is_whitespace()) {
        return Err("this is no name of a user".to_owned());
    }
    Ok(text.to_owned())
}

fn parse_unit_name(text: &str) -> Result<String, String> {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_.@".contains(&it);
    if text.is_empty() || !text.bytes().all(is_plain) {
        return Err("use letters, digits and - _ . @".to_owned());
    }
    Ok(text.to_owned())
}

pub(super) fn run(command: ServiceCommand) -> Result<(), CommandError> {
    match command {
        ServiceCommand::Install(args) => install(args),
        ServiceCommand::Uninstall(args) => uninstall(&args.target),
    }
}

fn install(args: InstallServiceArgs) -> Result<(), CommandError> {
    if let Some(key) = args.flags.keys().find(|it| !KEPT_SETTINGS.contains(it)) {
        return Err(CommandError::usage(format!(
            "the units do not keep `{key}`: set it in the `recto.toml` of the data folder"
        )));
    }
    let config = LoadedConfig::load_process(&args.flags)?.config;
    let absolute = |path: &Path| {
        resolve(path).map_err(|error| {
            CommandError::usage(format!("cannot find {}: {error}", path.display()))
        })
    };
    let data = absolute(&config.data)?;
    let user = match args.user {
        Some(user) => user,
        None => find_owner(&data)?,
    };
    let name = args.target.name.clone();
    let values = UnitValues {
        program: update::resolve_own_path().map_err(CommandError::failed)?,
        state_dir: config.state_dir.as_deref().map(absolute).transpose()?,
        listen: config.listen.to_string(),
        name,
        data,
        user,
    };
    let units = [("service", values.render_service()?), ("socket", values.render_socket()?)];
    for (kind, text) in units {
        args.target.write_unit(kind, &text)?;
    }
    values.note_missing_folders();
    print_text(&format!(
        "Start it, now and with the machine:\n  systemctl daemon-reload\n  systemctl enable --now {name}.socket {name}.service\n",
        name = values.name
    ))
}

fn uninstall(target: &UnitTarget) -> Result<(), CommandError> {
    let paths = ["service", "socket"].map(|kind| target.path_of(kind));
    let mut is_removed = false;
    for path in &paths {
        let failed =
            |error| CommandError::failed(format!("cannot remove {}: {error}", path.display()));
        match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
            Ok(text) if !text.starts_with(MARK) => {
                let path = path.display();
                let why = format!("{path} was not written by this command, so it stays");
                return Err(CommandError::failed(why));
            }
            Ok(_) => std::fs::remove_file(path).map_err(failed)?,
        }
        is_removed = true;
        print_text(&format!("removed {}\n", path.display()))?;
    }
    if !is_removed {
        let (name, folder) = (&target.name, target.unit_dir.display());
        let why = format!("nothing is removed: {folder} has no units named {name}");
        return Err(CommandError::failed(why));
    }
    print_text("Have systemd forget it:\n  systemctl daemon-reload\n")
}

impl UnitTarget {
    fn path_of(&self, kind: &str) -> PathBuf {
        self.unit_dir.join(format!("{}.{kind}", self.name))
    }

    fn write_unit(&self, kind: &str, text: &str) -> Result<(), CommandError> {
        let path = self.path_of(kind);
        let failed =
            |error| CommandError::failed(format!("cannot write {}: {error}", path.display()));
        match std::fs::read_to_string(&path) {
            Ok(there) if !there.starts_with(MARK) => {
                let path = path.display();
                let why = format!("{path} was not written by this command; choose another --name");
                return Err(CommandError::failed(why));
            }
            _ => {}
        }
        std::fs::write(&path, format!("{MARK}{text}")).map_err(failed)?;
        print_text(&format!("wrote {}\n", path.display()))
    }
}

impl UnitValues {
    /// Prints a note about each folder that does not exist. The units let the server write into it,
    /// and systemd starts no unit that names a folder which is missing.
    fn note_missing_folders(&self) {
        let folders = [Some(&self.data), self.state_dir.as_ref()].into_iter().flatten();
        for folder in folders.filter(|it| !it.is_dir()) {
            let (user, folder) = (&self.user, folder.display());
            print_note(&format!(
                "{folder} does not exist, and systemd starts the server only if it does; create it \
                 first: install -d -o {user} '{folder}'"
            ));
        }
    }

    /// Renders the service, which runs as another user, from another place, for another folder.
    fn render_service(&self) -> Result<String, CommandError> {
        // The program is no argument, so its `$` is one already.
        let (program, data) = (quote(&self.program)?, quote(&self.data)?);
        let state = self.state_dir.as_deref().map(quote).transpose()?;
        let state_flag = state.as_ref().map(|it| format!(" --state-dir {}", escape_variables(it)));
        let state_flag = state_flag.unwrap_or_default();
        let data_flag = escape_variables(&data);
        let working = escape_whole(&self.data)?;
        let writable = [Some(data), state].into_iter().flatten().collect::<Vec<_>>();
        let folders = [Some(&self.program), Some(&self.data), self.state_dir.as_ref()];
        let needs_hidden = folders
            .into_iter()
            .flatten()
            .any(|path| HIDDEN_FOLDERS.iter().any(|hidden| path.starts_with(hidden)));
        let changes = [
            (
                "ExecStart=/usr/bin/recto serve",
                format!("ExecStart={program} serve --data {data_flag}{state_flag}"),
            ),
            ("User=recto", format!("User={}", self.user.replace('%', "%%"))),
            ("Group=recto\n", String::new()),
            (
                "StateDirectory=recto\nStateDirectoryMode=0750",
                format!("ReadWritePaths={}", writable.join(" ")),
            ),
            ("WorkingDirectory=/var/lib/recto", format!("WorkingDirectory={working}")),
            (
                "After=network-online.target recto.socket",
                format!("After=network-online.target {}.socket", self.name),
            ),
            ("ProtectHome=yes", format!("ProtectHome={}", if needs_hidden { "no" } else { "yes" })),
        ];
        Ok(replace_lines(SERVICE, &changes))
    }

    fn render_socket(&self) -> Result<String, CommandError> {
        let changes = [
            ("ListenStream=127.0.0.1:8080", format!("ListenStream={}", self.listen)),
            ("`systemctl edit recto.socket`", format!("`systemctl edit {}.socket`", self.name)),
        ];
        Ok(replace_lines(SOCKET, &changes))
    }
}

/// Replaces texts that a template has; a test checks that it does.
fn replace_lines(template: &str, changes: &[(&str, String)]) -> String {
    changes.iter().fold(template.to_owned(), |text, (from, to)| text.replacen(from, to, 1))
}

/// Returns a path from the root. Links in it stay, unless it leads through a folder above.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    if path.components().any(|it| it == Component::ParentDir) {
        return std::fs::canonicalize(path);
    }
    std::path::absolute(path)
}

/// Escapes a path for a unit, where `%` has a meaning everywhere.
fn escape_path(path: &Path) -> Result<String, CommandError> {
    let refused = || CommandError::usage(format!("systemd cannot use the path {}", path.display()));
    let text = path.to_str().ok_or_else(refused)?;
    let is_normal = path.components().all(|it| it != Component::ParentDir);
    if !is_normal || text.chars().any(|it| it.is_control() || it == '"' || it == '\\') {
        return Err(refused());
    }
    Ok(text.replace('%', "%%"))
}

/// Renders a path that is one of several words.
fn quote(path: &Path) -> Result<String, CommandError> {
    let text = escape_path(path)?;
    Ok(if text.contains([' ', '\'', ';']) { format!("\"{text}\"") } else { text })
}

/// Renders a path that is a whole value. There systemd takes quotes as part of it, and leaves out
/// spaces at its end.
fn escape_whole(path: &Path) -> Result<String, CommandError> {
    let text = escape_path(path)?;
    if text.ends_with(' ') {
        let shown = path.display();
        return Err(CommandError::usage(format!("systemd cannot start in the folder \"{shown}\"")));
    }
    Ok(text)
}

/// Escapes what an argument of a command has instead of variables.
fn escape_variables(word: &str) -> String {
    word.replace('$', "$$")
}

/// Returns the number of the user who owns the data folder.
#[cfg(unix)]
fn find_owner(data: &Path) -> Result<String, CommandError> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(data).map(|it| it.uid().to_string()).map_err(|error| {
        let data = data.display();
        CommandError::usage(format!("--user is needed, since {data} cannot be opened: {error}"))
    })
}

#[cfg(not(unix))]
fn find_owner(_data: &Path) -> Result<String, CommandError> {
    Err(CommandError::usage("--user is needed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(program: &str, data: &str) -> UnitValues {
        UnitValues {
            name: "site".to_owned(),
            program: program.into(),
            data: data.into(),
            state_dir: None,
            user: "robin".to_owned(),
            listen: "0.0.0.0:80".to_owned(),
        }
    }

    #[test]
    fn everything_of_the_package_is_replaced() {
        let units = values("/opt/recto", "/srv/my site");
        let service = units.render_service().unwrap();
        for left in
            ["/usr/bin/recto", "User=recto", "Group=", "/var/lib", "recto.socket", "StateDirectory"]
        {
            assert!(!service.contains(left), "{left} in {service}");
        }
        assert!(service.contains("ExecStart=/opt/recto serve --data \"/srv/my site\"\n"));
        assert!(service.contains("ReadWritePaths=\"/srv/my site\"\n"));
        assert!(service.contains("WorkingDirectory=/srv/my site\n"));
        assert!(service.contains("ProtectHome=yes"));
        let socket = units.render_socket().unwrap();
        assert!(socket.contains("ListenStream=0.0.0.0:80\n") && !socket.contains("recto.socket"));
    }

    #[test]
    fn folders_of_people_are_reachable_if_they_are_needed() {
        let units = values("/usr/bin/recto", "/home/robin/site");
        assert!(units.render_service().unwrap().contains("ProtectHome=no"));
    }

    #[test]
    fn paths_are_taken_literally() {
        let check = |data: &str, argument: &str, writable: &str, working: &str| {
            let service = values("/opt/$x/recto", data).render_service().unwrap();
            for line in [
                format!("ExecStart=/opt/$x/recto serve --data {argument}\n"),
                format!("ReadWritePaths={writable}\n"),
                format!("WorkingDirectory={working}\n"),
            ] {
                assert!(service.contains(&line), "{line} in {service}");
            }
        };
        check("/srv/site", "/srv/site", "/srv/site", "/srv/site");
        check("/srv/100%$x", "/srv/100%%$$x", "/srv/100%%$x", "/srv/100%%$x");
        check("/srv/a b", "\"/srv/a b\"", "\"/srv/a b\"", "/srv/a b");
        check("/srv/a'$;", "\"/srv/a'$$;\"", "\"/srv/a'$;\"", "/srv/a'$;");
        for refused in
            ["/srv/a\nExecStartPre=/bin/evil", "/srv/\"", "/srv/a\\", "/srv/../a", "/srv/a "]
        {
            assert!(values("/usr/bin/recto", refused).render_service().is_err(), "{refused}");
        }
    }
}
