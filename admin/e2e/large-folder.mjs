/**
 * Writes a workspace with many entries, as files (docs/FORMAT.md), to see how the interface does with
 * them: `node e2e/large-folder.mjs FOLDER [ENTRIES]`. The type is `articles`; its authors are `authors`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WORDS = 'bread river bench walk winter salt patience knife orchard letter stone kettle morning thread ferry lantern'.split(' ');
const CATEGORIES = ['news', 'essay', 'recipe', 'guide'];
const STATUSES = ['published', 'published', 'published', 'draft', 'archived'];
const AUTHORS = 25;

const SCHEMAS = {
  authors: { label: 'Authors', fields: { title: { type: 'text', label: 'Name', required: true }, slug: { type: 'slug' } } },
  articles: {
    label: 'Articles',
    fields: {
      title: { type: 'text', label: 'Title', required: true },
      slug: { type: 'slug', source: 'title' },
      category: { type: 'select', label: 'Category', options: CATEGORIES },
      author: { type: 'relation', label: 'Author', target: 'authors' },
      rating: { type: 'number', label: 'Rating', integer: true },
      date: { type: 'date', label: 'Date' },
      featured: { type: 'boolean', label: 'Featured' },
      body: { type: 'markdown', label: 'Text' },
    },
  },
};

/**
 * Makes the same entries every time.
 * @param {string} folder
 * @param {number} entries
 */
export function writeLargeFolder(folder, entries) {
  const workspace = join(folder, 'workspaces/default');
  const put = (path, value) => writeFileSync(join(workspace, path), `${JSON.stringify(value, null, 2)}\n`);
  for (const part of ['schemas', 'content/authors', 'content/articles']) mkdirSync(join(workspace, part), { recursive: true });
  put('workspace.json', { format: 1, label: 'Default', types: Object.keys(SCHEMAS).toReversed() });
  for (const [name, schema] of Object.entries(SCHEMAS)) put(`schemas/${name}.json`, schema);
  for (let i = 0; i < AUTHORS; i += 1) {
    put(`content/authors/author${i}.json`, { title: `Author ${i + 1}`, slug: `author-${i + 1}`, status: 'published' });
  }
  const start = Date.UTC(2020, 0, 1);
  for (let i = 0; i < entries; i += 1) {
    const word = (step) => WORDS[(i * step + Math.floor(i / 7)) % WORDS.length];
    const at = new Date(start + i * 1_800_000).toISOString().replace('.000', '');
    put(`content/articles/a${String(i).padStart(6, '0')}.json`, {
      title: `${word(3)} and ${word(5)} no. ${i + 1}`,
      slug: `article-${i + 1}`,
      status: STATUSES[i % STATUSES.length],
      published_at: at,
      created_at: at,
      updated_at: at,
      data: {
        category: CATEGORIES[i % CATEGORIES.length],
        author: `author${i % AUTHORS}`,
        rating: (i * 37) % 100,
        date: at.slice(0, 10),
        featured: i % 11 === 0,
        body: `The ${word(7)} by the ${word(11)}, written about at some length. `.repeat(4),
      },
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, entries = '100000'] = process.argv.slice(2);
  if (!folder) throw new Error('Which folder?');
  writeLargeFolder(folder, Number(entries));
}
