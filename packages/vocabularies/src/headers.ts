/** Headers of requests and answers: addresses, conditions, cookies, and what is no longer true of a body that was exchanged. */

/** Headers of a body that are not true of a changed one. */
const OF_BODY = ['content-length', 'content-digest', 'digest', 'content-md5', 'repr-digest'];
const NOT_SENT_ON = [...OF_BODY, 'range', 'if-range'];
const NOT_TRUE = [...OF_BODY, 'accept-ranges', 'content-range'];

/** An entity tag, weak or strong, or one that somebody writes without quotes. */
const TAG = /(W\/)?"([^"]*)"|[^\s,"]+/g;

/** @returns a tag of the API with the mark of a vocabulary */
function markTag(tag: string, mark: string): string {
  const trimmed = tag.trimEnd();
  return trimmed.endsWith('"') ? `${trimmed.slice(0, -1)}.${mark}"` : `${trimmed}.${mark}`;
}

/** @returns the tags of a condition that have the mark of a vocabulary, without it; nothing if none has */
function unmarkTags(condition: string, mark: string): string | undefined {
  if (condition.trim() === '*') return condition;
  const tags = [...condition.matchAll(TAG)].flatMap(([tag]) => {
    if (tag.endsWith(`.${mark}"`)) return `${tag.slice(0, -mark.length - 2)}"`;
    if (tag.endsWith('"')) return [];
    return tag.endsWith(`.${mark}`) ? tag.slice(0, -mark.length - 1) : tag;
  });
  return tags.length > 0 ? tags.join(', ') : undefined;
}

/**
 * Makes the headers of a canonical request.
 *
 * @returns whether a write depends on a tag that no answer in this vocabulary ever had, so that it must fail
 */
export function changeRequestHeaders(headers: Headers, mark: string): boolean {
  let isFailed = false;
  for (const name of ['if-match', 'if-none-match']) {
    const condition = headers.get(name);
    if (condition === null) continue;
    const tags = unmarkTags(condition, mark);
    if (tags !== undefined) headers.set(name, tags);
    else {
      headers.delete(name);
      if (name === 'if-match') isFailed = true;
    }
  }
  for (const name of NOT_SENT_ON) if (headers.has(name)) headers.delete(name);
  headers.set('accept-encoding', 'identity');
  return isFailed;
}

export interface AnswerChanges {
  readonly mark: string;
  readonly exchangeAddress: (address: string) => string;
  readonly isBodyChanged: boolean;
  /** Tag of the document's own language, for links to the same in other languages. */
  readonly language: string | undefined;
  /** Writes an address of this vocabulary as the document has it. */
  readonly restoreAddress: (address: string) => string;
}

/** Makes the headers of an answer in a vocabulary. */
export function changeAnswerHeaders(headers: Headers, changes: AnswerChanges): void {
  const { mark, exchangeAddress, isBodyChanged } = changes;
  const etag = headers.get('etag');
  if (etag !== null) headers.set('etag', markTag(etag, mark));
  for (const name of ['location', 'content-location']) {
    const address = headers.get(name);
    if (address !== null) headers.set(name, exchangeAddress(address));
  }
  const link = headers.get('link');
  if (link !== null) headers.set('link', changeLinks(link, changes));
  const refresh = headers.get('refresh');
  if (refresh !== null) {
    headers.set(
      'refresh',
      refresh.replace(/(;\s*url=\s*["']?)([^"']+)/i, (_, start: string, url: string) => start + exchangeAddress(url)),
    );
  }
  if (isBodyChanged) for (const name of NOT_TRUE) if (headers.has(name)) headers.delete(name);
}

/** Exchanges the addresses of `Link`; a link to this vocabulary's own version leads to the document's instead. */
function changeLinks(link: string, { mark, exchangeAddress, language, restoreAddress }: AnswerChanges): string {
  return link.replaceAll(
    /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g,
    (_, address: string, parameters: string) => {
      const isAlternate = /;\s*rel\s*=\s*"?[^"]*\balternate\b/i.test(parameters);
      const tag = /;\s*hreflang\s*=\s*"?([^",;\s]+)"?/i.exec(parameters)?.[1];
      if (!isAlternate || tag === undefined) return `<${exchangeAddress(address)}>${parameters}`;
      if (tag.toLowerCase() !== mark.toLowerCase()) return `<${address}>${parameters}`;
      const other =
        language === undefined
          ? parameters.replace(/;\s*hreflang\s*=\s*"?[^",;\s]+"?/i, '')
          : parameters.replace(tag, language);
      return `<${restoreAddress(address)}>${other}`;
    },
  );
}

/** Exchanges the names of cookies that are parameters, and the paths of those that are set. */
export function changeCookies(
  headers: Headers,
  exchangeName: (name: string) => string,
  exchangePath: (path: string) => string,
): void {
  const cookies = headers.getSetCookie();
  if (cookies.length === 0) return;
  headers.delete('set-cookie');
  for (const cookie of cookies) {
    const named = cookie.replace(/^[^=;]+/, exchangeName);
    headers.append(
      'set-cookie',
      named.replace(/(;\s*path=)([^;]+)/i, (_, start: string, path: string) => start + exchangePath(path)),
    );
  }
}

/** @returns the tag that `Accept-Language` prefers of those there are; the first one if it says nothing */
export function preferredTag(accepted: string | null, tags: readonly string[]): string | undefined {
  const ranges = (accepted ?? '').split(',').map((each, at) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return { range, weight: range === '' ? 0 : weight, at };
  });
  const ordered = ranges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.at - other.at);
  for (const { range } of ordered) {
    if (range === '*') return tags[0];
    const found =
      tags.find((tag) => tag.toLowerCase() === range) ??
      tags.find((tag) => tag.toLowerCase().startsWith(`${range}-`) || range.startsWith(`${tag.toLowerCase()}-`));
    if (found !== undefined) return found;
  }
  return tags[0];
}
