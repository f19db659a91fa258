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

/** A text, which may stand in `<i>`, before a value. */
const TEXT = /^(\s*<i>)?([^<]*)(<\/i>[\s\S]*)?$/;

/**
 * Texts that Swagger UI puts together: their pattern, and what the page says instead.
 *
 * @type {readonly (readonly [RegExp, (...parts: string[]) => string])[]}
 */
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
  return text.replace(TEXT, (whole, before = '', inside, after = '') => {
    const label = inside.trim();
    return words.has(label) ? before + inside.replace(label, () => word(label)) + after : whole;
  });
};

/** Properties of elements that people are told. */
const TOLD = ['title', 'aria-label', 'ariaLabel', 'placeholder', 'source'];

/** What translates each component: made once, or it would be another component each time it is shown. */
const translators = new WeakMap();

/** @type {(Original: Component, system: { React: React }) => Component} */
const translated = (Original, { React }) => {
  const known = translators.get(Original);
  if (known) return known;
  const made = Original.prototype?.isReactComponent
    ? class extends Original {
        render() {
          return translate(super.render(), React);
        }
      }
    : (/** @type {object} */ props) => translate(Original(props), React);
  translators.set(Original, made);
  translators.set(made, made);
  return made;
};

/**
 * @param {ReactNode} node what a component shows
 * @param {React} React
 * @returns {ReactNode} the same, with the texts that are Swagger UI's own in the page's language
 */
const translate = (node, React, isText = true) => {
  if (typeof node === 'string') return isText ? say(node) : node;
  if (Array.isArray(node)) return node.map((each) => translate(each, React, isText));
  if (!React.isValidElement(node)) return node;
  const { type, props, key, ref } = node;
  const told = TOLD.filter((name) => typeof props[name] === 'string').map((name) => [name, say(props[name])]);
  // What a component makes of a text, code for example, is its own affair.
  const children = translate(props.children, React, typeof type === 'string');
  const translation = { ...Object.fromEntries(told), children };
  if (typeof type !== 'function') return React.cloneElement(node, translation);
  const identity = Object.fromEntries(Object.entries({ key, ref }).filter(([, value]) => value !== null));
  return React.createElement(translated(type, { React }), { ...props, ...translation, ...identity });
};

/** Where trees of components begin: what is connected to the state hides what is below it. */
const ROOTS = [
  'CopyToClipboardBtn',
  'curl',
  'JsonSchema_array',
  'JsonSchema_string',
  'JSONSchema202012ExpandDeepButton',
  'errors',
  'liveResponse',
  'modelExample',
  'OAS31Models',
  'operation',
  'operations',
  'OperationServers',
  'OperationTag',
  'parameterRow',
  'parameters',
  'RequestBody',
  'response',
  'responses',
];

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
    const whole = createElement('a', { href: url, download: fileName }, word('Download'));
    return createElement(
      'div',
      {},
      createElement('p', {}, `${word('shortened')} `, whole),
      createElement(Original, { ...props, downloadable: false, children: text.slice(0, SHOWN) }),
    );
  };

/**
 * What stands in the page: it has a heading and landmarks of its own, and one server needs no choice.
 *
 * @param {{ React: React }} system
 */
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
        createElement('h2', {}, say('Operations')),
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
    authorizeOperationBtn: () => createElement('span', { className: 'needs-key' }, word('Needs a key')),
  },
  wrapComponents: {
    ...Object.fromEntries(ROOTS.map((name) => [name, translated])),
    HighlightCode: (/** @type {Component} */ Original, /** @type {{ React: React }} */ system) =>
      shortened(translated(Original, system), system),
    // A link inside the button that opens an operation could not be reached; the address follows what is open anyway.
    DeepLink:
      () =>
      (/** @type {{ text: string }} */ { text }) =>
        createElement('span', {}, text),
  },
});

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
  give('.body-param__text', 'aria-label', () => say('Request body'));
  give('.examples-select-element', 'aria-label', () => say('Examples'));
  give('pre.microlight', 'tabindex', () => '0');
  // Each of them would be a landmark, and no longer a table.
  for (const table of place.querySelectorAll('table[role]')) table.removeAttribute('role');
};
new MutationObserver(mend).observe(place, { childList: true, subtree: true });

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
