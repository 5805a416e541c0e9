// Recto with the sample content, for the tests of the starters: a server on a folder of its own, and
// a door in front of it that counts what builds ask for.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = process.env.RECTO_BIN;
const examples = new URL('..', import.meta.url);
const posts = 'workspaces/default/schemas/posts.json';
const password = 'correct horse battery';

/** Starts Recto. `prepare` may change the folder before. */
export async function startCms(prepare = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'recto-starters-'));
  const data = join(folder, 'data');
  cpSync(new URL('../data-skeleton', examples), data, { recursive: true });
  // What the README says to add to the posts.
  const told = readFileSync(new URL('README.md', examples), 'utf8').match(/```json\n([^]*?)```/)[1];
  const schema = JSON.parse(readFileSync(join(data, posts), 'utf8'));
  writeFileSync(join(data, posts), JSON.stringify({ ...schema, ...JSON.parse(`{${told}}`) }));
  prepare(data);
  const user = ['user', 'create', 'anna', '--role', 'admin', '--password-stdin', '--data', data];
  execFileSync(program, user, { input: password, stdio: 'pipe' });
  const grant = ['--name', 'test', '--grant', 'content.*@content:*'];
  const token = execFileSync(program, ['token', 'create', '--data', data, ...grant], { encoding: 'utf8', stdio: 'pipe' }).trim();

  const server = spawn(program, ['serve', '--data', data, '--listen', '127.0.0.1:0', '--log-level', 'warn'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
    server.stdout.on('data', (chunk) => {
      said += chunk;
      const found = said.match(/http:\/\/[^ /]+:\d+/);
      if (found) resolve(found[0]);
    });
  });
  const door = await openDoor(address);
  // Sketches of pictures, which the colours are of, are made after the start.
  for (let media = [{}]; media.some((it) => !it.color); ) {
    media = (await (await fetch(`${address}/api/v1/workspaces/default/media`)).json()).data;
  }

  /** Sends a request to the server itself, which no build sees. */
  async function send(method, path, body, headers = {}) {
    const answer = await fetch(address + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  return {
    ...door,
    send,
    /** Changes a post through the public API. */
    edit: (id, body) =>
      send('PUT', `/api/v1/workspaces/default/content/posts/${id}`, body, { authorization: `Bearer ${token}` }),
    /** Proposes a change of a post, and returns the token of a link that shows it. */
    async preview(id, body) {
      const { headers } = await send('POST', '/admin/api/login', { username: 'anna', password });
      const as = { cookie: headers.get('set-cookie').split(';')[0], 'x-csrf-token': headers.get('x-csrf-token') };
      await send('PUT', `/admin/api/content/posts/${id}?change=pending`, body, as);
      return (await (await send('POST', '/admin/api/changes/pending/previews', {}, as)).json()).data.token;
    },
    async stop() {
      door.close();
      server.removeAllListeners('exit');
      const ended = new Promise((resolve) => server.on('exit', resolve));
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Passes requests on, and counts those for content with the bytes of their answers, as sent. */
async function openDoor(address) {
  let asked = [];
  const http = createServer((incoming, outgoing) => {
    const onward = request(address + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      const note = { path: incoming.url, bytes: 0 };
      if (incoming.url.startsWith('/api/')) asked.push(note);
      answer.on('data', (chunk) => (note.bytes += chunk.length));
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    /** Returns what was asked for since the last time. */
    takeRequests() {
      const taken = asked;
      asked = [];
      return taken;
    },
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}
