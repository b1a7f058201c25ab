// Keeps the site's files, so that it works without a network after the first visit; large ones, which only some players
// need, once they were loaded. `SITE` stands above this.

const { files, later, version } = self.SITE;
const LATER = new Set(later.map((file) => new URL(file, location.href).href));
const OURS = `boardwright ${new URL(self.registration.scope).pathname} `; // a host may have several sites
const CACHE = `${OURS}${version}`;
const fresh = (file) => new Request(file, { cache: "no-cache" }); // not what the browser has of the site as it was before

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files.map(fresh))).then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(caches.open(CACHE).then(async (cache) => {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const answer = await fetch(request);
    if (answer.ok && LATER.has(request.url)) event.waitUntil(cache.put(request, answer.clone()).catch(() => {})); // there may be no room
    return answer;
  }));
});
