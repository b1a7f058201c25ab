// Games, and reports on them, are kept in the browser (IndexedDB). Where it may keep nothing, or no more, they last as long
// as the page, and whoever plays is told.

const NAME = "boardwright", STORE = "tables";
const SITE = new URL("../../", import.meta.url).pathname; // a host may have several, with one store
const GAMES = () => IDBKeyRange.bound("0", "g"); // a game's name begins with a hexadecimal digit; others are not games

export class Keep {
  constructor() {
    this.here = new Map(); // what could not be kept, or all of it where nothing can
    this.opening = null;
  }

  /** The browser's store, or null where there is none. One that it closes (its data were cleared) is opened anew. */
  #opened() {
    this.opening ||= new Promise((resolve) => {
      try {
        const asked = indexedDB.open(NAME, 1);
        asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
        asked.onsuccess = () => {
          const base = asked.result, forget = () => { this.opening = null; };
          base.onclose = forget;
          base.onversionchange = () => { forget(); base.close(); };
          resolve(base);
        };
        asked.onerror = (event) => { event.preventDefault(); resolve(null); };
      } catch { resolve(null); }
    });
    return this.opening;
  }

  async #with(mode, work) {
    const base = await this.#opened();
    if (!base) throw new DOMException("this browser keeps nothing", "SecurityError");
    return new Promise((resolve, reject) => {
      const step = base.transaction(STORE, mode), asked = work(step.objectStore(STORE));
      step.oncomplete = () => resolve(asked.result);
      step.onabort = () => reject(step.error || asked.error);
    });
  }

  async get(id) {
    const found = this.here.get(id) || await this.#with("readonly", (store) => store.get(id)).catch(() => undefined);
    return (found?.site ?? SITE) === SITE ? found : undefined; // another site's is not ours to change
  }

  /** Keep it; why it is kept in memory only, or nothing if all is well. */
  async put(record) {
    try {
      await this.#with("readwrite", (store) => store.put({ ...record, site: SITE }));
      this.here.delete(record.id);
      return "";
    } catch (error) {
      this.here.set(record.id, record);
      return error?.name === "QuotaExceededError" ? "full" : "refused";
    }
  }

  async drop(id) {
    this.here.delete(id);
    await this.#with("readwrite", (store) => store.delete(id)).catch(() => {});
  }

  /** All games of this site; those that do not say of which they are, too. */
  async all() {
    const kept = await this.#with("readonly", (store) => store.getAll(GAMES())).catch(() => []);
    const here = [...this.here.values()].filter((one) => one.plies);
    return [...kept.filter((one) => (one.site ?? SITE) === SITE && !this.here.has(one.id)), ...here];
  }
}
