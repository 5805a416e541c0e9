import { rectoLoaders } from '@recto/client/astro';
import { defineCollection, z } from 'astro:content';
import { server, type Author, type Post, type Start, type Topic } from './recto';

// One request loads all collections; the next build asks only for what changed.
const recto = rectoLoaders({ url: server, types: ['posts', 'authors', 'topics', 'start'], media: 'full' });

export const collections = {
  posts: defineCollection({ loader: recto('posts', 'body'), schema: z.custom<Post>() }),
  authors: defineCollection({ loader: recto('authors'), schema: z.custom<Author>() }),
  topics: defineCollection({ loader: recto('topics'), schema: z.custom<Topic>() }),
  start: defineCollection({ loader: recto('start', 'intro'), schema: z.custom<Start>() }),
};
