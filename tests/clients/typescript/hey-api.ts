import { createClient } from './generated/hey-api/client/index.js';
import { entriesCreateTopics, entriesListPosts, entriesShowPosts } from './generated/hey-api/sdk.gen.js';
import type { PostsEntry } from './generated/hey-api/types.gen.js';
import { base, expect, token } from './says.js';

const client = createClient({ baseUrl: base });

const list = await entriesListPosts({
  client,
  query: { limit: 2, sort: ['-published_at'], filter: { status: 'published' } },
});
const posts: PostsEntry[] = list.data?.data ?? [];
expect(posts.length, 2, 'posts');

const first = posts[0];
if (!first) throw new Error('there is no post');
const one = await entriesShowPosts({ client, path: { identifier: first.slug } });
const title: string | undefined = one.data?.data.title;
expect(title, first.title, 'title');

const made = await entriesCreateTopics({ client, auth: token, body: { title: 'From Hey API' } });
const type: 'topics' | undefined = made.data?.data.type;
expect(type, 'topics', 'type');

const missing = await entriesShowPosts({ client, path: { identifier: 'nothing' } });
expect(missing.error?.error.code, 'not_found', 'code');
