//! Bytes of a file that are kept in memory. Of those that are sent often there are private copies
//! as well, which the system sends without copying them.

use std::io;
use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::Bytes;
use tokio::net::TcpStream;

use crate::stdx::sync::Mutex;
use crate::store::read::private_copy::PrivateCopy;

/// The smallest body for which a copy pays off: with a smaller one, another system call takes
/// longer than copying the bytes.
const COPIED_BYTES_MIN: usize = 64 * 1_024;

/// The number of times that bytes are sent from memory before they are copied, so that a program
/// that asks for each file once does not have them all written. It grows eightfold with each copy
/// that failed, or that the system has dropped from memory.
const SENT_BEFORE_COPY: u32 = 64;

/// The time after which a copy that is not sent makes way for another one.
const IDLE: Duration = Duration::from_secs(60);

/// The body of a reply with the bytes of a file.
#[derive(Clone, Debug)]
pub struct CachedBody {
    /// The bytes.
    pub bytes: Bytes,
    /// The place of their copy, if they are kept and large enough.
    kept: Option<Arc<KeptBytes>>,
}

/// Bytes that are kept.
#[derive(Debug)]
pub struct KeptBytes {
    bytes: Bytes,
    slot: Mutex<CopySlot>,
    copier: Arc<Copier>,
}

#[derive(Debug, Default)]
struct CopySlot {
    copy: Option<Arc<OpenCopy>>,
    is_requested: bool,
    /// The number of times that the bytes were sent from memory since there was a copy.
    n_sent: u32,
    /// The number of copies that failed or were lost.
    n_lost: u32,
}

impl From<Bytes> for CachedBody {
    fn from(bytes: Bytes) -> CachedBody {
        CachedBody { bytes, kept: None }
    }
}

impl From<&Arc<KeptBytes>> for CachedBody {
    fn from(kept: &Arc<KeptBytes>) -> CachedBody {
        let bytes = kept.bytes.clone();
        let is_copied = bytes.len() >= COPIED_BYTES_MIN;
        CachedBody { bytes, kept: is_copied.then(|| kept.clone()) }
    }
}

impl CachedBody {
    /// Returns the copy, for a connection over which the system can send it. If there is none, the
    /// bytes are sent from memory, and are perhaps copied for the next time.
    pub(super) fn find_copy(&self) -> Option<Arc<OpenCopy>> {
        let kept = self.kept.as_ref()?;
        let mut slot = kept.slot.lock();
        if let Some(copy) = slot.copy.as_ref().filter(|it| it.is_in_memory()) {
            return Some(copy.clone());
        }
        let lost = slot.lose_copy();
        let is_due = slot.count_sent();
        drop(slot);
        drop(lost);
        if is_due {
            kept.copier.request_copy(kept);
        }
        None
    }
}

impl KeptBytes {
    /// Bytes without a copy yet.
    pub fn new(bytes: Bytes, copier: Arc<Copier>) -> KeptBytes {
        KeptBytes { bytes, slot: Mutex::default(), copier }
    }

    /// Returns the number of bytes.
    pub fn len_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Takes in what became of a requested copy.
    fn finish_copy(&self, copy: Option<OpenCopy>) {
        let mut slot = self.slot.lock();
        slot.is_requested = false;
        slot.n_lost = slot.n_lost.saturating_add(u32::from(copy.is_none()));
        slot.copy = copy.map(Arc::new);
    }

    /// Takes the copy away if it is not in use.
    fn take_idle_copy(&self) -> Option<Arc<OpenCopy>> {
        self.slot.lock().copy.take_if(|it| it.idle_time() > IDLE)
    }
}

impl CopySlot {
    /// Takes a copy away that is not in memory.
    fn lose_copy(&mut self) -> Option<Arc<OpenCopy>> {
        let lost = self.copy.take();
        self.n_lost = self.n_lost.saturating_add(u32::from(lost.is_some()));
        lost
    }

    /// Counts that the bytes are sent from memory. Returns true if they are to be copied now.
    fn count_sent(&mut self) -> bool {
        if self.is_requested {
            return false;
        }
        self.n_sent = self.n_sent.saturating_add(1);
        let n_needed = SENT_BEFORE_COPY.saturating_mul(8_u32.saturating_pow(self.n_lost));
        self.is_requested = self.n_sent >= n_needed;
        if self.is_requested {
            self.n_sent = 0;
        }
        self.is_requested
    }
}

/// A function that is called with a copy once it is made.
pub type CopyDone = Box<dyn FnOnce(io::Result<PrivateCopy>) + Send>;

/// Makes and closes copies, neither of which the threads of connections wait for.
pub trait CopyMaker: Send + Sync {
    /// Makes a copy. Fails with [`io::ErrorKind::Unsupported`] if the system cannot send copies.
    fn make(&self, bytes: Bytes, done: CopyDone);
    /// Closes a copy: drops it.
    fn close(&self, copy: CountedCopy);
}

/// Has copies made, up to a number.
pub struct Copier {
    maker: Box<dyn CopyMaker>,
    /// The number of copies that are open, being made or being closed.
    n_open: Arc<AtomicUsize>,
    open_max: usize,
    is_useless: AtomicBool,
    /// The bytes that may have copies.
    copied: Mutex<Vec<Weak<KeptBytes>>>,
}

impl Copier {
    /// A copier that keeps at most `open_max` copies.
    pub fn new(maker: Box<dyn CopyMaker>, open_max: usize) -> Arc<Copier> {
        Arc::new(Copier {
            maker,
            n_open: Arc::default(),
            open_max,
            is_useless: AtomicBool::new(false),
            copied: Mutex::default(),
        })
    }

    fn request_copy(self: &Arc<Self>, kept: &Arc<KeptBytes>) {
        let permit = CopyPermit::new(&self.n_open);
        if self.is_useless.load(Relaxed) || self.n_open.load(Relaxed) > self.open_max {
            self.close_idle_copies();
            kept.slot.lock().is_requested = false;
            return;
        }
        let (copier, kept) = (self.clone(), kept.clone());
        let bytes = kept.bytes.clone();
        let done = move |made: io::Result<PrivateCopy>| {
            if let Err(error) = &made {
                tracing::debug!(%error, "a media file is sent from memory");
                let is_unsupported = error.kind() == io::ErrorKind::Unsupported;
                copier.is_useless.fetch_or(is_unsupported, Relaxed);
            }
            let count = |copy| CountedCopy { copy, _permit: permit };
            let copy = made.ok().map(|it| OpenCopy::new(count(it), copier.clone()));
            let is_made = copy.is_some();
            kept.finish_copy(copy);
            if is_made {
                copier.list_copied(&kept);
            }
        };
        self.maker.make(bytes, Box::new(done));
    }

    fn list_copied(&self, kept: &Arc<KeptBytes>) {
        let mut copied = self.copied.lock();
        copied.retain(|it| it.strong_count() > 0);
        copied.push(Arc::downgrade(kept));
    }

    fn close_idle_copies(&self) {
        let mut copied = self.copied.lock();
        let kept: Vec<Arc<KeptBytes>> = copied.iter().filter_map(Weak::upgrade).collect();
        let idle: Vec<_> = kept.iter().filter_map(|it| it.take_idle_copy()).collect();
        copied.retain(|it| it.upgrade().is_some_and(|it| it.slot.lock().copy.is_some()));
        drop(copied);
        drop(idle);
    }
}

impl std::fmt::Debug for Copier {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Copier").field("n_open", &self.n_open).finish_non_exhaustive()
    }
}

/// The right to have one more copy open.
#[derive(Debug)]
struct CopyPermit(Arc<AtomicUsize>);

impl CopyPermit {
    fn new(n_open: &Arc<AtomicUsize>) -> CopyPermit {
        n_open.fetch_add(1, Relaxed);
        CopyPermit(n_open.clone())
    }
}

impl Drop for CopyPermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// A copy, counted until it is closed.
#[derive(Debug)]
pub struct CountedCopy {
    copy: PrivateCopy,
    _permit: CopyPermit,
}

/// A copy that is open. The last one who drops it has it closed elsewhere.
#[derive(Debug)]
pub(super) struct OpenCopy {
    /// Always there until it is dropped.
    counted: Option<CountedCopy>,
    copier: Arc<Copier>,
}

impl OpenCopy {
    fn new(counted: CountedCopy, copier: Arc<Copier>) -> OpenCopy {
        OpenCopy { counted: Some(counted), copier }
    }

    fn copy(&self) -> Option<&PrivateCopy> {
        self.counted.as_ref().map(|it| &it.copy)
    }

    /// Returns true if the system has all of it in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.copy().is_some_and(PrivateCopy::is_in_memory)
    }

    fn idle_time(&self) -> Duration {
        self.copy().map(PrivateCopy::idle_time).unwrap_or_default()
    }

    /// Has the system send at most `n` bytes, from `start` on, without waiting for the socket.
    /// Returns how many there were.
    #[cfg(target_os = "linux")]
    pub(super) fn send(&self, socket: &TcpStream, start: u64, n: usize) -> io::Result<usize> {
        let copy = self.copy().ok_or(io::ErrorKind::NotFound)?;
        let mut at = start;
        Ok(rustix::fs::sendfile(socket, copy, Some(&mut at), n)?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn send(&self, _: &TcpStream, _: u64, _: usize) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Drop for OpenCopy {
    fn drop(&mut self) {
        if let Some(counted) = self.counted.take() {
            self.copier.maker.close(counted);
        }
    }
}

/// Writes bytes that more follow at once, without waiting. Returns how many were written.
#[cfg(target_os = "linux")]
pub(super) fn write_before_more(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    use rustix::net::SendFlags;
    Ok(rustix::net::send(socket, bytes, SendFlags::MORE | SendFlags::NOSIGNAL)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn write_before_more(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    socket.try_write(bytes)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    /// Makes copies in a folder; counts those that it made and closed.
    struct Maker {
        folder: tempfile::TempDir,
        fails: Option<io::ErrorKind>,
        counts: Arc<[AtomicUsize; 2]>,
    }

    impl CopyMaker for Maker {
        fn make(&self, bytes: Bytes, done: CopyDone) {
            let [made, _] = &*self.counts;
            made.fetch_add(1, Relaxed);
            let disk = OsDisk::open(self.folder.path()).unwrap();
            done(match self.fails {
                Some(kind) => Err(kind.into()),
                None => PrivateCopy::create(&disk, &bytes),
            });
        }

        fn close(&self, _: CountedCopy) {
            let [_, closed] = &*self.counts;
            closed.fetch_add(1, Relaxed);
        }
    }

    struct Fixture {
        copier: Arc<Copier>,
        counts: Arc<[AtomicUsize; 2]>,
    }

    impl Fixture {
        fn new(fails: Option<io::ErrorKind>) -> Fixture {
            let counts = Arc::<[AtomicUsize; 2]>::default();
            let folder = tempfile::tempdir().unwrap();
            let maker = Maker { folder, fails, counts: counts.clone() };
            Fixture { copier: Copier::new(Box::new(maker), 2), counts }
        }

        /// A copier of two copies. Returns nothing on a file system that cannot tell what is in
        /// memory.
        fn with_two_copies() -> Option<Fixture> {
            let folder = tempfile::tempdir().unwrap();
            let disk = OsDisk::open(folder.path()).unwrap();
            let tried = PrivateCopy::create(&disk, b"x");
            let can_copy = !tried.is_err_and(|it| it.kind() == io::ErrorKind::Unsupported);
            can_copy.then(|| Fixture::new(None))
        }

        fn keep(&self, len: usize) -> Arc<KeptBytes> {
            Arc::new(KeptBytes::new(vec![7; len].into(), self.copier.clone()))
        }

        fn counts(&self) -> [usize; 2] {
            [&self.counts[0], &self.counts[1]].map(|it| it.load(Relaxed))
        }
    }

    /// Sends so many times; returns how many were copies.
    fn send(kept: &Arc<KeptBytes>, n: u32) -> usize {
        (0..n).filter(|_| CachedBody::from(kept).find_copy().is_some()).count()
    }

    #[test]
    fn what_is_sent_often_is_copied_once() {
        let Some(fixture) = Fixture::with_two_copies() else { return };
        let kept = fixture.keep(COPIED_BYTES_MIN);
        assert_eq!((send(&kept, 64), fixture.counts()), (0, [1, 0]));
        assert_eq!((send(&kept, 1_000), fixture.counts()), (1_000, [1, 0]));
        let small = fixture.keep(COPIED_BYTES_MIN - 1);
        assert_eq!((send(&small, 1_000), fixture.counts()), (0, [1, 0]));
        // Whoever is sending it still has it.
        let sent = CachedBody::from(&kept).find_copy();
        drop(kept);
        assert_eq!(fixture.counts(), [1, 0]);
        drop(sent);
        assert_eq!((fixture.counts(), fixture.copier.n_open.load(Relaxed)), ([1, 1], 0));
    }

    #[test]
    fn there_are_no_more_copies_than_allowed() {
        let Some(fixture) = Fixture::with_two_copies() else { return };
        let kept: Vec<_> = (0..3).map(|_| fixture.keep(COPIED_BYTES_MIN)).collect();
        assert_eq!(kept.iter().map(|it| send(it, 70)).collect::<Vec<_>>(), [6, 6, 0]);
        assert_eq!(fixture.counts(), [2, 0]);
        // One that is gone makes way.
        assert!(kept[0].slot.lock().copy.take().is_some());
        assert_eq!((send(&kept[2], 128) > 0, fixture.counts()), (true, [3, 1]));
    }

    #[test]
    fn a_copy_that_was_lost_is_made_again_later_and_later() {
        let Some(fixture) = Fixture::with_two_copies() else { return };
        let kept = fixture.keep(COPIED_BYTES_MIN);
        for (number, n_needed) in [(1, 64), (2, 512), (3, 4_096)] {
            assert_eq!((send(&kept, n_needed - 1), fixture.counts()[0]), (0, number - 1));
            assert_eq!((send(&kept, 2), fixture.counts()[0]), (1, number));
            let lost = kept.slot.lock().lose_copy();
            assert!(lost.is_some());
        }
    }

    #[test]
    fn failures_cost_nothing_but_the_copy() {
        let fixture = Fixture::new(Some(io::ErrorKind::StorageFull));
        let kept = fixture.keep(COPIED_BYTES_MIN);
        assert_eq!((send(&kept, 64 + 512), fixture.counts()), (0, [2, 0]));
        assert_eq!(fixture.copier.n_open.load(Relaxed), 0);
        // Where it is of no use, it is not tried again.
        let fixture = Fixture::new(Some(io::ErrorKind::Unsupported));
        let kept = fixture.keep(COPIED_BYTES_MIN);
        assert_eq!((send(&kept, 64 + 512 + 4_096), fixture.counts()), (0, [1, 0]));
    }
}
