//! The host of the page: takes orders from the server, and has the page drawn anew after everything that happens.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use tokio::sync::{oneshot, watch};
use trencavel_view::art::Gallery;
use trencavel_view::svg::Artist;

use super::host::{Host, Order};
use super::page::{self, Page, Shown};
use crate::failure::Failure;
use crate::pictures::gallery;

/// An order, and where its answer goes.
pub(crate) struct Message {
    pub(crate) order: Order,
    pub(crate) reply: oneshot::Sender<Result<(), String>>,
}

/// An order that was taken; its answer is sent when the page shows what came of it.
struct Done {
    result: Result<(), String>,
    reply: oneshot::Sender<Result<(), String>>,
}

/// What the host waited for.
enum Next {
    Done(Done),
    Changed,
    /// Nobody sends orders any more.
    End,
}

/// Plays until nobody sends orders any more.
pub(crate) fn play(
    mut host: Host,
    orders: &Receiver<Message>,
    pages: &watch::Sender<Arc<Page>>,
) -> Result<(), Failure> {
    let (mut done, mut serial) = (None, 0);
    loop {
        let rules = Arc::clone(host.session().game().rules());
        let gallery = host.library().and_then(|library| gallery(&library, &rules));
        let gallery = gallery.unwrap_or_else(|failure| {
            host.complain(&failure);
            Gallery::default()
        });
        let artist = Artist::new(&rules, &gallery);
        let defs = page::defs(&artist, host.session().names().0.len());
        // With other rules everything is drawn anew.
        while Arc::ptr_eq(&rules, host.session().game().rules()) {
            serial += 1;
            show(&mut host, serial, &artist, &defs, pages);
            if let Some(Done { reply, result }) = done.take() {
                // Whoever asked may be gone.
                let _ = reply.send(result);
            }
            match wait(&mut host, orders) {
                Next::Done(answered) => done = Some(answered),
                Next::Changed => {}
                Next::End => return Ok(()),
            }
        }
    }
}

fn show(host: &mut Host, serial: u64, artist: &Artist<'_>, defs: &Arc<str>, pages: &watch::Sender<Arc<Page>>) {
    let note = host.note().to_owned();
    let shown = Shown { serial, console: host.console(), note: &note, bots_wait: host.bots_wait() };
    let page = Page::of(host.session_mut(), artist, defs, &shown);
    // If nobody looks, nothing is lost.
    let _ = pages.send(Arc::new(page));
}

/// Waits for something to happen.
fn wait(host: &mut Host, orders: &Receiver<Message>) -> Next {
    loop {
        let next = match host.patience() {
            Some(patience) => orders.recv_timeout(patience),
            None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(Message { order, reply }) => return Next::Done(Done { result: host.take(order), reply }),
            Err(RecvTimeoutError::Disconnected) => return Next::End,
            Err(RecvTimeoutError::Timeout) if host.go_on() => return Next::Changed,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
