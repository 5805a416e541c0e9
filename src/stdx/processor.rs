//! Threads and the processor: how many cores there are, what a thread has computed, and how it
//! leaves the processor to others.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
use std::time::Instant;

/// The longest time for which a thread keeps the processor from others between two steps of long
/// work. Left to itself, a system may let it run for several milliseconds while they wait.
const SLICE: Duration = Duration::from_micros(500);

/// Returns the number of threads that can run at the same time. The system is asked once: a look at
/// what a container may use costs more than most of what is done with the number.
pub fn count_cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// The time for which a thread has worked since others could last use its processor.
pub struct ProcessorSlice {
    began: Instant,
}

impl ProcessorSlice {
    /// Begins when long work begins.
    pub fn begin() -> ProcessorSlice {
        ProcessorSlice { began: Instant::now() }
    }

    /// Lets other threads use the processor if this one has kept it for half a millisecond.
    pub fn yield_if_over(&mut self) {
        if self.began.elapsed() >= SLICE {
            thread::yield_now();
            self.began = Instant::now();
        }
    }
}

/// Returns the time for which this thread has computed, without the time for which it waited.
/// Returns nothing if the system does not tell.
#[cfg(unix)]
pub fn thread_cpu_time() -> Option<Duration> {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(spent.tv_sec).ok()?, u32::try_from(spent.tv_nsec).ok()?))
}

/// Returns nothing: the system does not tell.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Option<Duration> {
    None
}

/// Lets all other threads run before the calling one and those that it starts, where threads have
/// a priority of their own.
pub fn lower_thread_priority() {
    #[cfg(target_os = "linux")]
    {
        // Elsewhere, this would be the whole process. Without the right to, it runs like others.
        let _ = rustix::process::setpriority_process(None, 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_computing() {
        let Some(before) = thread_cpu_time() else { return };
        thread::sleep(Duration::from_millis(50));
        let slept = thread_cpu_time().unwrap() - before;
        assert!(slept < Duration::from_millis(40), "{slept:?}");
        // However long this takes, it ends only if what is computed counts.
        while thread_cpu_time().unwrap() - before <= slept {}
    }

    #[test]
    fn a_slice_begins_anew_only_when_it_is_over() {
        let mut slice = ProcessorSlice { began: Instant::now() - SLICE };
        let began = slice.began;
        slice.yield_if_over();
        assert!(slice.began >= began + SLICE);
        let began = Instant::now() + Duration::from_secs(3_600);
        slice = ProcessorSlice { began };
        slice.yield_if_over();
        assert_eq!(slice.began, began);
    }
}
