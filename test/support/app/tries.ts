import { expect, test } from 'vitest';
import { useApp } from './app.ts';

/** What is said of one error, and the word, the piece of a query or the path to use instead. */
interface Said {
  readonly code: string;
  /** Matched as a pattern where something is left out. */
  readonly detail: string;
  readonly suggestion?: string | undefined;
  readonly parameter?: string;
}

interface Try {
  readonly request: string;
  body: string | undefined;
  status: number;
  readonly said: Said[];
}

const SAID = /^(?<status>\d{3}|-) (?<code>[\w-]+)(?: (?<detail>.*?)(?: → (?<suggestion>.*))?)?$/;
/** What a question asks for is what it suggests. */
const QUESTION = /(?:did you mean “(.*)”|quería decir «(.*)»)\?$/;

/** @returns a text, or what matches one with anything in place of each ellipsis behind a space */
const leavingOut = (text: string): string => {
  const parts = text.split(' …');
  return parts.length === 1 ? text : expect.stringMatching(new RegExp(`^${parts.map(RegExp.escape).join(' .*')}$`));
};

/** What is said of a parameter that is none, and of a path that leads nowhere, in the language that the address speaks. */
const sentences = {
  en: {
    'unknown-parameter': (sent: string, meant: string) => `“${sent}” is not a parameter here; did you mean “${meant}”?`,
    'no-such-path': (sent: string, meant: string) => `There is nothing at “${sent}”; did you mean “${meant}”?`,
  },
  es: {
    'unknown-parameter': (sent: string, meant: string) =>
      `«${sent}» no es un parámetro de esta URL; ¿quería decir «${meant}»?`,
    'no-such-path': (sent: string, meant: string) => `No hay nada en «${sent}»; ¿quería decir «${meant}»?`,
  },
} as const;

/** @returns what the short form of a mistaken word stands for */
const parseShort = (request: string, suggestion: string): Try => {
  const [, path = '', query] = /^\S+ ([^ ?]+)(?:\?(\S+))?/.exec(request) ?? [];
  const isSpanish = /^\/api\/(?:\w+\/)?coches\b/.test(suggestion.startsWith('/') ? suggestion : path);
  const tag = isSpanish || / Accept-Language: es(?:-MX)?(?:$|,)/.test(request) ? 'es' : 'en';
  const isPath = suggestion.startsWith('/');
  const code = isPath ? 'no-such-path' : 'unknown-parameter';
  const sent = isPath ? path : decodeURIComponent(/^.[^=]*/.exec(query ?? '')?.[0] ?? '');
  const said = { code, detail: sentences[tag][code](sent, suggestion), suggestion };
  return { request, body: undefined, status: isPath ? 404 : 400, said: [said] };
};

/** @param text see `tryAll` */
const parse = (text: string): readonly Try[] => {
  const tries: Try[] = [];
  for (const line of text.split('\n').filter((each) => /^[^#\s]/.test(each))) {
    const last = tries.at(-1);
    const { status, code = '', detail, suggestion } = SAID.exec(line)?.groups ?? {};
    if (last && line.startsWith('> ')) {
      const body = line.slice(2);
      last.body = /^[[{"]/.test(body) ? body : body.replaceAll('\\n', '\n');
    } else if (last && status !== undefined) {
      if (status !== '-') last.status = Number(status);
      const [, english, spanish] = QUESTION.exec(detail ?? '') ?? [];
      if (detail !== undefined) last.said.push({ code, detail, suggestion: suggestion ?? english ?? spanish });
    } else {
      const [request = '', suggestion] = line.split(' → ');
      tries.push(suggestion ? parseShort(request, suggestion) : { request, body: undefined, status: 0, said: [] });
    }
  }
  return tries;
};

/**
 * Sends what somebody tries first, and expects that it is told what a person needs to know, in the language of the URL:
 *
 *     PUT /api/coches/a-1 If-Match: "x"
 *     > {"motor":1}
 *     400 unknown-field «motor» no es un campo del coche; ¿quería decir «cilindrada»?
 *
 *     GET /api/cars?limit=5 → number_of_elements
 *
 * The second form is short for a parameter that is none, or a path that leads nowhere, and the word or the path that is
 * suggested instead. If there are several errors, each has a line of its own that begins with `-`. A suggestion that no question asks for
 * follows an arrow; `…` behind a space stands for any text, such as a list of all parameters; `#` begins a remark.
 */
export const tryAll = (text: string, given: Parameters<typeof useApp>[0] = {}): void => {
  const { send } = useApp({
    given: [
      ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', year: 2008 }],
      ['/api/cars/a-1/oils', { type: '5W-30' }],
    ],
    ...given,
  });
  test.each(parse(text))('$request $body', async ({ request, body, status, said }) => {
    const [start = '', ...lines] = request.split(/ (?=[A-Z][\w-]+: )/);
    const [method = '', path = ''] = start.split(' ');
    const headers = Object.fromEntries(
      lines.map((line) => line.split(': ')).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    );
    const { json, ...answer } = await send(method, path, body, headers);
    const errors: readonly Said[] = json.errors ?? [json];
    const told = errors.map(({ code, detail, suggestion }) => ({ code, detail, suggestion }));
    expect([answer.status, told]).toEqual([status, said.map((each) => ({ ...each, detail: leavingOut(each.detail) }))]);
    for (const { detail, parameter } of errors) expect(detail).toContain(parameter ?? '');
    if (method === 'GET') expect((await send('HEAD', path, undefined, headers)).status).toBe(status);
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ remedy: expect.stringMatching(/\S/) })));
  });
};
