import { getContent } from '@recto/client/next';
import MarkdownIt from 'markdown-it';
import type { ContentTypes, Entry } from './recto-types';

/** The address of Recto. */
export const server = process.env.RECTO_URL ?? 'http://localhost:8080';

/** What Recto makes for machines. */
export const feed = (locale: string) => `${server}/api/v1/workspaces/default/feeds/posts/atom.xml?locale=${locale}`;
export const sitemap = `${server}/api/v1/workspaces/default/sitemap.xml`;

/** HTML in Markdown is shown as text. */
export const markdown = new MarkdownIt();

/** All content, from the copy that the build keeps. */
export const content = () => getContent<ContentTypes>();

export type Post = Entry<'posts', never, 'full'>;
export type Author = Entry<'authors', never, 'full'>;
export type Topic = Entry<'topics', never, 'full'>;
