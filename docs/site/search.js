// The site's search in place of Sphinx's, which finds pages that have all of the words, and shows no text where pages are
// opened as files. Here sections are ranked (BM25, Robertson and Zaragoza 2009, and what their headings say), the best of a
// page is what its result leads to, and a few words of it are shown. site_search.py writes SECTIONS:
// [page, title, title in the bar, [[anchor, heading, prose, code, names], ...]], ...
"use strict";
{
  const MOST_SHOWN = 20; // pages
  const EXCERPT = 190; // characters
  const BEFORE = 60; // characters of an excerpt before the first word that was sought
  const SATURATION = 1.2;
  const BY_LENGTH = 0.6;
  const HEADING = 2.5;
  const TITLE = 1.5;
  const NAME = 0.7; // of a word that the prose writes as code
  const LEAST = 0.1; // of the best section's points
  // Most words stand on many pages: then the page that answers comes before those that only use them.
  const ANSWERS = { questions: 2, "own-game": 1.3, "tutorial/index": 1.1, install: 1.5, players: 1.2, contract: 1.1 };
  const USES = /^(changelog|contributing|architecture|models|examples|gallery|games|reproduce|tutorial\/ridge|playtest\/)/;
  const EMPTY = new Set([...stopwords].filter((word) => word !== "own")); // one's own game and player are sought

  const stemmer = new Stemmer();
  const stems = new Map();
  const stem = (word) => {
    if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
    return stems.get(word);
  };
  const wordsOf = (text) => splitQuery(text.toLowerCase()).map(stem);
  const weightOf = (page) => (USES.test(page) ? 0.5 : (ANSWERS[page] ?? 1));

  let sections = null;
  const read = () =>
    SECTIONS.flatMap(([page, title, short, parts]) =>
      parts.map(([anchor, heading, prose, code, names]) => {
        const words = wordsOf(`${prose} ${code}`);
        const counts = new Map();
        for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
        const named = new Set(wordsOf(heading).filter((word) => !EMPTY.has(word)));
        const titled = new Set(wordsOf(`${title} ${short}`).filter((word) => !EMPTY.has(word)));
        const coded = new Set(wordsOf(names));
        return { page, title, anchor, heading, prose, counts, named, titled, coded, length: words.length };
      }),
    );

  const soughtIn = (query) => {
    const words = splitQuery(query.toLowerCase());
    const telling = words.filter((word) => !EMPTY.has(word));
    return [...new Set((telling.length ? telling : words).map(stem))];
  };

  const has = (section, word) => section.counts.has(word) || section.named.has(word) || section.titled.has(word);

  // The best section of each page, best first.
  const find = (query) => {
    sections ??= read();
    const words = soughtIn(query);
    const usual = sections.reduce((sum, section) => sum + section.length, 0) / sections.length;
    const rare = new Map();
    for (const word of words) {
      const having = sections.filter((section) => has(section, word)).length;
      rare.set(word, having ? Math.log(1 + sections.length / having) : 0);
    }
    const all = words.reduce((sum, word) => sum + rare.get(word), 0);
    const best = new Map();
    for (const section of sections) {
      let [points, found, inHeading, named] = [0, 0, 0, 0];
      for (const word of words) {
        const weight = rare.get(word);
        const count = section.counts.get(word) ?? 0;
        const length = 1 - BY_LENGTH + (BY_LENGTH * section.length) / usual;
        points += (weight * count) / (count + SATURATION * length);
        if (section.named.has(word)) [inHeading, named] = [inHeading + weight, named + 1];
        if (section.coded.has(word)) points += NAME * weight;
        if (section.titled.has(word)) points += (TITLE * weight) / Math.sqrt(section.titled.size);
        if (has(section, word)) found += weight;
      }
      if (named) points += HEADING * inHeading * Math.sqrt(named / section.named.size);
      points *= weightOf(section.page) * (all ? (found / all) ** 2 : 0);
      if (points > 0 && points > (best.get(section.page)?.points ?? 0)) best.set(section.page, { section, points });
    }
    const ranked = [...best.values()].sort((one, other) => other.points - one.points);
    const worth = ranked.filter(({ points }) => points > LEAST * ranked[0].points);
    return worth.slice(0, MOST_SHOWN).map(({ section }) => section);
  };

  // A piece of the section's prose from shortly before the first sought word that it has.
  const excerptOf = (section, query) => {
    const words = new Set(soughtIn(query));
    let at = 0;
    for (const { 0: word, index } of section.prose.matchAll(/[\p{Letter}\p{Number}_]+/gu)) {
      if (words.has(stem(word.toLowerCase()))) {
        at = Math.max(0, index - BEFORE);
        break;
      }
    }
    if (at > 0) at = section.prose.indexOf(" ", at) + 1;
    const piece = section.prose.slice(at, at + EXCERPT);
    const cut = at + EXCERPT < section.prose.length;
    return (at > 0 ? "… " : "") + (cut ? `${piece.slice(0, piece.lastIndexOf(" "))} …` : piece);
  };

  Search.query = (query) => {
    Search._parseQuery(query); // keeps the words, which the page that is opened marks
    const found = find(query);
    for (const section of found) {
      const item = Search.output.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = `${section.page}${DOCUMENTATION_OPTIONS.LINK_SUFFIX}${section.anchor}`;
      link.textContent = section.heading === section.title ? section.title : `${section.title} › ${section.heading}`;
      item.appendChild(document.createElement("p")).textContent = excerptOf(section, query);
    }
    _finishSearch(found.length);
  };
}
