//! A proxy on this machine that a browser must use for all but the allowed origins, and that
//! refuses what comes: so whatever way a page finds to another origin (a beacon, a socket, a
//! worker, a prefetch) ends here, is counted, and no name is looked up for it.
//!
//! If the device has a proxy of its own (`proxy=`), what is allowed is handed on to that.

use crate::allowed_origins::AllowedOrigins;
use crate::request_head::{self, IDLE_TIMEOUT, RequestHead};
use std::collections::BTreeSet;
use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How much of a body is read before it is refused.
const LONGEST_BODY: u64 = 1024 * 1024;
/// The most origins that are told at once. A page can ask for any number of them.
const MOST_TOLD: usize = 100;

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
    /// How long a connection is kept on which nothing was handed on.
    idle: Duration,
}

impl FilterProxy {
    /// Begins to listen.
    pub(crate) fn start(allowed: AllowedOrigins, upstream: Option<String>) -> io::Result<Self> {
        FilterProxy::with_idle(allowed, upstream, IDLE_TIMEOUT)
    }

    fn with_idle(
        allowed: AllowedOrigins,
        upstream: Option<String>,
        idle: Duration,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let refused = Mutex::default();
        let is_over = AtomicBool::new(false);
        let filter = Filter { allowed, upstream, refused, is_over, idle };
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

    /// Answers the requests of one connection, each of which may be for somebody else, until one is
    /// refused.
    fn converse(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        let mut next = None;
        loop {
            // An answer may go on for as long as it likes: its end ends the connection.
            let idle = next.is_none().then_some(self.idle);
            let Ok(head) = request_head::read(&mut reader, idle) else { return Ok(()) };
            if let Some(upstream) = &self.upstream
                && self.allowed.allows(&head.target)
            {
                let next = match &mut next {
                    Some(next) => next,
                    None => next.insert(NextProxy::connect(upstream, stream)?),
                };
                if next.hand_on(&mut reader, &head)? {
                    continue;
                }
                return Ok(());
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
            return Ok(());
        }
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

/// A connection to the proxy that allowed requests are handed on to. What comes from there is sent
/// back as it comes.
struct NextProxy {
    stream: TcpStream,
}

impl NextProxy {
    fn connect(address: &str, client: &TcpStream) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let (mut from, client) = (stream.try_clone()?, client.try_clone()?);
        std::thread::spawn(move || {
            let _ = io::copy(&mut from, &mut &client);
            let _ = client.shutdown(Shutdown::Both);
        });
        Ok(NextProxy { stream })
    }

    /// Sends a request there; whether another may follow. Behind the head of a tunnel comes what
    /// nobody can read.
    fn hand_on(
        &mut self,
        reader: &mut BufReader<&TcpStream>,
        head: &RequestHead,
    ) -> io::Result<bool> {
        let mut text = format!("{} {} HTTP/1.1\r\n", head.method, head.target);
        for (name, value) in &head.fields {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        self.stream.write_all(text.as_bytes())?;
        reader.get_ref().set_read_timeout(None)?;
        if head.method == "CONNECT" {
            io::copy(reader, &mut self.stream)?;
            return Ok(false);
        }
        let length = head.body_length().ok_or(io::ErrorKind::InvalidData)?;
        io::copy(&mut reader.take(length), &mut self.stream)?;
        Ok(true)
    }
}

impl Drop for NextProxy {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A proxy that answers each connection with what it was first sent, and keeps it open.
    fn upstream() -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                std::thread::spawn(move || {
                    let mut text = [0; 4096];
                    while let Ok(length @ 1..) = (&stream).read(&mut text) {
                        (&stream).write_all(&text[..length]).unwrap();
                    }
                });
            }
        });
        address
    }

    /// Sends this; the first that comes back.
    fn ask(proxy: &FilterProxy, request: &str) -> String {
        let mut stream = TcpStream::connect(proxy.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = [0; 4096];
        let length = stream.read(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    /// A proxy whose answers take longer than anybody is silent who may be silent.
    fn slow_upstream(silence: Duration) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 4096]);
                std::thread::park_timeout(silence);
                let _ = stream.write_all(b"late");
            }
        });
        address
    }

    #[test]
    fn an_answer_may_take_longer_than_a_connection_may_be_idle() {
        let idle = Duration::from_millis(50);
        let allowed = AllowedOrigins::new("http://app.test/", &[]);
        let proxy = FilterProxy::with_idle(allowed, Some(slow_upstream(idle * 20)), idle).unwrap();
        for request in
            ["GET http://app.test/ HTTP/1.1\r\n\r\n", "CONNECT app.test:80 HTTP/1.1\r\n\r\n"]
        {
            assert_eq!(ask(&proxy, request), "late", "{request}");
        }
        assert_eq!(ask(&proxy, ""), "", "who asks for nothing is not waited for");
    }

    #[test]
    fn what_is_refused_is_told_and_what_is_allowed_is_handed_on() {
        let allowed = AllowedOrigins::new("http://app.test/", &["https://cdn.test".to_owned()]);
        let proxy = FilterProxy::start(allowed, Some(upstream())).unwrap();
        for (request, answer) in [
            ("GET http://other.test/a HTTP/1.1\r\nHost: other.test\r\n\r\n", ""),
            ("CONNECT other.test:443 HTTP/1.1\r\n\r\n", "HTTP/1.1 403 Forbidden"),
            ("CONNECT other.test:81 HTTP/1.1\r\n\r\n", "HTTP/1.1 403 Forbidden"),
            ("CONNECT cdn.test:80 HTTP/1.1\r\n\r\n", "HTTP/1.1 403 Forbidden"),
            ("nonsense\r\n\r\n", ""),
            (
                "POST http://app.test/a HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
                "POST http://app.test/a HTTP/1.1\r\nContent-Length: 1\r\n\r\n",
            ),
            (
                "CONNECT cdn.test:443 HTTP/1.1\r\nA: b\r\n\r\n",
                "CONNECT cdn.test:443 HTTP/1.1\r\nA: b",
            ),
        ] {
            let got = ask(&proxy, request);
            assert!(
                got.starts_with(answer) && got.is_empty() == answer.is_empty(),
                "{request}: {got}"
            );
        }
        // The next request on a connection is looked at as well.
        let mut stream = TcpStream::connect(proxy.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let both = "GET http://app.test/ HTTP/1.1\r\n\r\nGET http://third.test/ HTTP/1.1\r\n\r\n";
        stream.write_all(both.as_bytes()).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        assert!(!text.contains("third"), "{text}");
        let told: Vec<String> = proxy.take_refused().into_iter().collect();
        let expected = [
            "http://cdn.test",
            "http://other.test",
            "http://third.test",
            "https://other.test",
            "other.test:81",
        ];
        assert_eq!(told, expected);
        assert!(proxy.take_refused().is_empty());
    }
}
