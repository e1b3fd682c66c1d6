// The worker of the pages. Without a connection it shows a page that says so; everything else it leaves to the network.

/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} Lifetime */
/** @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} Fetching */

const CACHE = "offline-$version";
const OFFLINE = "/offline";
const KEPT = [OFFLINE, "/web/offline/page.css", "/web/offline/page.js", "/web/shared/icon.svg"];

/** @type {any} what TypeScript knows of workers excludes what it knows of pages */
const worker = self;

worker.addEventListener("install", (/** @type {Lifetime} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {Lifetime} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {Fetching} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(OFFLINE)));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: "reload" })));
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/** What belongs to the page without a connection. @param {string} path @returns {Promise<Response>} */
async function kept(path) {
  return (await caches.match(path, { cacheName: CACHE })) ?? Response.error();
}
