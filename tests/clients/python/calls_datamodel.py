"""Three calls whose answers have to fit the models that datamodel-code-generator makes."""

import os

import httpx

from generated_models import Error, PostsEntry, TopicsEntry, TopicsEntryInput

content = os.environ["RECTO_BASE"] + "/api/v1/workspaces/default/content"

listed = httpx.get(f"{content}/posts", params={"limit": 2, "sort": "-published_at"}).json()
posts = [PostsEntry.model_validate(it) for it in listed["data"]]
assert len(posts) == 2, listed

one = httpx.get(f"{content}/posts/{posts[0].slug}").json()
assert PostsEntry.model_validate(one["data"]).title == posts[0].title, one

body = TopicsEntryInput(title="From datamodel-code-generator")
headers = {"Authorization": "Bearer " + os.environ["RECTO_TOKEN"]}
sent = body.model_dump(mode="json", exclude_unset=True)
made = httpx.post(f"{content}/topics", json=sent, headers=headers)
assert made.status_code == 201, made.text
assert TopicsEntry.model_validate(made.json()["data"]).type == "topics", made.text

missing = httpx.get(f"{content}/posts/nothing").json()
code = Error.model_validate(missing).error.code
assert getattr(code, "value", code) == "not_found", missing
