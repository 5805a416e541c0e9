// Builds the documentation of Recto as a static site, with Recto: `recto import` reads the Markdown
// of this repository, the API returns it as HTML, and this script puts pages around it.
//
//   node examples/docs/build.mjs [FOLDER]      writes ./site unless FOLDER is given
//
// RECTO_BIN names the program; without it, `recto` has to be in the PATH.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = process.env.RECTO_BIN ?? 'recto';
const repository = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const site = process.argv[2] ?? 'site';
// The address that links between pages begin with until they are made relative.
const base = 'https://site.invalid/';

/** Imports the documents of the repository into a new data folder. */
function importDocuments(folder) {
  const source = join(folder, 'source');
  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs']) {
    cpSync(join(repository, name), join(source, name), { recursive: true });
  }
  const data = join(folder, 'data');
  const run = (...args) => execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('init', data, '--empty');
  for (const type of ['pages', 'docs']) {
    const fields = { title: { type: 'text' }, body: { type: 'markdown' } };
    const schema = { feed: { url: `${base}{slug}.html`, content: 'body' }, fields };
    writeFileSync(join(data, `workspaces/default/schemas/${type}.json`), JSON.stringify(schema));
  }
  run('import', 'markdown', source, '--status', 'published', '--data', data);
  return data;
}

/** Returns all pages as `{slug, title, html}`. */
async function readPages(data) {
  const args = ['serve', '--data', data, '--listen', '127.0.0.1:0', '--base-url', base, '--log-level', 'warn'];
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const address = await new Promise((resolve, reject) => {
      server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      server.stdout.on('data', (chunk) => {
        const found = String(chunk).match(/http:\/\/[^ /]+:\d+/);
        if (found) resolve(found[0]);
      });
    });
    const pages = [];
    for (const type of ['pages', 'docs']) {
      const answer = await fetch(`${address}/api/v1/workspaces/default/content/${type}?render=html&fields=body`);
      if (!answer.ok) throw new Error(`${type}: ${answer.status} ${await answer.text()}`);
      for (const { slug, title, data_html: html } of (await answer.json()).data) {
        pages.push({ slug: slug === 'readme' ? 'index' : slug, title, html: html.body });
      }
    }
    return pages;
  } finally {
    server.removeAllListeners('exit');
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill();
    await ended;
  }
}

/** Makes links relative. Those to files of the repository that are no pages become their words. */
function linkPages(html) {
  return html
    .replaceAll(`href="${base}readme.html`, 'href="index.html')
    .replaceAll(`"${base}`, '"')
    .replaceAll('="/media/', '="media/')
    // Others keep each hyphen of what they leave out of a heading; Recto makes one of them.
    .replace(/ href="[^":]*#[^"]*"/g, (link) => link.replace(/--+/g, '-'))
    .replace(/<a href="(?!https?:|mailto:|#|media\/|[a-z0-9-]+\.html)[^"]*"[^>]*>([^]*?)<\/a>/g, '$1');
}

/** Returns the navigation: the pages that the section "Documentation" of the README links, in its order. */
function renderNavigation(pages) {
  const titles = new Map(pages.map((it) => [it.slug, it.title]));
  const section = pages.find((it) => it.slug === 'index').html.split('<h2 id="documentation">')[1]?.split('<h2')[0];
  if (!section) throw new Error('the README has no section "Documentation"');
  const [guides, reference] = section.split('<strong>Reference</strong>');
  const list = (html) =>
    [...html.matchAll(/<a href="([a-z0-9-]+)\.html"/g)]
      .map(([, slug]) => `<li><a href="${slug}.html">${titles.get(slug)}</a>`)
      .join('\n');
  return `<a href="index.html"><strong>Recto</strong></a>
<h2>Guides</h2><ul>${list(guides)}</ul>
<h2>Reference</h2><ul>${list(reference)}</ul>`;
}

function renderPage({ slug, title, html }, navigation) {
  const nav = navigation.replace(`href="${slug}.html"`, `href="${slug}.html" aria-current="page"`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title === 'Recto' ? title : `${title} · Recto`}</title>
<link rel="stylesheet" href="style.css">
<body>
<nav aria-label="Documentation"><details><summary>Contents</summary>${nav}</details></nav>
<main>${html.replaceAll('<table>', '<div class="table"><table>').replaceAll('</table>', '</table></div>')}</main>
<script>if (innerWidth > 900) document.querySelector('details').open = true;</script>
`;
}

/** Fails if a link leads to a page or a heading that does not exist. */
function checkLinks(pages) {
  const ids = new Map(pages.map((it) => [it.slug, new Set([...it.html.matchAll(/ id="([^"]+)"/g)].map((id) => id[1]))]));
  const broken = [];
  for (const { slug, html } of pages) {
    for (const [, page = slug, id] of html.matchAll(/ href="(?:([a-z0-9-]+)\.html)?(?:#([^"]+))?"/g)) {
      if (!ids.has(page) || (id && !ids.get(page).has(decodeURIComponent(id)))) broken.push(`${slug}: ${page}#${id ?? ''}`);
    }
  }
  if (broken.length) throw new Error(`these links lead nowhere:\n${broken.join('\n')}`);
}

const folder = mkdtempSync(join(tmpdir(), 'recto-docs-'));
try {
  const data = importDocuments(folder);
  const pages = (await readPages(data)).map((it) => ({ ...it, html: linkPages(it.html) }));
  const navigation = renderNavigation(pages);
  checkLinks(pages);
  mkdirSync(site, { recursive: true });
  for (const page of pages) writeFileSync(join(site, `${page.slug}.html`), renderPage(page, navigation));
  cpSync(join(data, 'workspaces/default/media'), join(site, 'media/default'), { recursive: true });
  cpSync(join(here, 'style.css'), join(site, 'style.css'));
  console.log(`docs: ${pages.length} pages in ${site}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
