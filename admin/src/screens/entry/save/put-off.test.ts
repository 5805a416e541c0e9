import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { putOff } from './put-off';

describe('what is put off', () => {
  const act = vi.fn();
  const make = () => putOff(act, { quiet: 800, longest: 2000 });
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    act.mockReset();
    vi.useRealTimers();
  });

  it('is done after a pause, once', () => {
    const later = make();
    later.touch();
    vi.advanceTimersByTime(700);
    later.touch();
    vi.advanceTimersByTime(799);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is done every two seconds while there is no pause', () => {
    const later = make();
    for (let at = 0; at < 20_000; at += 100) {
      later.touch();
      vi.advanceTimersByTime(100);
    }
    expect(act).toHaveBeenCalledTimes(10);
  });

  it('is done at once when asked for, and only if there is something to do', () => {
    const later = make();
    later.flush();
    expect(act).not.toHaveBeenCalled();
    later.touch();
    later.flush();
    expect(act).toHaveBeenCalledTimes(1);
    later.flush();
    vi.advanceTimersByTime(10_000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('can be forgotten', () => {
    const later = make();
    later.touch();
    later.cancel();
    later.flush();
    vi.advanceTimersByTime(10_000);
    expect(act).not.toHaveBeenCalled();
  });
});
