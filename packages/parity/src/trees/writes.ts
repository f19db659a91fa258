/** What two trees answer to writes, each on items of its own, which are removed at the end. */
import { asArray, listParameters, type Operation } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import type { Answer } from '../kit/canonical.ts';
import { escapePattern } from '../kit/sentences.ts';
import { readExactBody } from './compare.ts';
import { readType } from './document.ts';
import type { Exchange, Outcome, Received, Trees, Trial } from './trees.ts';
import { findItems, listKeys, makeValue } from './values.ts';

/** Stands for what is each tree's own. */
const KEY = 'KEY';
/** Begins the texts of whatever is created. */
const PREFIX = 'parity-';

/** What is asked of a list (POST), or of the item that was made there first. */
interface Step {
  readonly kind: string;
  readonly method: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A list to which items can be added, and what can be done with them. */
interface Resource {
  readonly create: Operation;
  readonly path: string;
  /** The parameter for keys of its items; absent if no path leads to them. */
  readonly keyName: string | undefined;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** A path in words, and the tree that is asked for it. */
interface Place {
  readonly tag: string;
  readonly url: string;
}

export class Writer {
  readonly #trees: Trees;
  readonly #created: Place[] = [];

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** @param run of this run alone @yields what is compared, and what became of it */
  async *write(run: string): AsyncIterable<{ trial: Trial; outcome: Outcome }> {
    const [one, other] = this.#trees.tags;
    try {
      for (const resource of this.#resources()) {
        const keys = new Map<string, string>();
        let hasTags = false;
        for (const step of this.#steps(resource)) {
          const isPossible = step.method === 'POST' || (resource.methods.has(step.method) && keys.size === 2);
          // A condition makes sense only if items have tags.
          if (!isPossible || (step.headers?.['if-match'] && !hasTags)) continue;
          const first = await this.#do(resource, step, one, run, keys);
          const second = await this.#do(resource, step, other, run, keys);
          hasTags ||= [first, second].every(({ answer }) => answer.headers.etag !== undefined);
          const request = { kind: `write: ${step.kind}`, method: step.method, url: resource.path };
          const differences = await this.#trees.compare(first, second, request, true);
          const outcome =
            differences.length > 0
              ? ({ kind: 'different', exchanges: [first, second], differences } as const)
              : ({ kind: 'same', status: first.answer.status, rows: 0 } as const);
          yield { trial: { request, one, other }, outcome };
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

  async #findLeft(): Promise<readonly Place[]> {
    const left: Place[] = [];
    const [tag] = this.#trees.tags;
    for (const { path, keyName = 'id', methods } of this.#resources()) {
      const items = methods.has('DELETE') ? findItems((await this.#trees.readInWords(path)).body) : [];
      const keys = items?.map((item) => listKeys(item, keyName)[0] ?? '').filter((key) => key.startsWith(PREFIX));
      left.push(...(keys ?? []).map((key) => ({ tag, url: `${path}/${encodeURIComponent(key)}` })));
    }
    return left;
  }

  #resources(): readonly Resource[] {
    const { reader, pool } = this.#trees;
    const creations = reader.operations.filter(
      (operation) => operation.method === 'POST' && reader.findJson(operation),
    );
    return creations.flatMap((create) => {
      const start = `${create.template}/{`;
      const [path] = pool.paths.get(create.template) ?? [];
      const items = reader.operations.filter(
        ({ template }) => template.startsWith(start) && !template.slice(start.length).includes('/'),
      );
      // What is made could not be removed, or is no item.
      if (path === undefined || (items.length === 0 && create.template.includes('{'))) return [];
      const keyName = items[0] && listParameters(items[0].template).at(-1);
      return [{ create, path, keyName, methods: new Map(items.map((item) => [item.method, item])) }];
    });
  }

  /** @returns members by name, but for those whose values have no translation, and one more */
  #without(members: Json, leftOut?: string): Json {
    const { skipped } = this.#trees.words;
    return Object.fromEntries(Object.entries(members).filter(([name]) => name !== leftOut && !skipped.has(name)));
  }

  *#steps({ create, methods }: Resource): Iterable<Step> {
    const { reader } = this.#trees;
    const { schema = {} } = reader.findJson(create) ?? {};
    const valid = this.#without(asObject(makeValue(reader, schema, KEY)));
    const required = reader.required(schema);
    const post = (kind: string, body: unknown, headers = {}): Step => ({ kind, method: 'POST', body, headers });
    yield post('create', valid);
    yield post('create again', valid);
    yield { kind: 'read', method: 'GET' };
    for (const [name, value] of Object.entries(this.#without(reader.properties(schema)))) {
      const member = reader.resolve(value);
      yield post(`create with a wrong ${name}`, { ...valid, [name]: makeWrong(member) });
      if (member.enum !== undefined) yield post(`create with an unknown ${name}`, { ...valid, [name]: 'zzzzzz' });
      if (required.includes(name)) yield post(`create without ${name}`, this.#without(valid, name));
    }
    yield post('create with an unknown member', { ...valid, zzzzzz: 1 });
    yield post('create with nothing', {});
    yield post('create without JSON', '{"');
    yield post('create with a list', [[]]);
    yield post('create with a list of something wrong', [{ zzzzzz: 1 }]);
    yield post('create with another media type', 'x', { 'content-type': 'text/plain' });
    for (const method of ['PATCH', 'PUT']) {
      for (const change of this.#changes(method, methods.get(method), valid)) {
        yield change;
        if (methods.has(method)) yield { kind: `read after ${change.kind}`, method: 'GET' };
      }
    }
    const method = methods.has('PATCH') ? 'PATCH' : 'PUT';
    yield { kind: 'change what has changed', method, body: valid, headers: { 'if-match': '"none"' } };
    if (!methods.has('DELETE')) return;
    for (const kind of ['delete', 'delete again']) yield { kind, method: 'DELETE' };
    yield { kind: 'read what is deleted', method: 'GET' };
  }

  /** Changes each member, to another value and to null. */
  *#changes(method: string, operation: Operation | undefined, valid: Json): Iterable<Step> {
    const { reader } = this.#trees;
    const { type = 'application/json', schema = {} } = (operation && reader.findJson(operation)) ?? {};
    const whole = method === 'PUT' ? valid : {};
    const headers = { 'content-type': type };
    const change = (kind: string, own: Json): Step => {
      return { kind: `${method} ${kind}`, method, body: { ...whole, ...own }, headers };
    };
    yield change('nothing', {});
    for (const [name, value] of Object.entries(this.#without(reader.properties(schema)))) {
      const member = reader.resolve(value);
      if (member.readOnly === true) continue;
      const isFree = typeof valid[name] === 'string' && member.format === undefined;
      const choice = asArray(member.enum).findLast((each) => each !== null);
      yield change(name, { [name]: choice ?? (isFree ? `${KEY} changed, x` : valid[name]) });
      yield change(`${name} to null`, { [name]: null });
      yield change(`a wrong ${name}`, { [name]: makeWrong(member) });
    }
    yield change('an unknown member', { zzzzzz: 1 });
  }

  async #do(resource: Resource, step: Step, tag: string, run: string, keys: Map<string, string>): Promise<Exchange> {
    const { path, keyName } = resource;
    const { body, headers = {} } = step;
    const mark = `${PREFIX}${run}-${tag.toLowerCase()}`;
    const own = isObject(body) || Array.isArray(body) ? JSON.parse(JSON.stringify(body).replaceAll(KEY, mark)) : body;
    const isOfList = step.method === 'POST';
    const url = isOfList ? path : `${path}/${keys.get(tag)}`;
    const inWords = { ...step, url, headers, ...(own !== undefined && { body: own }) };
    const request = await this.#trees.translateRequest(inWords, tag);
    const answer = await this.#trees.send(request, tag);
    const isSecond = tag === this.#trees.tags[1];
    const written = isSecond ? answer : await this.#trees.translateAnswer(answer, { ...inWords, url: path });
    const key = isOfList ? readKey(written, path, keyName) : keys.get(tag);
    if (isOfList && key !== undefined) {
      if (step.kind === 'create') keys.set(tag, key);
      if (resource.methods.has('DELETE')) this.#created.push({ tag, url: `${path}/${key}` });
    }
    // An item whose path the document does not know has a number all the same.
    const [, last] = /\/([^/?#]+)$/.exec(answer.status === 201 ? (answer.headers.location ?? '') : '') ?? [];
    const mask = (text: string): string =>
      maskKey(text.replaceAll(mark, KEY).replaceAll(encodeURIComponent(mark), KEY), key ?? last);
    return { tag, request, answer: maskAnswer(answer, mask) };
  }
}

/** @returns a value that no member of a schema may have */
function makeWrong(member: Json): unknown {
  return readType(member) === 'string' ? 5 : 'x';
}

/** @returns the encoded key of the item that an answer says was made */
function readKey({ headers, body, status }: Answer, path: string, name: string | undefined): string | undefined {
  if (status >= 300) return undefined;
  const pattern = new RegExp(`^(?:https?://[^/]*)?[^?]*${escapePattern(path)}/([^/?#]+)`);
  const [, fromHeader] = pattern.exec(headers.location ?? '') ?? [];
  if (fromHeader !== undefined || name === undefined) return fromHeader;
  const [only, ...more] = Object.values(asObject(body));
  const [key] = listKeys(isObject(only) && more.length === 0 ? only : body, name);
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
