/** What two trees answer to writes, each on items of its own, which are removed at the end. */
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import type { Answer } from '../kit/canonical.ts';
import { type Operation, typeOf } from './document.ts';
import type { Exchange, Mismatch, Trees, Trial } from './trees.ts';
import { findItems, listKeys, makeValue } from './values.ts';

/** Stands for what is each tree's own. */
const KEY = 'KEY';
/** Begins the texts of whatever is created. */
const PREFIX = 'parity-';

interface Step {
  readonly kind: string;
  readonly method: string;
  /** Whether it is asked of the item, or of its list. */
  readonly of: 'list' | 'item';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the item that it makes is the one that later steps are about. */
  readonly makes?: true;
  /** Whether it makes sense only where items have tags. */
  readonly needsTag?: true;
}

/** A list to which items can be added, and what can be done with them. */
interface Resource {
  readonly create: Operation;
  readonly path: string;
  readonly itemTemplate: string | undefined;
  readonly methods: ReadonlyMap<string, Operation>;
}

export class Writer {
  readonly #trees: Trees;
  /** Paths of the items that there are, in words, by tree. */
  readonly #left: { readonly tag: string; readonly url: string }[] = [];

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** @param run of this run alone @yields what is compared, and how it is answered; a mismatch without differences is none */
  async *write(run: string): AsyncIterable<{ trial: Trial; mismatch: Mismatch }> {
    const [one, other] = this.#trees.tags;
    try {
      for (const resource of this.#resources()) {
        const keys = new Map<string, string>();
        let hasTags = false;
        for (const step of this.#steps(resource)) {
          const isOfNothing = step.of === 'item' && !(keys.has(one) && keys.has(other));
          if (isOfNothing || (step.needsTag && !hasTags)) continue;
          const first = await this.#do(resource, step, one, run, keys);
          const second = await this.#do(resource, step, other, run, keys);
          hasTags ||= [first, second].every(({ answer }) => answer.headers.etag !== undefined);
          const asked = { kind: `write: ${step.kind}`, method: step.method, url: resource.path };
          const differences = await this.#trees.compareItems(first, second, true);
          yield { trial: { asked, one, other }, mismatch: { exchanges: [first, second], differences } };
        }
      }
    } finally {
      await this.clean();
    }
  }

  /** Deletes the items that are left, those of runs that were ended included. @returns how many */
  async clean(): Promise<number> {
    let removed = 0;
    for (const { tag, url } of [...this.#left.splice(0), ...(await this.#findLeft())]) {
      const request = await this.#trees.say({ kind: 'clean', method: 'DELETE', url }, tag);
      const { status } = await this.#trees.send(request, tag);
      if (status >= 200 && status < 300) removed += 1;
    }
    return removed;
  }

  async #findLeft() {
    const left = this.#resources()
      .filter(({ methods, itemTemplate }) => methods.has('DELETE') && itemTemplate)
      .map(async ({ path, itemTemplate = '' }) => {
        const items = findItems((await this.#trees.readInWords(path)).body) ?? [];
        const parameter = /\{([^}]*)\}$/.exec(itemTemplate)?.[1] ?? 'id';
        const keys = items.map((item) => listKeys(item, parameter)[0] ?? '').filter((key) => key.startsWith(PREFIX));
        return keys.map((key) => ({ tag: this.#trees.tags[0], url: `${path}/${encodeURIComponent(key)}` }));
      });
    return (await Promise.all(left)).flat();
  }

  #resources(): readonly Resource[] {
    const operations = this.#trees.reader.operations();
    const creations = operations.filter(({ method, body }) => method === 'POST' && body !== undefined);
    return creations.flatMap((create) => {
      const [path] = this.#trees.pool.paths.get(create.template) ?? [];
      if (path === undefined) return [];
      const isItem = ({ template }: Operation) =>
        template.startsWith(`${create.template}/{`) && template.indexOf('/', create.template.length + 1) === -1;
      const items = operations.filter(isItem);
      const methods = new Map(items.map((each) => [each.method, each]));
      // What is made could not be removed, or is no item.
      if (items.length === 0 && create.template.includes('{')) return [];
      return [{ create, path, itemTemplate: items[0]?.template, methods }];
    });
  }

  *#steps({ create, methods }: Resource): Iterable<Step> {
    const { reader } = this.#trees;
    const schema = create.body?.schema ?? {};
    const whole = asObject(makeValue(reader, schema, KEY));
    const valid = Object.fromEntries(Object.entries(whole).filter(([name]) => !this.#trees.words.skipped.has(name)));
    const properties = Object.entries(reader.properties(schema)).filter(
      ([name]) => !this.#trees.words.skipped.has(name),
    );
    const required = reader.required(schema);
    const post = (kind: string, body: unknown, headers = {}) =>
      ({ kind, method: 'POST', of: 'list', body, headers }) as const;
    yield { ...post('create', valid), makes: true };
    yield post('create again', valid);
    const read: Step = { kind: 'read', method: 'GET', of: 'item' };
    if (methods.has('GET')) yield read;
    for (const [name, value] of properties) {
      const type = typeOf(reader.resolve(value));
      const wrong = type === 'string' ? 5 : 'x';
      yield post(`create with a wrong ${name}`, { ...valid, [name]: wrong });
      if (reader.resolve(value).enum !== undefined)
        yield post(`create with an unknown ${name}`, { ...valid, [name]: 'zzzzzz' });
      if (required.includes(name)) yield post(`create without ${name}`, without(valid, name));
    }
    yield post('create with an unknown member', { ...valid, zzzzzz: 1 });
    yield post('create with nothing', {});
    yield post('create without JSON', '{"');
    yield post('create with a list', [[]]);
    yield post('create with another media type', 'x', { 'Content-Type': 'text/plain' });
    for (const method of ['PATCH', 'PUT']) if (methods.has(method)) yield* this.#changes(method, methods, valid, read);
    yield {
      kind: 'change what has changed',
      method: methods.has('PATCH') ? 'PATCH' : 'PUT',
      of: 'item',
      body: valid,
      headers: { 'If-Match': '"none"' },
      needsTag: true,
    };
    if (!methods.has('DELETE')) return;
    const remove: Step = { kind: 'delete', method: 'DELETE', of: 'item' };
    yield remove;
    yield { ...remove, kind: 'delete again' };
    if (methods.has('GET')) yield { ...read, kind: 'read what is deleted' };
  }

  /** Changes each member, to another value and to null, and reads the item each time. */
  *#changes(method: string, methods: Resource['methods'], valid: Json, read: Step): Iterable<Step> {
    const { reader } = this.#trees;
    const { type = 'application/json', schema = {} } = methods.get(method)?.body ?? {};
    const headers = { 'Content-Type': type };
    const change = (kind: string, body: unknown) =>
      ({ kind: `${method} ${kind}`, method, of: 'item', body, headers }) as const;
    const whole = method === 'PUT' ? valid : {};
    yield change('nothing', whole);
    for (const [name, value] of Object.entries(reader.properties(schema))) {
      const resolved = reader.resolve(value);
      if (resolved.readOnly === true || this.#trees.words.skipped.has(name)) continue;
      const choices = Array.isArray(resolved.enum) ? resolved.enum.filter((each) => each !== null) : [];
      const other =
        choices.at(-1) ??
        (typeof valid[name] === 'string' && resolved.format === undefined ? `${KEY} changed, x` : valid[name]);
      yield change(`${name}`, { ...whole, [name]: other });
      if (methods.has('GET')) yield { ...read, kind: `read after ${method} ${name}` };
      yield change(`${name} to null`, { ...whole, [name]: null });
      if (methods.has('GET')) yield { ...read, kind: `read after ${method} ${name} to null` };
      yield change(`a wrong ${name}`, { ...whole, [name]: typeOf(resolved) === 'string' ? 5 : 'x' });
    }
    yield change('an unknown member', { ...whole, zzzzzz: 1 });
  }

  async #do(resource: Resource, step: Step, tag: string, run: string, keys: Map<string, string>): Promise<Exchange> {
    const { path, itemTemplate } = resource;
    const mark = `${PREFIX}${run}-${tag.toLowerCase()}`;
    const own = (text: string): string => text.replaceAll(KEY, mark);
    const url = step.of === 'item' ? `${path}/${keys.get(tag)}` : path;
    const body =
      step.body === undefined || typeof step.body === 'string' ? step.body : JSON.parse(own(JSON.stringify(step.body)));
    const { kind, method, headers = {} } = step;
    const asked = { kind, method, url, headers, ...(body !== undefined && { body }) };
    const request = await this.#trees.say(asked, tag);
    const answer = await this.#trees.send(request, tag);
    const isSecond = tag === this.#trees.tags[1];
    const inWords = isSecond ? answer : await this.#trees.translateAnswer(answer, { ...asked, url: path });
    const key = step.of === 'list' ? readKey(inWords, path, itemTemplate) : keys.get(tag);
    if (key !== undefined && step.of === 'list' && answer.status < 300) {
      if (step.makes) keys.set(tag, key);
      if (resource.methods.has('DELETE')) this.#left.push({ tag, url: `${path}/${key}` });
    }
    if (step.method === 'DELETE' && answer.status < 300) {
      const at = this.#left.findIndex((each) => each.tag === tag && each.url === url);
      if (at !== -1) this.#left.splice(at, 1);
    }
    // An item whose path the document does not know has a number all the same.
    const [, last] = /\/([^/?#]+)$/.exec(answer.status === 201 ? (answer.headers.location ?? '') : '') ?? [];
    const mask = (text: string): string =>
      maskKey(text.replaceAll(mark, KEY).replaceAll(encodeURIComponent(mark), KEY), key ?? last);
    return { tag, request, answer: this.#trees.mask(answer, mask) };
  }
}

const without = (body: Json, name: string): Json =>
  Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));

/** @returns the encoded key of the item that an answer says was made */
function readKey({ headers, body, status }: Answer, path: string, template: string | undefined): string | undefined {
  if (status >= 300) return undefined;
  const [, fromHeader] =
    new RegExp(`^(?:https?://[^/]*)?[^?]*${escapePattern(path)}/([^/?#]+)`).exec(headers.location ?? '') ?? [];
  if (fromHeader !== undefined || template === undefined) return fromHeader;
  const item =
    isObject(body) && Object.values(body).length === 1 && isObject(Object.values(body)[0])
      ? Object.values(body)[0]
      : body;
  const [key] = listKeys(item, /\{([^}]*)\}$/.exec(template)?.[1] ?? 'id');
  return key === undefined ? undefined : encodeURIComponent(key);
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @returns a text in which a key that the service has chosen is the same in both trees */
function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key.includes(KEY)) return text;
  const plain = escapePattern(decodeURIComponent(key));
  const number = /^\d+$/.test(key)
    ? text.replaceAll(new RegExp(`(?<=": ?)${plain}(?=[,}\\]\\s])`, 'g'), '"KEY"')
    : text;
  return number.replaceAll(new RegExp(`(?<=["/])${plain}(?=["/?>]|$)`, 'g'), KEY);
}
