//! Messages between the ranks of a replayed program, each of which is a process. They use Unix
//! sockets, which are connected when first needed.
//!
//! Every rank listens at an abstract address made of the program's name and the rank; the listening
//! sockets exist before the first rank starts. Messages between two ranks keep their order. A
//! message of up to 4 KiB is sent whether or not its receiver is ready; a longer one waits for its
//! receiver, as in real MPI, to expose plugins that rely on the contrary. A waiting rank takes in
//! arriving messages. Closed sockets show that a rank has ended; a rank that does not respond
//! within the patience of the others is an error, too.

use super::call::Call;
use super::incoming::{EAGER, Incoming, Message};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::{Duration, Instant};

/// Returns the address of a rank.
pub(crate) fn address(program: &str, rank: u32) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("kymo-replay-{program}-{rank}"))
}

/// Why a message did not arrive or leave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The other rank has ended.
    Ended(u32),
    /// The other rank did not respond in time.
    Late(u32),
    /// The other rank makes a different call.
    Differs { rank: u32, calls: Call },
    /// The message of the other rank has an unexpected length, in bytes.
    Length { rank: u32, sent: usize },
    /// There is no such rank.
    NoSuchRank(u32),
    /// A system call failed.
    System(String),
}

/// The connections of a rank.
#[derive(Debug)]
pub(crate) struct Links {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    /// The name of the program, and the socket to which others connect; none in a program of one
    /// rank.
    door: Option<(String, UnixListener)>,
    patience: Duration,
    outgoing: BTreeMap<u32, UnixStream>,
    incoming: Vec<Incoming>,
    /// The messages received, by sender and by whether the call is collective.
    arrived: HashMap<(u32, bool), VecDeque<Message>>,
}

impl Links {
    /// Creates the links of a rank in a program with others.
    pub(crate) fn new(
        program: String,
        listener: UnixListener,
        rank: u32,
        size: u32,
        patience: Duration,
    ) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        Ok(Self { rank, size, patience, door: Some((program, listener)), ..Self::single_rank() })
    }

    /// Creates the links of a program of one process.
    pub(crate) fn single_rank() -> Self {
        Self {
            rank: 0,
            size: 1,
            door: None,
            patience: Duration::ZERO,
            outgoing: BTreeMap::new(),
            incoming: Vec::new(),
            arrived: HashMap::new(),
        }
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, to: u32, call: Call, bytes: &[u8]) -> Result<(), Broken> {
        if to == self.rank {
            let message = Message { call, length: bytes.len(), bytes: Some(bytes.to_vec()) };
            self.arrived.entry((to, call.is_collective())).or_default().push_back(message);
            return Ok(());
        }
        self.connect(to)?;
        let mut header = call.to_bytes().to_vec();
        header.extend((bytes.len() as u64).to_le_bytes());
        if bytes.len() <= EAGER {
            header.extend(bytes);
            return self.write(to, &header);
        }
        self.write(to, &header)?;
        self.await_answer(to)?;
        self.write(to, bytes)
    }

    /// Receives the next message from `from`, which must belong to the same call and have this
    /// length, if given.
    pub(crate) fn receive(
        &mut self,
        from: u32,
        call: Call,
        length: Option<usize>,
    ) -> Result<Vec<u8>, Broken> {
        let message = self.next(from, call.is_collective())?;
        if message.call != call {
            return Err(Broken::Differs { rank: from, calls: message.call });
        }
        if length.is_some_and(|length| length != message.length) {
            return Err(Broken::Length { rank: from, sent: message.length });
        }
        match message.bytes {
            Some(bytes) => Ok(bytes),
            None => self.announced(from),
        }
    }

    /// Returns the sender and call of a message that arrived but was not received.
    pub(crate) fn left_over(&mut self) -> Option<(u32, Call)> {
        self.take_in();
        let mut left =
            self.arrived.iter().filter_map(|((from, _), queue)| Some((*from, queue.front()?.call)));
        left.next()
    }

    fn next(&mut self, from: u32, collective: bool) -> Result<Message, Broken> {
        if from >= self.size {
            return Err(Broken::NoSuchRank(from));
        }
        // The connection shows when the other rank ends. If it has ended, its last messages may
        // have arrived.
        let mut ended = from != self.rank && self.connect(from).is_err();
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(message) = self.arrived.get_mut(&(from, collective)).and_then(VecDeque::pop_front) {
                return Ok(message);
            }
            if ended {
                return Err(Broken::Ended(from));
            }
            if from == self.rank {
                return Err(Broken::Late(from));
            }
            ended = self.wait(from, 0, deadline)?;
        }
    }

    /// Receives the bytes of a message whose sender waits for this rank.
    fn announced(&mut self, from: u32) -> Result<Vec<u8>, Broken> {
        let deadline = Instant::now() + self.patience;
        let at = self.incoming.iter().position(|incoming| incoming.from == Some(from));
        let at = at.ok_or(Broken::Ended(from))?;
        self.incoming[at].answer().map_err(|_| Broken::Ended(from))?;
        loop {
            if let Some(bytes) = self.incoming[at].announced() {
                // The messages after it may have arrived, too.
                self.take_in();
                return Ok(bytes);
            }
            if self.incoming[at].ended {
                return Err(Broken::Ended(from));
            }
            self.wait(from, 0, deadline)?;
        }
    }

    fn connect(&mut self, to: u32) -> Result<(), Broken> {
        let Some((program, _)) = self.door.as_ref().filter(|_| to < self.size) else {
            return Err(Broken::NoSuchRank(to));
        };
        if self.outgoing.contains_key(&to) {
            return Ok(());
        }
        let connect = || -> io::Result<UnixStream> {
            let mut stream = UnixStream::connect_addr(&address(program, to)?)?;
            stream.write_all(&self.rank.to_le_bytes())?;
            stream.set_nonblocking(true)?;
            Ok(stream)
        };
        let stream = connect().map_err(|error| match error.kind() {
            ErrorKind::ConnectionRefused | ErrorKind::BrokenPipe => Broken::Ended(to),
            _ => Broken::System(format!("cannot connect to rank {to}: {error}")),
        })?;
        self.outgoing.insert(to, stream);
        Ok(())
    }

    fn outgoing(&self, to: u32) -> Result<&UnixStream, Broken> {
        self.outgoing.get(&to).ok_or(Broken::NoSuchRank(to))
    }

    fn write(&mut self, to: u32, mut bytes: &[u8]) -> Result<(), Broken> {
        let deadline = Instant::now() + self.patience;
        while !bytes.is_empty() {
            match self.outgoing(to)?.write(bytes) {
                Ok(length) => bytes = &bytes[length..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(to, libc::POLLOUT, deadline)?;
                }
                Err(_) => return Err(Broken::Ended(to)),
            }
        }
        Ok(())
    }

    /// Waits until the receiver of an announced message is ready for it.
    fn await_answer(&mut self, to: u32) -> Result<(), Broken> {
        let deadline = Instant::now() + self.patience;
        loop {
            match self.outgoing(to)?.read(&mut [0]) {
                Ok(1) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(to, libc::POLLIN, deadline)?;
                }
                _ => return Err(Broken::Ended(to)),
            }
        }
    }

    /// Waits until a message arrives or the connection to `peer` is ready for `events`, and takes
    /// in the bytes that have arrived. Returns whether `peer` has ended.
    fn wait(&mut self, peer: u32, events: i16, deadline: Instant) -> Result<bool, Broken> {
        let mut polled = vec![polled(self.outgoing(peer)?, events)];
        polled.extend(self.door.iter().map(|(_, listener)| self::polled(listener, libc::POLLIN)));
        let open = self.incoming.iter().filter(|incoming| !incoming.ended);
        polled.extend(open.map(|incoming| self::polled(&incoming.stream, libc::POLLIN)));
        let left = deadline.saturating_duration_since(Instant::now());
        let left = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: a list of this length.
        match unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, left) } {
            0 => return Err(Broken::Late(peer)),
            -1 if io::Error::last_os_error().kind() != ErrorKind::Interrupted => {
                return Err(Broken::System(format!("cannot wait: {}", io::Error::last_os_error())));
            }
            _ => {}
        }
        self.take_in();
        Ok(polled[0].revents & (libc::POLLHUP | libc::POLLERR) != 0)
    }

    /// Takes in new connections and messages without blocking.
    fn take_in(&mut self) {
        let accept = |(_, listener): &(String, UnixListener)| listener.accept().ok();
        while let Some((stream, _)) = self.door.as_ref().and_then(accept) {
            self.incoming.extend(Incoming::new(stream));
        }
        for incoming in &mut self.incoming {
            for message in incoming.read() {
                let Some(from) = incoming.from else { continue };
                let key = (from, message.call.is_collective());
                self.arrived.entry(key).or_default().push_back(message);
            }
        }
    }
}

fn polled(socket: &impl AsRawFd, events: i16) -> libc::pollfd {
    libc::pollfd { fd: socket.as_raw_fd(), events, revents: 0 }
}
