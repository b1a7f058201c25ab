// How the site's search weighs what it finds, read by Sphinx's searchtools.js in place of its own weights. Most words stand on
// many pages with equal weight: then the page that answers comes before those that only use the word.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  score: ([place, , , , score]) => {
    const answers = ["questions", "own-game"];
    const tells = ["install", "tutorial/index", "players", "contract", "train", "page", "reference/python"];
    const uses = /^(changelog|contributing|models|examples|reproduce|games|tutorial\/ridge)/;
    return score + (answers.includes(place) ? 20 : tells.includes(place) ? 8 : uses.test(place) ? -4 : 0);
  },
};
