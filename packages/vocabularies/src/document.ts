/** Reads an OpenAPI document (3.0, 3.1 or 3.2): its routes, operations, parameters and contents. */

export type Json = Readonly<Record<string, unknown>>;

/** Something wrong in a document or a table, which stops the start. */
export interface Fault {
  /** `document`, or the tag of a table. */
  readonly file: string;
  readonly pointer: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Lists every fault of a document and its tables at once. */
export class VocabularyError extends Error {
  override readonly name = 'VocabularyError';
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ file, pointer, message }) => `${file} ${pointer}: ${message}`).join('\n'));
    this.faults = faults;
  }
}

/** A schema and the place where it stands: a JSON pointer into the document that begins with `#`. */
export interface Placed {
  readonly schema: Json;
  readonly place: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly place: string;
  readonly style: string;
  readonly explode: boolean;
  /** How the value is written if it is not text: JSON, usually. */
  readonly mediaType?: string;
  readonly schema?: Placed;
  /** The schemas whose members' names the value holds, as `x-names` says it. */
  readonly names: readonly string[];
  /** The collection of a catalogue whose field it filters (`x-collection`). */
  readonly collection: string | undefined;
}

export interface Content {
  readonly schema?: Placed;
  /** The schema of each item of NDJSON, of server-sent events and of the rows of a CSV file. */
  readonly item?: Placed;
}

/** Contents by media type, such as `application/json` or `application/*`. */
export type Contents = ReadonlyMap<string, Content>;

export interface Answer {
  readonly contents: Contents;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly place: string;
  readonly parameters: readonly Parameter[];
  readonly body: Contents;
  /** Answers by status: `200`, `2XX` or `default`. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Whether a header parameter says that requests are signed, so that nothing of them may be changed. */
  readonly signature: string | undefined;
}

export interface Path {
  readonly template: string;
  readonly place: string;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** @returns whether a value is an object with members, and no array */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns an object, or an empty one instead of anything else */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @returns the pointer of a member of what stands at a place */
export function placeWithin(place: string, ...names: readonly (string | number)[]): string {
  let within = place;
  for (const name of names) within += `/${escapePointer(String(name))}`;
  return within;
}

/** @returns a name as it stands in a JSON pointer */
function escapePointer(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const SEQUENCES = /^(application\/(x-)?(ndjson|jsonl|json-seq|json-lines)|text\/(event-stream|csv))/;

/** An OpenAPI document, read once. */
export class Document {
  readonly content: Json;
  readonly faults: Fault[] = [];
  readonly paths: readonly Path[];
  readonly operations: readonly Operation[];
  /** Paths of its servers' addresses, such as `/api/v3`; the empty one is first. */
  readonly bases: readonly string[];

  constructor(content: unknown) {
    this.content = asObject(content);
    const { openapi } = this.content;
    if (typeof openapi !== 'string' || !/^3\.[012]\./.test(openapi)) {
      this.#report('#/openapi', 'this is no OpenAPI document of version 3; give the parsed content of one');
    }
    this.paths = Object.entries(asObject(this.content.paths)).flatMap(([template, item]) =>
      template.startsWith('/') ? [this.#readPath(template, item, placeWithin('#/paths', template))] : [],
    );
    this.operations = this.paths.flatMap((path) => [...path.operations.values()]);
    const servers = asArray(this.content.servers).map((server) => readBase(asObject(server)));
    this.bases = [...new Set(['', ...servers])];
  }

  #report(pointer: string, message: string): void {
    if (!this.faults.some((fault) => fault.pointer === pointer))
      this.faults.push({ file: 'document', pointer, message });
  }

  /** Follows a chain of references, as long as nothing stands beside them. @returns what they lead to, and where it stands */
  resolve(value: unknown, place: string): Placed | undefined {
    const seen = new Set<unknown>();
    let [target, at] = [value, place];
    while (isObject(target) && typeof target.$ref === 'string') {
      if (seen.has(target)) return undefined;
      seen.add(target);
      const found = this.lookUp(target.$ref, at);
      if (!found) return undefined;
      [target, at] = [found.schema, found.place];
    }
    return isObject(target) ? { schema: target, place: at } : undefined;
  }

  /** @returns what one reference leads to; a fault is reported if it leads to nothing or out of the document */
  lookUp(reference: string, place: string): Placed | undefined {
    if (!reference.startsWith('#')) {
      this.#report(place, `"${reference}" is in another file; bundle the document into one`);
      return undefined;
    }
    let target: unknown = this.content;
    for (const part of decodeUri(reference).split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const isOwn = typeof target === 'object' && target !== null && Object.hasOwn(target, name);
      target = isOwn ? (target as Json)[name] : undefined;
    }
    if (isObject(target)) return { schema: target, place: decodeUri(reference) };
    if (typeof target !== 'boolean') this.#report(place, `"${reference}" leads to nothing; add what it names`);
    return undefined;
  }

  #readPath(template: string, value: unknown, at: string): Path {
    const { schema: item, place } = this.resolve(value, at) ?? { schema: {}, place: at };
    const operations = METHODS.filter((method) => isObject(item[method])).map((method) => {
      return [method.toUpperCase(), this.#readOperation(template, method, item, place)] as const;
    });
    return { template, place: at, operations: new Map(operations) };
  }

  #readOperation(template: string, method: string, item: Json, itemPlace: string): Operation {
    const content = asObject(item[method]);
    const place = placeWithin(itemPlace, method);
    const parameters = new Map<string, Parameter>();
    for (const [owner, at] of [
      [item, itemPlace],
      [content, place],
    ] as const) {
      for (const [index, value] of asArray(owner.parameters).entries()) {
        const parameter = this.#readParameter(value, placeWithin(at, 'parameters', index));
        if (parameter) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
      }
    }
    const body = this.resolve(content.requestBody, placeWithin(place, 'requestBody'));
    const answers = Object.entries(asObject(content.responses)).map(([status, value]) => {
      return [status.toUpperCase(), this.#readAnswer(value, placeWithin(place, 'responses', status))] as const;
    });
    const all = [...parameters.values()];
    return {
      id: typeof content.operationId === 'string' ? content.operationId : `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      path: template,
      place,
      parameters: all,
      body: body ? this.#readContents(body.schema.content, placeWithin(body.place, 'content')) : new Map(),
      answers: new Map(answers),
      signature: all.find((each) => each.in === 'header' && /^(x-(hub-)?)?signature(-input|-256)?$/i.test(each.name))
        ?.name,
    };
  }

  #readParameter(value: unknown, at: string): Parameter | undefined {
    const { schema: content, place } = this.resolve(value, at) ?? { schema: {}, place: at };
    const { name, in: location, style = location === 'query' || location === 'cookie' ? 'form' : 'simple' } = content;
    if (typeof name !== 'string' || typeof location !== 'string') return undefined;
    const [media] = Object.entries(asObject(content.content));
    const schema = media ? asObject(media[1]).schema : content.schema;
    const schemaPlace = media ? placeWithin(place, 'content', media[0], 'schema') : placeWithin(place, 'schema');
    return {
      name,
      in: location,
      place,
      style: String(style),
      explode: typeof content.explode === 'boolean' ? content.explode : style === 'form',
      ...(media ? { mediaType: media[0] } : {}),
      ...(isObject(schema) ? { schema: { schema, place: schemaPlace } } : {}),
      names: readNames(content),
      collection: typeof content['x-collection'] === 'string' ? content['x-collection'] : undefined,
    };
  }

  #readAnswer(value: unknown, at: string): Answer {
    const { schema: content, place } = this.resolve(value, at) ?? { schema: {}, place: at };
    return { contents: this.#readContents(content.content, placeWithin(place, 'content')) };
  }

  #readContents(value: unknown, at: string): Contents {
    return new Map(
      Object.entries(asObject(value)).map(([type, content]) => {
        const place = placeWithin(at, type);
        const { schema, itemSchema, 'x-item-schema': item = itemSchema } = asObject(content);
        const placed = isObject(schema) ? { schema: { schema, place: placeWithin(place, 'schema') } } : {};
        const itemPlace = placeWithin(place, itemSchema ? 'itemSchema' : 'x-item-schema');
        const own = isObject(item) ? { schema: item, place: itemPlace } : undefined;
        const read = own ?? (SEQUENCES.test(type) && placed.schema ? this.#itemOf(placed.schema) : undefined);
        return [readMediaType(type), { ...placed, ...(read ? { item: read } : {}) }] as const;
      }),
    );
  }

  /** @returns the schema of the items of an array, or the schema itself if it describes one item */
  #itemOf(placed: Placed): Placed {
    const { schema, place } = this.resolve(placed.schema, placed.place) ?? placed;
    return isObject(schema.items) ? { schema: schema.items, place: placeWithin(place, 'items') } : placed;
  }
}

/** @returns a text without its percent-encoding; as it is, if it is not encoded correctly */
export function decodeUri(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns the path of a server's address with its variables' defaults, without a slash at its end */
function readBase({ url, variables }: Json): string {
  const filled = String(url ?? '').replace(/\{([^}]*)\}/g, (_, name: string) => {
    return String(asObject(asObject(variables)[name]).default ?? '');
  });
  return URL.parse(filled, 'http://localhost/')?.pathname.replace(/\/+$/, '') ?? '';
}

/** Reads `x-names`: `Car`, `members of Car`, `#/components/schemas/Car`, or a list of these. @returns names of schemas */
export function readNames(schema: Json): readonly string[] {
  const value = schema['x-names'];
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((name) =>
    String(name)
      .replace(/^members of /, '')
      .replace(/^#\/components\/schemas\//, ''),
  );
}

/** @returns a media type without its parameters */
export function readMediaType(type: string): string {
  return type
    .toLowerCase()
    .replace(/\s*;.*/s, '')
    .trim();
}

/** @returns the content for a media type: that of the exact one, of its range, or of any */
export function findContent(contents: Contents, mediaType: string): Content | undefined {
  const type = readMediaType(mediaType);
  return contents.get(type) ?? contents.get(type.replace(/\/.*/, '/*')) ?? contents.get('*/*');
}

/** @returns the answer for a status: that of the exact one, of its class, or the default one */
export function findAnswer({ answers }: Operation, status: number): Answer | undefined {
  return answers.get(String(status)) ?? answers.get(`${Math.floor(status / 100)}XX`) ?? answers.get('DEFAULT');
}
