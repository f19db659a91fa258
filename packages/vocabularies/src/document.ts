/** Reads an OpenAPI document (3.0, 3.1 or 3.2): its paths, operations, parameters and contents. */
import { asObject, isObject, type Json, valueAt } from './words.ts';

/** Something wrong in a document or a table. */
export interface Fault {
  /** `document`, or the tag of a table. */
  readonly file: string;
  readonly pointer: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

export function writeFault({ file, pointer, message }: Fault): string {
  return `${file} ${pointer}: ${message}`;
}

/** Lists every fault of a document and its tables at once. */
export class VocabularyError extends Error {
  override readonly name = 'VocabularyError';
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(writeFault).join('\n'));
    this.faults = faults;
  }
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  /** The media type of a value that is not plain text, usually JSON. */
  readonly mediaType: string | undefined;
  /** What its value is. */
  readonly schema: Json | undefined;
  /** The parameter as the document has it. */
  readonly source: Json;
}

export interface Content {
  readonly body: Json | undefined;
  /** What an item of NDJSON or server-sent events is, or a row of a CSV file. */
  readonly item: Json | undefined;
}

/** Contents by media type, such as `application/json` or `application/*`. */
export type Contents = ReadonlyMap<string, Content>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  /** The names of the parameters in its path, in their order. */
  readonly pathNames: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Contents;
  /** Contents of answers by status: `200`, `2XX` or `DEFAULT`. */
  readonly answers: ReadonlyMap<string, Contents>;
  /** Headers that sign its requests. */
  readonly signatures: readonly string[];
  /** The operation as the document has it. */
  readonly source: Json;
}

export interface Path {
  readonly template: string;
  readonly place: string;
  readonly operations: ReadonlyMap<string, Operation>;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @returns the pointer to a member of what stands at a place */
export function placeWithin(place: string, ...names: readonly (string | number)[]): string {
  return names.reduce<string>((at, name) => `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`, place);
}

/** @returns the names of a JSON pointer */
export function readPointer(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @returns a text without its percent-encoding; unchanged if it is not encoded correctly */
export function decodeUri(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

/** @returns the members of an object or array; those that are no objects, such as the schema `true`, count as empty ones */
export function readEntries(value: unknown): readonly (readonly [name: string, part: Json])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, part]) => [name, asObject(part)]);
}

/** @returns the values in all of several objects or arrays */
export function readParts(...values: readonly unknown[]): readonly Json[] {
  return values.flatMap((value) => readEntries(value).map(([, part]) => part));
}

/** @returns the names of the parameters in a path or in a segment of one */
export function listParameters(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
}

/** @returns parameters of which no two have one name in one place: the last, as that of an operation goes before that of its path */
export function uniteParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const SIGNATURE = /(^|-)(signature|hmac)(-|$)/i;
const SEQUENCES = /^(application\/(x-)?(ndjson|jsonl|json-seq|json-lines)|text\/(event-stream|csv))/;

/** An OpenAPI document, read once. */
export class Document {
  readonly content: Json;
  /** What stops the start. */
  readonly faults: Fault[] = [];
  /** What leaves a place undescribed. */
  readonly notices: Fault[] = [];
  readonly paths: readonly Path[];
  readonly operations: readonly Operation[];
  /** Paths of its servers' addresses, such as `/api/v3`; the empty one is first. */
  readonly bases: readonly string[];
  /** The places of all objects and arrays. */
  readonly #places = new Map<unknown, string>();
  /** Schemas to which references lead by a name. */
  readonly #anchors = new Map<unknown, Json>();

  constructor(content: unknown) {
    this.content = asObject(content);
    // A schema to which anchors of YAML give several places is known by its name among the components.
    this.#locate(this.content.components, '#/components');
    this.#locate(this.content, '#');
    if (!/^3\.[012]\./.test(String(this.content.openapi))) {
      this.#refuse('#/openapi', 'this is no OpenAPI document of version 3; give the parsed content of one');
    }
    const { paths = {} } = this.content;
    if (!isObject(paths)) this.#refuse('#/paths', 'must be an object with a member for each path');
    this.paths = readEntries(this.resolve(asObject(paths))).flatMap(([template, part]): readonly Path[] => {
      if (template.startsWith('x-')) return [];
      const place = placeWithin('#/paths', template);
      if (!template.startsWith('/')) this.#refuse(place, 'a path begins with a slash; write one before it');
      const item = this.resolve(part);
      const others = asObject(item.additionalOperations);
      const operations = [...METHODS, ...Object.keys(others)].flatMap((method) => {
        const source = item[method] ?? others[method];
        if (source !== undefined && !isObject(source)) this.#refuse(placeWithin(place, method), 'must be an operation');
        if (!isObject(source)) return [];
        return [this.#readOperation(template, method.toUpperCase(), item, this.resolve(source))];
      });
      return [{ template, place, operations: new Map(operations.map((operation) => [operation.method, operation])) }];
    });
    this.operations = this.paths.flatMap((path) => [...path.operations.values()]);
    this.bases = [...new Set(['', ...readParts(this.content.servers).map(readBase)])];
  }

  #locate(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null || this.#places.has(value)) return;
    this.#places.set(value, place);
    if (isObject(value) && '$anchor' in value) this.#anchors.set(value.$anchor, value);
    for (const [name, part] of Object.entries(value)) this.#locate(part, placeWithin(place, name));
  }

  /** @returns the JSON pointer to a part of the document, after a `#`; an empty text for what is no part of it */
  findPlace(part: unknown): string {
    return this.#places.get(part) ?? '';
  }

  /** @returns what is made of a part of the document, with the place of that part */
  derive(part: Json, made: Json): Json {
    this.#places.set(made, this.findPlace(part));
    return made;
  }

  #refuse(pointer: string, message: string): void {
    if (this.faults.some((fault) => fault.pointer === pointer)) return;
    this.faults.push({ file: 'document', pointer, message });
  }

  /** Adds a notice for a place; of several places with one message the first is enough. */
  notice(pointer: string, message: string): void {
    if (this.notices.some((notice) => notice.message === message)) return;
    this.notices.push({ file: 'document', pointer, message });
  }

  /** @returns what a chain of references leads to; an empty object if it leads nowhere */
  resolve(part: Json, seen: readonly Json[] = []): Json {
    if (typeof part.$ref !== 'string') return part;
    const target = seen.includes(part) ? undefined : this.lookUp(part);
    return target ? this.resolve(target, [...seen, part]) : asObject(target);
  }

  /** @returns what the reference of an object leads to, if it has one and leads to anything in the document */
  lookUp(part: Json): Json | undefined {
    const { $ref } = part;
    if (typeof $ref !== 'string') return undefined;
    const isOutside = !$ref.startsWith('#');
    const target = isOutside ? undefined : this.#follow($ref);
    if (isObject(target)) return target;
    const gone = `"${$ref}" leads to nothing, so that what is there stays as it is; add what it names`;
    if (isOutside) this.#refuse(this.findPlace(part), `"${$ref}" is in another file; bundle the document into one`);
    else if (typeof target !== 'boolean') this.notice(this.findPlace(part), gone);
    return undefined;
  }

  /** @returns what a reference of the document leads to */
  #follow($ref: string): unknown {
    const reference = decodeUri($ref);
    if (/^#[^/]/.test(reference)) return this.#anchors.get(reference.slice(1));
    return valueAt(this.content, ...readPointer(reference));
  }

  /** @returns the schemas that a discriminator tells apart without listing them: those of its mapping, else all that are composed of it */
  listKinds(schema: Json): readonly Json[] {
    const { discriminator, oneOf, anyOf } = schema;
    if (!isObject(discriminator) || oneOf || anyOf) return [];
    const { mapping } = discriminator;
    const names = Object.values(asObject(mapping)).map((name) => String(name).replace('#/components/schemas/', ''));
    const isPart = ({ $ref }: Json): boolean => typeof $ref === 'string' && this.#follow($ref) === schema;
    const kinds = readEntries(valueAt(this.content, 'components', 'schemas')).filter(([name, kind]) =>
      isObject(mapping) ? names.includes(name) : readParts(kind.allOf).some(isPart),
    );
    return kinds.map(([, kind]) => kind);
  }

  #readOperation(template: string, method: string, item: Json, source: Json): Operation {
    // A key that the security of an operation asks for is a parameter, too.
    const schemes = asArray(source.security ?? this.content.security)
      .flatMap((choice) => readEntries(choice))
      .map(([name]) => asObject(valueAt(this.content, 'components', 'securitySchemes', name)));
    const parameters = [...schemes, ...readParts(item.parameters, source.parameters)].flatMap((part) =>
      this.#readParameter(part),
    );
    const answers = readEntries(this.resolve(asObject(source.responses))).map(
      ([status, answer]) => [status.toUpperCase(), this.#readContents(answer)] as const,
    );
    const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
    return {
      id: typeof source.operationId === 'string' ? source.operationId : `${method} ${template}`,
      method,
      template,
      pathNames: listParameters(template),
      parameters: uniteParameters(parameters),
      body: this.#readContents(asObject(source.requestBody)),
      answers: new Map(answers),
      signatures: headers.filter((name) => SIGNATURE.test(name)),
      source,
    };
  }

  #readParameter(part: Json): readonly Parameter[] {
    const source = this.resolve(part);
    const { name, in: location, explode } = source;
    if (typeof name !== 'string' || typeof location !== 'string') return [];
    const { style = location === 'query' || location === 'cookie' ? 'form' : 'simple' } = source;
    const [mediaType, media = source] = readEntries(source.content)[0] ?? [];
    // These are said by contents and security; OpenAPI has parameters of their names ignored.
    const isOwned = location === 'header' && /^(accept|content-type|authorization)$/i.test(name);
    return [
      {
        name,
        in: location,
        style: String(style),
        explode: mediaType === undefined && (typeof explode === 'boolean' ? explode : style === 'form'),
        mediaType,
        schema: isOwned ? undefined : [media.schema].find(isObject),
        source,
      },
    ];
  }

  /** Reads the contents of a request's body or of an answer. */
  #readContents(owner: Json): Contents {
    const contents = readEntries(this.resolve(asObject(this.resolve(owner).content))).map(
      ([type, part]): [string, Content] => {
        const content = this.resolve(part);
        const body = [content.schema].find(isObject);
        // The schema of a sequence may be that of an array of its items, or that of one item.
        const ofItems = body && SEQUENCES.test(type) ? [this.resolve(body).items, body] : [];
        const item = [content.itemSchema, content['x-item-schema'], ...ofItems].find(isObject);
        return [readMediaType(type), { body, item }];
      },
    );
    return new Map(contents);
  }
}

/** @returns the path of a server's address with its variables' defaults, without a slash at its end */
function readBase({ url, variables }: Json): string {
  const fill = (_: string, name: string): string => String(valueAt(variables, name, 'default') ?? '');
  const address = String(url ?? '').replace(/\{([^}]*)\}/g, fill);
  return URL.parse(address, 'http://localhost/')?.pathname.replace(/\/+$/, '') ?? '';
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
