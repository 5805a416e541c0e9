//! Plain requests are answered without hyper: with the same bytes, whoever answers.

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Server;
use crate::support::skip::skipped;

/// A field that makes a request none for the fast path, and says nothing to anybody else.
const NOT_PLAIN: &str = "TE: trailers\r\n";

const LAST: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// The bytes of a file that is not compressed, and much larger than what a socket takes at once.
fn paper() -> Vec<u8> {
    b"%PDF-1.7\n".iter().copied().chain((0..1_000_000_u32).map(|n| (n % 251) as u8)).collect()
}

struct Site {
    _folder: tempfile::TempDir,
    place: Place,
    server: Server,
    ids: Vec<String>,
}

impl Site {
    fn start() -> Site {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::make(folder.path(), &folder.path().join("data"));
        let media = place.data.join("workspaces/default/media");
        fs::create_dir_all(&media).unwrap();
        fs::write(media.join("small.txt"), "text ".repeat(20)).unwrap();
        fs::write(media.join("large.txt"), "text ".repeat(200_000)).unwrap();
        fs::write(media.join("paper.pdf"), paper()).unwrap();
        let server = Server::start(&place);
        let mut writer = Connection::open(&server.address, &place.token).unwrap();
        let entries = "/api/v1/workspaces/default/content/posts";
        let ids = (0..40).map(|n| {
            let values = json!({"title": format!("Post {n}"), "n": n, "body": "word ".repeat(1_000), "status": "published"});
            let (status, created) = writer.try_ask("POST", entries, &values).unwrap();
            assert_eq!(status, 201, "{created}");
            created["data"]["id"].as_str().unwrap().to_string()
        });
        let ids = ids.collect();
        Site { _folder: folder, place, server, ids }
    }

    /// Sends everything at once, and returns all that comes back.
    fn exchange_bytes(&self, requests: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.server.address).unwrap();
        stream.write_all(requests).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// The same as text, but for ids and times.
    fn exchange(&self, requests: &[u8]) -> String {
        mask(&self.exchange_bytes(requests))
    }

    /// The heads of plain requests: each without the empty line at its end.
    fn heads(&self) -> Vec<String> {
        let (api, id) = ("/api/v1/workspaces/default", &self.ids[0]);
        let tag = self.tag(&format!("{api}/content/posts/{id}"));
        let token = format!("Authorization: Bearer {}", self.place.token);
        let targets = [
            (format!("{api}/content/posts/{id}"), vec![""]),
            (format!("{api}/content/posts/{id}?locale=en&fields=n"), vec!["", &token]),
            (format!("{api}/content/posts/nothing"), vec!["", &token]),
            (format!("{api}/content/posts/%66"), vec![""]),
            (format!("{api}/content/posts/{id}"), vec![&token, "Authorization: Bearer no"]),
            (format!("{api}/content/posts/{id}"), vec![&tag, "If-None-Match: \"other\""]),
            (format!("{api}/content/posts"), vec!["", &token, "Accept-Encoding: gzip, br"]),
            (format!("{api}/content/posts?limit=3&offset=7&sort=n"), vec!["", "Origin: http://a"]),
            (format!("{api}/content/posts?q=word&limit=2"), vec![""]),
            (format!("{api}/content/posts?filter[n]=3&limit=x"), vec!["", "X-Request-Id: mine"]),
            (format!("{api}/bundle"), vec!["", &token]),
            (format!("{api}/content-types"), vec!["", "Connection: Keep-Alive"]),
            (format!("{api}/openapi.json"), vec!["Accept-Encoding: gzip"]),
            (format!("{api}/events"), vec![""]),
            ("/media/default/small.txt".into(), vec!["", "Range: bytes=2-9"]),
            ("/media/default/large.txt".into(), vec!["", "Range: bytes=900000-", &token]),
            (
                "/media/default/paper.pdf".into(),
                vec!["", "Accept-Encoding: gzip", "Range: bytes=3-70000"],
            ),
            ("/media/default/none.txt".into(), vec![""]),
            ("/api/v1/preview.js".into(), vec![""]),
            ("/admin/api/session".into(), vec!["", &token]),
            ("/readyz".into(), vec!["", "Expect: 100-continue", "Upgrade: h2c"]),
            ("/nowhere?a=%FF".into(), vec!["", "Origin: null"]),
            ("/api/v1/workspaces/none/content/posts".into(), vec![""]),
        ];
        let heads = targets.iter().flat_map(|(target, fields)| {
            let line = |field: &&str| {
                if field.is_empty() { String::new() } else { format!("{field}\r\n") }
            };
            fields.iter().map(move |it| format!("GET {target} HTTP/1.1\r\nHost: x\r\n{}", line(it)))
        });
        heads.collect()
    }

    fn tag(&self, path: &str) -> String {
        let mut connection = Connection::open(&self.server.address, &self.place.token).unwrap();
        let reply = connection.exchange("GET", path, "", &Value::Null).unwrap();
        assert_eq!(reply.status, 200);
        format!("If-None-Match: {}", reply.tag)
    }
}

/// Replaces what differs from answer to answer.
fn mask(bytes: &[u8]) -> String {
    let mut text: String = bytes.iter().copied().map(char::from).collect();
    for name in ["date: ", "x-request-id: "] {
        let values: BTreeSet<String> =
            text.split("\r\n").filter_map(|it| it.strip_prefix(name)).map(str::to_string).collect();
        for value in values {
            text = match name {
                // A file may have been changed in the same second.
                "date: " => text.replace(&format!("\r\ndate: {value}"), "\r\ndate: ?"),
                _ => text.replace(&value, "?"),
            };
        }
    }
    text
}

#[test]
fn plain_requests_are_answered_as_hyper_does() {
    let site = Site::start();
    let mut statuses = Vec::new();
    for head in site.heads() {
        let ask_plainly = || site.exchange(format!("{head}\r\n{LAST}").as_bytes());
        let mut plain = ask_plainly();
        loop {
            let by_hyper = site.exchange(format!("{head}{NOT_PLAIN}\r\n{LAST}").as_bytes());
            // The files are read in the background, which changes what is said of them.
            let again = ask_plainly();
            if plain == again {
                assert_eq!(plain, by_hyper, "{head}");
                break;
            }
            plain = again;
        }
        assert!(plain.matches("HTTP/1.1 ").count() >= 2, "{head}: {plain}");
        statuses.push(plain.split(' ').nth(1).unwrap().to_string());
    }
    for status in ["200", "206", "304", "401", "404", "422"] {
        assert!(statuses.iter().any(|it| it == status), "{status} is not in {statuses:?}");
    }
}

#[test]
fn many_requests_at_once_are_answered_in_their_order() {
    let site = Site::start();
    let heads = site.heads();
    let heads: Vec<&String> =
        heads.iter().filter(|it| !it.contains("Expect") && !it.contains("Upgrade")).collect();
    let all: String = heads.iter().map(|it| format!("{it}\r\n")).collect();
    let ask_one_by_one = || -> String {
        let answers = heads.iter().map(|it| {
            let both = site.exchange(format!("{it}\r\n{LAST}").as_bytes());
            let last = both.rfind("HTTP/1.1 200 OK").unwrap();
            both[..last].to_string()
        });
        answers.collect()
    };
    let mut one_by_one = ask_one_by_one();
    loop {
        let together = site.exchange(format!("{all}{LAST}").as_bytes());
        let again = ask_one_by_one();
        if one_by_one == again {
            let last = together.rfind("HTTP/1.1 200 OK").unwrap();
            assert_eq!(together[..last], one_by_one);
            return;
        }
        one_by_one = again;
    }
}

/// A client that does not read yet gets everything later.
#[test]
fn large_files_wait_for_their_reader() {
    let site = Site::start();
    let file = "GET /media/default/paper.pdf HTTP/1.1\r\nHost: x\r\n\r\n";
    let paper = paper();
    let sent = site.exchange_bytes(format!("{}{LAST}", file.repeat(30)).as_bytes());
    let mut rest = &sent[..];
    for number in 1..=30 {
        let (_, body) = split_answer(&mut rest).unwrap();
        assert!(body == paper, "body {number} of 30");
    }
    assert!(rest.starts_with(b"HTTP/1.1 200 OK"));
}

/// However a head is cut, it is one request.
#[test]
fn heads_may_come_in_pieces() {
    let site = Site::start();
    let target = format!("/api/v1/workspaces/default/content/posts/{}", site.ids[0]);
    let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n");
    let whole = site.exchange(format!("{head}{LAST}").as_bytes());
    for at in (1..head.len()).step_by(7) {
        let mut stream = TcpStream::connect(&site.server.address).unwrap();
        stream.set_nodelay(true).unwrap();
        let (first, rest) = head.split_at(at);
        stream.write_all(first.as_bytes()).unwrap();
        // Another connection is answered meanwhile, so the first piece has been read.
        site.exchange(LAST.as_bytes());
        stream.write_all(format!("{rest}{LAST}").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        assert_eq!(mask(&bytes), whole, "cut at {at}");
    }
}

/// What is no sound request is refused on the fast path as everywhere, and ends the connection.
#[test]
fn unsound_heads_are_refused() {
    let site = Site::start();
    let target = format!("/api/v1/workspaces/default/content/posts/{}", site.ids[0]);
    let plain = format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n");
    for fields in [
        "",
        "Host: x\r\nHost: y\r\n",
        "Host: a/b\r\n",
        "Host: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n",
        "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n",
        "Host: x\r\nContent-Length : 1\r\n",
        "Host: x\nX: y\r\n",
        "Host: x\r\n folded: y\r\n",
        "Host: x\r\nX: a\0b\r\n",
    ] {
        let bad = format!("GET {target} HTTP/1.1\r\n{fields}\r\n");
        for before in [String::new(), plain.clone()] {
            let answer = site.exchange(format!("{before}{bad}{plain}").as_bytes());
            let n = usize::from(!before.is_empty());
            assert_eq!(answer.matches("HTTP/1.1 200 ").count(), n, "{fields:?}: {answer}");
            assert_eq!(answer.matches("HTTP/1.1 400 ").count(), 1, "{fields:?}: {answer}");
            assert!(answer.contains("connection: close"), "{fields:?}: {answer}");
        }
    }
}

/// A change of a file, which returns its new bytes.
type FileChange<'a> = &'a dyn Fn(&Path) -> Vec<u8>;

/// What is under way is sent as it was when it was asked for, however the file changes meanwhile,
/// if it is small enough to be kept in memory. So it is once the system sends a private copy.
#[test]
fn a_file_that_is_written_while_it_is_sent_is_not_mixed() {
    const N_ANSWERS: usize = 30;
    let old = paper();
    let other: Vec<u8> = old.iter().map(|it| !it).collect();
    let write_over = |path: &Path| {
        let mut file = File::options().write(true).open(path).unwrap();
        file.write_all(&other).unwrap();
        other.clone()
    };
    let write_anew = |path: &Path| {
        fs::write(path, [&other[..], &other].concat()).unwrap();
        [&other[..], &other].concat()
    };
    let cut = |path: &Path| {
        File::options().write(true).open(path).unwrap().set_len(100_001).unwrap();
        old[..100_001].to_vec()
    };
    let changes: [(&str, FileChange<'_>); 3] =
        [("written over", &write_over), ("written anew", &write_anew), ("cut", &cut)];
    let ways = if cfg!(target_os = "linux") { &[false, true][..] } else { &[false] };
    for (is_copied, (what, change)) in ways.iter().flat_map(|it| changes.map(|of| (it, of))) {
        let site = Site::start();
        let request = "GET /media/default/paper.pdf HTTP/1.1\r\nHost: x\r\n\r\n";
        // From now on it is in memory.
        assert!(site.exchange_bytes(format!("{request}{LAST}").as_bytes()).len() > old.len());
        if *is_copied && !wait_until_copied(&site, request, &old) {
            continue;
        }
        let mut stream = TcpStream::connect(&site.server.address).unwrap();
        stream.write_all(format!("{}{LAST}", request.repeat(N_ANSWERS)).as_bytes()).unwrap();
        let n_held = wait_until_full(&site, &stream);
        assert!(n_held < N_ANSWERS * old.len() / 2, "all of it fits between them");
        let new = change(&site.place.data.join("workspaces/default/media/paper.pdf"));
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let (mut rest, mut bodies) = (&bytes[..], Vec::new());
        while let Some((status, body)) = split_answer(&mut rest) {
            assert!(["200", "503"].contains(&status.as_str()), "{status}");
            bodies.extend((status == "200").then_some(body));
        }
        assert_eq!(bodies.pop(), Some(&b"ok\n"[..]));
        assert!(!bodies.is_empty());
        for (number, body) in bodies.into_iter().enumerate() {
            assert!(body == old || number > 0 && body == new, "body {number} is a mixture: {what}");
        }
    }
}

/// Asks for a file until the system sends a private copy of it, and looks at each answer. Returns
/// false where the system sends none.
fn wait_until_copied(site: &Site, request: &str, old: &[u8]) -> bool {
    for _ in 0..400 {
        let read_before = site.server.count_read_bytes();
        assert!(ask_eight_times(site, request).iter().all(|it| it == old));
        // The system counts what it sends as read. What is sent from memory was read long ago.
        if site.server.count_read_bytes() - read_before >= 8 * old.len() as u64 {
            return true;
        }
    }
    let reason = "no file is copied on this file system, or less than 512 MiB are free";
    assert!(!sends_copies(&site.place.data), "no copy was sent");
    skipped(reason);
    false
}

/// Returns true if copies are sent from this folder for certain.
fn sends_copies(folder: &Path) -> bool {
    const EXT4_XFS_BTRFS_TMPFS: [i128; 4] = [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994];
    let (found, free) = (rustix::fs::statfs(folder).unwrap(), rustix::fs::statvfs(folder).unwrap());
    let kind = i128::from(found.f_type) & 0xffff_ffff;
    EXT4_XFS_BTRFS_TMPFS.contains(&kind) && free.f_bavail * free.f_frsize > 1 << 30
}

/// Returns the bodies of eight answers to the same request.
fn ask_eight_times(site: &Site, request: &str) -> Vec<Vec<u8>> {
    let answers = site.exchange_bytes(format!("{}{LAST}", request.repeat(8)).as_bytes());
    let mut rest = &answers[..];
    let bodies: Vec<_> = std::iter::from_fn(|| split_answer(&mut rest)).collect();
    bodies.into_iter().take(8).map(|(_, body)| body.to_vec()).collect()
}

/// Files that are asked for often are sent from private copies: the same bytes, whatever the way.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_asked_for_often_is_sent_by_the_system() {
    let (site, paper) = (Site::start(), paper());
    let request = "GET /media/default/paper.pdf HTTP/1.1\r\nHost: x\r\n\r\n";
    if !wait_until_copied(&site, request, &paper) {
        return;
    }
    assert_eq!(site.server.count_private_files(), 1);
    let with = |field: &str| request.replace("Host: x\r\n", &format!("Host: x\r\n{field}"));
    let (hyper, part) = (with(NOT_PLAIN), with("Range: bytes=70000-70009\r\n"));
    let small = request.replace("paper.pdf", "small.txt");
    let all = [request, &part, request, &small, request, &hyper, &part, request].concat();
    let answers = site.exchange_bytes(format!("{all}{LAST}").as_bytes());
    let mut rest = &answers[..];
    let bodies: Vec<_> = std::iter::from_fn(|| split_answer(&mut rest)).collect();
    let (whole, ten, text) = (&paper[..], &paper[70_000..70_010], "text ".repeat(20));
    let text = text.as_bytes();
    let expected = [whole, ten, whole, text, whole, whole, ten, whole, b"ok\n"];
    assert!(bodies.iter().map(|(_, body)| *body).eq(expected));
    let head = request.replacen("GET", "HEAD", 1);
    assert!(site.exchange_bytes(format!("{head}{LAST}").as_bytes()).len() < 2_000);
    // Other bytes are another file, which is copied in its turn.
    let anew = [&paper[..], b"more"].concat();
    fs::write(site.place.data.join("workspaces/default/media/paper.pdf"), &anew).unwrap();
    while !ask_eight_times(&site, request).contains(&anew) {}
    assert!(wait_until_copied(&site, request, &anew));
}

/// Waits until nothing more comes to a client that does not read, and returns how many bytes did.
fn wait_until_full(site: &Site, stream: &TcpStream) -> usize {
    let mut buffer = vec![0; 16 << 20];
    let mut peeked = 0;
    loop {
        // The server has answered others often meanwhile, so this one has had its turns.
        (0..20).for_each(|_| _ = site.exchange_bytes(LAST.as_bytes()));
        let now = stream.peek(&mut buffer).unwrap();
        if now == peeked {
            return now;
        }
        peeked = now;
    }
}

/// Takes the status and the body of the next answer.
fn split_answer<'a>(rest: &mut &'a [u8]) -> Option<(String, &'a [u8])> {
    let end = rest.windows(4).position(|it| it == b"\r\n\r\n")? + 4;
    let head = String::from_utf8(rest[..end].to_vec()).unwrap();
    let length = head.split_once("content-length: ").unwrap().1.split("\r\n").next().unwrap();
    let (body, after) = rest[end..].split_at(length.parse().unwrap());
    *rest = after;
    Some((head.split(' ').nth(1).unwrap().to_string(), body))
}
