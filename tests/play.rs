//! The page's server from outside: who is let in, what is taken, and that nothing sent to it ends a game.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than anything takes, even where a machine is busy with other things.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server that runs, and a browser that has opened its link.
struct Play {
    child: Child,
    address: String,
    token: String,
    folder: PathBuf,
}

/// A folder of its own for a test. A run that was killed may have left one of this name behind.
fn empty(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("trencavel-play-{}-{test}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Play {
    fn start(test: &str, line: &str) -> Self {
        Self::start_in(empty(test), line)
    }

    fn start_in(folder: PathBuf, line: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trencavel"))
            .args(["play", "--no-open"])
            .args(line.split_whitespace())
            .current_dir(&folder)
            .env_remove("XDG_DATA_HOME")
            .env("HOME", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let mut first = String::new();
        out.read_line(&mut first).expect("a line");
        let link = first.trim().strip_prefix("playing on http://").unwrap_or_else(|| panic!("no link in `{first}`"));
        let (address, token) = link.split_once("/?token=").expect("a token");
        Self { address: address.to_owned(), token: token.to_owned(), child, folder }
    }

    /// Sends a request as it stands.
    fn raw(&self, text: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // A server that has read enough may close before everything is written.
        let _ = stream.write_all(text);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// What comes on a stream that does not end, until it has all of this. `meanwhile` happens once the stream has begun.
    fn stream(&self, path: &str, wanted: &[&str], meanwhile: impl FnOnce()) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let head = format!("GET {path} HTTP/1.1\r\n{}\r\n{}\r\n\r\n", self.host(), self.cookie());
        stream.write_all(head.as_bytes()).expect("sent");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let (mut bytes, mut part, mut meanwhile) = (Vec::new(), [0; 1 << 16], Some(meanwhile));
        loop {
            let length = stream.read(&mut part).expect("more of the stream");
            bytes.extend_from_slice(&part[..length]);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(length > 0, "the stream ends without {wanted:?}: {text}");
            if let Some(meanwhile) = meanwhile.take_if(|_| text.contains("\r\n\r\n")) {
                meanwhile();
            }
            if wanted.iter().all(|wanted| text.contains(wanted)) {
                return text;
            }
        }
    }

    fn request(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        headers.iter().for_each(|header| text += &format!("{header}\r\n"));
        self.raw(&[text.as_bytes(), b"\r\n", body].concat())
    }

    fn host(&self) -> String {
        format!("Host: {}", self.address)
    }

    fn cookie(&self) -> String {
        let (_, port) = self.address.rsplit_once(':').expect("a port");
        format!("Cookie: trencavel-{port}={}", self.token)
    }

    fn origin(&self) -> String {
        format!("Origin: http://{}", self.address)
    }

    /// As the page itself asks.
    fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[&self.host(), &self.cookie()], b"")
    }

    fn post(&self, path: &str, body: &[u8]) -> Answer {
        self.request("POST", path, &[&self.host(), &self.cookie(), &self.origin()], body)
    }

    /// The page, as soon as it shows this.
    fn page_with(&self, wanted: &str) -> String {
        let begun = Instant::now();
        loop {
            let page = self.get("/").body;
            if page.contains(wanted) {
                return page;
            }
            assert!(begun.elapsed() < PATIENCE, "no `{wanted}` in\n{page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Gives the first answer that the page offers. Gives what comes of it, and the order that did it.
    fn try_first(&self) -> (Answer, String) {
        let page = self.page_with("data-answer=");
        let (_, rest) = page.split_once("data-answer=\"").expect("an offer");
        let (answer, _) = rest.split_once('"').expect("an answer");
        let order = format!("{{\"do\":\"answer\",\"text\":\"{answer}\",\"at\":{}}}", number(&page));
        (self.post("/do", order.as_bytes()), order)
    }

    /// Gives the first answer that the page offers, and the number of the decision it stood at.
    fn go_on(&self) -> usize {
        let at = number(&self.page_with("data-answer="));
        let (given, order) = self.try_first();
        assert_eq!((given.status, given.body.as_str()), (204, ""), "{order}");
        at
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        // Both may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The decision at which a page stands.
fn number(page: &str) -> usize {
    let (_, rest) = page.split_once("<h2 tabindex=\"-1\" data-at=\"").expect("a decision");
    let (number, _) = rest.split_once('"').expect("its number");
    number.parse().expect("a number")
}

#[test]
fn only_the_link_lets_a_browser_in_and_only_our_own_page_may_ask() {
    let play = Play::start("guard", "--seed 1");
    let (host, cookie, origin) = (play.host(), play.cookie(), play.origin());
    let opened = play.request("GET", &format!("/?token={}", play.token), &[&host], b"");
    assert_eq!(opened.status, 303);
    assert!(opened.head.contains("\r\nlocation: /\r\n"), "{}", opened.head);
    assert!(opened.head.contains("httponly; samesite=strict"), "{}", opened.head);
    assert_eq!(play.get("/").status, 200);
    let body = br#"{"do":"undo"}"#;
    for (path, method) in [("/", "GET"), ("/events", "GET"), ("/save", "GET"), ("/page.js", "GET"), ("/do", "POST")] {
        for headers in [
            vec![host.as_str(), &origin],
            vec![&host, &origin, "Cookie: trencavel-1=x"],
            vec!["Host: evil.example", &cookie],
            vec![&host, &cookie, "Origin: http://evil.example"],
            vec![&host, &cookie, "Origin: null"],
        ] {
            assert_eq!(play.request(method, path, &headers, body).status, 403, "{method} {path} {headers:?}");
        }
    }
    assert_eq!(play.request("POST", "/do", &[&host, &cookie], body).status, 403, "without an origin");
    assert_eq!(play.request("GET", "/?token=0123", &[&host], b"").status, 403);
    assert_eq!(play.get("/etc/passwd").status, 404);
    play.go_on();
}

#[test]
fn the_page_asks_nothing_of_anybody_else() {
    let play = Play::start("policy", "--with constable --seed 1");
    let page = play.page_with("data-answer=");
    let answer = play.get("/");
    for wanted in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "nosniff", "no-referrer"] {
        assert!(answer.head.contains(wanted), "{wanted} in {}", answer.head);
    }
    assert!(!page.contains(" style=") && !page.contains(" onclick="), "the policy would refuse it");
    for text in [page, play.get("/page.js").body, play.get("/page.css").body] {
        let ours = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!ours.contains("http:") && !ours.contains("https:") && !ours.contains("//cdn"), "{ours}");
    }
}

#[test]
fn a_malformed_message_is_answered_and_the_game_goes_on() {
    let play = Play::start("malformed", "--seed 1");
    let deep = "[".repeat(4000);
    for body in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"do\":\"fly\"}",
        "{\"do\":\"go\"}",
        "{\"do\":\"go\",\"to\":-1}",
        "{\"do\":\"answer\",\"text\":7,\"at\":0}",
        "{\"do\":\"undo\",\"more\":1}",
        "\u{0}\u{1}",
        deep.as_str(),
    ] {
        let answer = play.post("/do", body.as_bytes());
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert!(answer.body.starts_with("this is no order: "), "{}", answer.body);
    }
    for body in [
        "{\"do\":\"go\",\"to\":99}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"redo\"}",
        "{\"do\":\"sit\",\"player\":9,\"who\":\"random\"}",
        "{\"do\":\"sit\",\"player\":1,\"who\":\"nobody\"}",
        "{\"do\":\"answer\",\"text\":\"sing\",\"at\":0}",
        "{\"do\":\"answer\",\"text\":\"pass\",\"at\":0}",
        "{\"do\":\"answer\",\"text\":\"place 0,0 r0\",\"at\":0}",
        "{\"do\":\"answer\",\"text\":\"pass\",\"at\":5}",
    ] {
        let answer = play.post("/do", body.as_bytes());
        assert_eq!(answer.status, 409, "{body}: {}", answer.body);
        assert!(!answer.body.is_empty(), "{body}");
    }
    assert_eq!(play.post("/do", &[b' '; 5000]).status, 413, "too long");
    assert_eq!(play.post("/load", &vec![b'a'; 2 << 20]).status, 413, "too long");
    assert_eq!(play.post("/load", b"\xff\xfe").status, 400);
    assert_eq!(play.post("/load", b"no save").status, 409);
    assert_eq!(play.raw(b"nonsense\r\n\r\n").status, 400);
    assert_eq!(play.request("BREW", "/do", &[&play.host(), &play.cookie(), &play.origin()], b"").status, 405);
    let first = play.go_on();
    assert_ne!(play.go_on(), first);
}

#[test]
fn a_saved_game_is_loaded_again() {
    let play = Play::start("save", "--with the-tower --seed 5");
    (0..6).for_each(|_| {
        play.go_on();
    });
    let save = play.get("/save");
    assert!(save.head.contains("attachment; filename=\"game.replay\""), "{}", save.head);
    assert!(
        save.body.starts_with("trencavel-replay 1\n") && save.body.contains("expansion the-tower "),
        "{}",
        save.body
    );
    let other = Play::start("load", "--seed 9");
    assert_eq!(other.post("/load", save.body.as_bytes()).status, 204);
    other.page_with("A save was loaded.");
    assert_eq!(other.get("/save").body, save.body);
    other.go_on();
    fs::write(play.folder.join("game.replay"), &save.body).expect("a file");
    let folder = play.folder.clone();
    let third = Play::start_in(folder, "game.replay");
    assert_eq!(third.get("/save").body, save.body);
}

#[test]
fn a_browser_is_sent_what_it_does_not_have() {
    let play = Play::start("events", "--seed 1");
    let page = play.page_with("data-answer=");
    let (_, rest) = page.split_once("<body data-page=\"").expect("a page");
    let (serial, _) = rest.split_once('"').expect("its number");
    play.stream("/events", &["event: page", "\"defs\":", "\"board\":"], || {});
    let news = play.stream(&format!("/events?seen={serial}"), &["text/event-stream", "\"board\":"], || {
        play.go_on();
    });
    let (_, events) = news.split_once("\r\n\r\n").expect("events");
    assert_eq!(events.matches("event: page").count(), 1, "nothing was sent before something changed: {news}");
    assert!(!news.contains("\"defs\":"), "shapes are sent once: {news}");
}

#[test]
fn bots_play_a_whole_game() {
    let play = Play::start("bots", "--bots 2 --pace 0 --with constable --seed 2");
    let page = play.page_with("The game is over");
    assert!(page.contains(" points</p>"), "the winner is named");
}

/// A bot that thinks for days, in the first place.
const THINKER: &str = "seed = 2
players = [ { name = \"Ann\", bot = \"mcts:4000000000\" }, { name = \"Bob\" } ]
";

#[test]
fn while_a_bot_thinks_orders_are_taken() {
    let folder = empty("thinks");
    fs::write(folder.join("game.toml"), THINKER).expect("a game file");
    let play = Play::start_in(folder, "game.toml --pace 0");
    play.page_with("data-sit=\"0\"");
    let order = |text: &str| play.post("/do", text.as_bytes());
    let early = order("{\"do\":\"answer\",\"text\":\"pass\",\"at\":0}");
    assert_eq!((early.status, early.body.as_str()), (409, "a bot decides here"));
    // Another bot does not wait for the thoughts of the first.
    for who in ["mcts:4000000000", "person", "mcts:4000000000", "greedy"] {
        assert_eq!(order(&format!("{{\"do\":\"sit\",\"player\":0,\"who\":\"{who}\"}}")).status, 204, "{who}");
    }
    let page = play.page_with("Bob: ");
    assert!(number(&page) > 0, "the second bot has decided");
    play.go_on();
}

#[test]
fn the_limits_of_a_game_file_hold_and_are_saved() {
    let folder = empty("limits");
    let players = "seed = 2\nplayers = [ { name = \"Ann\" }, { name = \"Bob\" } ]\n";
    fs::write(folder.join("game.toml"), format!("{players}[limits]\nintents = 1\n")).expect("a game file");
    let play = Play::start_in(folder.clone(), "game.toml");
    let too_much = loop {
        let (given, body) = play.try_first();
        if given.status != 204 {
            assert!(given.status == 409 && given.body.contains("more than 1 intents"), "{}", given.body);
            break body;
        }
    };
    let save = play.get("/save").body;
    assert!(save.contains("\nlock limits intents=1\n"), "{save}");
    let other = Play::start("unlimited", "--seed 9");
    assert_eq!(other.post("/load", save.as_bytes()).status, 204);
    let given = other.post("/do", too_much.as_bytes());
    assert!(given.status == 409 && given.body.contains("more than 1 intents"), "{}", given.body);
}

const MANIFEST: &str = "id = \"fan\"\nversion = \"1.0.0\"\napi = \"1\"\ntitle = \"Fan\"\nrequires = { base = \"1\" }\n";

#[test]
fn saving_a_script_reloads_it_and_a_broken_one_leaves_the_old_rules() {
    let folder = empty("watch");
    fs::create_dir_all(folder.join("fan")).expect("a folder");
    fs::write(folder.join("fan/expansion.toml"), MANIFEST).expect("a file");
    // At once, so that nobody sees half of it.
    let write = |script: &str| {
        fs::write(folder.join("next.lua"), script).expect("a file");
        fs::rename(folder.join("next.lua"), folder.join("fan/rules.lua")).expect("in its place");
    };
    write("rules.mark \"gate\" { on = \"road\" }\n");
    let play = Play::start_in(folder.clone(), "--with fan --path . --watch --seed 4");
    play.page_with("Watching 1 folder(s)");
    (0..5).for_each(|_| {
        play.go_on();
    });
    let saved = play.get("/save").body;
    let at = number(&play.page_with("data-answer="));

    write("-- a slip\nrules.marc \"gate\" { on = \"road\" }\n");
    let page = play.page_with("stays with the old rules");
    assert!(page.contains("fan/rules.lua:2"), "the console has file and line:\n{page}");
    assert_eq!(play.get("/save").body, saved, "the game is where it was, under the old rules");

    write("rules.react \"boom\" { on = \"placed\", run = function()\n  error(\"boom\")\nend }\n");
    let page = play.page_with("cannot be given: fan: react");
    assert!(page.contains("fan/rules.lua:2"), "{page}");
    assert_eq!(play.get("/save").body, saved);

    write(
        "rules.mark \"gate\" { on = \"road\" }\nrules.forbid \"later\" { on = \"deploy\", feature = \"field\", say = \"no farmers\" }\n",
    );
    let page = play.page_with("New rules were loaded.");
    assert_eq!(number(&page), at, "at the same decision");
    assert!(page.contains("No script has failed."));
    assert_ne!(play.get("/save").body, saved, "the lock is the new one");
    play.go_on();
}

#[test]
fn wrong_use_is_told_before_anything_is_served() {
    let check = |line: &str, expected: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trencavel"));
        let output = command.args(["play", "--no-open"]).args(line.split_whitespace()).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{err}");
        assert!(err.contains(expected), "{err}");
    };
    check("--bots 3", "there are 2 players, so there cannot be 3 bots");
    check("nowhere.toml", "nowhere.toml cannot be read");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    check(&format!("--port {port}"), &format!("nothing can be served on 127.0.0.1, port {port}"));
}
