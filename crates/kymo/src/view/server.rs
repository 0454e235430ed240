//! Answers browsers on this machine.
//!
//! `kymo check` runs once, when the page shows its findings, with a low priority.
//! Invariants: a request without the token, or for another host, gets nothing but a refusal. A
//! client cannot hold the server: heads are short and have a time limit, bodies are not read, and
//! connections are limited. If there are too many, the oldest of those that have not shown the
//! token is closed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use kymo_analysis::Trace;
use kymo_otf2::FileName;
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;

use super::tiles::{Key, Tiles};
use crate::check::summary_of;
use crate::output::complain;
use crate::trace;

/// The largest number of connections at the same time.
const CONNECTIONS: usize = 64;
/// The time limit of a head, and of a pause between requests.
const HEAD_LIMIT: Duration = Duration::from_secs(20);
/// The largest head, in bytes.
const HEAD_SIZE: usize = 16 << 10;

/// The pages and tiles that the server shows.
pub(super) struct Site {
    trace: Trace,
    tiles: Tiles,
    /// The names by which browsers reach this server.
    hosts: [String; 2],
    token: String,
    /// Opens the page once: other users of this machine see the command line of a browser.
    ticket: Mutex<Option<String>>,
    page: Bytes,
    /// The summary of `kymo check`, once it was asked for.
    findings: Mutex<Option<watch::Receiver<Option<Bytes>>>>,
    /// Whether a tile could not be made, which is reported once.
    complained: Once,
}

type Answer = Response<Full<Bytes>>;

/// The answer to a request.
enum Reply {
    Answer(Answer),
    /// The summary of `kymo check`, when it is there.
    Findings(watch::Receiver<Option<Bytes>>),
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// Returns 128 bits that cannot be guessed.
fn secret() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    match filled == bytes.len() {
        true => Ok(bytes.iter().map(|it| format!("{it:02x}")).collect()),
        false => Err(io::Error::other("the system has no random numbers")),
    }
}

/// Compares in a time that does not depend on where texts differ.
fn is_equal(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differences == 0
}

/// Divides a path into its first part and the rest.
fn token_and_rest(uri: &Uri) -> (&str, &str) {
    let path = uri.path().trim_start_matches('/');
    path.split_once('/').unwrap_or((path, ""))
}

impl Site {
    pub(super) fn new(trace: Trace, mut tiles: Tiles, port: u16) -> io::Result<Self> {
        let page = std::mem::take(&mut tiles.index.page).into();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let ticket = Mutex::new(Some(secret()?));
        let (findings, complained) = (Mutex::default(), Once::new());
        Ok(Self { trace, tiles, hosts, token: secret()?, ticket, page, findings, complained })
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// Returns an address of the page that works once.
    pub(super) fn address_for_browser(&self) -> String {
        let ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://{}/{}", self.hosts[0], ticket.as_deref().unwrap_or_default())
    }

    fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Reply {
        if !self.is_addressed(headers) || !self.is_own_origin(headers) {
            return refusal(StatusCode::FORBIDDEN, "This server answers pages of its own only.\n").into();
        }
        let (token, rest) = token_and_rest(uri);
        if self.takes_ticket(token) {
            return self.to_page().into();
        }
        if !self.is_shown_token(uri) {
            let text = "The address lacks the token that 'kymo view' printed.\n";
            return refusal(StatusCode::FORBIDDEN, text).into();
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            return refusal(StatusCode::METHOD_NOT_ALLOWED, "Only GET is known here.\n").into();
        }
        let answer = match rest {
            "check" => return Reply::Findings(self.findings()),
            "" if !uri.path().ends_with('/') => self.to_page(),
            "" => found("text/html; charset=utf-8", self.page.clone()),
            "tile" => self.tile(uri.query().unwrap_or_default()),
            _ => refusal(StatusCode::NOT_FOUND, "There is no such page.\n"),
        };
        answer.into()
    }

    fn is_shown_token(&self, uri: &Uri) -> bool {
        is_equal(token_and_rest(uri).0, &self.token)
    }

    /// Starts `kymo check`, unless it was started before.
    fn findings(&self) -> watch::Receiver<Option<Bytes>> {
        let mut started = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        let start = || {
            let (sender, receiver) = watch::channel(None);
            let anchor = self.trace.archive().path(FileName::Anchor);
            let check = move || {
                // Tiles come first. A thread has a priority of its own.
                let _ = rustix::process::nice(10);
                let _ = sender.send(Some(summary_of(&anchor).to_string().into()));
            };
            // Without a thread there is no sender, and therefore no summary.
            let _ = thread::Builder::new().spawn(check);
            receiver
        };
        started.get_or_insert_with(start).clone()
    }

    /// Whether the request is for this host: others are names that point here.
    fn is_addressed(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
        host.is_some_and(|host| self.hosts.iter().any(|it| it == host))
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let is_own = |origin: &HeaderValue| {
            let host = origin.to_str().ok().and_then(|it| it.strip_prefix("http://"));
            host.is_some_and(|host| self.hosts.iter().any(|it| it == host))
        };
        headers.get_all(header::ORIGIN).iter().all(is_own)
    }

    fn takes_ticket(&self, token: &str) -> bool {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = ticket.as_deref().is_some_and(|it| is_equal(token, it));
        if is_it {
            *ticket = None;
        }
        is_it
    }

    /// Sends the browser to the page.
    fn to_page(&self) -> Answer {
        let mut answer = refusal(StatusCode::SEE_OTHER, "");
        if let Ok(address) = format!("/{}/", self.token).try_into() {
            answer.headers_mut().insert(header::LOCATION, address);
        }
        answer
    }

    fn tile(&self, query: &str) -> Answer {
        let number = |name: &str| {
            let mut pairs = query.split('&').filter_map(|it| it.split_once('='));
            pairs.find(|it| it.0 == name).and_then(|it| it.1.parse::<u64>().ok())
        };
        let key = || {
            let level = number("level")?.try_into().ok()?;
            Some(Key { level, at: number("at")?, block: number("block")?.try_into().ok()? })
        };
        let Some(key) = key() else {
            return refusal(StatusCode::BAD_REQUEST, "A tile needs level, at and block.\n");
        };
        match self.tiles.tile(&self.trace, key) {
            Ok(Some(tile)) => found("application/octet-stream", Bytes::from_owner(tile)),
            Ok(None) => refusal(StatusCode::NOT_FOUND, "There is no such tile.\n"),
            Err(error) => {
                let what = trace::problem(&self.trace, &error).what().to_owned();
                self.complained.call_once(|| complain(&what));
                refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("{what}\n"))
            }
        }
    }
}

/// Headers of all answers: nothing is kept, guessed, embedded or told to others.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

fn found(kind: &'static str, body: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(body));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    // The page has the rest of its policy inside; this cannot be there.
    let policy = HeaderValue::from_static("frame-ancestors 'none'");
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

fn refusal(status: StatusCode, text: &str) -> Answer {
    let mut answer = found("text/plain; charset=utf-8", text.to_owned().into());
    *answer.status_mut() = status;
    answer
}

/// Answers until the process is ended.
///
/// # Errors
///
/// If the system refuses to watch connections.
pub(super) fn run(listener: TcpListener, site: Site) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let threads = thread::available_parallelism().map_or(2, |it| it.get().max(2));
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_io().enable_time().max_blocking_threads(threads).build()?;
    runtime.block_on(accept(listener, Arc::new(site)))
}

async fn accept(listener: TcpListener, site: Arc<Site>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut unverified = UnverifiedConnections::default();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // No descriptors, or the client has gone.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        if places.available_permits() == 0 {
            unverified.close_oldest();
        }
        let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
        let (site, has_shown_token) = (site.clone(), Arc::<AtomicBool>::default());
        let of_connection = has_shown_token.clone();
        let task = tokio::spawn(async move {
            let answer = service_fn(|request| answer(site.clone(), request, &of_connection));
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT).max_buf_size(HEAD_SIZE);
            // A client that goes away is no error.
            let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
            drop(place);
        });
        unverified.add(task.abort_handle(), has_shown_token);
    }
}

/// The open connections that have not shown the token, the oldest first, with where they note that
/// they have.
#[derive(Default)]
struct UnverifiedConnections(VecDeque<(AbortHandle, Arc<AtomicBool>)>);

impl UnverifiedConnections {
    fn add(&mut self, task: AbortHandle, has_shown_token: Arc<AtomicBool>) {
        self.remove_known();
        self.0.push_back((task, has_shown_token));
    }

    fn remove_known(&mut self) {
        self.0.retain(|(task, has_shown_token)| !task.is_finished() && !has_shown_token.load(Relaxed));
    }

    /// Closes the connection that has not shown the token for the longest time, if there is one.
    fn close_oldest(&mut self) {
        self.remove_known();
        if let Some((task, _)) = self.0.pop_front() {
            task.abort();
        }
    }
}

/// Answers in another thread: a tile may take some time.
async fn answer(
    site: Arc<Site>,
    request: Request<hyper::body::Incoming>,
    has_shown_token: &AtomicBool,
) -> Result<Answer, Infallible> {
    let (head, _) = request.into_parts();
    has_shown_token.fetch_or(site.is_shown_token(&head.uri), Relaxed);
    let work = move || site.answer(&head.method, &head.uri, &head.headers);
    Ok(match tokio::task::spawn_blocking(work).await {
        Ok(Reply::Answer(answer)) => answer,
        Ok(Reply::Findings(mut findings)) => match findings.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(summary)) => found("application/json", summary.clone()),
            _ => refusal(StatusCode::INTERNAL_SERVER_ERROR, "The trace cannot be checked.\n"),
        },
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "The tile cannot be made.\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_connection_without_the_token_is_closed() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut unverified = UnverifiedConnections::default();
            let connections: Vec<_> = (0..4)
                .map(|_| {
                    let task = tokio::spawn(std::future::pending::<()>());
                    let has_shown_token = Arc::<AtomicBool>::default();
                    unverified.add(task.abort_handle(), has_shown_token.clone());
                    (task, has_shown_token)
                })
                .collect();
            for known in [0, 2] {
                connections[known].1.store(true, Relaxed);
            }
            (0..5).for_each(|_| unverified.close_oldest());
            for (place, (task, _)) in connections.into_iter().enumerate() {
                match place {
                    0 | 2 => assert!(!task.is_finished()),
                    _ => assert!(task.await.is_err_and(|error| error.is_cancelled())),
                }
            }
        });
    }
}
