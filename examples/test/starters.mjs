// Builds the starters against a server with the sample content, and looks at them in a browser.
//
//   node starters.mjs [NAME…]           all of them, or some
//   SLOW=1 node starters.mjs [NAME…]    also counts what builds of 5,000 posts ask for
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { startCms } from './cms.mjs';
import { checkSite, launch } from './site.mjs';

const examples = fileURLToPath(new URL('..', import.meta.url));

const STARTERS = {
  astro: { output: 'dist', kept: ['node_modules/.astro', '.astro'], types: 'src/recto-types.ts', build: ['npm', 'run', 'build'] },
  next: { output: 'out', kept: ['.next'], types: 'lib/recto-types.ts', build: ['npm', 'run', 'build'] },
  eleventy: { output: '_site', kept: ['.cache'], types: 'src/recto-types.ts', build: ['npm', 'run', 'build'] },
  // Hugo cannot add to what an earlier build loaded: it asks for everything, unless nothing changed.
  hugo: { output: 'public', kept: [], build: [process.env.HUGO ?? 'hugo'], asksForAll: true },
};

/** The posts that the tests change. */
const DRAFT = '01k78zcfj0mqka0m';
const POST = '01jpyh97m0mka4qw';
const EDIT = {
  title: 'A loaf, after the edit',
  body: 'A loaf. <script>hostile()</script> <img src=x onerror="hostile()"> [link](javascript:hostile())\n\n<iframe src="/"></iframe>',
};

const names = process.argv.slice(2).length ? process.argv.slice(2) : Object.keys(STARTERS);
const hugo = spawnSync(STARTERS.hugo.build[0], ['version'], { encoding: 'utf8' });
const hasHugo = Number(/v0\.(\d+)/.exec(hugo.stdout)?.[1] ?? 0) >= 158;

for (const name of names) {
  if (name === 'hugo' && !hasHugo) {
    console.log('skipped: there is no hugo 0.158 or newer (HUGO names another one), so no starter for Hugo');
    continue;
  }
  await checkStarter(name);
  if (process.env.SLOW) await countRequests(name);
}

async function checkStarter(name) {
  const begun = Date.now();
  const { output, types, asksForAll } = STARTERS[name];
  const cms = await startCms();
  const browser = await launch();
  try {
    const title = 'Rye, in three days';
    const token = await cms.preview(DRAFT, { title });
    if (types) {
      const made = await (await cms.send('GET', '/api/v1/workspaces/default/types.ts')).text();
      const file = join(examples, name, types);
      if (process.env.UPDATE) writeFileSync(file, made);
      assert.ok(readFileSync(file, 'utf8') === made, `${file} is stale: make it anew with UPDATE=1`);
    }
    forget(name);
    const first = await build(name, cms);
    assert.equal(first.length, 1, 'the first build asks once');
    assert.match(first[0].path, /\/bundle\?/);
    await cms.edit(POST, EDIT);
    const second = await build(name, cms);
    assert.equal(second.length, 1, 'the next build asks once');
    if (!asksForAll) {
      assert.match(second[0].path, /\/sync\?/);
      assert.ok(second[0].bytes <= 20_000, `the next build takes ${second[0].bytes} bytes`);
    }
    const folder = join(examples, name, output);
    const page = readFileSync(join(folder, 'en/posts/a-loaf-for-busy-people/index.html'), 'utf8');
    assert.match(page, /A loaf, after the edit/);
    assert.doesNotMatch(page, /<script>hostile|<img[^>]*hostile|href="javascript|<iframe/, 'authors write no scripts');
    const n_pages = await checkSite(browser, { name, folder }, cms, { id: DRAFT, title, token });
    console.log(`starters: ${name} passed, ${n_pages} pages, ${Math.round((Date.now() - begun) / 1000)} s`);
  } finally {
    await browser.close();
    await cms.stop();
  }
}

/** Builds a site of 5,000 posts three times: at first, as nothing changed, and after one edit. */
async function countRequests(name) {
  const cms = await startCms((data) => {
    const folder = join(data, 'workspaces/default/content/posts');
    const post = JSON.parse(readFileSync(join(folder, `${POST}.json`), 'utf8'));
    delete post.translations;
    for (let n = 1; n <= 5000; n++) {
      const one = { ...post, title: `Loaf ${n}`, slug: `loaf-${n}` };
      writeFileSync(join(folder, `loaf${n}.json`), JSON.stringify(one));
    }
  });
  try {
    forget(name);
    const told = [];
    for (const edit of [null, null, EDIT]) {
      if (edit) await cms.edit(POST, edit);
      const begun = Date.now();
      const asked = await build(name, cms);
      const bytes = asked.reduce((sum, it) => sum + it.bytes, 0);
      told.push(`${asked.length} requests, ${bytes} bytes, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
      assert.ok(asked.length <= (told.length === 1 ? 1 : 2), `${name} asks ${asked.length} times`);
      if (edit && !STARTERS[name].asksForAll) assert.ok(bytes <= 20_000, `${name} takes ${bytes} bytes`);
    }
    console.log(`starters: ${name}, 5,000 posts: first ${told[0]}; unchanged ${told[1]}; after an edit ${told[2]}`);
  } finally {
    await cms.stop();
    forget(name);
  }
}

/** Removes what earlier builds left. */
function forget(name) {
  const { output, kept } = STARTERS[name];
  for (const it of [output, ...kept]) rmSync(join(examples, name, it), { recursive: true, force: true });
}

/** Builds a site, and returns what it asked the server for. */
async function build(name, cms) {
  const { build: [command, ...args] } = STARTERS[name];
  const env = { ...process.env, RECTO_URL: cms.url, HUGO_PARAMS_RECTO: cms.url, ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' };
  cms.takeRequests();
  const child = spawn(command, args, { cwd: join(examples, name), env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (it) => (said += it));
  const status = await new Promise((ended) => child.on('close', ended));
  assert.equal(status, 0, said);
  return cms.takeRequests();
}
