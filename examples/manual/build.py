#!/usr/bin/env python3
"""Builds a static site from the API:  build.py [API address]  →  ./site/<locale>/<slug>.html"""
import html, json, pathlib, re, sys, urllib.request

API = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080/api/v1/workspaces/default"
PAGE = """<!doctype html><html lang="{locale}"><meta charset="utf-8"><title>{title}</title>
<style>body{{max-width:52rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.6 system-ui;display:grid;grid-template-columns:14rem 1fr;gap:2rem}}
nav a{{display:block}}</style><nav>{nav}</nav><main><h1>{title}</h1>{body}{more}</main></html>"""


def get(path):
    with urllib.request.urlopen(API + path) as answer:
        return json.load(answer)["data"]


def markup(text):
    """The little Markdown this manual needs: headings, lists, bold."""
    out = []
    for block in re.split(r"\n{2,}", html.escape(text, quote=False)):
        block = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", block)
        if block.startswith("## "):
            out.append(f"<h2>{block[3:]}</h2>")
        elif block.startswith("- "):
            out.append("<ul>" + "".join(f"<li>{line[2:]}</li>" for line in block.split("\n")) + "</ul>")
        else:
            out.append(f"<p>{block}</p>")
    return "\n".join(out)


def link(page):
    return f'<a href="{page["slug"]}.html">{html.escape(page["title"])}</a>'


kind = get("/content-types/pages")
order = [option["value"] for option in kind["fields"]["section"]["options"]]
for locale in kind["locales"]:
    pages = get(f"/content/pages?locale={locale}&include=see_also")
    pages.sort(key=lambda page: (order.index(page["data"]["section"]), page["data"]["position"]))
    folder = pathlib.Path("site", locale)
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        more = "".join(f"<p>→ {link(other)}</p>" for other in page["data"]["see_also"])
        text = PAGE.format(locale=locale, title=html.escape(page["title"]), nav="".join(map(link, pages)),
                           body=markup(page["data"]["body"]), more=more)
        (folder / f"{page['slug']}.html").write_text(text, encoding="utf-8")
    print(f"{locale}: {len(pages)} pages")
