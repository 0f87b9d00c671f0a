// Search in a book without a server: BOOK (search-data.js) has its texts, and what the language does with words.
"use strict";

function fold(text) {
  const letters = text.toLowerCase().replace(/['\u2019\u02bc\u00ad\u0301]/g, "");
  return Array.from(letters, (letter) => BOOK.alike[letter] || letter).join("");
}

// A word that may begin with one letter or another begins with the first of them.
function begin(word) {
  const [one, ...others] = BOOK.begins;
  return word.length > 2 && others.includes(word[0]) && !BOOK.vowels.includes(word[1]) ? one + word.slice(1) : word;
}

function wordsOf(text) {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) || []).map(begin);
}

// A word without its ending: what is searched for may stand in the book in another form.
function stem(word) {
  const end = BOOK.endings.find((ending) => word.endsWith(ending) && word.length - ending.length >= 3);
  return end ? word.slice(0, word.length - end.length) : word;
}

function score(row, wanted) {
  let sum = 0;
  for (const [word, cut] of wanted) {
    const best = (words) => (words.includes(word) ? 3 : words.some((other) => other.startsWith(word)) ? 2 : words.some((other) => other.startsWith(cut)) ? 1 : 0);
    const found = Math.max(4 * best(row.head), best(row.body));
    if (!found) return 0;
    sum += found;
  }
  return sum;
}

// The rows that a query finds, the best first: a number of a clause, or words that all stand in one place.
function search(query) {
  BOOK.read = BOOK.read || BOOK.rows.map(([url, number, head, text]) => ({ url, number, title: head, text, head: wordsOf(head), body: wordsOf(text) }));
  const number = query.trim().toLowerCase();
  if (/^([0-9]+|[ivxlc]+)(\.[0-9a-z]*)?$/.test(number)) {
    const below = (row) => row.number.toLowerCase().startsWith(number) && !/^[0-9ivxlc]/.test(row.number.toLowerCase().slice(number.length));
    const rows = BOOK.read.filter(below);
    if (rows.length) return rows;
  }
  const wanted = wordsOf(query).map((word) => [word, stem(word)]);
  if (!wanted.length) return [];
  return BOOK.read.map((row, at) => ({ row, at, worth: score(row, wanted) })).filter((hit) => hit.worth)
    .sort((one, other) => other.worth - one.worth || one.at - other.at).map((hit) => hit.row);
}

if (typeof document !== "undefined") {
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const MOST = 40;
  const show = () => {
    found.replaceChildren();
    found.hidden = !query.value.trim();
    if (found.hidden) return;
    const rows = search(query.value);
    const head = document.createElement("p");
    head.textContent = rows.length ? found.dataset.found + ": " + rows.length : found.dataset.nothing;
    found.append(head);
    for (const row of rows.slice(0, MOST)) {
      const line = document.createElement("p");
      const link = document.createElement("a");
      const text = document.createElement("span");
      link.href = found.dataset.root.replace(/\/?$/, "/") + row.url;
      link.textContent = (row.number ? row.number + " " : "") + row.title;
      link.addEventListener("click", () => { found.hidden = true; });
      text.textContent = row.text.length > 240 ? row.text.slice(0, 240) + "…" : row.text;
      line.append(link, text);
      found.append(line);
    }
  };
  query.addEventListener("input", show);
  query.addEventListener("keydown", (event) => { if (event.key === "Escape") { query.value = ""; show(); } });
  for (const menu of document.querySelectorAll("nav .menu")) menu.open = window.matchMedia("(min-width: 60rem)").matches;
}
if (typeof module !== "undefined") module.exports = { search, wordsOf, stem };
