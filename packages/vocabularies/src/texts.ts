/** Exchanges texts in one direction, by what their places hold: a listed value, names, a pointer, an address. */
import { type Operation, placeWithin } from './document.ts';
import type { Shape } from './shapes.ts';
import { normalize } from './table.ts';
import type { Direction, Term, Terms, Vocabulary } from './vocabulary.ts';

/** A word that belongs to another vocabulary. */
export interface ForeignWord {
  readonly kind: 'member' | 'value' | 'parameter' | 'path';
  /** A pointer into the body, or the name of a parameter. */
  readonly place: string;
  readonly word: string;
  readonly suggestion: string;
}

/** What depends on the request, and not on the place in a body. */
export interface Context {
  readonly operation?: Operation | undefined;
  /** Called for each word of another vocabulary; absent if nobody judges them. */
  readonly report?: ((foreign: ForeignWord) => void) | undefined;
  /** Exchanges an address of the API; another one stays. */
  readonly exchangeAddress?: ((address: string) => string) | undefined;
  /** @returns the sentence for a place of a problem */
  readonly findSentence?: ((pointer: string) => string | undefined) | undefined;
}

/** The name of a parameter, or a pointer into a body; made only if somebody asks, because bodies may be deep. */
type Place = string | (() => string);

function readPlace(place: Place): string {
  return typeof place === 'string' ? place : place();
}

export function findTerm(terms: Terms, text: string, direction: Direction): Term | undefined {
  return terms[direction].get(direction === 'in' ? normalize(text) : text);
}

/** @returns the right word in place of one of another vocabulary; the API's own names are never judged */
export function findSuggestion(terms: Terms, text: string, direction: Direction): string | undefined {
  return direction === 'in' ? terms.foreign.get(normalize(text)) : undefined;
}

export class TextExchange {
  readonly vocabulary: Vocabulary;
  readonly direction: Direction;
  readonly context: Context;

  constructor(vocabulary: Vocabulary, direction: Direction, context: Context = {}) {
    this.vocabulary = vocabulary;
    this.direction = direction;
    this.context = context;
  }

  /** Exchanges a text, or the path that an array is, as it stands in JSON. */
  exchangeRaw(shape: Shape, raw: string, place: Place): string {
    const value = parse(raw);
    if (typeof value === 'string') {
      const written = this.exchangeText(shape, value, place);
      return written === value ? raw : JSON.stringify(written);
    }
    if (!Array.isArray(value)) return raw;
    const steps = this.exchangeLocation(value.map(String));
    const written = value.map((step, at) => (typeof step === 'string' ? steps[at] : step));
    return written.every((step, at) => step === value[at]) ? raw : JSON.stringify(written);
  }

  /** Exchanges a text by what it holds. A word of another vocabulary is reported. */
  exchangeText(shape: Shape, text: string, place: Place = ''): string {
    switch (shape.holding) {
      case undefined:
        return this.#exchangeChoice(shape, text, place);
      case 'names':
        return this.#exchangeNames(shape, text, place);
      case 'address':
        return this.context.exchangeAddress?.(text) ?? text;
      case 'pointer':
        return this.#exchangePointer(text);
      case 'parameter':
        return this.#exchangeParameter(text);
      case 'location':
        return this.#exchangeLocationText(text);
      case 'request':
        return this.#exchangeAny(text);
      case 'sentence':
        return this.context.findSentence?.(readPlace(place)) ?? text;
      default:
        return text;
    }
  }

  #exchangeChoice(shape: Shape, text: string, place: Place = ''): string {
    const terms = this.vocabulary.choices(shape);
    const term = findTerm(terms, text, this.direction);
    if (term) return term.to;
    const suggestion = findSuggestion(terms, text, this.direction);
    if (suggestion !== undefined)
      this.context.report?.({ kind: 'value', place: readPlace(place), word: text, suggestion });
    return text;
  }

  /** Exchanges a list of names, each with or without a sign, or a path of names such as `owner.name`. */
  #exchangeNames(shape: Shape, text: string, place: Place = ''): string {
    const scopes = this.vocabulary.namedShapes(shape);
    const foreign = { isFound: false };
    const exchange = (token: string): string => {
      const name = this.exchangePath(scopes, [token], foreign)[0] ?? token;
      return name === token ? this.exchangePath(scopes, token.split(/([./[\]])/), foreign).join('') : name;
    };
    const written = text.replaceAll(/[^,;|:\s+()-][^,;|:\s()]*/g, exchange);
    if (foreign.isFound) {
      this.context.report?.({ kind: 'value', place: readPlace(place), word: text, suggestion: written });
    }
    return written;
  }

  /** Exchanges the steps of a path from one member to the next; other steps stay. */
  exchangePath(shapes: readonly Shape[], steps: readonly string[], foreign?: { isFound: boolean }): readonly string[] {
    let within = shapes.map(withItems);
    return steps.map((step) => {
      if (/^([./[\]]?|\d+|[*-])$/.test(step)) {
        if (/^\d+$/.test(step)) within = within.map((shape) => withItems(shape.items ?? shape));
        return step;
      }
      for (const shape of within) {
        const terms = this.vocabulary.members(shape);
        const term = findTerm(terms, step, this.direction);
        if (term) {
          within = term.shape ? [withItems(term.shape)] : [];
          return term.to;
        }
        const right = foreign && findSuggestion(terms, step, this.direction);
        if (foreign && right !== undefined) {
          foreign.isFound = true;
          return right;
        }
      }
      within = within.flatMap((shape) => (shape.rest ? [withItems(shape.rest)] : []));
      return step;
    });
  }

  /** Exchanges a path into the body of the request. */
  #exchangeBodyPath(steps: readonly string[]): readonly string[] {
    return this.exchangePath(this.vocabulary.bodies(this.context.operation), steps);
  }

  #exchangePointer(text: string): string {
    const [start = '', ...steps] = text.split('/');
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return placeWithin(start, ...this.#exchangeBodyPath(names));
  }

  /** The place of a problem may be an address, a pointer, or names between points. */
  #exchangeLocationText(text: string): string {
    const address = text.startsWith('/') ? (this.context.exchangeAddress?.(text) ?? text) : text;
    if (address !== text) return address;
    if (/^#?\//.test(text)) return this.#exchangePointer(text);
    return this.exchangeLocation(text.split('.')).join('.');
  }

  #exchangeParameter(text: string): string {
    const { operation } = this.context;
    if (!operation) return text;
    for (const location of ['query', 'path', 'cookie']) {
      const term = this.vocabulary.parameters(operation, location)[this.direction].get(text);
      if (term) return term.to;
    }
    return text;
  }

  /** Exchanges a path as zod and FastAPI write it: names and positions, after the part of the request that has them. */
  exchangeLocation(steps: readonly string[]): readonly string[] {
    const [part = '', ...rest] = steps;
    if (/^(body|json|form)$/.test(part)) return [part, ...this.#exchangeBodyPath(rest)];
    if (/^(query|path|header|cookie|param)$/.test(part)) {
      const [name = '', ...more] = rest;
      return rest.length === 0 ? steps : [part, this.#exchangeParameter(name), ...more];
    }
    const inBody = this.#exchangeBodyPath(steps);
    return inBody[0] === part ? [this.#exchangeParameter(part), ...inBody.slice(1)] : inBody;
  }

  /** Exchanges anything that a client may have sent: an address, a part of a query, a name or a value. */
  #exchangeAny(text: string): string {
    const { operation } = this.context;
    if (text.startsWith('/')) return this.context.exchangeAddress?.(text) ?? text;
    if (!operation) return text;
    // What stands in it is quoted, so nothing of it is judged.
    const quiet = new TextExchange(this.vocabulary, this.direction);
    const pairs = text.split('&').map((pair) => pair.split('='));
    const parameters = this.vocabulary.parameters(operation, 'query');
    if (pairs.every(([name = '', ...value]) => value.length === 1 && parameters[this.direction].has(name))) {
      const written = pairs.map(([name = '', value = '']) => {
        const { to, shape } = parameters[this.direction].get(name) ?? { to: name, shape: undefined };
        const list = value.split(',').map((each) => (shape ? quiet.exchangeText(shape.items ?? shape, each) : each));
        return `${to}=${list.join(',')}`;
      });
      return written.join('&');
    }
    const name = this.#exchangeParameter(text);
    if (name !== text) return name;
    const [member = text] = this.#exchangeBodyPath([text]);
    if (member !== text) return member;
    const values = [...parameters[this.direction].values()].flatMap(({ shape }) =>
      shape ? (shape.items ?? shape) : [],
    );
    return values.map((shape) => quiet.exchangeText(shape, text)).find((each) => each !== text) ?? text;
  }
}

function withItems(shape: Shape): Shape {
  return shape.members.size === 0 && shape.items ? shape.items : shape;
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
