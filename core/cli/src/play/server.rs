//! The server: a page, its script and style, a stream of what changed, and a door for orders.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::{io, str};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, serve as serve_http};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::{oneshot, watch};

use super::guard::Guard;
use super::host::Order;
use super::page::{Page, shell};
use super::pages::Message;

/// Longest order; the words of an answer are far shorter.
const ORDER_BYTES: usize = 4 << 10;
/// Longest save that may be loaded.
const SAVE_BYTES: usize = 1 << 20;

/// Nothing but our own files, no frames, no forms, and nothing from anywhere else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Clone)]
struct Door {
    guard: Arc<Guard>,
    orders: Sender<Message>,
    pages: watch::Receiver<Arc<Page>>,
}

/// Serves until nobody holds the pages any more.
pub(crate) fn serve(
    listener: TcpListener,
    guard: Guard,
    orders: Sender<Message>,
    mut pages: watch::Receiver<Arc<Page>>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Before the first page there is nothing to serve; who comes earlier waits.
    if runtime.block_on(pages.changed()).is_err() {
        return Ok(());
    }
    let door = Door { guard: Arc::new(guard), orders, pages };
    let app = Router::new()
        .route("/", get(page))
        .route("/page.js", get(|| async { file("text/javascript; charset=utf-8", include_str!("page/page.js")) }))
        .route("/page.css", get(|| async { file("text/css; charset=utf-8", include_str!("page/page.css")) }))
        .route("/events", get(events))
        .route("/save", get(save))
        .route("/do", post(order).layer(DefaultBodyLimit::max(ORDER_BYTES)))
        .route("/load", post(load).layer(DefaultBodyLimit::max(SAVE_BYTES)))
        .layer(from_fn_with_state(door.clone(), guarded))
        .with_state(door);
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        serve_http(listener, app).await
    })
}

/// Turns away whom the guard does not know, and gives every answer its headers.
async fn guarded(State(door): State<Door>, request: Request, next: Next) -> Response {
    let checked = door.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Err(denied) => (StatusCode::FORBIDDEN, denied.text()).into_response(),
        Ok(()) if door.guard.is_link(request.uri()) => {
            // The token goes into a cookie and out of the address line.
            ([(header::SET_COOKIE, door.guard.cookie())], Redirect::to("/")).into_response()
        }
        Ok(()) => next.run(request).await,
    };
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

async fn page(State(door): State<Door>) -> Response {
    let page = Arc::clone(&door.pages.borrow());
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], shell(&page)).into_response()
}

/// Sends whatever differs from what this browser has: nothing yet if it has the present page, else everything.
async fn events(
    State(door): State<Door>,
    uri: Uri,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut pages = door.pages;
    let now = Arc::clone(&pages.borrow_and_update());
    let sent = (seen(&uri, &headers) == Some(now.serial)).then_some(now);
    if sent.is_none() {
        pages.mark_changed();
    }
    let stream = unfold((pages, sent), |(mut pages, sent)| async move {
        pages.changed().await.ok()?;
        let page = Arc::clone(&pages.borrow_and_update());
        let event = Event::default().event("page").id(page.serial.to_string()).data(page.news(sent.as_deref()));
        Some((Ok(event), (pages, Some(page))))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().event(Event::default().comment("")))
}

/// The page that a browser has: the one it was sent last, or the one it began with.
fn seen(uri: &Uri, headers: &HeaderMap) -> Option<u64> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    last.or_else(|| uri.query()?.strip_prefix("seen="))?.parse().ok()
}

async fn save(State(door): State<Door>) -> Response {
    let page = Arc::clone(&door.pages.borrow());
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.replay\""),
    ];
    (headers, page.save.clone()).into_response()
}

async fn order(State(door): State<Door>, body: Bytes) -> Response {
    match serde_json::from_slice(&body) {
        Ok(order) => give(&door, order).await,
        Err(error) => wrong(format!("this is no order: {error}")),
    }
}

async fn load(State(door): State<Door>, body: Bytes) -> Response {
    match str::from_utf8(&body) {
        Ok(text) => give(&door, Order::Load { text: text.to_owned() }).await,
        Err(_) => wrong("a save is text, and this is not".to_owned()),
    }
}

async fn give(door: &Door, order: Order) -> Response {
    let (reply, answer) = oneshot::channel();
    if door.orders.send(Message { order, reply }).is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the game has ended").into_response();
    }
    match answer.await {
        Ok(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Ok(Err(why)) => (StatusCode::CONFLICT, why).into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the game has ended").into_response(),
    }
}

fn wrong(why: String) -> Response {
    (StatusCode::BAD_REQUEST, why).into_response()
}
