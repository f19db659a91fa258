/** What two trees answer to writes, each on items of its own, which are removed at the end. */
import { asArray } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import type { Answer } from '../kit/canonical.ts';
import { escapePattern } from '../kit/sentences.ts';
import { readExactBody } from './compare.ts';
import { type Operation, readType } from './document.ts';
import type { Exchange, Mismatch, Received, Trees, Trial } from './trees.ts';
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
  /** Whether it makes sense only if items have tags. */
  readonly needsTag?: true;
}

/** A list to which items can be added, and what can be done with them. */
interface Resource {
  readonly create: Operation;
  readonly path: string;
  readonly itemTemplate: string | undefined;
  readonly methods: ReadonlyMap<string, Operation>;
}

function readKeyName(template = ''): string {
  return /\{([^}]*)\}$/.exec(template)?.[1] ?? 'id';
}

export class Writer {
  readonly #trees: Trees;
  /** Paths of what was created, in words, by tree. */
  readonly #created: { readonly tag: string; readonly url: string }[] = [];

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
          const request = { kind: `write: ${step.kind}`, method: step.method, url: resource.path };
          const differences = await this.#trees.compare(first, second, request, true);
          yield { trial: { request, one, other }, mismatch: { exchanges: [first, second], differences } };
        }
      }
    } finally {
      await this.clean();
    }
  }

  /** Deletes the items that are left, those of runs that were ended included. @returns how many */
  async clean(): Promise<number> {
    let removed = 0;
    for (const { tag, url } of [...this.#created.splice(0), ...(await this.#findLeft())]) {
      const request = await this.#trees.translateRequest({ kind: 'clean', method: 'DELETE', url }, tag);
      const { status } = await this.#trees.send(request, tag);
      if (status >= 200 && status < 300) removed += 1;
    }
    return removed;
  }

  async #findLeft() {
    const left: { readonly tag: string; readonly url: string }[] = [];
    for (const { path, itemTemplate, methods } of this.#resources()) {
      if (!methods.has('DELETE')) continue;
      const items = findItems((await this.#trees.readInWords(path)).body) ?? [];
      const keys = items.map((item) => listKeys(item, readKeyName(itemTemplate))[0] ?? '');
      for (const key of keys.filter((text) => text.startsWith(PREFIX)))
        left.push({ tag: this.#trees.tags[0], url: `${path}/${encodeURIComponent(key)}` });
    }
    return left;
  }

  #resources(): readonly Resource[] {
    const operations = this.#trees.reader.operations;
    const creations = operations.filter(({ method, body }) => method === 'POST' && body !== undefined);
    return creations.flatMap((create) => {
      const [path] = this.#trees.pool.paths.get(create.template) ?? [];
      const isItem = ({ template }: Operation) =>
        template.startsWith(`${create.template}/{`) && template.indexOf('/', create.template.length + 1) === -1;
      const items = operations.filter(isItem);
      // What is made could not be removed, or is no item.
      if (path === undefined || (items.length === 0 && create.template.includes('{'))) return [];
      const methods = new Map(items.map((operation) => [operation.method, operation]));
      return [{ create, path, itemTemplate: items[0]?.template, methods }];
    });
  }

  #without(members: Json, isLeftOut = (name: string) => this.#trees.words.skipped.has(name)): Json {
    return Object.fromEntries(Object.entries(members).filter(([name]) => !isLeftOut(name)));
  }

  *#steps({ create, methods }: Resource): Iterable<Step> {
    const { reader } = this.#trees;
    const schema = create.body?.schema ?? {};
    const valid = this.#without(asObject(makeValue(reader, schema, KEY)));
    const required = reader.required(schema);
    const post = (kind: string, body: unknown, headers = {}) =>
      ({ kind, method: 'POST', of: 'list', body, headers }) as const;
    const read = (kind: string): readonly Step[] => (methods.has('GET') ? [{ kind, method: 'GET', of: 'item' }] : []);
    yield { ...post('create', valid), makes: true };
    yield post('create again', valid);
    yield* read('read');
    for (const [name, value] of Object.entries(this.#without(reader.properties(schema)))) {
      const member = reader.resolve(value);
      yield post(`create with a wrong ${name}`, { ...valid, [name]: readType(member) === 'string' ? 5 : 'x' });
      if (member.enum !== undefined) yield post(`create with an unknown ${name}`, { ...valid, [name]: 'zzzzzz' });
      const rest = this.#without(valid, (member) => member === name);
      if (required.includes(name)) yield post(`create without ${name}`, rest);
    }
    yield post('create with an unknown member', { ...valid, zzzzzz: 1 });
    yield post('create with nothing', {});
    yield post('create without JSON', '{"');
    yield post('create with a list', [[]]);
    yield post('create with a list of something wrong', [{ zzzzzz: 1 }]);
    yield post('create with another media type', 'x', { 'content-type': 'text/plain' });
    for (const method of ['PATCH', 'PUT']) {
      for (const change of methods.has(method) ? this.#changes(method, methods, valid) : []) {
        yield change;
        yield* read(`read after ${change.kind}`);
      }
    }
    const method = methods.has('PATCH') ? 'PATCH' : 'PUT';
    const headers = { 'if-match': '"none"' };
    yield { kind: 'change what has changed', method, of: 'item', body: valid, headers, needsTag: true };
    if (!methods.has('DELETE')) return;
    for (const kind of ['delete', 'delete again']) yield { kind, method: 'DELETE', of: 'item' };
    yield* read('read what is deleted');
  }

  /** Changes each member, to another value and to null. */
  *#changes(method: string, methods: Resource['methods'], valid: Json): Iterable<Step> {
    const { reader } = this.#trees;
    const { type = 'application/json', schema = {} } = methods.get(method)?.body ?? {};
    const whole = method === 'PUT' ? valid : {};
    const change = (kind: string, own: Json) =>
      ({
        kind: `${method} ${kind}`,
        method,
        of: 'item',
        body: { ...whole, ...own },
        headers: { 'content-type': type },
      }) as const;
    yield change('nothing', {});
    for (const [name, value] of Object.entries(this.#without(reader.properties(schema)))) {
      const member = reader.resolve(value);
      if (member.readOnly === true) continue;
      const isFree = typeof valid[name] === 'string' && member.format === undefined;
      const choice = asArray(member.enum).findLast((value) => value !== null);
      yield change(name, { [name]: choice ?? (isFree ? `${KEY} changed, x` : valid[name]) });
      yield change(`${name} to null`, { [name]: null });
      yield change(`a wrong ${name}`, { [name]: readType(member) === 'string' ? 5 : 'x' });
    }
    yield change('an unknown member', { zzzzzz: 1 });
  }

  async #do(resource: Resource, step: Step, tag: string, run: string, keys: Map<string, string>): Promise<Exchange> {
    const { path, itemTemplate } = resource;
    const { kind, method, headers = {}, body } = step;
    const mark = `${PREFIX}${run}-${tag.toLowerCase()}`;
    const isText = body === undefined || typeof body === 'string';
    const own = isText ? body : JSON.parse(JSON.stringify(body).replaceAll(KEY, mark));
    const url = step.of === 'item' ? `${path}/${keys.get(tag)}` : path;
    const inWords = { kind, method, url, headers, ...(own !== undefined && { body: own }) };
    const request = await this.#trees.translateRequest(inWords, tag);
    const answer = await this.#trees.send(request, tag);
    const isSecond = tag === this.#trees.tags[1];
    const written = isSecond ? answer : await this.#trees.translateAnswer(answer, { ...inWords, url: path });
    const key = step.of === 'list' ? readKey(written, path, itemTemplate) : keys.get(tag);
    if (key !== undefined && step.of === 'list') {
      if (step.makes) keys.set(tag, key);
      if (resource.methods.has('DELETE')) this.#created.push({ tag, url: `${path}/${key}` });
    }
    // An item whose path the document does not know has a number all the same.
    const [, last] = /\/([^/?#]+)$/.exec(answer.status === 201 ? (answer.headers.location ?? '') : '') ?? [];
    const mask = (text: string): string =>
      maskKey(text.replaceAll(mark, KEY).replaceAll(encodeURIComponent(mark), KEY), key ?? last);
    return { tag, request, answer: maskAnswer(answer, mask) };
  }
}

/** @returns the encoded key of the item that an answer says was made */
function readKey({ headers, body, status }: Answer, path: string, template: string | undefined): string | undefined {
  if (status >= 300) return undefined;
  const pattern = new RegExp(`^(?:https?://[^/]*)?[^?]*${escapePattern(path)}/([^/?#]+)`);
  const [, fromHeader] = pattern.exec(headers.location ?? '') ?? [];
  if (fromHeader !== undefined || template === undefined) return fromHeader;
  const [only, ...more] = Object.values(asObject(body));
  const [key] = listKeys(isObject(only) && more.length === 0 ? only : body, readKeyName(template));
  return key === undefined ? undefined : encodeURIComponent(key);
}

/** @returns an answer whose text is changed, and which can be translated as it is then */
function maskAnswer(answer: Received, mask: (text: string) => string): Received {
  const text = mask(answer.text);
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, mask(value)]));
  return { ...answer, headers, body: readExactBody(text, headers['content-type']), text };
}

/** @returns a text in which a key that the service has chosen is the same in both trees */
function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key.includes(KEY)) return text;
  const plain = escapePattern(decodeURIComponent(key));
  const number = new RegExp(`(?<=": ?)${plain}(?=[,}\\]\\s])`, 'g');
  return (/^\d+$/.test(key) ? text.replaceAll(number, `"${KEY}"`) : text).replaceAll(
    new RegExp(`(?<=["/]|["'«“„‘]\\s?)${plain}(?=["/?>]|\\s?(?:\\\\"|['»”“’])|$)`, 'g'),
    KEY,
  );
}
