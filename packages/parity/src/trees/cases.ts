/** Requests that read, made from a document and from what answers hold, in the words of the second tree. */
import type { Random } from '../random.ts';
import type { Case } from '../subject.ts';
import { type Operation, type Parameter, typeOf } from './document.ts';
import { makePairs, type Source } from './values.ts';

const UNKNOWN = ['zzzzzz', 'qqqqqqq', 'ñandú_zz'];

/** An operation that reads, and paths that lead to it. */
interface Target {
  readonly operation: Operation;
  readonly paths: readonly string[];
}

type Maker = (target: Target) => Case | undefined;

const withQuery = (path: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;

export class CaseMaker {
  readonly #source: Source;
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #methods: ReadonlyMap<string, readonly string[]>;
  /** Counts parameters and media types, so that each has its turn. */
  readonly #turns = new Map<string, number>();

  constructor(source: Source, operations: readonly Operation[], random: Random) {
    this.#source = source;
    this.#random = random;
    this.#operations = operations;
    const byTemplate = Map.groupBy(source.reader.operations(), ({ template }) => template);
    this.#methods = new Map([...byTemplate].map(([template, all]) => [template, all.map(({ method }) => method)]));
  }

  /** @yields cases without an end, each kind of each operation in turn; nothing if no operation can be asked for */
  *make(): Iterable<Case> {
    const targets = this.#operations
      .filter(({ method }) => method === 'GET')
      .map((operation) => ({ operation, paths: this.#source.pool.paths.get(operation.template) ?? [] }))
      .filter(({ paths }) => paths.length > 0);
    if (targets.length === 0) return;
    const makers: readonly Maker[] = [
      (each) => this.#plain(each),
      (each) => this.#oneParameter(each),
      (each) => this.#oneParameter(each),
      (each) => this.#someParameters(each),
      (each) => this.#oneParameter(each),
      (each) => this.#wrongQuery(each),
      (each) => this.#someParameters(each),
      (each) => this.#foreign(each),
      (each) => this.#wrongQuery(each),
      (each) => this.#following(each),
      (each) => this.#oneParameter(each),
      (each) => this.#conditional(each),
      (each) => this.#method(each),
      (each) => this.#missing(each),
      (each) => this.#oneParameter(each),
      (each) => this.#mediaType(each),
      (each) => this.#without(each),
      (each) => this.#foreign(each),
    ];
    for (;;) {
      for (const make of makers) {
        for (const target of targets) {
          const made = make(target);
          if (made) yield this.#maybeOnList(target, made);
        }
      }
    }
  }

  /** A catalogue's lists do what there is beside them, too: a half of the cases are asked there. */
  #maybeOnList({ operation, paths }: Target, made: Case): Case {
    const list = operation.template.replace(/^(\/[^/]*)\/[^/]*(?=\/)/, '$1');
    const isBeside =
      list !== operation.template &&
      this.#methods.get(list)?.includes('GET') &&
      !operation.types.includes('text/event-stream');
    const isPlain = made.method === undefined && !made.follow && paths.includes(made.url.split('?')[0] ?? '');
    return this.#source.isCatalogue && isBeside && isPlain && this.#random.once(2) ? { ...made, isOnList: true } : made;
  }

  #turn(name: string, length: number): number {
    const turn = this.#turns.get(name) ?? this.#random.below(Math.max(length, 1));
    this.#turns.set(name, turn + 1);
    return turn % Math.max(length, 1);
  }

  #path({ paths }: Target): string {
    return this.#random.pick(paths);
  }

  #query({ operation }: Target): readonly Parameter[] {
    return operation.parameters.filter((each) => each.in === 'query' && !this.#source.isSkipped(each.name));
  }

  #pairs(parameter: Parameter): readonly string[] {
    return makePairs(this.#source, parameter, this.#random);
  }

  /** @returns the pairs without which an operation is refused, and some more */
  #url(target: Target, chosen: readonly Parameter[], more: readonly string[] = []): string {
    const required = this.#query(target).filter((each) => each.isRequired && !chosen.includes(each));
    return withQuery(this.#path(target), [...[...required, ...chosen].flatMap((each) => this.#pairs(each)), ...more]);
  }

  #plain(target: Target): Case {
    return { kind: `${target.operation.id}: list or item`, url: this.#url(target, []) };
  }

  #oneParameter(target: Target): Case | undefined {
    const parameters = this.#query(target);
    if (parameters.length === 0) return undefined;
    const parameter = parameters[this.#turn(`parameter ${target.operation.id}`, parameters.length)];
    return parameter && { kind: `${target.operation.id}: one parameter`, url: this.#url(target, [parameter]) };
  }

  #someParameters(target: Target): Case | undefined {
    const parameters = this.#query(target);
    if (parameters.length < 2) return undefined;
    const some = this.#random.some(parameters, 4);
    return { kind: `${target.operation.id}: some parameters`, url: this.#url(target, some) };
  }

  #wrongQuery(target: Target): Case {
    const parameters = this.#query(target);
    const unknown = this.#random.pick(UNKNOWN);
    const kind = `${target.operation.id}: wrong query`;
    const parameter = parameters[this.#turn(`wrong ${target.operation.id}`, parameters.length + 1)];
    if (!parameter) return { kind, url: this.#url(target, [], [`${encodeURIComponent(unknown)}=1`]) };
    const isNumber = /integer|number|boolean/.test(typeOf(parameter.schema) ?? '');
    const values = isNumber
      ? ['x', '', '-1', '1.5', '0', '99999999999999999999']
      : ['', unknown, `${unknown},${unknown}`];
    const pair = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(this.#random.pick(values))}`;
    const more = this.#random.once(3) ? [pair, pair] : [pair];
    const rest = this.#random.once(3) && parameters.length > 1 ? [this.#random.pick(parameters)] : [];
    return {
      kind,
      url: this.#url(
        target,
        rest.filter((each) => each !== parameter),
        more,
      ),
    };
  }

  #following(target: Target): Case | undefined {
    const parameter = this.#query(target).find(
      ({ schema }) => typeOf(schema) === 'integer' && Number(schema.minimum ?? 1) >= 1,
    );
    if (!parameter) return undefined;
    const size = [`${encodeURIComponent(parameter.name)}=${1 + this.#random.below(3)}`];
    return { kind: `${target.operation.id}: next page`, url: this.#url(target, [], size), follow: 'next' };
  }

  #conditional(target: Target): Case {
    return { kind: `${target.operation.id}: not modified`, url: this.#url(target, []), follow: 'own tag' };
  }

  #method(target: Target): Case {
    const used = this.#methods.get(target.operation.template) ?? [];
    const kind = `${target.operation.id}: method`;
    const wrong = used.includes('POST') ? [] : ['PROPFIND'];
    const method = ['HEAD', 'OPTIONS', ...wrong, 'PROPFIND'][this.#turn(kind, 3)] ?? 'HEAD';
    return { kind, method, url: this.#url(target, []) };
  }

  #missing(target: Target): Case {
    const path = this.#path(target);
    const numeric = /\/\d+$/.test(path);
    const parameter = /\{[^}]*\}$/.test(target.operation.template);
    const base = parameter ? path.slice(0, path.lastIndexOf('/')) : path;
    const ends = parameter ? [numeric ? '99999999' : 'zz-1', 'zz', '%ZZ', ''] : ['zz-1/zzzz', 'zz', '%ZZ'];
    const end = ends[this.#turn(`missing ${target.operation.id}`, ends.length)] ?? '';
    return { kind: `${target.operation.id}: missing`, url: `${base}/${end}` };
  }

  #mediaType(target: Target): Case {
    const types = [...target.operation.types, 'image/png', '*/*'];
    const kind = `${target.operation.id}: media type`;
    const accept = types[this.#turn(kind, types.length)] ?? '*/*';
    return { kind, url: this.#url(target, []), headers: { Accept: accept } };
  }

  #foreign(target: Target): Case | undefined {
    const parameters = this.#query(target);
    const parameter = parameters[this.#turn(`foreign ${target.operation.id}`, parameters.length)];
    const kind = `${target.operation.id}: words of the other tree`;
    return parameter && { kind, url: this.#url(target, [parameter]), isForeign: true };
  }

  /** Without what identifies the client, or with a wrong one. */
  #without(target: Target): Case {
    const value = this.#random.pick(['', 'Bearer wrong']);
    return {
      kind: `${target.operation.id}: credentials`,
      url: this.#url(target, []),
      headers: { Authorization: value },
    };
  }
}
