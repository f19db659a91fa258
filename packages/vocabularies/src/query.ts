/** Exchanges the names and values of queries, forms and cookies as they stand there: encoded, repeated and in every style. */
import { decodeUri } from './document.ts';
import { scanWhole } from './scan.ts';
import type { Shape } from './shapes.ts';
import { type Context, findSuggestion, findTerm, TextExchange } from './texts.ts';
import type { Term, Terms } from './vocabulary.ts';

/** @returns a part of a query decoded */
function decode(raw: string): string {
  return decodeUri(raw.replaceAll('+', ' '));
}

/** Exchanges one token; what stays the same is left as it was written. */
function recode(raw: string, exchange: (text: string) => string): string {
  const text = decode(raw);
  const written = exchange(text);
  return written === text ? raw : encodeURIComponent(written);
}

const SEPARATORS: Readonly<Record<string, RegExp>> = {
  form: /(,|%2C)/i,
  simple: /(,|%2C)/i,
  spaceDelimited: /(\+|%20|,|%2C)/i,
  pipeDelimited: /(\||%7C|,|%2C)/i,
};
/** What stands between names in a text that holds several. */
const BETWEEN_NAMES = /(%(?:2C|7C|3B|3A|20|2B|28|29)|[,|;:+()\s])/i;

export class QueryExchange extends TextExchange {
  /** @param query without its question mark @param others the names of another scope, for those that `terms` does not have */
  exchange(query: string, terms: Terms, others = terms): string {
    const pairs = query.split('&').map((pair) => {
      const written = this.exchangePair(pair, terms);
      return written === pair && others !== terms ? this.exchangePair(pair, others) : written;
    });
    return pairs.join('&');
  }

  /** Exchanges `name=value`; what is no parameter stays. */
  exchangePair(pair: string, terms: Terms): string {
    const equals = pair.indexOf('=');
    const rawName = equals === -1 ? pair : pair.slice(0, equals);
    const rawValue = equals === -1 ? undefined : pair.slice(equals + 1);
    const { name, term } = this.#exchangeName(rawName, terms);
    if (rawValue === undefined || !term) return rawValue === undefined ? name : `${name}=${rawValue}`;
    return `${name}=${this.exchangeValue(rawValue, term, decode(rawName))}`;
  }

  #exchangeName(raw: string, terms: Terms): { readonly name: string; readonly term: Term | undefined } {
    const text = decode(raw);
    const find = (name: string): Term | undefined => findTerm(terms, name, this.direction);
    const whole = find(text);
    if (whole) return { name: whole.to === text ? raw : encodeURIComponent(whole.to), term: whole };
    const [first = '', ...steps] = raw.split(/(\[|\]|%5B|%5D)/i);
    const base = steps.length > 0 ? find(decode(first)) : undefined;
    if (base?.shape)
      return this.#exchangeSteps(
        raw,
        recode(first, () => base.to),
        steps,
        base.shape,
      );
    const suggestion = findSuggestion(terms, decode(first), this.direction);
    if (suggestion !== undefined) {
      this.context.report?.({
        kind: 'parameter',
        place: text,
        word: text,
        suggestion: suggestion + decode(steps.join('')),
      });
    }
    return { name: raw, term: undefined };
  }

  /** Exchanges the names in brackets, such as `[price][gte]`, and finds what the value is. */
  #exchangeSteps(raw: string, first: string, steps: readonly string[], shape: Shape) {
    let within: Shape | undefined = shape;
    let scopes = shape.holding === 'names' ? this.vocabulary.namedShapes(shape) : [shape];
    const foreign = { isFound: false };
    const written = steps.map((step, at) => {
      if (at % 2 === 0 || step === '') return step;
      return recode(step, (name) => {
        const [to = name] = this.exchangePath(scopes, [name], foreign);
        const member: Shape | undefined = scopes
          .map((each) => {
            return this.vocabulary.members(each)[this.direction].get(name)?.shape ?? each.rest ?? each.items;
          })
          .find((each) => each !== undefined);
        within = member;
        scopes = member ? [member] : [];
        return to;
      });
    });
    const name = first + written.join('');
    if (foreign.isFound) {
      const [word, suggestion] = [
        decode(raw),
        decode(raw.slice(0, raw.length - steps.join('').length) + written.join('')),
      ];
      this.context.report?.({ kind: 'parameter', place: word, word, suggestion });
    }
    return { name, term: within ? { to: name, shape: within } : undefined };
  }

  exchangeValue(raw: string, { shape, parameter }: Term, place: string): string {
    if (!shape || !this.vocabulary.isExchanged(shape)) return raw;
    if (parameter?.mediaType !== undefined) return this.#exchangeJson(raw, shape);
    const exchange = (part: string, at: Shape): string => {
      return recode(part, (text) => this.exchangeText(at, text, place));
    };
    if (shape.holding === 'names') return this.#exchangeNames(raw, shape, place);
    const { style = 'form', explode = true } = parameter ?? {};
    if (shape.members.size > 0 && !explode && style !== 'deepObject')
      return this.#exchangeFlat(raw, shape, style, exchange);
    const item = shape.items ?? shape.prefix[0];
    if (item && (!explode || style === 'simple' || SEPARATORS[style] !== SEPARATORS.form)) {
      const separator = SEPARATORS[style] ?? /(,|%2C)/i;
      return raw
        .split(separator)
        .map((part, at) => (at % 2 === 0 ? exchange(part, item) : part))
        .join('');
    }
    return exchange(raw, item ?? shape);
  }

  #exchangeNames(raw: string, shape: Shape, place: string): string {
    const tokens = raw.split(BETWEEN_NAMES);
    const foreign: string[] = [];
    const report: Context['report'] = ({ word }) => foreign.push(word);
    const judging = new TextExchange(this.vocabulary, this.direction, { ...this.context, report });
    const suggested: string[] = [];
    const written = tokens.map((token, at) => {
      if (at % 2 === 1) return token;
      const text = decode(token);
      const name = judging.exchangeText(shape, text, place);
      suggested.push(name);
      return name === text ? token : encodeURIComponent(name);
    });
    if (foreign.length > 0) {
      this.context.report?.({ kind: 'value', place, word: decode(raw), suggestion: decode(written.join('')) });
    }
    return written.join('');
  }

  /** Exchanges an object that is written as `name,value,name,value`. */
  #exchangeFlat(raw: string, shape: Shape, style: string, exchange: (part: string, at: Shape) => string): string {
    const terms = this.vocabulary.members(shape)[this.direction];
    let value: Shape | undefined;
    const parts = raw.split(SEPARATORS[style] ?? /(,|%2C)/i);
    return parts
      .map((part, at) => {
        if (at % 2 === 1) return part;
        if (at % 4 === 2) return value ? exchange(part, value) : part;
        const term = terms.get(decode(part));
        value = term?.shape;
        return recode(part, (name) => term?.to ?? name);
      })
      .join('');
  }

  #exchangeJson(raw: string, shape: Shape): string {
    return recode(raw, (text) => {
      const side = this.vocabulary.side(shape, this.direction);
      return scanWhole(side, text, { exchange: this }) ?? text;
    });
  }
}
