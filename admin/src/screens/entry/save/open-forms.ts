/**
 * The forms that are open in the tabs of this browser: what they keep on this device is not left
 * behind. Each form holds a lock, which the browser gives up for a tab that is closed or killed.
 * Where there are no locks, as without HTTPS, the forms of other tabs count as closed: their
 * drafts are offered too early then, but never too late.
 */

const PREFIX = 'recto.form.';

/** The forms of this tab, and whether they are open: the browser gives up a lock a little later. */
const here = new Map<string, boolean>();

/** A name that no form of any tab has. */
export function nameForm(): string {
  // Other sources of random names are missing without HTTPS.
  return Date.now().toString(36) + Math.random().toString(36).slice(2);
}

/** Tells all tabs that a form is open, until the function that it gives is called. */
export function holdForm(name: string): () => void {
  let release = () => {};
  const closed = new Promise<void>((resolve) => {
    release = resolve;
  });
  here.set(name, true);
  locks()?.request(PREFIX + name, () => closed).catch(() => {});
  return () => {
    here.set(name, false);
    release();
  };
}

/** Returns the names of all open forms. */
export async function findOpenForms(): Promise<Set<string>> {
  const held = await locks()?.query().then((it) => it.held, () => []);
  const names = (held ?? []).flatMap(({ name }) => (name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : []));
  return new Set([...names, ...here.keys()].filter((name) => here.get(name) ?? true));
}

function locks(): LockManager | undefined {
  return navigator.locks;
}
