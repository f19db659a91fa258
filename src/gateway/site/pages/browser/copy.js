// Runs in the browser: a button beside each command copies it.

/** Over plain HTTP from another machine there is no clipboard, but a selection can be copied. */
const copySelected = (/** @type {Element} */ element) => {
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
};

/** @returns {Promise<boolean>} whether it worked; otherwise the command is selected, for the keyboard */
const copy = async (/** @type {Element} */ element) => {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '');
    return true;
  } catch {
    return copySelected(element);
  }
};

/** Milliseconds for which a button says that it has copied. */
const THANKS_MS = 2000;

/** Behind a proxy only the browser knows where the service is. @param {Element} element */
const addressed = (element) => {
  element.textContent = (element.textContent ?? '').replace(/https?:\/\/[\w.:[\]-]+/, location.origin);
};

for (const element of document.querySelectorAll('[data-command]')) addressed(element);

for (const button of document.querySelectorAll('button.copy')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const command = button.closest('.command')?.querySelector('[data-command]');
  const said = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    if (!command || !(await copy(command))) return;
    button.textContent = button.dataset.copied ?? '';
    setTimeout(() => {
      button.textContent = said;
    }, THANKS_MS);
  });
}
