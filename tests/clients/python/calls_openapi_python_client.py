"""Three calls and a refusal with what openapi-python-client makes."""

import os

from generated_client import AuthenticatedClient, Client
from generated_client.api.content_posts import entries_list_posts, entries_show_posts
from generated_client.api.content_topics import entries_create_topics
from generated_client.models import PostsEntry, TopicsEntryInput

base = os.environ["RECTO_BASE"]
client = Client(base_url=base)

listed = entries_list_posts.sync_detailed(client=client, limit=2)
assert listed.status_code == 200, listed
posts = listed.parsed.data
assert len(posts) == 2 and all(isinstance(it, PostsEntry) for it in posts), posts

one = entries_show_posts.sync_detailed(client=client, identifier=posts[0].slug)
assert one.parsed.data.title == posts[0].title, one
assert one.parsed.data.type_ == "posts", one

writer = AuthenticatedClient(base_url=base, token=os.environ["RECTO_TOKEN"])
body = TopicsEntryInput(title="From openapi-python-client")
made = entries_create_topics.sync_detailed(client=writer, body=body)
assert made.status_code == 201 and made.parsed.data.type_ == "topics", made

missing = entries_show_posts.sync_detailed(client=client, identifier="nothing")
assert missing.status_code == 404 and missing.parsed.error.code == "not_found", missing
