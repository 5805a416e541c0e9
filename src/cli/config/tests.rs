//! Tests of the precedence of sources and of invalid settings.

use std::fs;
use std::path::Path;

use super::*;
use crate::cli::config::load::ConfigSources;
use crate::cli::config::value::format_value;
use crate::cli::error::CommandError;

/// Loads the configuration of a working folder with these files.
fn load(
    flags: &[(&'static str, &str)],
    env: &[(&str, &str)],
    files: &[(&str, &str)],
) -> LoadedConfig {
    try_load(flags, env, files).unwrap()
}

fn try_load(
    flags: &[(&'static str, &str)],
    env: &[(&str, &str)],
    files: &[(&str, &str)],
) -> Result<LoadedConfig, CommandError> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join("work").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let flags = flags.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
    let variable = |name: &str| {
        env.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
    };
    LoadedConfig::load(ConfigSources {
        flags: &flags,
        environment: &variable,
        working_folder: &folder.path().join("work"),
        system_file: &folder.path().join("etc/recto.toml"),
    })
}

fn row(loaded: &LoadedConfig, key: &str) -> (String, SettingSource) {
    let (_, value, source) = loaded.rows().find(|(setting, ..)| setting.key() == key).unwrap();
    (format_value(&value), source.clone())
}

#[test]
fn the_table_is_sound() {
    let defaults = Config::default();
    for setting in settings() {
        let again = format_value(&setting.show(&defaults));
        let mut config = Config::default();
        setting.take(&mut config, &again).unwrap_or_else(|problem| {
            assert!(again.is_empty(), "{}: {again}: {problem}", setting.key());
        });
        assert_eq!(format_value(&setting.show(&config)), again, "{}", setting.key());
        assert_eq!(setting.key().replace(['.', '_'], "-"), setting.flag());
    }
    assert_eq!(settings().next().unwrap().key(), "data");
}

#[test]
fn what_is_said_closer_counts_more() {
    let settings = ("data/system/settings.json", r#"{"cache":{"max_age":1},"site_name":"x"}"#);
    let at_work = ("recto.toml", "workers = 3\n[cache]\nmax_age = 2\n");
    let in_data = ("data/recto.toml", "\n[cache]\nmax_age = 3\n");
    let env = [("RECTO_CACHE_MAX_AGE", "4")];
    let flags = [("cache.max_age", "5")];
    let check = |loaded: LoadedConfig, expect: &str, source: &str| {
        let (value, from) = row(&loaded, "cache.max_age");
        assert_eq!(value, expect);
        assert!(from.to_string().ends_with(source), "{from}");
    };
    check(load(&[], &[], &[]), "0", "default");
    check(load(&[], &[], &[settings]), "1", "system/settings.json");
    check(load(&[], &[], &[settings, at_work]), "2", "/recto.toml:3");
    check(load(&[], &[], &[settings, at_work, in_data]), "3", "data/recto.toml:3");
    check(load(&[], &env, &[settings, at_work, in_data]), "4", "RECTO_CACHE_MAX_AGE");
    check(load(&flags, &env, &[settings, at_work, in_data]), "5", "flag --cache-max-age");
    // Only one of the two files is used.
    let both = load(&[], &[], &[at_work, in_data]);
    assert_eq!(row(&both, "workers").1, SettingSource::Default);
}

#[test]
fn the_data_folder_is_named_first() {
    fn check(
        flags: &[(&'static str, &str)],
        env: &[(&str, &str)],
        files: &[(&str, &str)],
        expect: &str,
    ) {
        let (named, source) = row(&load(flags, env, files), "data");
        match source {
            SettingSource::File(..) => assert!(Path::new(&named).ends_with(expect), "{named}"),
            _ => assert_eq!(named, expect),
        }
    }
    let at_work = ("recto.toml", "data = \"content\"");
    check(&[], &[], &[], "./data");
    check(&[], &[("RECTO_DATA", "")], &[at_work], "content");
    check(&[], &[("RECTO_DATA", "else")], &[at_work], "else");
    check(&[("data", "x")], &[("RECTO_DATA", "else")], &[at_work], "x");
    check(&[("data", ".")], &[], &[at_work], ".");
    let found = load(&[], &[], &[at_work, ("content/recto.toml", "listen = \"127.0.0.1:1\"")]);
    assert_eq!(row(&found, "listen").0, "127.0.0.1:1");
}

#[test]
fn relative_paths_in_a_file_are_relative_to_it() {
    let text = "state_dir = 'state'\n[tls]\ncert = 'a.pem'\nkey = '/b.pem'\nacme_roots = ''\n\
                [backups]\ntarget = '../kept'\npassphrase_file = 'word'\n";
    let check = |loaded: &LoadedConfig, key: &str, expect: &str| {
        let (value, _) = row(loaded, key);
        assert!(value.ends_with(expect), "{value}");
    };
    for (path, folder) in [("recto.toml", "work/"), ("data/recto.toml", "work/data/")] {
        let loaded = load(&[], &[], &[(path, text)]);
        check(&loaded, "state_dir", &format!("{folder}state"));
        check(&loaded, "tls.cert", &format!("{folder}a.pem"));
        check(&loaded, "backups.target", &format!("{folder}../kept"));
        check(&loaded, "backups.passphrase_file", &format!("{folder}word"));
        assert_eq!(row(&loaded, "tls.key").0, "/b.pem");
        assert_eq!(row(&loaded, "tls.acme_roots").0, "");
    }
    let bucket = load(&[], &[], &[("data/recto.toml", "[backups]\ntarget = 's3://b/c'\n")]);
    assert_eq!(row(&bucket, "backups.target").0, "s3://b/c");
    let given = load(&[("tls.cert", "a.pem")], &[("RECTO_TLS_KEY", "b.pem")], &[]);
    assert_eq!(
        (row(&given, "tls.cert").0, row(&given, "tls.key").0),
        ("a.pem".into(), "b.pem".into())
    );
}

#[test]
fn what_is_wrong_names_its_place() {
    let check = |files: &[(&str, &str)], expect: &str| {
        let error = try_load(&[], &[], files).unwrap_err().to_string();
        assert!(error.ends_with(expect), "{error}");
    };
    check(&[("recto.toml", "\n\nport = 1")], "recto.toml:3: there is no setting `port`");
    check(&[("recto.toml", "[cache]\nage = 1")], "recto.toml:2: there is no setting `cache.age`");
    check(&[("data/recto.toml", "data = 'x'")], "`data` cannot be set inside the data folder");
    let number = "write a whole number, 1 or more";
    check(&[("recto.toml", "workers = 0")], number);
    assert!(try_load(&[], &[], &[("recto.toml", "workers = ")]).is_err());
    assert!(try_load(&[], &[], &[("recto.toml", "workers = 1.5")]).is_err());
    assert!(try_load(&[], &[("RECTO_LOG", "xml")], &[]).is_err());
    check(
        &[("recto.toml", "store = 'postgre://u:SEC@h/db'")],
        "`***` is not a valid `store`: must be an address like `postgres://user@host/name`",
    );
}

#[test]
fn what_the_interface_saved_never_stops_a_start() {
    let path = "data/system/settings.json";
    let check = |text: &str, n_warnings: usize| {
        let loaded = load(&[], &[], &[(path, text)]);
        assert_eq!(loaded.warnings.len(), n_warnings, "{:?}", loaded.warnings);
    };
    check("{", 1);
    check("[]", 1);
    check(r#"{"cache":{"max_age":"soon"}}"#, 1);
    // Settings that the interface cannot edit are ignored in its file.
    check(r#"{"listen":"nowhere"}"#, 0);
    let loaded = load(&[], &[], &[(path, r#"{"cors":{"origins":["https://a.org"]}}"#)]);
    assert_eq!(
        row(&loaded, "cors.origins"),
        ("https://a.org".to_owned(), SettingSource::Interface)
    );
}

#[test]
fn urls_begin_with_something_that_works() {
    let check = |listen: &str, expect: &str| {
        let loaded = load(&[("listen", listen)], &[], &[]);
        assert_eq!(row(&loaded, "base_url").0, expect);
    };
    check("127.0.0.1:81", "http://localhost:81");
    check("0.0.0.0:81", "http://localhost:81");
    check("[::]:81", "http://localhost:81");
    check("192.0.2.1:81", "http://192.0.2.1:81");
    check("[2001:db8::1]:81", "http://[2001:db8::1]:81");
}

#[test]
fn the_file_of_the_machine_counts_where_nothing_else_names_a_folder() {
    let system = ("../etc/recto.toml", "data = \"/var/lib/recto\"\nworkers = 3\n");
    let data = |flags: &[(&'static str, &str)], env: &[(&str, &str)], files: &[(&str, &str)]| {
        let loaded = load(flags, env, files);
        (row(&loaded, "data").0, row(&loaded, "workers").0 == "3")
    };
    let of_machine = ("/var/lib/recto".to_owned(), true);
    assert_eq!(data(&[], &[], &[system]), of_machine);
    let own = ("./own".to_owned(), false);
    assert_eq!(data(&[("data", "./own")], &[], &[system]), own);
    assert_eq!(data(&[], &[("RECTO_DATA", "./own")], &[system]), own);
    let (named, is_of_machine) = data(&[], &[], &[system, ("recto.toml", "data = \"./own\"\n")]);
    assert!(Path::new(&named).ends_with("work/own") && !is_of_machine, "{named}");
    assert_eq!(data(&[], &[], &[system, ("data/note", "")]), ("./data".to_owned(), false));
}

#[test]
fn a_header_names_the_user_or_something_else() {
    for good in ["Remote-User", "X-Forwarded-Email", "cf-access-authenticated-user-email"] {
        let config = load(&[("login.proxy_header", good)], &[], &[]).config;
        assert_eq!(config.proxy_header, Some(good.to_lowercase()));
        assert_eq!(config.proxy_login().unwrap().header, good.to_lowercase().as_str());
    }
    assert!(load(&[], &[], &[]).config.proxy_login().is_none());
    for wrong in ["Remote User", "Cookie", "authorization", "X-Forwarded-For", "Host", "a:b"] {
        assert!(try_load(&[("login.proxy_header", wrong)], &[], &[]).is_err(), "{wrong}");
    }
    for wrong in ["//evil.example", "javascript:alert(1)", "auth.example"] {
        assert!(try_load(&[("login.proxy_logout_url", wrong)], &[], &[]).is_err(), "{wrong}");
    }
    for wrong in ["-1", "many", "1000001"] {
        assert!(try_load(&[("rate_limit.per_token", wrong)], &[], &[]).is_err(), "{wrong}");
    }
}
