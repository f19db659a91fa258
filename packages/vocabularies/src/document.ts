/** Reads an OpenAPI document (3.0, 3.1 or 3.2): its paths, operations, parameters and contents. */
import { asObject, isObject, type Json } from './words.ts';

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

/** A part of a document, such as a schema, and the place where it stands: a JSON pointer that begins with `#`. */
export interface Placed {
  readonly schema: Json;
  readonly place: string;
}

export interface Parameter extends Placed {
  readonly name: string;
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  /** How the value is written if it is not text: JSON, usually. */
  readonly mediaType: string | undefined;
  readonly value: Placed | undefined;
}

export interface Content {
  readonly body: Placed | undefined;
  /** Each item of NDJSON, of server-sent events and of the rows of a CSV file. */
  readonly item: Placed | undefined;
}

/** Contents by media type, such as `application/json` or `application/*`. */
export type Contents = ReadonlyMap<string, Content>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly place: string;
  /** The names of the parameters in its path, in their order. */
  readonly names: readonly string[];
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

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

/** One object in place of all that is none, so that schemas are the same. */
const NOTHING: Json = {};

/** @returns those of some members that are objects themselves */
export function readMember({ schema, place }: Placed, ...names: readonly string[]): readonly Placed[] {
  return names.flatMap((name) => {
    const value = schema[name];
    return isObject(value) ? [{ schema: value, place: placeWithin(place, name) }] : [];
  });
}

/** @returns what an object or array in a member has */
export function readMembers({ schema, place }: Placed, name: string): readonly (readonly [name: string, Placed])[] {
  const value = schema[name];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, each]) => [
    key,
    { schema: isObject(each) ? each : NOTHING, place: placeWithin(place, name, key) },
  ]);
}

/** @returns all that objects or arrays in some members have */
export function readObjects(placed: Placed, ...names: readonly string[]): readonly Placed[] {
  return names.flatMap((name) => readMembers(placed, name).map(([, each]) => each));
}

/** @returns the names of the parameters in a path or in a segment of one */
export function listParameters(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
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
    const root = { schema: this.content, place: '#' };
    if (!/^3\.[012]\./.test(String(this.content.openapi))) {
      this.#report('#/openapi', 'this is no OpenAPI document of version 3; give the parsed content of one');
    }
    this.paths = readMembers(root, 'paths').flatMap(([template, placed]): readonly Path[] => {
      if (!template.startsWith('/')) return [];
      const item = this.resolve(placed);
      const operations = METHODS.flatMap((method) =>
        readMember(item, method).map((each) => this.#readOperation(template, method, item, each)),
      );
      return [{ template, place: placed.place, operations: new Map(operations.map((each) => [each.method, each])) }];
    });
    this.operations = this.paths.flatMap((path) => [...path.operations.values()]);
    this.bases = [...new Set(['', ...readObjects(root, 'servers').map((server) => readBase(server.schema))])];
  }

  #report(pointer: string, message: string): void {
    if (this.faults.some((fault) => fault.pointer === pointer)) return;
    this.faults.push({ file: 'document', pointer, message });
  }

  /** Follows a chain of references. @returns what they lead to; nothing of it, if they lead nowhere */
  resolve(placed: Placed): Placed {
    let at = placed;
    for (const seen = new Set<Json>(); typeof at.schema.$ref === 'string'; ) {
      if (seen.has(at.schema)) return { schema: NOTHING, place: placed.place };
      seen.add(at.schema);
      at = this.lookUp(at)[0] ?? { schema: NOTHING, place: placed.place };
    }
    return at;
  }

  /** @returns what the reference of an object leads to, if it has one; a fault is reported if that is nothing, or out of the document */
  lookUp({ schema: { $ref }, place }: Placed): readonly Placed[] {
    if (typeof $ref !== 'string') return [];
    if (!$ref.startsWith('#')) {
      this.#report(place, `"${$ref}" is in another file; bundle the document into one`);
      return [];
    }
    const target = this.#follow($ref);
    if (isObject(target)) return [{ schema: target, place: decodeUri($ref) }];
    if (typeof target !== 'boolean') this.#report(place, `"${$ref}" leads to nothing; add what it names`);
    return [];
  }

  /** @returns what a reference of the document leads to */
  #follow($ref: string): unknown {
    const reference = decodeUri($ref);
    if (/^#[^/]/.test(reference)) return findAnchor(this.content, reference.slice(1));
    return readPointer(reference).reduce<unknown>(
      (target, name) => (Object.hasOwn(Object(target), name) ? (target as Json)[name] : undefined),
      this.content,
    );
  }

  /** @returns the schemas that a discriminator tells apart without listing them: those of its mapping, else all that are composed of it */
  listKinds({ schema }: Placed): readonly Placed[] {
    const { discriminator, oneOf, anyOf } = schema;
    if (!isObject(discriminator) || oneOf || anyOf) return [];
    const schemas = this.#listSchemas();
    if (!isObject(discriminator.mapping)) {
      const isPart = (part: Placed) =>
        typeof part.schema.$ref === 'string' && this.#follow(part.schema.$ref) === schema;
      return schemas.filter((each) => readObjects(each, 'allOf').some(isPart));
    }
    const names = Object.values(discriminator.mapping).map((each) => String(each).replace('#/components/schemas/', ''));
    return schemas.filter(({ place }) => names.includes(readPointer(place).at(-1) ?? ''));
  }

  #listSchemas(): readonly Placed[] {
    const components = readMember({ schema: this.content, place: '#' }, 'components');
    return components.flatMap((each) => readObjects(each, 'schemas'));
  }

  #readOperation(template: string, method: string, item: Placed, placed: Placed): Operation {
    const { schema, place } = placed;
    const parameters = [item, placed]
      .flatMap((each) => readObjects(each, 'parameters'))
      .flatMap((each) => this.#readParameter(each));
    const answers = readMembers(placed, 'responses').map(
      ([status, answer]) => [status.toUpperCase(), this.#readContents(answer)] as const,
    );
    return {
      id: typeof schema.operationId === 'string' ? schema.operationId : `${method.toUpperCase()} ${template}`,
      method: method.toUpperCase(),
      template,
      place,
      names: listParameters(template),
      // Those of the operation go before those of its path.
      parameters: [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()],
      body: new Map(readMember(placed, 'requestBody').flatMap((body) => [...this.#readContents(body)])),
      answers: new Map(answers),
    };
  }

  #readParameter(value: Placed): readonly Parameter[] {
    const placed = this.resolve(value);
    const {
      name,
      in: location,
      explode,
      style = location === 'query' || location === 'cookie' ? 'form' : 'simple',
    } = placed.schema;
    if (typeof name !== 'string' || typeof location !== 'string') return [];
    const [media] = readMembers(placed, 'content');
    return [
      {
        ...placed,
        name,
        in: location,
        style: String(style),
        explode: typeof explode === 'boolean' ? explode : style === 'form',
        mediaType: media?.[0],
        value: readMember(media ? media[1] : placed, 'schema')[0],
      },
    ];
  }

  /** Reads the contents of a request's body or of an answer. */
  #readContents(owner: Placed): Contents {
    const contents = readMembers(this.resolve(owner), 'content').map(([type, content]): [string, Content] => {
      const [body] = readMember(content, 'schema');
      const [item] = readMember(content, 'itemSchema', 'x-item-schema');
      // A schema of an array describes all items of a sequence, another one each of them.
      const items = body && SEQUENCES.test(type) ? [...readMember(this.resolve(body), 'items'), body] : [];
      return [readMediaType(type), { body, item: item ?? items[0] }];
    });
    return new Map(contents);
  }
}

/** @returns the schema to which a reference by name leads */
function findAnchor(part: unknown, name: string): unknown {
  if (typeof part !== 'object' || part === null) return undefined;
  if (isObject(part) && part.$anchor === name) return part;
  return Object.values(part).reduce<unknown>((found, each) => found ?? findAnchor(each, name), undefined);
}

/** @returns the path of a server's address with its variables' defaults, without a slash at its end */
function readBase({ url, variables }: Json): string {
  const fill = (_: string, name: string): string => String(asObject(asObject(variables)[name]).default ?? '');
  const filled = String(url ?? '').replace(/\{([^}]*)\}/g, fill);
  return URL.parse(filled, 'http://localhost/')?.pathname.replace(/\/+$/, '') ?? '';
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
