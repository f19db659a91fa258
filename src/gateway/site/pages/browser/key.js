// Runs in the browser: the key with which pages call the API. The tab forgets it when it is closed.
const NAME = 'key';

/** @returns {Record<string, string>} the header that has the key; none if nobody has given one */
export const authorization = () => {
  const key = sessionStorage.getItem(NAME);
  return key ? { Authorization: `Bearer ${key}` } : {};
};

/** The form for a key, if the page has one. */
const form = document.querySelector('form.credential');

/** @returns {boolean} whether the service may be asked: no key is needed, or there is one */
export const hasKey = () => form === null || 'Authorization' in authorization();

const show = () => {
  for (const each of form?.querySelectorAll('[data-while]') ?? [])
    if (each instanceof HTMLElement) each.hidden = (each.dataset.while === 'given') !== hasKey();
};

/** @param {string} key */
const keep = (key) => {
  sessionStorage.setItem(NAME, key);
  show();
  // What was used is hidden now.
  const [next] = form?.querySelectorAll(':is(input, button):not([hidden], [hidden] *)') ?? [];
  if (next instanceof HTMLElement) next.focus();
  dispatchEvent(new Event(NAME));
};

if (form instanceof HTMLFormElement) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    keep(String(new FormData(form).get(NAME) ?? ''));
  });
  form.addEventListener('reset', () => keep(''));
  form.hidden = false;
  show();
}
