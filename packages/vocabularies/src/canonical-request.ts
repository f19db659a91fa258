/** A request in the document's names. */
import type { Body } from './bodies.ts';
import type { Vocabulary } from './nodes.ts';

export interface RequestChanges {
  readonly method: string;
  /** Headers that are different; `null` takes one away. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly body: Body | null;
  readonly vocabulary: Vocabulary | undefined;
}

/** It is aborted with the request that it was made of. */
export class CanonicalRequest extends Request {
  readonly original: Request;
  readonly vocabulary: Vocabulary | undefined;

  constructor(original: Request, url: string, { method, changes, body, vocabulary }: RequestChanges) {
    super(url, {
      method,
      headers: original.headers,
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    for (const [name, value] of changes) {
      if (value === null) this.headers.delete(name);
      else this.headers.set(name, value);
    }
    this.original = original;
    this.vocabulary = vocabulary;
  }
}
// To follow a signal takes longer than all the rest of an exchange, and few look at it.
Object.defineProperty(CanonicalRequest.prototype, 'signal', {
  get(this: CanonicalRequest): AbortSignal {
    return this.original.signal;
  },
});

/** @returns the vocabulary in which a request came, for whoever answers it; nothing if it is in the document's own names */
export function vocabularyOf(request: Request): Vocabulary | undefined {
  return request instanceof CanonicalRequest ? request.vocabulary : undefined;
}
