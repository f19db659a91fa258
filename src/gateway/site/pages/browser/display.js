// What of a document people are shown. Programs read the whole of it.

/** Of schemas and responses: rules for programs, which the descriptions say in words. */
const HIDDEN = new Set(['pattern', 'not', 'additionalProperties', 'x-codes']);

/**
 * @param {any} part of a document
 * @param {boolean} isNamed whether its members are names that somebody chose, and not words of OpenAPI
 * @returns {any} the same without what is hidden
 */
const withoutRules = (part, isNamed = false) => {
  if (Array.isArray(part)) return part.map((each) => withoutRules(each));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).filter(([name]) => isNamed || !HIDDEN.has(name));
  return Object.fromEntries(members.map(([name, value]) => [name, withoutRules(value, name === 'properties')]));
};

/** @param {string} description of the problems of one status: a sentence, or a list where there are several */
const below = (description) =>
  description.startsWith('- ') ? `\n${description.replaceAll(/^/gm, '  ')}` : ` ${description}`;

/**
 * All problems in one row, where an operation would have a dozen rows alike.
 *
 * @param {Readonly<Record<string, any>>} responses
 * @param {any} components
 */
const folded = (responses, components) => {
  const isProblem = (/** @type {string} */ status) => status >= '400';
  const all = Object.entries(responses);
  const lines = all
    .filter(([status]) => isProblem(status) && status !== 'default')
    .map(([status, { description }]) => `- **${status}**${below(description)}`);
  const others = components.responses[responses.default?.$ref?.split('/').at(-1)]?.description ?? '';
  return Object.fromEntries([
    ...all.filter(([status]) => !isProblem(status)),
    ['default', { description: [lines.join('\n'), others].join('\n\n') }],
  ]);
};

/**
 * What says the same of each field, as filters do, is said of the first one only.
 *
 * @param {readonly any[]} parameters
 * @param {any} components
 */
const describedOnce = (parameters, components) => {
  const said = new Set();
  return parameters.map((/** @type {any} */ each) => {
    const parameter = components.parameters[each.$ref?.split('/').at(-1)] ?? each;
    const text = parameter.description?.replaceAll(`\`${parameter.name}\``, '');
    if (said.has(text)) return { ...parameter, description: '' };
    said.add(text);
    return parameter;
  });
};

/** How many items of a list are asked for where nobody says how many: all of a large one would take a browser a minute. */
const SAMPLE = 10;

/** @param {any} components whose parameters of a page's size are filled in */
const prefill = ({ parameters }) => {
  for (const [name, parameter] of Object.entries(parameters))
    if (name.endsWith('.number_of_elements')) parameter.example = SAMPLE;
};

/**
 * @param {any} document as programs read it
 * @returns {any} the document that Swagger UI is given
 */
export const displayed = (document) => {
  const { paths, components, ...rest } = withoutRules(document);
  prefill(components);
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) {
      operation.responses = folded(operation.responses, components);
      operation.parameters = describedOnce(operation.parameters, components);
    }
  return { ...rest, paths, components };
};
