/** The real binary on a folder, and somebody who talks to its admin API without a browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';

export const PASSWORD = 'correct horse';
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = process.env.RECTO_BIN ?? join(ROOT, 'target/debug/recto');

/** Room that a run may want: far more than the folders of two tests. */
const ROOM = 512 * 1024 * 1024;

/**
 * Where data folders are: in memory where there is room. What a test is about does not outlive it, and
 * a disk that others keep busy makes every change wait.
 */
export function makeScratch(): string {
  const memory = '/dev/shm';
  let room = 0;
  try {
    const { bavail, bsize } = statfsSync(memory);
    room = bavail * bsize;
  } catch {
    // This system has none.
  }
  return mkdtempSync(join(room >= ROOM ? memory : tmpdir(), 'recto-e2e-'));
}

/** A running server and its folder. */
export interface Server {
  /** `http://127.0.0.1:20123` */
  url: string;
  /** The data folder. */
  folder: string;
  /** What the link for the setup carries. */
  setupToken: string;
  /** Ends the process and leaves the folder. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

/** What a browser needs to be somebody. */
export interface Session {
  csrf: string;
  cookie: string;
}

/** Somebody who uses the admin API by themselves, to prepare what a test is about. */
export class Admin {
  constructor(
    private readonly url: string,
    readonly username: string,
    public session: Session = { csrf: '', cookie: '' },
  ) {}

  /** Any request; the body of the answer. Throws when it is refused. */
  async send<T = unknown>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const form = body instanceof FormData;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && !form && { 'Content-Type': 'application/json' }),
        'X-CSRF-Token': this.session.csrf,
        Cookie: this.session.cookie,
        ...headers,
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    this.session.csrf = response.headers.get('X-CSRF-Token') ?? this.session.csrf;
    const set = response.headers.get('Set-Cookie');
    if (set) this.session.cookie = set.split(';')[0] ?? '';
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** A request below `/admin/api/`; the `data` of the answer. */
  async api<T = Record<string, unknown>>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    return (await this.send<{ data: T }>(method, `/admin/api/${path}`, body, headers)).data;
  }

  /** Uploads a file; its item. */
  async upload(name: string, bytes: Uint8Array | string, type = 'image/png', workspace = 'default'): Promise<{ filename: string }> {
    const form = new FormData();
    form.append('media[]', new Blob([bytes as BlobPart], { type }), name);
    const [item] = await this.api<{ filename: string }[]>('POST', 'media', form, { 'X-Service-Workspace': workspace });
    if (!item) throw new Error(`${name} was not uploaded`);
    return item;
  }

  async setUp(token: string): Promise<this> {
    this.take(await this.api('POST', 'setup', { username: this.username, password: PASSWORD, setup_token: token }));
    return this;
  }

  async logIn(): Promise<this> {
    this.take(await this.api('POST', 'login', { username: this.username, password: PASSWORD }));
    return this;
  }

  private take(me: { csrf_token?: unknown }): void {
    this.session.csrf = String(me.csrf_token);
  }

  /** Makes a user with a role of their own, who may do just what the grants say. */
  async person(username: string, permissions: unknown[]): Promise<void> {
    const role = await this.api<{ id: string }>('POST', 'roles', { label: `Role of ${username}`, permissions });
    await this.api('POST', 'users', { username, password: PASSWORD, role: role.id });
  }

  /** Lets a browser be this somebody. */
  async lend(context: BrowserContext): Promise<void> {
    const [name = '', value = ''] = this.session.cookie.split('=');
    await context.addCookies([{ name, value, url: this.url, httpOnly: true, sameSite: 'Lax' }]);
  }
}

/** How a server is started, where it is not as usual. */
interface ServerOptions {
  /** The port; one that is free, when it is not given. */
  port?: number;
  /** The path that everything lives below: `/cms`. */
  basePath?: string;
  /** Further arguments of `recto serve`. */
  args?: string[];
}

export async function startServer(folder: string, options: ServerOptions = {}): Promise<Server> {
  const { basePath = '', args = [] } = options;
  const dir = process.env.RECTO_ADMIN_DIR;
  let child: ChildProcess | undefined;
  const listen = `127.0.0.1:${options.port ?? (await freePort())}`;
  const base = basePath ? ['--base-url', `http://${listen}${basePath}`] : [];
  const server: Server = {
    url: `http://${listen}${basePath}`,
    folder,
    setupToken: '',
    async stop() {
      const running = child;
      child = undefined;
      if (!running || running.exitCode !== null) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      // Streams that stay open must not keep a test from ending.
      const forced = setTimeout(() => running.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(forced);
    },
    async start() {
      const running = spawn(
        BINARY,
        ['serve', '--data', folder, '--listen', listen, ...base, ...(dir ? ['--admin-dir', dir] : []), ...args],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      child = running;
      const line = await new Promise<string>((resolve, reject) => {
        let said = '';
        const hear = (bytes: Buffer) => {
          said += bytes.toString();
          const ready = /^Recto .* serves .*$/m.exec(said);
          if (ready) resolve(ready[0]);
        };
        running.stdout?.on('data', hear);
        running.stderr?.on('data', hear);
        running.once('exit', (code) => reject(new Error(`the server ended (${code}): ${said}`)));
        running.once('error', reject);
      });
      server.setupToken = /token=(\w+)/.exec(line)?.[1] ?? server.setupToken;
    },
  };
  await server.start();
  return server;
}

/**
 * A port that nobody listens on, below those that systems hand out for connections to others: it is
 * still free when a server ends and another one starts on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
