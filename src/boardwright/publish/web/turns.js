// One after the other: pieces of work in this tab, and changes of games in all tabs of the site. Where the browser has no
// locks for the page (one that may keep nothing), tabs share nothing that could be changed by two.

/** A function that does one piece of work after the other. */
export function oneByOne() {
  let last = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

const canLock = navigator.locks ? navigator.locks.query().then(() => true, () => false) : Promise.resolve(false);
const alone = oneByOne();

/** One change of a game at a time. */
export const exclusively = async (work) => (await canLock ? navigator.locks.request("boardwright", work) : alone(work));

/** Of all tabs, one at a time thinks about a game. */
export const thinkingAlone = async (id, signal, work) => (await canLock ? navigator.locks.request(`boardwright ${id}`, { signal }, work) : work());
