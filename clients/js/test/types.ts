// Compiles only if the client knows the types of the sample content. `generated.ts` is made by
// `recto types` before.
import { createClient, image } from '../dist/index.js';
import { rectoLoader, rectoLoaders } from '../dist/astro.js';
import { rectoData } from '../dist/eleventy.js';
import { getContent, withRecto } from '../dist/next.js';
import type { ContentTypes, Entry } from './generated.js';

const recto = createClient<ContentTypes>({ url: 'http://localhost:8080' });

export async function read() {
  const post = await recto.get('posts', 'mending-a-jumper', { include: ['author'], locale: 'de' });
  const author: string | undefined = post?.data.author?.title;
  const tag: 'how-to' | 'essay' | 'route' | 'recipe' | 'tools' | 'seasons' | 'beginners' | undefined =
    post?.data.tags?.[0];
  const plain = await recto.get('posts', 'mending-a-jumper');
  const id: string | null | undefined = plain?.data.author;
  const { items, total } = await recto.list('posts', { include: ['category.parent'], limit: 3 });
  const parent: string | undefined = items[0]?.data.category?.data.parent?.slug;
  const generated: Entry<'posts', 'author'> | null = post;
  for (const part of (await recto.get('pages', 'about'))?.data.content ?? []) {
    // A block knows its fields by its type.
    if (part._type === 'quote') part.quote.toUpperCase();
    // @ts-expect-error: pictures have no quote.
    if (part._type === 'picture') part.quote;
  }
  const whole = await recto.get('posts', 'mending-a-jumper', { media: 'full', include: ['related'] });
  const [hero] = whole?.data.hero ?? [];
  const attributes = hero && image(hero, '40rem');
  const srcset: string | null | undefined = whole?.data.related?.[0]?.data.hero?.[0]?.srcset;
  const address: string | undefined = plain?.data.hero?.[0];
  const html: string | undefined = (await recto.get('posts', 'x', { render: 'html' }))?.data_html?.body;
  // @ts-expect-error: there is no such type.
  await recto.get('nothing', 'x');
  // @ts-expect-error: this is no relation.
  await recto.get('posts', 'x', { include: ['excerpt'] });
  // @ts-expect-error: this is no field.
  post?.data.nothing;
  return { author, tag, id, total, parent, generated, attributes, srcset, address, html };
}

export const loader = rectoLoader({ url: 'http://localhost:8080', type: 'posts' });

export const loaders = rectoLoaders({ url: 'http://localhost:8080', types: ['posts'], media: 'full' })('posts', 'body');

export async function build() {
  const { all, get } = await getContent<ContentTypes>();
  const post = all('posts', 'de')[0];
  // Media fields hold items, relations ids.
  const color: string | null | undefined = post?.data.hero?.[0]?.color;
  const author: string | undefined = get('authors', post?.data.author)?.title;
  const { entries } = await rectoData<ContentTypes>({ url: 'http://localhost:8080' })();
  const topic: string | null | undefined = entries.topics[0]?.data.description;
  // @ts-expect-error: there is no such type.
  get('nothing', 'x');
  // @ts-expect-error: the text of another type.
  entries.topics[0]?.data.excerpt;
  const config: { output: string } = await withRecto({ url: 'http://localhost:8080' }, { output: 'export' })('phase');
  return { color, author, topic, config };
}
