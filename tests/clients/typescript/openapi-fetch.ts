import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.js';
import { base, expect, token } from './says.js';

const client = createClient<paths>({ baseUrl: base });

const list = await client.GET('/api/v1/workspaces/default/content/posts', {
  params: { query: { limit: 2, sort: ['-published_at'], filter: { status: 'published' } } },
});
const posts: components['schemas']['PostsEntry'][] = list.data?.data ?? [];
expect(posts.length, 2, 'posts');
expect(list.data?.meta.limit, 2, 'limit');

const first = posts[0];
if (!first) throw new Error('there is no post');
const one = await client.GET('/api/v1/workspaces/default/content/posts/{identifier}', {
  params: { path: { identifier: first.slug }, query: { fields: ['excerpt'] } },
});
const excerpt: string | null | undefined = one.data?.data.data.excerpt;
expect(typeof excerpt, 'string', 'excerpt');

const made = await client.POST('/api/v1/workspaces/default/content/topics', {
  headers: { Authorization: `Bearer ${token}` },
  body: { title: 'From openapi-fetch' },
});
const type: 'topics' | undefined = made.data?.data.type;
expect(type, 'topics', 'type');
expect(made.response.status, 201, 'status');

const missing = await client.GET('/api/v1/workspaces/default/content/posts/{identifier}', {
  params: { path: { identifier: 'nothing' } },
});
expect(missing.error?.error.code, 'not_found', 'code');
