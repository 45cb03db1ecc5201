// SPDX-License-Identifier: MIT
// The search of the site. MkDocs' own fetches its index, which no browser allows of a page that was opened as a file;
// this one has it as a script, search/index.js: site_index, a list of {location, title, text}.
"use strict";

// Found is what has every word, in its title or its text; words in titles, and many of them, come first.
function findPages(query) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word.length > 1);
  const found = [];
  for (const page of words.length ? site_index : []) {
    const title = page.title.toLowerCase(), text = page.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const times = text.split(word).length - 1, named = title.includes(word);
      if (!times && !named) {
        score = 0;
        break;
      }
      score += Math.min(times, 9) + (named ? 20 : 0);
    }
    if (score)
      found.push({page, score, at: text.indexOf(words[0])});
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 50);
}

function show(query) {
  const list = document.getElementById("mkdocs-search-results"), found = findPages(query);
  list.replaceChildren(...found.map(({page, at}) => {
    const entry = document.createElement("article"), head = document.createElement("h3");
    const link = document.createElement("a"), text = document.createElement("p");
    const from = Math.max(0, at - 80);
    link.href = base_url.replace(/\/$/, "") + "/" + page.location;
    link.textContent = page.title;
    text.textContent = (from ? ".. " : "") + page.text.slice(from, from + 240) + " ..";
    head.append(link);
    entry.append(head, text);
    return entry;
  }));
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  said.textContent = query ? found.length + (found.length === 50 ? " or more" : "") + " places" : "";
  list.prepend(said);
}

const box = document.getElementById("mkdocs-search-query");
if (box) {
  const index = document.createElement("script");
  index.src = base_url.replace(/\/$/, "") + "/search/index.js";
  index.onload = () => {
    box.value = new URLSearchParams(location.search).get("q") || "";
    box.addEventListener("input", () => show(box.value));
    show(box.value);
  };
  document.head.append(index);
}
