import { expect, test } from 'vitest';
import { saveQueue } from './save-queue';

/** A queue whose saves end when they are told to. */
function held() {
  const sent: object[] = [];
  const ends: ((saved: boolean | undefined) => void)[] = [];
  const save = saveQueue<{ a?: number; b?: number }, boolean>((given) => {
    sent.push(given);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { sent, save, end: (saved: boolean | undefined) => ends.shift()?.(saved) };
}

test('a save that is asked for during another one follows it, once', async () => {
  const { sent, save, end } = held();
  const first = save({ a: 1 });
  const second = save({ a: 2 });
  const third = save({ b: 3 });
  expect(sent).toEqual([{ a: 1 }]);
  end(true);
  expect(await first).toBe(true);
  await expect.poll(() => sent).toEqual([{ a: 1 }, { a: 2, b: 3 }]);
  // One that is asked for during that one follows as well.
  const fourth = save({});
  end(true);
  expect(await Promise.all([second, third])).toEqual([true, true]);
  await expect.poll(() => sent.length).toBe(3);
  end(true);
  expect(await fourth).toBe(true);
});

test('nothing follows a save that was refused', async () => {
  const { sent, save, end } = held();
  const first = save({ a: 1 });
  const second = save({ a: 2 });
  end(undefined);
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  void save({ a: 3 });
  expect(sent).toEqual([{ a: 1 }, { a: 3 }]);
});
