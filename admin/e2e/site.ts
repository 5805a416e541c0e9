/** A site of one's own that shows the content: the blog of the examples, on another origin than the interface. */
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test as base } from './harness';
import { ROOT } from './server';

export interface Site {
  /** `http://127.0.0.1:40123` */
  url: string;
  /** Its pages by path. */
  pages: Record<string, string>;
}

/** A test that has the site. */
export const test = base.extend<{ site: Site }>({
  site: async ({ server }, use) => {
    const consumer = readFileSync(join(ROOT, 'examples/blog/consumer.html'), 'utf8').replaceAll('http://localhost:8080', server.url);
    const site: Site = { url: '', pages: { '/consumer.html': consumer } };
    const http: HttpServer = createServer((request, response) => {
      const page = site.pages[new URL(request.url ?? '/', 'http://site').pathname];
      // Nothing for the icon that browsers ask for.
      response.writeHead(page === undefined ? 204 : 200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page ?? '');
    });
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
    site.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await use(site);
    http.closeAllConnections();
    http.close();
  },
});

const BLOG = join(ROOT, 'examples/blog/data/workspaces/default');

/** A picture of the blog. */
export const PICTURE = join(BLOG, 'media/radishes.png');

/** Returns the type of the blog's posts, whose preview is a page of the site. */
export function postsOf(site: Site, page = 'consumer.html'): object {
  const schema = JSON.parse(readFileSync(join(BLOG, 'schemas/posts.json'), 'utf8')) as object;
  return { name: 'posts', ...schema, preview: [{ label: 'Blog', url: `${site.url}/${page}?recto={token}#{slug}` }] };
}
