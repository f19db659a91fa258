/**
 * @template {Element} T
 * @param {Element} section
 * @param {string} selector
 * @param {new () => T} Kind
 * @returns {T[]}
 */
const allIn = (section, selector, Kind) =>
  [...section.querySelectorAll(selector)].flatMap((each) => (each instanceof Kind ? [each] : []));

/**
 * @template {Element} T
 * @param {Element} section
 * @param {string} selector
 * @param {new () => T} Kind
 * @returns {T}
 */
const oneIn = (section, selector, Kind) => {
  const [found] = allIn(section, selector, Kind);
  if (!found) throw new TypeError(`the page has no ${selector}`);
  return found;
};

/** The parts of the table of a list, as `browse-part.ts` writes them. @param {Element} section */
export const elementsIn = (section) => ({
  form: oneIn(section, 'form', HTMLFormElement),
  sent: oneIn(section, '.sent a', HTMLAnchorElement),
  live: oneIn(section, '.live', HTMLElement),
  problem: oneIn(section, '.problem', HTMLElement),
  count: oneIn(section, '.count', HTMLElement),
  scroll: oneIn(section, '.scroll', HTMLElement),
  columns: oneIn(section, '.columns', HTMLButtonElement),
  rows: oneIn(section, 'tbody', HTMLTableSectionElement),
  none: oneIn(section, '.unmatched', HTMLElement),
  empty: oneIn(section, '.empty', HTMLElement),
  headings: allIn(section, '[data-sort]', HTMLButtonElement),
  pages: allIn(section, '[data-page]', HTMLButtonElement),
});
