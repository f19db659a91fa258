// Runs in the browser: checks a file that is dropped or chosen, and imports it.
import { authorization, hasKey } from './key.js';

/** The numbers of a report, and the members of each thing that is wrong, by their canonical names. */
const COUNTS = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'];
const PARTS = ['row', 'column', 'value', 'detail'];
/** @param {string} name @param {object} properties @param {...(Node | string)} children */
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** @param {string} word such as `sin_cambios` */
const label = (word) => word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll('_', ' ');

/** @param {Record<string, string>} words @param {any[]} lines as many as the API lists */
const table = (words, lines) => {
  const names = PARTS.map((part) => words[part] ?? '').filter((name) => lines.some((line) => line[name] !== undefined));
  const head = names.map((name) => element('th', { scope: 'col' }, label(name)));
  const rows = lines.map((line) => {
    const cells = names.map((name) => element('td', {}, String(line[name] ?? '')));
    for (const [at, name] of names.entries()) cells[at]?.setAttribute('data-label', label(name));
    return element('tr', {}, ...cells);
  });
  const parts = [element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)];
  const region = { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: label(words.errors ?? '') };
  return element('div', region, element('table', { className: 'items' }, ...parts));
};

/** @param {Record<string, string>} words @param {any} content a report, or a problem that may have one */
const describe = (words, content) => {
  const { title, detail, report = content.title === undefined ? content : {}, errors: faults = [] } = content;
  const at = (/** @type {string} */ name) => report[words[name] ?? ''];
  const counts = COUNTS.filter((name) => at(name) > 0).map((name) =>
    element('li', {}, `${label(words[name] ?? '')}: ${at(name)}`),
  );
  const sentences = (at('warnings') ?? []).map((/** @type {any} */ each) => element('p', {}, each[words.detail ?? '']));
  const details = faults.length > 0 ? faults.map((/** @type {any} */ each) => each.detail) : detail ? [detail] : [];
  return [
    ...(title ? [element('strong', {}, title)] : []),
    ...details.map((/** @type {string} */ text) => element('p', {}, text)),
    ...(counts.length > 0 ? [element('ul', {}, ...counts)] : []),
    ...sentences,
    ...(at('errors')?.length > 0 ? [table(words, at('errors'))] : []),
  ];
};

/** Shows the list as it is after an import. */
const renewList = async () => {
  const response = await fetch(location.href, { headers: { Accept: 'text/html', ...authorization() } });
  const loaded = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of ['#items', '.totals']) {
    const next = loaded.querySelector(part);
    if (next) document.querySelector(part)?.replaceWith(next);
  }
};

/** @param {HTMLElement} section @param {HTMLFormElement} form @param {string} action */
const send = async (section, form, action) => {
  const words = JSON.parse(section.dataset.words ?? '{}');
  const buttons = [...form.querySelectorAll('button')];
  const report = form.querySelector('.report');
  for (const each of buttons) each.disabled = true;
  for (const each of form.querySelectorAll('[data-done]')) if (each instanceof HTMLElement) each.hidden = true;
  const headers = { ...authorization(), ...(action === 'check' ? { Prefer: 'handling=check' } : {}) };
  let isAnswered = false;
  let isOk = false;
  try {
    const response = await fetch(section.dataset.import ?? '', { method: 'POST', body: new FormData(form), headers });
    const content = await response.json();
    isAnswered = response.ok;
    // An import would be refused.
    isOk = response.ok && !(content[words.rejected ?? ''] > 0);
    report?.replaceChildren(...describe(words, content));
  } catch {
    report?.replaceChildren(element('p', {}, section.dataset.unreachable ?? ''));
  }
  report?.classList.toggle('problem', !isOk);
  const done = isAnswered && form.querySelector(`[data-done="${action}"]`);
  if (done instanceof HTMLElement) done.hidden = false;
  for (const each of buttons) each.disabled = each.value === 'import' && !(isOk && action === 'check');
  if (isOk && action === 'import') await renewList();
};

/** Checks an import of nothing, which says whether the key may import. @param {HTMLElement} section @param {HTMLFormElement} form */
const tryKey = async ({ dataset }, form) => {
  const headers = { ...authorization(), 'Content-Type': 'application/json', Prefer: 'handling=check' };
  const response = await fetch(dataset.import ?? '', { method: 'POST', body: '[]', headers });
  const isRefused = [401, 403].includes(response.status);
  // Another key was refused before; else a report that stands there is of a file.
  if (!isRefused && !form.querySelector('.drop')?.hasAttribute('hidden')) return;
  for (const each of form.querySelectorAll('.drop, .actions')) each.toggleAttribute('hidden', isRefused);
  const said = isRefused ? describe(JSON.parse(dataset.words ?? '{}'), await response.json()) : [];
  form.querySelector('.report')?.replaceChildren(...said);
  form.querySelector('.report')?.classList.toggle('problem', isRefused);
};

/** Shows the form for files, if the page has one, to whoever has the key that it needs. */
export const showFiles = () => {
  const section = document.querySelector('[data-import]');
  const form = section?.querySelector('form.file');
  const input = form?.querySelector('input');
  if (!(section instanceof HTMLElement) || !(form instanceof HTMLFormElement) || !input) return;
  section.hidden = false;
  form.hidden = !hasKey();
  if ('Authorization' in authorization()) tryKey(section, form);
  if (form.dataset.isReady) return;
  form.dataset.isReady = 'true';
  const [, last] = form.querySelectorAll('button');
  // Another file is checked before it is imported.
  input.addEventListener('change', () => {
    if (last) last.disabled = true;
  });
  const drop = form.querySelector('.drop');
  for (const name of ['dragover', 'drop']) drop?.addEventListener(name, (event) => event.preventDefault());
  drop?.addEventListener('drop', (event) => {
    const { files } = (event instanceof DragEvent && event.dataTransfer) || {};
    if (!files?.length) return;
    input.files = files;
    input.dispatchEvent(new Event('change'));
    form.requestSubmit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const action = event.submitter instanceof HTMLButtonElement ? event.submitter.value : 'check';
    send(section, form, action);
  });
};
