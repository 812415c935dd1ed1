//! How bytes get to a browser and back: a pipe to one that we started, a WebSocket to one that
//! runs.
//!
//! A pipe is preferred where there is a choice: when we die, however we die, the browser sees the
//! pipe close and goes too.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use tungstenite::protocol::Role;
use tungstenite::{Message, WebSocket};

/// Receives whole messages; `None` is the end.
pub(crate) trait Receive: Send {
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>>;
}

/// Sends whole messages.
pub(crate) trait Transmit: Send {
    fn transmit(&mut self, message: String) -> io::Result<()>;
}

/// The reading end of a pipe. Messages end with a zero byte.
pub(crate) struct PipeReceiver<R>(BufReader<R>);

impl<R: Read> PipeReceiver<R> {
    pub(crate) fn new(reader: R) -> Self {
        PipeReceiver(BufReader::with_capacity(64 * 1024, reader))
    }
}

impl<R: Read + Send> Receive for PipeReceiver<R> {
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut message = Vec::new();
        self.0.read_until(0, &mut message)?;
        // Without its zero byte a message was cut off: the browser has gone.
        Ok((message.pop() == Some(0)).then_some(message))
    }
}

/// The writing end of a pipe.
pub(crate) struct PipeTransmitter<W>(pub(crate) W);

impl<W: Write + Send> Transmit for PipeTransmitter<W> {
    fn transmit(&mut self, message: String) -> io::Result<()> {
        let mut bytes = message.into_bytes();
        bytes.push(0);
        self.0.write_all(&bytes)?;
        self.0.flush()
    }
}

/// Connects to a DevTools address, `ws://host:port/devtools/browser/...`.
pub(crate) fn connect(address: &str) -> io::Result<(Box<dyn Receive>, Box<dyn Transmit>)> {
    let broken = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
    let rest = address
        .strip_prefix("ws://")
        .ok_or_else(|| io::Error::other("only ws:// addresses are supported"))?;
    let authority = rest.split('/').next().unwrap_or_default();
    let host = if authority.contains(':') { authority.into() } else { format!("{authority}:80") };
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    let reading = stream.try_clone()?;
    tungstenite::client(address, stream).map_err(|error| broken(&error))?;
    // The same connection twice: one end only reads, the other only writes, and neither waits.
    let writing = reading.try_clone()?;
    let limits = tungstenite::protocol::WebSocketConfig::default()
        .max_message_size(None)
        .max_frame_size(None);
    let receiver = WebSocket::from_raw_socket(reading, Role::Client, Some(limits));
    let transmitter = WebSocket::from_raw_socket(writing, Role::Client, Some(limits));
    Ok((Box::new(SocketReceiver(receiver)), Box::new(SocketTransmitter(transmitter))))
}

struct SocketReceiver(WebSocket<TcpStream>);

impl Receive for SocketReceiver {
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Ok(Some(text.as_bytes().to_vec())),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => {
                    return Ok(None);
                }
                Ok(_) => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

struct SocketTransmitter(WebSocket<TcpStream>);

impl Transmit for SocketTransmitter {
    fn transmit(&mut self, message: String) -> io::Result<()> {
        self.0.send(Message::text(message)).map_err(io::Error::other)
    }
}

impl Drop for SocketTransmitter {
    fn drop(&mut self) {
        // Wakes the receiving end, which waits on the same connection.
        let _ = self.0.get_ref().shutdown(std::net::Shutdown::Both);
    }
}
