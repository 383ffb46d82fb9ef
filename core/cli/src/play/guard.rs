//! Who may talk to the page: only browsers that the printed link was opened in, and only from pages of this server.
//!
//! Three questions, each enough to turn away another attack: the *host* must be a number or `localhost` with our port,
//! so a name that was rebound to this address is refused; the *origin*, where the browser names one, must be ourselves,
//! so other pages cannot send anything; and the *token*, which only the printed link has, must come along as a cookie.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, Method, Uri, header};

use crate::failure::Failure;

/// Bytes of chance in a token.
const TOKEN: usize = 16;

/// What is asked of every request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    token: String,
}

/// Why a request is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// It was sent to another name.
    Host,
    /// Another page sent it.
    Origin,
    /// It has no token, or a wrong one.
    Token,
}

impl Denied {
    /// What a person can do.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Host => "This address is not one of the game's. Open the link that the program printed.",
            Self::Origin => "Another page asked for this; the game answers its own page only.",
            Self::Token => "This browser has not opened the game yet. Open the link that the program printed.",
        }
    }
}

impl Guard {
    /// A guard with a token of its own for this address.
    pub(crate) fn new(address: SocketAddr) -> Result<Self, Failure> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes).map_err(|error| {
            Failure::usage(format!("the system gives no random numbers: {error}"), "a link nobody can guess needs them")
        })?;
        Ok(Self::with_token(address, bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    fn with_token(address: SocketAddr, token: String) -> Self {
        Self { address, token }
    }

    /// The link that lets a browser in. An address that stands for all of this machine is no place to go to.
    pub(crate) fn link(&self) -> String {
        let loopback = || match self.address.ip() {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        };
        let ip = if self.serves_all() { loopback() } else { self.address.ip() };
        format!("http://{}/?token={}", SocketAddr::new(ip, self.address.port()), self.token)
    }

    /// True if the page is served on every address of this machine.
    pub(crate) fn serves_all(&self) -> bool {
        self.address.ip().is_unspecified()
    }

    /// The cookie that a browser gets for the link. Cookies know no ports, so its name has ours.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    fn cookie_name(&self) -> String {
        format!("trencavel-{}", self.address.port())
    }

    /// True for the link that lets a browser in.
    pub(crate) fn is_link(&self, uri: &Uri) -> bool {
        let named = uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("token=")));
        uri.path() == "/" && named.is_some_and(|token| same(token, &self.token))
    }

    /// Lets a request in, or says why not.
    pub(crate) fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Denied> {
        let host = text(headers, header::HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
        let host = host.filter(|host| self.is_ours(host)).ok_or(Denied::Host)?;
        let origin = headers.get(header::ORIGIN);
        match origin.map(|origin| origin.as_bytes() == format!("http://{host}").as_bytes()) {
            Some(true) => {}
            None if method == Method::GET => {}
            Some(false) | None => return Err(Denied::Origin),
        }
        if self.is_link(uri) || self.has_cookie(headers) { Ok(()) } else { Err(Denied::Token) }
    }

    /// A number or `localhost`, with our port. Only names can be made to lead to another address.
    fn is_ours(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        port == self.address.port().to_string() && (name == "localhost" || name.parse::<IpAddr>().is_ok())
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(cookie, token)| cookie == name && same(token, &self.token))
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Compares every letter, so that the time tells nothing.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn check(method: Method, path: &str, headers: &[(&str, &str)]) -> Result<(), Denied> {
        let guard = Guard::with_token("127.0.0.1:4000".parse().expect("an address"), "c0ffee".to_owned());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: header::HeaderName = name.parse().expect("a name");
            map.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        guard.check(&method, &path.parse().expect("a path"), &map)
    }

    const COOKIE: (&str, &str) = ("cookie", "other=1; trencavel-4000=c0ffee");
    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");

    #[test]
    fn the_link_and_the_cookie_let_a_browser_in() {
        assert_eq!(check(Method::GET, "/?token=c0ffee", &[HOST]), Ok(()));
        assert_eq!(check(Method::GET, "/", &[HOST, COOKIE]), Ok(()));
        for host in ["localhost:4000", "[::1]:4000", "192.168.0.7:4000"] {
            assert_eq!(check(Method::GET, "/", &[("host", host), COOKIE]), Ok(()), "{host}");
        }
    }

    #[test]
    fn the_link_leads_to_an_address() {
        let link = |address: &str| Guard::with_token(address.parse().expect("an address"), "ab".to_owned()).link();
        assert_eq!(link("127.0.0.1:4000"), "http://127.0.0.1:4000/?token=ab");
        assert_eq!(link("0.0.0.0:4000"), "http://127.0.0.1:4000/?token=ab");
        assert_eq!(link("[::]:4000"), "http://[::1]:4000/?token=ab");
    }

    #[test]
    fn without_the_token_nothing_is_shown() {
        for headers in
            [&[HOST][..], &[HOST, ("cookie", "trencavel-4000=c0ffe")], &[HOST, ("cookie", "trencavel-4001=c0ffee")]]
        {
            assert_eq!(check(Method::GET, "/", headers), Err(Denied::Token), "{headers:?}");
        }
        assert_eq!(check(Method::GET, "/?token=c0ffed", &[HOST]), Err(Denied::Token));
        assert_eq!(check(Method::GET, "/events?token=c0ffee", &[HOST]), Err(Denied::Token), "the link is one page");
    }

    #[test]
    fn names_that_lead_here_are_not_ours() {
        for host in ["evil.example:4000", "127.0.0.1:4001", "127.0.0.1", "localhost.evil.example:4000", ""] {
            assert_eq!(check(Method::GET, "/", &[("host", host), COOKIE]), Err(Denied::Host), "{host}");
        }
        assert_eq!(check(Method::GET, "/", &[COOKIE]), Err(Denied::Host));
    }

    #[test]
    fn other_pages_cannot_send_anything() {
        let own = ("origin", "http://127.0.0.1:4000");
        assert_eq!(check(Method::POST, "/do", &[HOST, COOKIE, own]), Ok(()));
        assert_eq!(check(Method::POST, "/do", &[HOST, COOKIE]), Err(Denied::Origin), "browsers always name it");
        for origin in ["http://evil.example", "null", "http://127.0.0.1:4001", "https://127.0.0.1:4000"] {
            let headers = [HOST, COOKIE, ("origin", origin)];
            assert_eq!(check(Method::POST, "/do", &headers), Err(Denied::Origin), "{origin}");
            assert_eq!(check(Method::GET, "/events", &headers), Err(Denied::Origin), "{origin}");
        }
    }
}
