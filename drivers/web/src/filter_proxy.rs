//! A proxy on this machine that a browser must use for all but the allowed origins, and that
//! refuses what comes: so whatever way a page finds to another origin (a beacon, a socket, a
//! worker, a prefetch) ends here, is counted, and no name is looked up for it.
//!
//! If the device has a proxy of its own (`proxy=`), what is allowed is handed on to that.

use crate::allowed_origins::AllowedOrigins;
use crate::request_head::{self, RequestHead};
use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How much of a body is read before it is refused.
const LONGEST_BODY: u64 = 1024 * 1024;
/// The most origins that are told at once. A page can ask for any number of them.
const MOST_TOLD: usize = 100;
const UPSTREAM_TIMEOUT: Duration = Duration::from_secs(300);

/// A proxy, until it is dropped.
#[derive(Debug)]
pub(crate) struct FilterProxy {
    address: SocketAddr,
    filter: Arc<Filter>,
}

#[derive(Debug)]
struct Filter {
    allowed: AllowedOrigins,
    /// The proxy that allowed requests are handed on to, `host:port`.
    upstream: Option<String>,
    /// The origins that were asked for and refused since they were last told.
    refused: Mutex<BTreeSet<String>>,
    is_over: AtomicBool,
}

impl FilterProxy {
    /// Begins to listen.
    pub(crate) fn start(allowed: AllowedOrigins, upstream: Option<String>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let refused = Mutex::default();
        let filter = Filter { allowed, upstream, refused, is_over: AtomicBool::new(false) };
        let filter = Arc::new(filter);
        let listening = Arc::clone(&filter);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if listening.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let filter = Arc::clone(&listening);
                if let Ok(stream) = stream {
                    std::thread::spawn(move || _ = filter.converse(&stream));
                }
            }
        });
        Ok(FilterProxy { address, filter })
    }

    /// Its address, for `proxyServer`.
    pub(crate) fn server(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The origins that were refused since this was last asked.
    pub(crate) fn take_refused(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.filter.lock())
    }
}

impl Drop for FilterProxy {
    fn drop(&mut self) {
        self.filter.is_over.store(true, Ordering::Relaxed);
        // Wakes it, so that it sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

impl Filter {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers one request. The connection ends with it, so that the next one is looked at as well.
    fn converse(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        let Ok(head) = request_head::read(&mut reader) else { return Ok(()) };
        if let Some(upstream) = &self.upstream
            && self.allowed.allows(&head.target)
        {
            return hand_on(&mut reader, &head, upstream);
        }
        let mut refused = self.lock();
        if refused.len() < MOST_TOLD {
            refused.insert(origin_of(&head));
        }
        drop(refused);
        if head.method == "CONNECT" {
            return stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        }
        // An answer would be taken for one of the other origin's: there is none.
        request_head::skip_body(&mut reader, &head, LONGEST_BODY);
        Ok(())
    }
}

/// The origin that is asked for. All that is known of a tunnel is its end.
fn origin_of(head: &RequestHead) -> String {
    let target = head.target.to_ascii_lowercase();
    match head.method == "CONNECT" {
        true => match target.rsplit_once(':') {
            Some((host, "443")) => format!("https://{host}"),
            Some((host, "80")) => format!("http://{host}"),
            _ => target,
        },
        false => crate::urls::origin(&target).to_owned(),
    }
}

/// Sends a request to the next proxy, and what comes back from there.
fn hand_on(
    reader: &mut BufReader<&TcpStream>,
    head: &RequestHead,
    upstream: &str,
) -> io::Result<()> {
    let (from, mut to) = (*reader.get_ref(), TcpStream::connect(upstream)?);
    from.set_read_timeout(Some(UPSTREAM_TIMEOUT))?;
    to.set_read_timeout(Some(UPSTREAM_TIMEOUT))?;
    let mut text = format!("{} {} HTTP/1.1\r\n", head.method, head.target);
    let is_hop = |name: &str| ["connection", "proxy-connection"].iter().any(|hop| name.eq_ignore_ascii_case(hop));
    let is_tunnel = head.method == "CONNECT";
    for (name, value) in head.fields.iter().filter(|(name, _)| is_tunnel || !is_hop(name)) {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(if is_tunnel { "\r\n" } else { "Connection: close\r\n\r\n" });
    to.write_all(text.as_bytes())?;
    if !is_tunnel {
        let length = head.body_length().ok_or(io::ErrorKind::InvalidData)?;
        io::copy(&mut reader.take(length), &mut to)?;
        // The next request on this connection may be for somebody else: it is not read.
        return io::copy(&mut to, &mut &*from).map(|_| ());
    }
    to.write_all(reader.buffer())?;
    let held = reader.buffer().len();
    reader.consume(held);
    let (mut back, mut there) = (to.try_clone()?, to);
    let client = from.try_clone()?;
    let returning = std::thread::spawn(move || {
        let _ = io::copy(&mut back, &mut &client);
        let _ = client.shutdown(Shutdown::Both);
    });
    let _ = io::copy(&mut &*from, &mut there);
    let _ = there.shutdown(Shutdown::Both);
    let _ = returning.join();
    Ok(())
}
