//! Bodies whose pieces are made while the client reads.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::task::Context;
use std::task::Poll;
use std::task::ready;

use bytes::Bytes;
use tokio::task::JoinHandle;

use super::stream_pool::ClientStreamPool;

/// The number of frames of a pulled body that are made in one turn: as many as a client that does
/// not read leaves in memory.
const FRAMES_PER_RUN: usize = 2;

/// The share of a task's turn that a quick frame takes, in the steps that the runtime counts. A
/// turn has 128 of them: it is over after two frames, and some are left to write these.
const QUICK_FRAME_STEPS: usize = 60;

/// A producer of the pieces of a pulled body.
pub type Frames = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

/// A producer of pieces, of which some may be made as fast as a quick request is answered.
pub trait FrameSource: Iterator<Item = io::Result<Bytes>> + Send {
    /// Returns true if the next piece may be made on the thread that sends it.
    fn is_next_quick(&self) -> bool {
        false
    }

    /// Makes the next piece on the thread that sends it, perhaps shorter than others.
    fn next_quick(&mut self) -> Option<io::Result<Bytes>> {
        self.next()
    }
}

impl FrameSource for Frames {}

/// Pieces made on demand; see [`ReplyBody::from_frames`] and [`ReplyBody::from_quick_frames`].
///
/// [`ReplyBody::from_frames`]: super::reply::ReplyBody::from_frames
/// [`ReplyBody::from_quick_frames`]: super::reply::ReplyBody::from_quick_frames
pub struct PulledBody {
    /// The producer; `None` while a thread runs it, and after the last piece.
    frames: Option<Box<dyn FrameSource>>,
    /// The pool in which streams wait for a turn; without one, nobody waits.
    pool: Option<ClientStreamPool>,
    ready: VecDeque<io::Result<Bytes>>,
    making: Option<JoinHandle<MadeFrames>>,
}

/// The result of running the producer: some pieces, and the producer for the others.
struct MadeFrames {
    pieces: VecDeque<io::Result<Bytes>>,
    frames: Option<Box<dyn FrameSource>>,
}

impl fmt::Debug for PulledBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PulledBody").finish_non_exhaustive()
    }
}

impl Drop for PulledBody {
    fn drop(&mut self) {
        // A dropped body needs no further pieces.
        if let Some(making) = &self.making {
            making.abort();
        }
    }
}

impl PulledBody {
    /// Returns a body of pieces, of which the sending thread makes those that are quick, and
    /// blocking threads the others.
    pub(super) fn from_source(frames: impl FrameSource + 'static) -> PulledBody {
        let frames: Option<Box<dyn FrameSource>> = Some(Box::new(frames));
        PulledBody { frames, pool: None, ready: VecDeque::new(), making: None }
    }

    /// Returns the pieces, to pass them through an adapter.
    #[must_use]
    pub fn into_frames(mut self) -> Frames {
        match self.frames.take() {
            Some(frames) => Box::new(frames),
            None => Box::new(std::iter::empty()),
        }
    }

    /// Has the pieces that blocking threads make made in these turns.
    pub fn use_pool(&mut self, pool: ClientStreamPool) {
        self.pool = Some(pool);
    }

    /// Returns the next piece.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                if self.ready.is_empty() {
                    self.start_making();
                }
                return Poll::Ready(Some(piece));
            }
            let made = if self.frames.as_ref().is_some_and(|it| it.is_next_quick()) {
                ready!(poll_turn(context));
                let Some(frames) = self.frames.take() else { return Poll::Ready(None) };
                catch_unwind(AssertUnwindSafe(|| MadeFrames::make_quick(frames))).ok()
            } else {
                self.start_making();
                let Some(making) = &mut self.making else { return Poll::Ready(None) };
                let made = ready!(Pin::new(making).poll(context)).ok();
                self.making = None;
                made
            };
            let made = made.unwrap_or_else(MadeFrames::from_panic);
            (self.ready, self.frames) = (made.pieces, made.frames);
        }
    }

    /// Starts making the next pieces on a blocking thread, unless they are quick. A task waits for
    /// the permit rather than this body: nobody polls the body while the client does not read, and
    /// a permit given to it would be lost to others.
    fn start_making(&mut self) {
        let Some(frames) = self.frames.take_if(|it| !it.is_next_quick()) else { return };
        let pool = self.pool.clone();
        self.making = Some(tokio::spawn(async move {
            let work = move || MadeFrames::make_next(frames);
            let made = match pool {
                Some(pool) => pool.run(work).await,
                None => tokio::task::spawn_blocking(work).await,
            };
            made.unwrap_or_else(|_| MadeFrames::from_panic())
        }));
    }
}

/// Takes a share of the turn that the runtime gives to a task. Once nothing is left of it, others
/// have theirs, however often this body is polled meanwhile.
fn poll_turn(context: &mut Context<'_>) -> Poll<()> {
    for _ in 0..QUICK_FRAME_STEPS {
        ready!(tokio::task::coop::poll_proceed(context)).made_progress();
    }
    Poll::Ready(())
}

impl MadeFrames {
    fn make_next(mut frames: Box<dyn FrameSource>) -> MadeFrames {
        let mut pieces = VecDeque::with_capacity(FRAMES_PER_RUN);
        while pieces.len() < FRAMES_PER_RUN {
            let Some(piece) = frames.find(is_not_empty) else {
                return MadeFrames { pieces, frames: None };
            };
            let failed = piece.is_err();
            pieces.push_back(piece);
            if failed {
                return MadeFrames { pieces, frames: None };
            }
        }
        MadeFrames { pieces, frames: Some(frames) }
    }

    fn make_quick(mut frames: Box<dyn FrameSource>) -> MadeFrames {
        let piece = frames.next_quick();
        let frames = matches!(piece, Some(Ok(_))).then_some(frames);
        MadeFrames { pieces: piece.into_iter().filter(is_not_empty).collect(), frames }
    }

    /// Returns the result of a producer that panicked, which affects only this response.
    fn from_panic() -> MadeFrames {
        let error = io::Error::other("the body's producer ended early");
        MadeFrames { pieces: VecDeque::from([Err(error)]), frames: None }
    }
}

/// Returns true for what is sent: an empty piece would end some bodies.
fn is_not_empty(piece: &io::Result<Bytes>) -> bool {
    piece.as_ref().map_or(true, |bytes| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;
    use std::thread::ThreadId;

    use crate::http::wire::stream_pool::StreamPool;

    async fn next(body: &mut PulledBody) -> Option<io::Result<Bytes>> {
        poll_fn(|context| body.poll_next(context)).await
    }

    /// A client that stops reading holds the pieces of two runs of the producer: the rest of the
    /// last one, and the one ahead.
    #[tokio::test]
    async fn pieces_are_made_a_little_ahead() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = made.clone();
        let frames = (0..1_000).map(move |_| {
            count.fetch_add(1, Relaxed);
            Ok(Bytes::from("x"))
        });
        let pool = StreamPool::with_permits(1);
        let mut body = PulledBody::from_source(Box::new(frames) as Frames);
        body.use_pool(pool.pool_of([192, 0, 2, 1].into()));
        for read in 1..20 {
            next(&mut body).await.unwrap().unwrap();
            // Another answer gets the only turn there is, although nobody reads this one.
            pool.pool_of([192, 0, 2, 2].into()).run(|| ()).await.unwrap();
            let made = made.load(Relaxed);
            assert!(made <= read + 2 * FRAMES_PER_RUN, "{made} made, {read} read");
        }
    }

    /// A client that reads as fast as pieces are made leaves the thread to others between them,
    /// also if the body is polled again in the same turn.
    #[tokio::test]
    async fn quick_pieces_leave_turns_to_others() {
        let mut body = PulledBody::from_source(MixedFrames::new(100, |_| true));
        let (mut turns, mut pieces) = (0, 0);
        let read_all = poll_fn(move |context| {
            let pieces_before = pieces;
            for _ in 0..10 {
                match body.poll_next(context) {
                    Poll::Ready(Some(piece)) => pieces += piece.unwrap().len(),
                    Poll::Ready(None) => return Poll::Ready((turns, pieces)),
                    Poll::Pending => {}
                }
            }
            turns += 1;
            assert!(pieces - pieces_before <= 2, "{} in a turn", pieces - pieces_before);
            Poll::Pending
        });
        let (turns, pieces) = tokio::spawn(read_all).await.unwrap();
        assert_eq!((turns, pieces), (50, 100));
    }

    /// Pieces of which some are quick.
    struct MixedFrames {
        n_made: usize,
        n_all: usize,
        is_quick: fn(usize) -> bool,
        here: ThreadId,
    }

    impl MixedFrames {
        fn new(n_all: usize, is_quick: fn(usize) -> bool) -> MixedFrames {
            MixedFrames { n_made: 0, n_all, is_quick, here: thread::current().id() }
        }
    }

    impl Iterator for MixedFrames {
        type Item = io::Result<Bytes>;

        fn next(&mut self) -> Option<io::Result<Bytes>> {
            assert_ne!(thread::current().id(), self.here);
            self.n_made += 1;
            (self.n_made <= self.n_all).then(|| Ok(Bytes::from("x")))
        }
    }

    impl FrameSource for MixedFrames {
        fn is_next_quick(&self) -> bool {
            (self.is_quick)(self.n_made)
        }

        fn next_quick(&mut self) -> Option<io::Result<Bytes>> {
            assert_eq!(thread::current().id(), self.here);
            self.n_made += 1;
            (self.n_made <= self.n_all).then(|| Ok(Bytes::from("x")))
        }
    }

    #[tokio::test]
    async fn threads_make_what_is_not_quick() {
        let is_quick: [fn(usize) -> bool; 3] = [|it| it / 3 % 2 == 0, |it| it >= 20, |it| it < 5];
        for is_quick in is_quick {
            let mut body = PulledBody::from_source(MixedFrames::new(20, is_quick));
            for _ in 0..20 {
                next(&mut body).await.unwrap().unwrap();
            }
            assert!(next(&mut body).await.is_none());
        }
    }

    #[tokio::test]
    async fn a_quick_producer_that_panics_is_an_error() {
        // This thread is taken for another one, which the producer does not expect.
        let elsewhere = thread::spawn(|| thread::current().id()).join().unwrap();
        let frames = MixedFrames { here: elsewhere, ..MixedFrames::new(20, |_| true) };
        let mut body = PulledBody::from_source(frames);
        assert!(next(&mut body).await.unwrap().is_err());
        assert!(next(&mut body).await.is_none());
    }
}
