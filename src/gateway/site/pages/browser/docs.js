// Runs in the browser: Swagger UI on the document that the page names, in the page's language and in the colours that
// the person prefers.
import { displayed } from './display.js';
import { authorization } from './key.js';

const place = document.getElementById('swagger-ui');
if (!place) throw new TypeError('the page has no place for Swagger UI');
const { openapi = '', labels = '{}', errors = '' } = place.dataset;
/** What stands there until the document has come. */
const loading = place.innerText;

const dark = matchMedia('(prefers-color-scheme: dark)');
const showColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
showColours();
dark.addEventListener('change', showColours);

/** Swagger UI's own texts onto the page's. @type {ReadonlyMap<string, string>} */
const words = new Map(Object.entries(JSON.parse(labels)));

/** Texts that Swagger UI puts together. @type {readonly (readonly [RegExp, (...parts: string[]) => string])[]} */
const COMPOSED = [
  // A bad value: For 'pagina': Value must be an integer.
  [/^For '([^']+)': (.+)\.$/, (name, fault) => `${name}: ${word(fault)}`],
  // A limit: [1, 128] characters, or <= 200 characters.
  [/^\[(\S+), (\S+)\] (\w+)$/, (least, most, unit) => `${least}–${most} ${word(unit)}`],
  [/^(<=|>=) (\S+) (\w+)$/, (sign, limit, unit) => `${sign === '<=' ? '≤' : '≥'} ${limit} ${word(unit)}`],
  // The response says it in the page's language.
  [/^Error: [A-Z].*$/, () => ''],
  [/^Failed to fetch[\s\S]*$/, () => word('Failed to fetch')],
];

/** @param {string} [label] */
const word = (label = '') => words.get(label) ?? label;

/** @param {string} text */
const say = (text) => {
  for (const [pattern, compose] of COMPOSED) {
    const [found, ...parts] = pattern.exec(text) ?? [];
    if (found !== undefined) return compose(...parts);
  }
  const label = text.trim();
  return text.replace(label, () => word(label));
};

/** Characters of a text that are shown: highlighting a whole list would take a browser a minute. */
const SHOWN = 100_000;

/** @type {(Original: Component, system: { React: React }) => Component} */
const shortened =
  (Original, { React: { createElement, useMemo } }) =>
  (/** @type {{ children?: unknown, fileName?: string }} */ props) => {
    const { children: text, fileName } = props;
    const isLong = typeof text === 'string' && text.length > SHOWN;
    const url = useMemo(() => (isLong ? URL.createObjectURL(new Blob([text])) : ''), [text]);
    if (!isLong) return createElement(Original, props);
    const whole = createElement('a', { href: url, download: fileName }, 'Download');
    return createElement(
      'div',
      {},
      createElement('p', {}, 'shortened', ' ', whole),
      createElement(Original, { ...props, downloadable: false, children: text.slice(0, SHOWN) }),
    );
  };

/** The page has a heading and landmarks of its own, and one server needs no choice. @param {{ React: React }} system */
const ours = ({ React: { createElement } }) => ({
  components: {
    Contents: (/** @type {System} */ { getComponent, specSelectors }) => {
      /** @type {(name: string, isConnected?: boolean, properties?: object) => ReactNode} */
      const show = (name, isConnected = false, properties = {}) =>
        createElement(getComponent(name, isConnected), properties);
      const status = specSelectors.loadingStatus();
      const waiting = status === 'failed' ? show('errors', true) : createElement('p', {}, loading);
      const contents = [
        show('Markdown', false, { source: specSelectors.info().get('description') }),
        createElement('h2', {}, 'Operations'),
        show('operations', true),
        show('Models', true),
      ];
      return createElement(
        'div',
        { className: 'swagger-ui' },
        show('SvgAssets'),
        ...(status === 'success' ? contents : [waiting]),
      );
    },
    // The page has a form for a key, which no operation needs another one for.
    authorizeOperationBtn: () => createElement('span', { className: 'needs-key' }, 'Needs a key'),
  },
  wrapComponents: {
    HighlightCode: shortened,
    // A link inside the button that opens an operation could not be reached; the address follows what is open anyway.
    DeepLink:
      () =>
      (/** @type {{ text: string }} */ { text }) =>
        createElement('span', {}, text),
  },
});

/** What is data, or says the page's own words already. */
const OTHERS = 'pre, code, option, div.parameter__name, .json-schema-2020-12__title';
const TOLD = ['title', 'aria-label', 'placeholder'];

/** Puts what Swagger UI says by itself into the page's language. */
const translate = () => {
  const { SHOW_ELEMENT, SHOW_TEXT, FILTER_ACCEPT, FILTER_REJECT } = NodeFilter;
  const nodes = document.createTreeWalker(place, SHOW_ELEMENT | SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(OTHERS) ? FILTER_REJECT : FILTER_ACCEPT,
  );
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    // What is written anew loses what a person has selected.
    if (node instanceof Text && say(node.data) !== node.data) node.data = say(node.data);
    if (!(node instanceof Element)) continue;
    for (const name of TOLD) {
      const told = node.getAttribute(name) ?? '';
      if (say(told) !== told) node.setAttribute(name, say(told));
    }
  }
};

/** What Swagger UI leaves without a name, or where a keyboard cannot reach it. */
const mend = () => {
  /** @type {(selector: string, attribute: string, value: (element: Element) => string) => void} */
  const give = (selector, attribute, value) => {
    for (const each of place.querySelectorAll(`${selector}:not([${attribute}])`)) {
      each.setAttribute(attribute, value(each));
    }
  };
  const parameter = (/** @type {Element} */ each) =>
    each.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '';
  give('[data-param-name] :is(input, select, textarea)', 'aria-label', parameter);
  give('.body-param__text', 'aria-label', () => word('Request body'));
  give('.examples-select-element', 'aria-label', () => word('Examples'));
  give('pre.microlight', 'tabindex', () => '0');
  // Each of them would be a landmark, and no longer a table.
  for (const table of place.querySelectorAll('table[role]')) table.removeAttribute('role');
  translate();
};
const observer = new MutationObserver(() => {
  mend();
  // What was mended needs no second look.
  observer.takeRecords();
});
observer.observe(place, { childList: true, subtree: true, characterData: true, attributeFilter: TOLD });

// It is in Swagger UI's style sheet.
document.documentElement.style.setProperty('--required', JSON.stringify(word('required')));

const response = await fetch(openapi);

SwaggerUIBundle({
  domNode: place,
  spec: displayed(await response.json(), errors),
  layout: 'Contents',
  deepLinking: true,
  syntaxHighlight: { theme: 'obsidian' },
  // Schemas are folded up: the operations show those that they have.
  defaultModelsExpandDepth: 0,
  requestInterceptor: (/** @type {{ headers: Record<string, string> }} */ request) => {
    Object.assign(request.headers, authorization());
    return request;
  },
  // What nobody looks at would be copied, value by value.
  responseInterceptor: (/** @type {{ text?: string, body?: unknown, obj?: unknown }} */ response) => {
    if (response.text && response.text.length > SHOWN) response.body = response.obj = undefined;
    return response;
  },
  // Nothing is sent to anybody else.
  validatorUrl: null,
  plugins: [ours],
});
