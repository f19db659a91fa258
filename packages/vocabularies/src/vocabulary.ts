/** The words of one table for all that a document describes: which word stands for a name at each place, and back. */
import { type Fault, type Operation, type Parameter, placeWithin } from './document.ts';
import { type Name, Names, type Side } from './scan.ts';
import { type Member, Shape, type Shapes } from './shapes.ts';
import { type Conversion, normalize, type Word, type Words } from './table.ts';
import { TextExchange } from './texts.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

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
      const own = new TextExchange(this, direction);
      side.convert = (raw, exchange = own, place) => exchange.exchangeRaw(shape, raw, place);
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

  /** @returns the shapes whose members a text names */
  namedShapes(shape: Shape): readonly Shape[] {
    const named = shape.names.flatMap((name) => this.#shapes.named(name) ?? []);
    return shape.members.size > 0 ? [shape, ...named] : named;
  }

  /** @returns the shapes of the bodies that an operation takes */
  bodies(operation: Operation | undefined): readonly Shape[] {
    return [...(operation?.body.values() ?? [])].flatMap(({ schema, item }) => {
      const placed = schema ?? item;
      return placed ? this.#shapes.of([placed]) : [];
    });
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

function holdNames(described: Shape, names: readonly string[]): Shape {
  const shape = new Shape(described.place);
  shape.holding = 'names';
  shape.names = names;
  return shape;
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
