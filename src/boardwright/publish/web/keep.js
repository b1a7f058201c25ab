// Games are kept in the browser (IndexedDB). Where it may not keep anything they last as long as the page.

const NAME = "boardwright", STORE = "tables";

export class Keep {
  constructor() {
    this.here = new Map(); // what could not be kept, or all of it where nothing can
    this.opened = new Promise((resolve) => {
      try {
        const asked = indexedDB.open(NAME, 1);
        asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => resolve(null);
      } catch { resolve(null); }
    });
  }

  async #with(mode, work) {
    const base = await this.opened;
    if (!base) return undefined;
    return new Promise((resolve, reject) => {
      const step = base.transaction(STORE, mode), asked = work(step.objectStore(STORE));
      step.oncomplete = () => resolve(asked.result);
      step.onerror = step.onabort = () => reject(step.error);
    });
  }

  async get(id) { return this.here.get(id) || await this.#with("readonly", (store) => store.get(id)).catch(() => undefined); }

  async put(record) {
    try {
      if (await this.opened) { await this.#with("readwrite", (store) => store.put(record)); this.here.delete(record.id); return; }
    } catch { /* full, or refused: the game goes on in memory */ }
    this.here.set(record.id, record);
  }

  async drop(id) {
    this.here.delete(id);
    await this.#with("readwrite", (store) => store.delete(id)).catch(() => {});
  }

  async all() {
    const kept = await this.#with("readonly", (store) => store.getAll()).catch(() => []) || [];
    return [...kept.filter((one) => !this.here.has(one.id)), ...this.here.values()];
  }
}
