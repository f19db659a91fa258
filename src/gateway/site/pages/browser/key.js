// Runs in the browser: the key with which pages call the API. The tab forgets it when it is closed.
const NAME = 'key';

/** @returns {Record<string, string>} the header that has the key; none if nobody has given one */
export const authorization = () => {
  const key = sessionStorage.getItem(NAME);
  return key ? { Authorization: `Bearer ${key}` } : {};
};

/** @returns {HTMLFormElement | null} the form for a key, if the page has one */
const findForm = () => document.querySelector('form.credential');

/** @returns {boolean} whether the service may be asked: no key is needed, or there is one */
export const hasKey = () => findForm() === null || 'Authorization' in authorization();

/** Shows the part of the form that is of use now, also of a form that has just come. */
export const showKey = () => {
  const form = findForm();
  if (form) form.hidden = false;
  for (const each of form?.querySelectorAll('[data-while]') ?? [])
    if (each instanceof HTMLElement) each.hidden = (each.dataset.while === 'given') !== hasKey();
};

/** @param {string} key */
const keep = (key) => {
  sessionStorage.setItem(NAME, key);
  showKey();
  // What was used is hidden now.
  const [next] = findForm()?.querySelectorAll(':is(input, button):not([hidden], [hidden] *)') ?? [];
  if (next instanceof HTMLElement) next.focus();
  dispatchEvent(new Event(NAME));
};

document.addEventListener('submit', (event) => {
  const form = findForm();
  if (!form || event.target !== form) return;
  event.preventDefault();
  keep(String(new FormData(form).get(NAME) ?? ''));
});
document.addEventListener('reset', (event) => {
  if (event.target === findForm()) keep('');
});
showKey();
