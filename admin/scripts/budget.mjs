// Holds the bundle to its size: what the first screens load before they can be used, and every chunk
// that comes later. Sizes are those on the wire, brotli at its best.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

/** What each screen begins with, beside what the page links: the most bytes and the most files. */
const SCREENS = [
  { name: 'dashboard', chunks: ['Dashboard', 'de.first'], bytes: 220_000, files: 12 },
  // The texts, and the inputs that bring libraries along; not the calendar and the text editor, which come after them.
  { name: 'entry', chunks: ['Editor', 'de.first', 'de.writing', 'fields'], bytes: 300_000, files: 16 },
  { name: 'list', chunks: ['List', 'de.first', 'de.writing'], bytes: 400_000, files: 24 },
];
const CHUNK = 130_000;
const dist = fileURLToPath(new URL('../dist', import.meta.url));

const read = (path) => readFileSync(join(dist, path));
const weight = (path) => brotliCompressSync(read(path)).length;

/** The files that a chunk imports before it runs; those that it loads later are none of them. */
function imports(path) {
  const source = read(path).toString();
  const found = [...source.matchAll(/(?:^|[;}\s])(?:import|export)(?:[^;"'()]*?from)?\s*["'](\.[^"']+)["']/g)];
  return found.map((it) => normalize(join(dirname(path), it[1])));
}

/** The styles that belong to a chunk of the same name. */
function styles(path) {
  const css = path.replace(/\.js$/, '.css');
  return readdirSync(join(dist, 'assets')).includes(css.replace('assets/', '')) ? [css] : [];
}

function closure(paths) {
  const seen = new Set();
  const todo = [...paths];
  while (todo.length > 0) {
    const path = todo.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    if (path.endsWith('.js')) todo.push(...imports(path), ...styles(path));
  }
  return [...seen];
}

const page = read('index.html').toString();
const linked = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((it) => it[1]);
const rows = [];
const first = new Set();
for (const { name, chunks, bytes, files } of SCREENS) {
  const needed = ['index.html', ...closure([...linked, ...chunks.map((it) => `assets/${it}.js`)])];
  for (const path of needed) first.add(path);
  rows.push([name, needed.reduce((sum, path) => sum + weight(path), 0), bytes, needed.length, files]);
}
for (const name of readdirSync(join(dist, 'assets')).sort()) {
  const path = `assets/${name}`;
  if (!first.has(path)) rows.push([path, weight(path), CHUNK]);
}

let over = false;
for (const [name, bytes, most, files = 0, mostFiles = 0] of rows.sort((a, b) => b[1] - a[1])) {
  const tooMuch = bytes > most || files > mostFiles;
  over ||= tooMuch;
  if (tooMuch || files > 0 || bytes > 20_000) {
    const counted = files > 0 ? `, ${files} of ${mostFiles} files` : '';
    console.log(`${tooMuch ? 'OVER ' : ''}${name}: ${(bytes / 1000).toFixed(1)} kB of ${most / 1000} kB${counted}`);
  }
}
process.exit(over ? 1 : 0);
