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

/**
 * All problems in one row, whose codes are explained on a page of their own: they are much the same under each operation.
 *
 * @param {Readonly<Record<string, any>>} responses
 * @param {string} explained a link to that page, in Markdown
 */
const folded = (responses, explained) => {
  const isProblem = (/** @type {string} */ status) => status >= '400';
  const all = Object.entries(responses);
  const statuses = all.map(([status]) => status).filter((status) => isProblem(status) && status !== 'default');
  return Object.fromEntries([
    ...all.filter(([status]) => !isProblem(status)),
    ['default', { description: `${statuses.join(', ')} … ${explained}` }],
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

/**
 * What is filled in: ten items of a list, all of which would take a browser a minute if it is large; and imports that can be
 * repeated.
 */
const FILLED_IN = { number_of_elements: 10, Prefer: 'resolution=merge-duplicates' };

/** @param {any} components */
const prefill = ({ parameters }) => {
  for (const [name, parameter] of Object.entries(parameters))
    for (const [ending, example] of Object.entries(FILLED_IN)) if (name.endsWith(ending)) parameter.example = example;
};

/**
 * Examples of what is created leave out a key that the service assigns, so that they can be sent again.
 *
 * @param {string} path of the list
 * @param {any} operation
 * @param {any} document
 */
const withoutKeys = (path, { requestBody, responses }, { paths, components }) => {
  const { schema, examples = {} } = (responses['201'] && requestBody?.content['application/json']) || {};
  const [key = ''] = Object.keys(paths).flatMap((each) =>
    each.startsWith(path) ? (/^\/\{([^{}/]+)\}$/.exec(each.slice(path.length))?.[1] ?? []) : [],
  );
  if (components.schemas[schema?.$ref.split('/').at(-1)]?.required?.includes(key)) return;
  for (const { value } of Object.values(examples)) delete value[key];
};

/**
 * @param {any} document as programs read it
 * @param {string} explained a link to the list of errors, in Markdown
 * @returns {any} the document that Swagger UI is given
 */
export const displayed = (document, explained) => {
  const shown = withoutRules(document);
  const { paths, components } = shown;
  prefill(components);
  for (const [path, item] of Object.entries(paths))
    for (const operation of Object.values(item)) {
      operation.responses = folded(operation.responses, explained);
      operation.parameters = describedOnce(operation.parameters, components);
      withoutKeys(path, operation, shown);
      // Of a text, the example can be sent; for bytes, Swagger UI only has a field for a file.
      for (const { schema, examples = {} } of Object.values(operation.requestBody?.content ?? {}))
        if (Object.keys(examples).length > 0) delete schema.format;
    }
  return shown;
};
