// Holds the bundle to its size: what the first screen loads, and every chunk that comes later.
// Sizes are those on the wire, brotli at its best.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const FIRST_SCREEN = 260_000;
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
// The first screen of somebody who is logged in, the heavier case.
const first = closure([...linked, 'assets/Dashboard.js']);
const rows = [];
const total = first.reduce((sum, path) => sum + weight(path), brotliCompressSync(read('index.html')).length);
rows.push(['first screen', total, FIRST_SCREEN]);
for (const name of readdirSync(join(dist, 'assets')).sort()) {
  const path = `assets/${name}`;
  if (!first.includes(path)) rows.push([path, weight(path), CHUNK]);
}

let over = false;
for (const [name, bytes, most] of rows.sort((a, b) => b[1] - a[1])) {
  const tooMuch = bytes > most;
  over ||= tooMuch;
  if (tooMuch || name === 'first screen' || bytes > 20_000) {
    console.log(`${tooMuch ? 'OVER ' : ''}${name}: ${(bytes / 1000).toFixed(1)} kB of ${most / 1000} kB`);
  }
}
process.exit(over ? 1 : 0);
