import type { ReactNode } from 'react';
import type { Author, Post, Topic as TopicEntry } from '../lib/recto';
import { day } from '../lib/words';
import { Picture } from './Picture';
import { Topic } from './Topic';

interface Props {
  post: Pick<Post, 'id' | 'title' | 'published_at' | 'locale'> & { data: Pick<Post['data'], 'excerpt' | 'hero'> };
  /** The text as HTML. */
  html: string;
  topic?: TopicEntry | null;
  author?: Author | null;
  children?: ReactNode;
}

/** A post, on its page and in the preview. `data-recto` leads editors to the input of a part. */
export function Article({ post, html, topic, author, children }: Props) {
  const [hero] = post.data.hero ?? [];
  const [avatar] = author?.data.avatar ?? [];
  const field = (name: string) => `posts/${post.id}#${name}`;
  return (
    <article className="post">
      <Topic topic={topic} />
      <h1 data-recto={field('title')}>{post.title}</h1>
      <p className="lead" data-recto={field('excerpt')}>
        {post.data.excerpt}
      </p>
      <p className="by">
        {avatar?.width && <Picture picture={{ ...avatar, alt: '' }} sizes="2.5rem" first />}
        <span>
          {author && `${author.title} · `}
          {post.published_at && <time dateTime={post.published_at}>{day(post.published_at, post.locale)}</time>}
        </span>
      </p>
      {hero?.width && <Picture picture={hero} sizes="(min-width: 60rem) 56rem, 100vw" className="hero" first />}
      <div className="text" data-recto={field('body')} dangerouslySetInnerHTML={{ __html: html }} />
      {children}
    </article>
  );
}
