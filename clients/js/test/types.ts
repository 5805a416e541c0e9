// Compiles only if the client knows the types of the sample content. `generated.ts` is made by
// `recto types` before.
import { createClient, image } from '../dist/index.js';
import { rectoLoader } from '../dist/astro.js';
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
  // @ts-expect-error: there is no such type.
  await recto.get('nothing', 'x');
  // @ts-expect-error: this is no relation.
  await recto.get('posts', 'x', { include: ['excerpt'] });
  // @ts-expect-error: this is no field.
  post?.data.nothing;
  return { author, tag, id, total, parent, generated, attributes, srcset, address };
}

export const loader = rectoLoader({ url: 'http://localhost:8080', type: 'posts' });
