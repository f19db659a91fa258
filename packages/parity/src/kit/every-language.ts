/** Asks one request in every language of a catalogue, for tests of one's own. */
import { type CanonicalAnswer, canonical, readAnswer } from './canonical.ts';
import { type Dictionary, type Fetch, readDictionaries } from './dictionary.ts';
import { type AnswerInLanguage, describeDifferences } from './same.ts';
import { type ApiRequest, locate, translate, writeRequest } from './translate.ts';
import { oncePer, pairWords } from './words.ts';

/** An app with `request` or `fetch`, such as Hono's, or the origin of a running service. */
export type Service =
  | string
  | { readonly request: (url: string, init?: RequestInit) => Response | Promise<Response> }
  | { readonly fetch: (request: Request) => Response | Promise<Response> };

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A method with its path and query in the words of any language: `{ GET: '/api/cars?brand=seat' }`. */
export type AnyRequest = { readonly [method in Method]?: string } & {
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value in the words of the same language, or a text. */
  readonly body?: unknown;
};

const ORIGIN = 'http://localhost';

function createFetch(service: Service): Fetch {
  if (typeof service === 'string') return (url, init) => fetch(service.replace(/\/$/, '') + url, init);
  if ('request' in service) return async (url, init) => service.request(url, init);
  return async (url, init) => service.fetch(new Request(ORIGIN + url, init));
}

const readOnce = oncePer((service: object) => readDictionaries('', createFetch(service as Service)));

/** @throws TypeError if there is not one method */
function readRequest({ headers, body, ...methods }: AnyRequest): ApiRequest {
  const [[method, url] = ['', ''], ...more] = Object.entries(methods);
  if (more.length > 0 || typeof url !== 'string' || !url.startsWith('/'))
    throw new TypeError('give one method with its path, such as { GET: "/api/cars" }');
  return { method, url, ...(headers && { headers }), ...(body !== undefined && { body }) };
}

/** @returns the language in whose tree a path is; by default the first one */
function findLanguage(url: string, all: readonly Dictionary[]): Dictionary {
  const language =
    all.find((dictionary) => locate(url, pairWords(dictionary, dictionary)).collection !== undefined) ?? all[0];
  if (!language) throw new TypeError('the service has no language');
  return language;
}

/**
 * @param service an app, or the origin of a running service
 * @param request in the words of any language; one that writes is done once in each
 * @returns the answer of each language, that of the request first
 * @throws Error if the service publishes no dictionaries
 */
export async function ask(
  service: Service,
  request: AnyRequest,
): Promise<readonly [AnswerInLanguage, ...AnswerInLanguage[]]> {
  const get = createFetch(service);
  const all = await (typeof service === 'string' ? readDictionaries('', get) : readOnce(service));
  const first = readRequest(request);
  const own = findLanguage(first.url, all);
  const askIn = async (language: Dictionary): Promise<AnswerInLanguage> => {
    const { method = 'GET', url, ...rest } = translate(first, own, language);
    const response = await get(url, { method, ...writeRequest(rest) });
    return { answer: await readAnswer(response, url), language };
  };
  const answers: [AnswerInLanguage, ...AnswerInLanguage[]] = [await askIn(own)];
  for (const language of all) if (language !== own) answers.push(await askIn(language));
  return answers;
}

/**
 * @example await inEveryLanguage(app, { GET: '/api/cars?brand=seat' })
 * @returns the one answer of all languages in names: one snapshot for all of them
 * @throws Error that says where two languages differ
 */
export async function inEveryLanguage(service: Service, request: AnyRequest): Promise<CanonicalAnswer> {
  const answers = await ask(service, request);
  const text = describeDifferences(answers);
  if (text !== '') throw new Error(text);
  const languages = answers.map(({ language }) => language);
  const [{ answer, language }] = answers;
  return canonical(answer, language, languages);
}
