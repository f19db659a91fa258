/** The words of one table for all that a document describes: which word stands for a name at each place, and back. */
import { type Fault, type Operation, type Parameter, placeWithin } from './document.ts';
import { type Context, type Name, Names, type Side } from './scan.ts';
import { type Member, Shape, type Shapes } from './shapes.ts';
import { type Conversion, normalize, type Word, type Words } from './table.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

/** The name of a parameter, or a pointer into a body; made only if somebody asks, because bodies may be deep. */
type Place = string | (() => string);

function readPlace(place: Place): string {
  return typeof place === 'string' ? place : place();
}

/** A name that is known at a place: what it becomes, and what is below it. */
export interface Term {
  readonly to: string;
  readonly shape: Shape | undefined;
  readonly parameter?: Parameter;
  readonly member?: Member;
}

/** The names of one scope in each direction, and the words of other vocabularies with the right one. */
export interface Terms {
  readonly in: ReadonlyMap<string, Term>;
  readonly out: ReadonlyMap<string, Term>;
  readonly foreign: ReadonlyMap<string, string>;
}

export function findTerm(terms: Terms, text: string, direction: Direction): Term | undefined {
  return terms[direction].get(direction === 'in' ? normalize(text) : text);
}

/** @returns the right word in place of one of another vocabulary; the API's own names are never judged */
export function findSuggestion(terms: Terms, text: string, direction: Direction): string | undefined {
  return direction === 'in' ? terms.foreign.get(normalize(text)) : undefined;
}

/** A name of a scope before it has a word. */
interface Entry {
  readonly name: string;
  readonly shape: Shape | undefined;
  readonly place: string;
  readonly parameter?: Parameter;
  readonly member?: Member;
  readonly findWords: (words: Words) => readonly (Word | undefined)[];
}

export class Vocabulary {
  readonly tag: string;
  readonly words: Words;
  readonly #shapes: Shapes;
  /** The words of every vocabulary; the names of the document are another one. */
  readonly #all: readonly Words[];
  readonly #active: ReadonlySet<Shape>;
  readonly #members = new Map<Shape, Terms>();
  readonly #choices = new Map<Shape, Terms>();
  readonly #parameters: Readonly<Record<string, Map<Operation, Terms>>> = {
    query: new Map(),
    path: new Map(),
    header: new Map(),
    cookie: new Map(),
  };
  readonly #sides = { in: new Map<Shape, Side>(), out: new Map<Shape, Side>() };
  readonly #parameterShapes = new Map<Parameter, Shape>();
  readonly #faults = new Map<string, Fault>();
  /** Names that have no word at some place. */
  readonly missing = new Set<string>();

  constructor(words: Words, all: readonly Words[], shapes: Shapes, active: ReadonlySet<Shape>) {
    this.tag = words.tag;
    this.words = words;
    this.#all = all;
    this.#shapes = shapes;
    this.#active = active;
  }

  /** What is wrong with the words of all scopes that were asked for. */
  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  members(shape: Shape): Terms {
    const known = this.#members.get(shape);
    if (known) return known;
    for (const { name, scopes, shape: value } of shape.members.values()) {
      const conversion = this.words.conversion(scopes.flat(), name);
      const fault = conversion && findLoss(conversion, value.range);
      if (fault !== undefined) this.#refuse(placeWithin('/convert', scopes[0]?.[0] ?? '*', name), fault);
    }
    const terms = this.#readTerms(readMembers(shape));
    this.#members.set(shape, terms);
    return terms;
  }

  choices(shape: Shape): Terms {
    const known = this.#choices.get(shape);
    if (known) return known;
    const entries = [...shape.choices].map(([name, scopes]) => ({
      name,
      shape: undefined,
      place: shape.place,
      findWords: (words: Words) => scopes.map((each) => words.scoped('values', each, name)),
    }));
    const terms = this.#readTerms(entries);
    this.#choices.set(shape, terms);
    return terms;
  }

  /** @param location `query`, `path`, `header` or `cookie` */
  parameters(operation: Operation, location: string): Terms {
    const known = this.#parameters[location]?.get(operation);
    if (known) return known;
    const entries = operation.parameters.flatMap((parameter): readonly Entry[] => {
      if (parameter.in !== location) return [];
      const shape = this.parameterShape(parameter);
      // The members of an object are parameters themselves.
      if (location === 'query' && parameter.style === 'form' && parameter.explode && shape.members.size > 0) {
        return readMembers(shape);
      }
      const findWords = (words: Words) => [words.parameter(operation, parameter.name)];
      return [{ name: parameter.name, shape, parameter, place: parameter.place, findWords }];
    });
    const terms = this.#readTerms(entries);
    this.#parameters[location]?.set(operation, terms);
    return terms;
  }

  /** @returns the shape of a parameter's value; that of names, if the document or a table says that it holds some */
  parameterShape(parameter: Parameter): Shape {
    const known = this.#parameterShapes.get(parameter);
    if (known) return known;
    const { name, schema, place } = parameter;
    const described = schema ? this.#shapes.of([schema]) : new Shape(place);
    const said = this.#all.map((words) => words.names(name)).find((each) => each !== undefined);
    const names = said === undefined ? parameter.names : [said];
    const shape = names.length > 0 ? holdNames(described, names) : described;
    this.#parameterShapes.set(parameter, shape);
    return shape;
  }

  /** Reads the words of one scope, and reports every word that has no inverse. */
  #readTerms(entries: readonly Entry[]): Terms {
    const [into, out, foreign] = [new Map<string, Term>(), new Map<string, Term>(), new Map<string, string>()];
    const pointers = new Map<string, string>();
    const names = new Map(entries.map((entry) => [normalize(entry.name), entry]));
    for (const { name, findWords, place, ...rest } of entries) {
      const candidates = findWords(this.words);
      const [first] = candidates;
      if (!first && rest.member?.scopes.length !== 0) this.missing.add(name);
      const word = first?.word ?? name;
      const pointer = first?.pointer ?? place;
      const other = candidates.find((each) => (each?.word ?? name) !== word);
      if (candidates.some((each) => (each?.word ?? name) !== word)) {
        this.#refuse(
          pointer,
          `"${name}" is "${word}" here and "${other?.word ?? name}" at ${other?.pointer ?? place}, in one place (${place}); give it one word by that place`,
        );
      }
      const earlier = pointers.get(word);
      if (earlier !== undefined && word !== name) {
        this.#refuse(
          pointer,
          `"${word}" is the word of "${name}" and of "${into.get(word)?.to}" (${earlier}); choose another one for either`,
        );
      } else if (word !== name && names.has(word) && names.get(word)?.name !== name) {
        this.#refuse(
          pointer,
          `"${word}", the word of "${name}", is another name of the document (${names.get(word)?.place}); choose another one`,
        );
      }
      pointers.set(word, pointer);
      into.set(word, { to: name, ...rest });
      out.set(name, { to: word, ...rest });
    }
    for (const { name, findWords } of entries) {
      const others = this.#all.flatMap((words) => findWords(words).flatMap((each) => each?.word ?? []));
      const right = out.get(name)?.to ?? name;
      for (const other of [normalize(name), ...others]) if (!into.has(other)) foreign.set(other, right);
    }
    return { in: into, out, foreign };
  }

  #refuse(pointer: string, message: string): void {
    this.#faults.set(`${pointer} ${message}`, { file: this.tag, pointer, message });
  }

  /** Whether anything in what has a shape may be exchanged. */
  isExchanged(shape: Shape): boolean {
    return shape.holding !== undefined || this.#active.has(shape);
  }

  /** @returns what is exchanged in a body of a shape; nothing if it stays as it is */
  side(shape: Shape | undefined, direction: Direction): Side | undefined {
    if (!shape || !this.#active.has(shape)) return undefined;
    const known = this.#sides[direction].get(shape);
    if (known) return known;
    // It is known before it is filled, because shapes contain each other.
    const side: { -readonly [Key in keyof Side]: Side[Key] } = {};
    this.#sides[direction].set(shape, side);
    const { members, items, prefix, patterns, rest, choices, holding } = shape;
    if (members.size > 0) side.names = this.#readNames(shape, direction);
    side.items = this.side(items, direction);
    if (prefix.length > 0) side.prefix = prefix.map((each) => this.side(each, direction));
    if (choices.size > 0 || holding) {
      side.convert = (raw, context, place) => this.#exchangeRaw(shape, raw, direction, context, place);
      side.isWhole = holding === 'location';
    }
    if (patterns.length > 0 || rest) {
      side.findRest = (name) => {
        const pattern = patterns.find(([expression]) => expression.test(name));
        return this.side(pattern?.[1] ?? rest, direction);
      };
    }
    return side;
  }

  #readNames(shape: Shape, direction: Direction): Names {
    const terms = this.members(shape);
    const foreign = direction === 'in' ? [...terms.foreign].map(([name, suggestion]) => ({ name, suggestion })) : [];
    const names = [...terms[direction]].map(([name, { to, shape: value, member }]): Name => {
      const conversion = member && this.words.conversion(member.scopes.flat(), member.name);
      const side = this.side(value, direction);
      const written = to === name ? undefined : JSON.stringify(to).slice(1, -1);
      if (!conversion) return { name, written, value: side };
      const convert = direction === 'in' ? conversion.toCanonical : conversion.toWords;
      const convertRaw = (raw: string): string => (/^-?\d/.test(raw) ? String(convert(Number(raw))) : raw);
      return { name, written, value: { ...side, convertsNumbers: true, convert: convertRaw } };
    });
    return new Names([...foreign, ...names]);
  }

  /** Exchanges a text, or the path that an array is, as it stands in JSON. */
  #exchangeRaw(shape: Shape, raw: string, direction: Direction, context: Context, place: Place): string {
    const value = parse(raw);
    if (typeof value === 'string') {
      const written = this.exchangeText(shape, value, direction, context, place);
      return written === value ? raw : JSON.stringify(written);
    }
    if (!Array.isArray(value)) return raw;
    const steps = this.exchangeLocation(value.map(String), direction, context.operation);
    const written = value.map((step, at) => (typeof step === 'string' ? steps[at] : step));
    return written.every((step, at) => step === value[at]) ? raw : JSON.stringify(written);
  }

  /** Exchanges a text by what it holds. A word of another vocabulary is reported. */
  exchangeText(shape: Shape, text: string, direction: Direction, context: Context, place: Place = ''): string {
    switch (shape.holding) {
      case undefined:
        return this.#exchangeChoice(shape, text, direction, context, place);
      case 'names':
        return this.#exchangeNames(shape, text, direction, context, place);
      case 'address':
        return context.exchangeAddress?.(text) ?? text;
      case 'pointer':
        return this.#exchangePointer(text, direction, context.operation);
      case 'parameter':
        return this.#exchangeParameter(text, direction, context.operation);
      case 'location':
        return this.#exchangeLocationText(text, direction, context);
      case 'request':
        return this.#exchangeAny(text, direction, context);
      case 'sentence':
        return context.findSentence?.(readPlace(place)) ?? text;
      default:
        return text;
    }
  }

  #exchangeChoice(shape: Shape, text: string, direction: Direction, context: Context, place: Place = ''): string {
    const terms = this.choices(shape);
    const term = findTerm(terms, text, direction);
    if (term) return term.to;
    const suggestion = findSuggestion(terms, text, direction);
    if (suggestion !== undefined) context.report?.({ kind: 'value', place: readPlace(place), word: text, suggestion });
    return text;
  }

  /** Exchanges a list of names, each with or without a sign, or a path of names such as `owner.name`. */
  #exchangeNames(shape: Shape, text: string, direction: Direction, context: Context, place: Place = ''): string {
    const scopes = this.namedShapes(shape);
    const foreign = { isFound: false };
    const exchange = (token: string): string => {
      const name = this.exchangePath(scopes, [token], direction, foreign)[0] ?? token;
      return name === token ? this.exchangePath(scopes, token.split(/([./[\]])/), direction, foreign).join('') : name;
    };
    const written = text.replaceAll(/[^,;|:\s+()-][^,;|:\s()]*/g, exchange);
    if (foreign.isFound) {
      context.report?.({ kind: 'value', place: readPlace(place), word: text, suggestion: written });
    }
    return written;
  }

  /** @returns the shapes whose members a text names */
  namedShapes(shape: Shape): readonly Shape[] {
    const named = shape.names.flatMap((name) => this.#shapes.named(name) ?? []);
    return shape.members.size > 0 ? [shape, ...named] : named;
  }

  /** Exchanges the steps of a path from one member to the next; other steps stay. */
  exchangePath(
    shapes: readonly Shape[],
    steps: readonly string[],
    direction: Direction,
    foreign?: { isFound: boolean },
  ): readonly string[] {
    let within = shapes.map(withItems);
    return steps.map((step) => {
      if (/^([./[\]]?|\d+|[*-])$/.test(step)) {
        if (/^\d+$/.test(step)) within = within.map((shape) => withItems(shape.items ?? shape));
        return step;
      }
      for (const shape of within) {
        const terms = this.members(shape);
        const term = findTerm(terms, step, direction);
        if (term) {
          within = term.shape ? [withItems(term.shape)] : [];
          return term.to;
        }
        const right = foreign && findSuggestion(terms, step, direction);
        if (foreign && right !== undefined) {
          foreign.isFound = true;
          return right;
        }
      }
      within = within.flatMap((shape) => (shape.rest ? [withItems(shape.rest)] : []));
      return step;
    });
  }

  /** @returns the shapes of the bodies that an operation takes */
  #bodies(operation: Operation | undefined): readonly Shape[] {
    return [...(operation?.body.values() ?? [])].flatMap(({ schema, item }) => {
      const placed = schema ?? item;
      return placed ? this.#shapes.of([placed]) : [];
    });
  }

  #exchangePointer(text: string, direction: Direction, operation: Operation | undefined): string {
    const [start = '', ...steps] = text.split('/');
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const written = this.exchangePath(this.#bodies(operation), names, direction);
    return placeWithin(start, ...written);
  }

  /** The place of a problem may be an address, a pointer, or names between points. */
  #exchangeLocationText(text: string, direction: Direction, context: Context): string {
    const address = text.startsWith('/') ? (context.exchangeAddress?.(text) ?? text) : text;
    if (address !== text) return address;
    if (/^#?\//.test(text)) return this.#exchangePointer(text, direction, context.operation);
    return this.exchangeLocation(text.split('.'), direction, context.operation).join('.');
  }

  #exchangeParameter(text: string, direction: Direction, operation: Operation | undefined): string {
    if (!operation) return text;
    for (const location of ['query', 'path', 'cookie']) {
      const term = this.parameters(operation, location)[direction].get(text);
      if (term) return term.to;
    }
    return text;
  }

  /** Exchanges a path as zod and FastAPI write it: names and positions, after the part of the request that has them. */
  exchangeLocation(
    steps: readonly string[],
    direction: Direction,
    operation: Operation | undefined,
  ): readonly string[] {
    const [part = '', ...rest] = steps;
    if (/^(body|json|form)$/.test(part)) return [part, ...this.exchangePath(this.#bodies(operation), rest, direction)];
    if (/^(query|path|header|cookie|param)$/.test(part)) {
      const [name = '', ...more] = rest;
      return rest.length === 0 ? steps : [part, this.#exchangeParameter(name, direction, operation), ...more];
    }
    const inBody = this.exchangePath(this.#bodies(operation), steps, direction);
    return inBody[0] === part ? [this.#exchangeParameter(part, direction, operation), ...inBody.slice(1)] : inBody;
  }

  /** Exchanges anything that a client may have sent: an address, a part of a query, a name or a value. */
  #exchangeAny(text: string, direction: Direction, context: Context): string {
    const { operation } = context;
    if (text.startsWith('/')) return context.exchangeAddress?.(text) ?? text;
    if (!operation) return text;
    const pairs = text.split('&').map((pair) => pair.split('='));
    const parameters = this.parameters(operation, 'query');
    if (pairs.every(([name = '', ...value]) => value.length === 1 && parameters[direction].has(name))) {
      const written = pairs.map(([name = '', value = '']) => {
        const { to, shape } = parameters[direction].get(name) ?? { to: name, shape: undefined };
        const list = value
          .split(',')
          .map((each) => (shape ? this.exchangeText(shape.items ?? shape, each, direction, {}) : each));
        return `${to}=${list.join(',')}`;
      });
      return written.join('&');
    }
    const name = this.#exchangeParameter(text, direction, operation);
    if (name !== text) return name;
    const [member = text] = this.exchangePath(this.#bodies(operation), [text], direction);
    if (member !== text) return member;
    const values = [...parameters[direction].values()].flatMap(({ shape }) => (shape ? (shape.items ?? shape) : []));
    return values.map((shape) => this.exchangeText(shape, text, direction, {})).find((each) => each !== text) ?? text;
  }
}

function readMembers({ members, place }: Shape): readonly Entry[] {
  return [...members.values()].map((member) => {
    const scopes = member.scopes.length === 0 ? [[]] : member.scopes;
    return {
      name: member.name,
      shape: member.shape,
      member,
      place: placeWithin(place, 'properties', member.name),
      findWords: (words) => scopes.map((each) => words.scoped('members', each, member.name)),
    };
  });
}

/** Values of a unit that are tried at the start. */
const MOST_VALUES = 1_000_000;

/** @returns why a unit cannot be converted back to what it was; nothing if it can */
function findLoss({ toWords, toCanonical }: Conversion, range: Shape['range']): string | undefined {
  if (!range || (range.greatest - range.least) / range.step > MOST_VALUES) {
    return 'the schema must say "minimum", "maximum" and "multipleOf" (or be of integers), so that every value can be tried';
  }
  for (let value = range.least; value <= range.greatest; value += range.step) {
    const back = toCanonical(toWords(value));
    if (back !== value) return `${value} becomes ${toWords(value)} and then ${back}; choose functions that lead back`;
  }
  return undefined;
}

function withItems(shape: Shape): Shape {
  return shape.members.size === 0 && shape.items ? shape.items : shape;
}

function holdNames(described: Shape, names: readonly string[]): Shape {
  const shape = new Shape(described.place);
  shape.holding = 'names';
  shape.names = names;
  return shape;
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** @returns the shapes in which something may have to be exchanged, by the words of any vocabulary */
export function findActive(shapes: readonly Shape[], all: readonly Words[]): ReadonlySet<Shape> {
  const active = new Set<Shape>();
  const parents = new Map<Shape, Shape[]>();
  const open: Shape[] = [];
  for (const shape of shapes) {
    if (hasWords(shape, all)) open.push(shape);
    for (const child of shape.children()) {
      const known = parents.get(child);
      if (known) known.push(shape);
      else parents.set(child, [shape]);
    }
  }
  for (let shape = open.pop(); shape; shape = open.pop()) {
    if (active.has(shape)) continue;
    active.add(shape);
    open.push(...(parents.get(shape) ?? []));
  }
  return active;
}

function hasWords({ members, choices, holding }: Shape, all: readonly Words[]): boolean {
  if (holding) return true;
  return all.some(
    (words) =>
      [...members.values()].some(({ name, scopes }) =>
        (scopes.length === 0 ? [[]] : scopes).some(
          (each) => words.scoped('members', each, name) !== undefined || words.conversion(each, name) !== undefined,
        ),
      ) ||
      [...choices].some(([value, scopes]) => scopes.some((each) => words.scoped('values', each, value) !== undefined)),
  );
}
