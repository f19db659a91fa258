/** Reads an OpenAPI document (3.0, 3.1 or 3.2): its paths, operations, parameters and contents. */

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
  readonly mediaType: string | undefined;
  readonly schema: Placed | undefined;
  /** The schemas whose members' names the value holds, as `x-names` says it. */
  readonly names: readonly string[];
  /** The collection of a catalogue whose field it filters (`x-collection`). */
  readonly collection: string | undefined;
}

export interface Content {
  readonly schema: Placed | undefined;
  /** The schema of each item of NDJSON, of server-sent events and of the rows of a CSV file. */
  readonly item: Placed | undefined;
}

/** Contents by media type, such as `application/json` or `application/*`. */
export type Contents = ReadonlyMap<string, Content>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly place: string;
  readonly parameters: readonly Parameter[];
  readonly body: Contents;
  /** Contents of answers by status: `200`, `2XX` or `DEFAULT`. */
  readonly answers: ReadonlyMap<string, Contents>;
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

export function mapEntries(value: unknown, write: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, each]) => [name, write(each, name)]));
}

/** @returns the pointer of a member of what stands at a place */
export function placeWithin(place: string, ...names: readonly (string | number)[]): string {
  return names.reduce<string>((at, name) => `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`, place);
}

/** @returns the names of a JSON pointer */
export function readPointer(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
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
    if (!/^3\.[012]\./.test(String(this.content.openapi))) {
      this.#report('#/openapi', 'this is no OpenAPI document of version 3; give the parsed content of one');
    }
    const templates = Object.keys(asObject(this.content.paths)).filter((template) => template.startsWith('/'));
    this.paths = templates.map((template) => this.#readPath(template));
    this.operations = this.paths.flatMap((path) => [...path.operations.values()]);
    this.bases = [...new Set(['', ...asArray(this.content.servers).map((server) => readBase(asObject(server)))])];
  }

  #report(pointer: string, message: string): void {
    if (this.faults.some((fault) => fault.pointer === pointer)) return;
    this.faults.push({ file: 'document', pointer, message });
  }

  /** Follows a chain of references. @returns what they lead to, and where it stands */
  resolve(value: unknown, place: string): Placed | undefined {
    let placed: Placed | undefined = isObject(value) ? { schema: value, place } : undefined;
    for (const seen = new Set<Json>(); placed && typeof placed.schema.$ref === 'string'; ) {
      if (seen.has(placed.schema)) return undefined;
      seen.add(placed.schema);
      placed = this.lookUp(placed.schema.$ref, placed.place);
    }
    return placed;
  }

  /** @returns what one reference leads to; a fault is reported if it leads to nothing or out of the document */
  lookUp(reference: string, place: string): Placed | undefined {
    if (!reference.startsWith('#')) {
      this.#report(place, `"${reference}" is in another file; bundle the document into one`);
      return undefined;
    }
    let target: unknown = this.content;
    for (const name of readPointer(decodeUri(reference))) {
      target = Object.hasOwn(Object(target), name) ? (target as Json)[name] : undefined;
    }
    if (isObject(target)) return { schema: target, place: decodeUri(reference) };
    if (typeof target !== 'boolean') this.#report(place, `"${reference}" leads to nothing; add what it names`);
    return undefined;
  }

  #readPath(template: string): Path {
    const at = placeWithin('#/paths', template);
    const item = this.resolve(asObject(this.content.paths)[template], at) ?? { schema: {}, place: at };
    const methods = METHODS.filter((method) => isObject(item.schema[method]));
    const operations = methods.map(
      (method) => [method.toUpperCase(), this.#readOperation(template, method, item)] as const,
    );
    return { template, place: at, operations: new Map(operations) };
  }

  #readOperation(template: string, method: string, item: Placed): Operation {
    const content = asObject(item.schema[method]);
    const place = placeWithin(item.place, method);
    const parameters = new Map<string, Parameter>();
    for (const owner of [item, { schema: content, place }]) {
      for (const [index, value] of asArray(owner.schema.parameters).entries()) {
        const parameter = this.#readParameter(value, placeWithin(owner.place, 'parameters', index));
        if (parameter) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
      }
    }
    const answers = Object.entries(asObject(content.responses)).map(([status, value]) => {
      return [status.toUpperCase(), this.#readContents(value, placeWithin(place, 'responses', status))] as const;
    });
    return {
      id: typeof content.operationId === 'string' ? content.operationId : `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      template,
      place,
      parameters: [...parameters.values()],
      body: this.#readContents(content.requestBody, placeWithin(place, 'requestBody')),
      answers: new Map(answers),
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
      mediaType: media?.[0],
      schema: isObject(schema) ? { schema, place: schemaPlace } : undefined,
      names: readNames(content),
      collection: typeof content['x-collection'] === 'string' ? content['x-collection'] : undefined,
    };
  }

  /** Reads the contents of a request's body or of an answer. */
  #readContents(value: unknown, at: string): Contents {
    const owner = this.resolve(value, at) ?? { schema: {}, place: at };
    const contents = Object.entries(asObject(owner.schema.content)).map(([type, content]) => {
      const place = placeWithin(owner.place, 'content', type);
      const read = (keyword: string): Placed | undefined => {
        const schema = asObject(content)[keyword];
        return isObject(schema) ? { schema, place: placeWithin(place, keyword) } : undefined;
      };
      const schema = read('schema');
      const item = read('itemSchema') ?? read('x-item-schema');
      return [
        readMediaType(type),
        { schema, item: item ?? (SEQUENCES.test(type) ? this.#findItem(schema) : undefined) },
      ] as const;
    });
    return new Map(contents);
  }

  /** @returns the schema of the items of an array, or the schema itself if it describes one item */
  #findItem(placed: Placed | undefined): Placed | undefined {
    const array = placed && this.resolve(placed.schema, placed.place);
    return isObject(array?.schema.items)
      ? { schema: array.schema.items, place: placeWithin(array.place, 'items') }
      : placed;
  }
}

/** @returns the path of a server's address with its variables' defaults, without a slash at its end */
function readBase({ url, variables }: Json): string {
  const fill = (_: string, name: string): string => String(asObject(asObject(variables)[name]).default ?? '');
  const filled = String(url ?? '').replace(/\{([^}]*)\}/g, fill);
  return URL.parse(filled, 'http://localhost/')?.pathname.replace(/\/+$/, '') ?? '';
}

/** Reads `x-names`: `Car`, `members of Car`, `#/components/schemas/Car`, or a list of these. @returns names of schemas */
export function readNames(schema: Json): readonly string[] {
  const names = [schema['x-names'] ?? []].flat();
  return names.map((name) => String(name).replace(/^members of |^#\/components\/schemas\//, ''));
}

/** @returns a media type without its parameters */
export function readMediaType(type: string): string {
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

/** @returns the content for a media type: that of the exact one, of its range, or of any */
export function findContent(contents: Contents | undefined, mediaType: string): Content | undefined {
  const type = readMediaType(mediaType);
  return contents?.get(type) ?? contents?.get(type.replace(/\/.*/, '/*')) ?? contents?.get('*/*');
}

/** @returns the contents for a status: those of the exact one, of its class, or the default ones */
export function findAnswer({ answers }: Operation, status: number): Contents | undefined {
  return answers.get(String(status)) ?? answers.get(`${Math.floor(status / 100)}XX`) ?? answers.get('DEFAULT');
}
