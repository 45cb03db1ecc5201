#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site.py MKDOCS OUT [GOSSIPFAB]: the documentation as a site with search, in the folder OUT.

The pages are those of the sources, where they lie, so that what links from one to another does so there; files that a
page links to come along. To them come a page for each public header, made of its comments and declarations, and, where
GOSSIPFAB is given, the player on the first page. MkDocs (docs/site/mkdocs.yml) does the rest; a link that leads nowhere
is an error. Exit status: that of MkDocs."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"(\]\(\s*)([^)\s#>]+)")
# The rooms, in the order of the menu; a room's first page lists its others.
ROOMS = (("Guide", "docs/guide"), ("Reference", "docs/reference"), ("Theory", "docs/theory"))
SINGLE = (("Architecture", "docs/architecture.md"), ("Glossary", "docs/glossary.md"), ("The Verilog", "rtl/README.md"),
          ("Proofs", "formal/README.md"), ("Measurements", "bench/README.md"), ("Contributing", "CONTRIBUTING.md"),
          ("A release", "docs/release.md"), ("Changes", "CHANGELOG.md"))


def title(page):
    heading = re.search(r"^# (.*)", page.read_text(), re.M)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading[1]) if heading else page.stem


def linked(page):
    """The files of the sources that a page links to, in order."""
    found = []
    for _, target in LINK.findall(page.read_text()):
        path = (page.parent / target).resolve()
        if "://" not in target and path.is_relative_to(ROOT) and path not in found:
            found.append(path)
    return found


def copy_pages(stage):
    """The pages that can be reached from README.md, and what they link to that is no page."""
    todo, done = [ROOT / "README.md"], set()
    while todo:
        path = todo.pop()
        if path in done:
            continue
        done.add(path)
        if path.is_dir():
            continue
        to = stage / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        if path.suffix == ".md":
            todo += linked(path)
    # A folder is linked to as such: its page is its README.md.
    for page in stage.rglob("*.md"):
        def of_folder(match):
            target = ROOT / page.relative_to(stage).parent / match[2]
            return f"{match[1]}{match[2].rstrip('/')}/README.md" if "://" not in match[2] and target.is_dir() else match[0]
        page.write_text(LINK.sub(of_folder, page.read_text()))


def api_page(header):
    """A header as a page: what its comments say, and behind each what it declares."""
    chunks = re.split(r"\n\s*\n", header.read_text())
    name = header.relative_to(ROOT / "include")
    out = [f"# {name}\n"]
    for chunk in chunks:
        if re.match(r"\s*(#ifdef __cplusplus|#endif|extern \"C\"|}\s*\n#endif)", chunk):
            continue
        chunk = re.sub(r"^/\* SPDX.*\n", "", chunk)
        chunk = re.sub(r"^#(ifndef|define) GOSSIPFAB_\w+_H\n?", "", chunk, flags=re.M).strip("\n")
        comment = re.match(r"/\*(.*?)\*/\n?", chunk, re.S)
        if comment:
            said = re.sub(r"\n \* ?", "\n", comment[1]).strip()
            out.append("\n".join(html.escape(line, quote=False) for line in said.split("\n")) + "\n")
            chunk = chunk[comment.end():]
        if chunk.strip():
            out.append(f"```c\n{chunk}\n```\n")
    return "\n".join(out)


def write_api(stage):
    """The pages of the public headers, and one that lists them; the menu's entries."""
    entries, rows = [], ["# The C library\n", "`#include <gossipfab/gossipfab.h>` has all of it; "
                         "[from C](../docs/guide/library.md) shows it at work.\n"]
    folder = stage / "api"
    folder.mkdir()
    for header in sorted((ROOT / "include/gossipfab").rglob("*.h")):
        name = str(header.relative_to(ROOT / "include/gossipfab"))
        page = name.replace("/", "-")[:-2] + ".md"
        (folder / page).write_text(api_page(header))
        rows.append(f"- [{name}]({page})")
        entries.append(f'    - "{name}": api/{page}')
    (folder / "README.md").write_text("\n".join(rows) + "\n")
    return ["  - The C library:", "    - api/README.md", *entries]


def menu(stage):
    lines = ["nav:", "  - README.md"]
    for name, room in ROOMS:
        lines += [f"  - {name}:", f"    - {room}/README.md"]
        lines += [f'    - "{title(page)}": {page.relative_to(ROOT)}' for page in linked(ROOT / room / "README.md")
                  if page.suffix == ".md" and page.parent == ROOT / room]
    lines += write_api(stage)
    lines += ["  - Examples:"] + [f'    - "{title(page)}": {page.relative_to(ROOT)}'
                                  for page in sorted(ROOT.glob("examples/*/README.md"))
                                  if (stage / page.relative_to(ROOT)).exists()]
    lines += [f"  - {name}: {page}" for name, page in SINGLE]
    return "\n".join(lines) + "\n"


def put_player(stage, command):
    subprocess.run([command, "show", "--topology", "mesh:4x4", "--html", stage / "player.html"], check=True,
                   stdout=subprocess.DEVNULL)
    page = stage / "README.md"
    frame = '\n<iframe src="player.html" title="A gossip on a 4x4 mesh, round by round" class="player"></iframe>\n'
    text = page.read_text()
    at = text.index("\n## ") if "\n## " in text else len(text)
    page.write_text(text[:at] + frame + text[at:])


def put_search(out):
    """docs/site/search.js, and its index, in place of MkDocs' own."""
    folder = out / "search"
    index = json.loads((folder / "search_index.json").read_text())["docs"]
    for name in ("search_index.json", "lunr.js", "worker.js"):
        (folder / name).unlink()
    (folder / "index.js").write_text(f"const site_index = {json.dumps(index, sort_keys=True)};\n")
    shutil.copyfile(ROOT / "docs/site/search.js", folder / "main.js")


# The theme's has a menu whose links and styles begin at a server's root, where the site need not be. This one has its
# style in itself, and looks for the first page in the folders above the address that was asked for.
NO_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No such page - gossipfab</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 40rem; margin: 4rem auto; padding: 0 1.5rem; font: 1rem/1.5 sans-serif; background: #fcfcfc; color: #404040; }
a { color: #1f6391; }
@media (prefers-color-scheme: dark) { body { background: #16191d; color: #d9dde1; } a { color: #79b8e8; } }
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>It may have got another name. <a id="first" href="index.html">The first page</a> has a menu of all pages, and a
search.</p>
</main>
<script>
(async () => {
  for (let folder = location.pathname; folder.includes("/") && location.protocol !== "file:";) {
    folder = folder.slice(0, folder.replace(/\\/$/, "").lastIndexOf("/") + 1);
    if ((await fetch(folder + "search/index.js", { method: "HEAD" })).ok) {
      document.getElementById("first").href = folder + "index.html";
      break;
    }
    if (folder === "/") break;
  }
})();
</script>
</body>
</html>
"""


def main():
    mkdocs, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as temp:
        stage = pathlib.Path(temp, "pages")
        stage.mkdir()
        copy_pages(stage)
        shutil.copyfile(ROOT / "CHANGELOG.md", stage / "CHANGELOG.md")
        shutil.copyfile(ROOT / "docs/site/site.css", stage / "site.css")
        config = pathlib.Path(temp, "mkdocs.yml")
        config.write_text((ROOT / "docs/site/mkdocs.yml").read_text() + menu(stage))
        if len(sys.argv) > 3:
            put_player(stage, sys.argv[3])
        made = subprocess.run([mkdocs, "build", "--strict", "--quiet", "--config-file", config, "--site-dir", out],
                              check=False)
        if made.returncode == 0:
            put_search(out)
            (out / "404.html").write_text(NO_PAGE)
        sys.exit(made.returncode)


main()
