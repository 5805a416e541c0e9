// Writes dist/SOURCE.sha256: the sum of everything that the bundle is made of, so that a test
// without Node can tell when the bundle is stale. `tests/it/api/interface.rs` computes the same.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function below(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? below(path) : [path];
  });
}

const files = [
  ...below('src'),
  ...below('build'),
  ...below('public'),
  'index.html',
  'openapi.json',
  'package-lock.json',
  'package.json',
  'postcss.config.mjs',
  'tsconfig.json',
  'vite.config.ts',
].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const listing = files.map((path) => `${sha256(readFileSync(join(root, path)))}  ${path}\n`).join('');
writeFileSync(join(root, 'dist/SOURCE.sha256'), `${sha256(listing)}\n`);
