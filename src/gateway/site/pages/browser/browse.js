// Runs in the browser: pages of lists and items work without it. It loads them with a key, which no link can send.
import { showFiles } from './files.js';
import { authorization, hasKey, showKey } from './key.js';

/** @returns {boolean} whether pages have to be loaded with the key */
const needsKey = () => 'Authorization' in authorization() && document.querySelector('main > form.credential') !== null;

let latest = new AbortController();

/** Shows what is loaded in place of the page. @param {string} url of a page @param {boolean} isNew whether the browser's history has it */
const load = async (url, isNew) => {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const response = await fetch(url, { signal, headers: { Accept: 'text/html', ...authorization() } }).catch(
    () => undefined,
  );
  // An abandoned page, or none: the browser says why if it loads the page itself.
  if (!response?.headers.get('content-type')?.startsWith('text/html'))
    return signal.aborted ? undefined : location.assign(url);
  const loaded = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (signal.aborted) return undefined;
  if (isNew) history.pushState(undefined, '', url);
  document.title = loaded.title;
  document.documentElement.lang = loaded.documentElement.lang;
  document.documentElement.dir = loaded.documentElement.dir;
  document.body.replaceWith(loaded.body);
  begin();
  const target = document.getElementById(new URL(url, location.href).hash.slice(1)) ?? document.querySelector('main');
  target?.scrollIntoView();
  document.querySelector('main')?.focus({ preventScroll: true });
};

/** @param {string} url */
const isPage = (url) =>
  new URL(url, location.href).origin === location.origin && new URL(url, location.href).pathname === location.pathname;

/** Saves a file that needs the key. @param {HTMLAnchorElement} link */
const download = async ({ href }) => {
  const response = await fetch(href, { headers: authorization() });
  if (!response.ok) return location.assign(href);
  const [, name = ''] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const file = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(await response.blob()),
    download: name,
  });
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
};

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !needsKey())
    return;
  if (link.hasAttribute('download')) {
    event.preventDefault();
    download(link);
  } else if (isPage(link.href) && !link.getAttribute('href')?.startsWith('#')) {
    event.preventDefault();
    load(link.href, true);
  }
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('.filter') || !needsKey()) return;
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(form)].map(([word, text]) => [word, String(text)]));
  load(`${form.action.replace(/#.*/, '')}?${query}#items`, true);
});
// An address is easier to read and to send without what nobody has filled in.
document.addEventListener('formdata', ({ formData, target }) => {
  if (!(target instanceof HTMLFormElement) || !target.matches('.filter')) return;
  for (const [word, text] of [...formData]) if (text === '' && !word.startsWith('/')) formData.delete(word);
});

const begin = () => {
  showKey();
  showFiles();
};
const refresh = () => {
  // What a key showed goes with it.
  if (!hasKey() && document.querySelector('main > form.credential')) return location.reload();
  if (needsKey() || document.querySelector('[data-refused]')) load(location.href, false);
  else showFiles();
};
addEventListener('key', refresh);
addEventListener('popstate', () => {
  if (needsKey()) load(location.href, false);
});
// A page is refused whose request could not send the key that the tab has.
if (document.querySelector('[data-refused]') && hasKey()) refresh();
else begin();
