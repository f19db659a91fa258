// What of a document people are shown. Programs read the whole of it.

/** Of schemas and responses: rules for programs, which the descriptions say in words. */
const HIDDEN = new Set(['pattern', 'not', 'additionalProperties', 'x-codes']);

/** @param {any} part of a document @param {boolean} isNamed whether its members are names that somebody chose @returns {any} */
const withoutRules = (part, isNamed = false) => {
  if (Array.isArray(part)) return part.map((each) => withoutRules(each));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).filter(([name]) => isNamed || !HIDDEN.has(name));
  return Object.fromEntries(members.map(([name, value]) => [name, withoutRules(value, name === 'properties')]));
};

// All problems in one row: they are much the same under each operation.
/** @param {Readonly<Record<string, any>>} responses @param {string} explained a link to their explanations, in Markdown */
const folded = (responses, explained) => {
  const isProblem = (/** @type {string} */ status) => status >= '400';
  const all = Object.entries(responses);
  const statuses = all.map(([status]) => status).filter((status) => isProblem(status) && status !== 'default');
  return Object.fromEntries([
    ...all.filter(([status]) => !isProblem(status)),
    ['default', { description: `${statuses.join(', ')} … ${explained}` }],
  ]);
};

/** What is filled in: ten items of a list, all of which would take a browser a minute if it is large; a file is checked only. */
const FILLED_IN = Object.entries({ number_of_elements: 10, Prefer: 'handling=check' });

// What says the same of each field is said of the first one only. An exported file is whole, and whoever deletes says what.
/** @param {any} operation @param {any} components */
const shownParameters = ({ operationId, parameters }, components) => {
  const said = new Set();
  return parameters.map((/** @type {{ $ref: string }} */ { $ref }) => {
    const component = $ref.split('/').at(-1) ?? '';
    const parameter = { ...components.parameters[component] };
    const text = parameter.description?.replaceAll(`\`${parameter.name}\``, '');
    if (said.has(text)) parameter.description = '';
    said.add(text);
    if (operationId.endsWith('Remove')) delete parameter.example;
    const [, example] = FILLED_IN.find(([ending]) => component.endsWith(ending)) ?? [];
    return example === undefined || operationId.endsWith('Export') ? parameter : { ...parameter, example };
  });
};

/** Changes nothing until somebody types. @param {any} operation */
const withoutChanges = ({ operationId, requestBody }) => {
  for (const content of /(?:Update|Patch)$/.test(operationId) ? Object.values(requestBody.content) : []) {
    const others = Object.entries(content.examples).map(([name, example]) => [`{${name}}`, example]);
    content.examples = Object.fromEntries([['{}', { value: {} }], ...others]);
  }
};

// Examples of what is created leave out a key that the service assigns, so that they can be sent again.
/** @param {string} path of the list @param {any} operation @param {any} document */
const withoutKeys = (path, { requestBody, responses }, { paths, components }) => {
  const { schema, examples = {} } = (responses['201'] && requestBody?.content['application/json']) || {};
  const [key = ''] = Object.keys(paths).flatMap((each) =>
    each.startsWith(path) ? (/^\/\{([^{}/]+)\}$/.exec(each.slice(path.length))?.[1] ?? []) : [],
  );
  if (components.schemas[schema?.$ref.split('/').at(-1)]?.required?.includes(key)) return;
  for (const { value } of Object.values(examples)) delete value[key];
};

/** @param {any} document as programs read it @param {string} explained a link to the list of errors, in Markdown @returns {any} */
export const displayed = (document, explained) => {
  const shown = withoutRules(document);
  const { paths, components } = shown;
  for (const [path, item] of Object.entries(paths))
    for (const operation of Object.values(item)) {
      operation.responses = folded(operation.responses, explained);
      operation.parameters = shownParameters(operation, components);
      withoutKeys(path, operation, shown);
      withoutChanges(operation);
      // Of a text, the example can be sent; for bytes, Swagger UI only has a field for a file.
      for (const { schema, examples = {} } of Object.values(operation.requestBody?.content ?? {}))
        if (Object.keys(examples).length > 0) delete schema.format;
    }
  return shown;
};
