'use client';

import { createClient, type RectoError } from '@recto/client';
import { useEffect, useState } from 'react';
import type { ContentTypes, Entry } from '../lib/recto-types';
import type { Locale } from '../lib/words';
import { Article } from './Article';

type Previewed = Entry<'posts', 'author' | 'category', 'full'>;

/** Draws a post in the browser while editors see it in Recto: what is not public has no page yet. */
export function Preview({ server }: { server: string }) {
  const [post, setPost] = useState<Previewed>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    // The address of Recto is a part of the site, never of the page's query, which anybody could change.
    const query = new URLSearchParams(location.search);
    const locale: Locale = query.get('locale') === 'de' ? 'de' : 'en';
    const shape = { include: ['author', 'category'], media: 'full', render: 'html', locale } as const;
    const recto = createClient<ContentTypes>({ url: server, preview: query.get('recto') ?? '' });
    recto.get('posts', location.hash.slice(1), shape).then(
      (found) => (found ? setPost(found) : setProblem('There is no such post.')),
      (error: RectoError) => setProblem(error.message),
    );
    import(/* webpackIgnore: true */ /* turbopackIgnore: true */ `${server}/api/v1/preview.js`).then(({ live }) =>
      live(setPost, `include=author,category&media=full&render=html&locale=${locale}`),
    );
  }, [server]);

  if (!post) return <h1>{problem ?? 'Preview'}</h1>;
  const { author, category } = post.data;
  return (
    <div lang={post.locale}>
      <p className="notice">This is a preview. Not all of it is public.</p>
      <Article post={post} html={post.data_html?.body ?? ''} topic={category} author={author} />
    </div>
  );
}
