//! A connection of either kind that a relay carries: a Unix socket, or TCP within this machine.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// Where a relay listens, or connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Unix(PathBuf),
    Tcp(SocketAddr),
}

#[derive(Debug)]
pub(crate) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

#[derive(Debug)]
pub(crate) enum Listener {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// On a Unix socket file, or on a port of the loopback interface that the system chooses.
    pub(crate) fn bind(path: Option<&std::path::Path>) -> io::Result<(Listener, Place)> {
        match path {
            Some(path) => Ok((Listener::Unix(UnixListener::bind(path)?), Place::Unix(path.to_owned()))),
            None => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                let place = Place::Tcp(listener.local_addr()?);
                Ok((Listener::Tcp(listener), place))
            }
        }
    }

    pub(crate) fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Unix(listener) => Ok(Stream::Unix(listener.accept()?.0)),
            Listener::Tcp(listener) => Stream::tcp(listener.accept()?.0),
        }
    }

    pub(crate) fn try_clone(&self) -> io::Result<Listener> {
        Ok(match self {
            Listener::Unix(listener) => Listener::Unix(listener.try_clone()?),
            Listener::Tcp(listener) => Listener::Tcp(listener.try_clone()?),
        })
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Listener::Unix(listener) => listener.as_fd(),
            Listener::Tcp(listener) => listener.as_fd(),
        }
    }
}

impl Stream {
    pub(crate) fn connect(place: &Place) -> io::Result<Stream> {
        match place {
            Place::Unix(path) => Ok(Stream::Unix(UnixStream::connect(path)?)),
            Place::Tcp(address) => Stream::tcp(TcpStream::connect(address)?),
        }
    }

    /// What is written is sent at once: the relay's own delays are to be the only ones.
    fn tcp(stream: TcpStream) -> io::Result<Stream> {
        stream.set_nodelay(true)?;
        Ok(Stream::Tcp(stream))
    }

    pub(crate) fn try_clone(&self) -> io::Result<Stream> {
        Ok(match self {
            Stream::Unix(stream) => Stream::Unix(stream.try_clone()?),
            Stream::Tcp(stream) => Stream::Tcp(stream.try_clone()?),
        })
    }

    pub(crate) fn set_nonblocking(&self, is_so: bool) -> io::Result<()> {
        match self {
            Stream::Unix(stream) => stream.set_nonblocking(is_so),
            Stream::Tcp(stream) => stream.set_nonblocking(is_so),
        }
    }

    pub(crate) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self {
            Stream::Unix(stream) => stream.shutdown(how),
            Stream::Tcp(stream) => stream.shutdown(how),
        }
    }
}

impl Read for &Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Unix(stream) => (&*stream).read(bytes),
            Stream::Tcp(stream) => (&*stream).read(bytes),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Unix(stream) => (&*stream).write(bytes),
            Stream::Tcp(stream) => (&*stream).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Unix(stream) => stream.as_fd(),
            Stream::Tcp(stream) => stream.as_fd(),
        }
    }
}
