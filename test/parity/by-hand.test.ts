/** Two trees that were translated by hand, whose document says neither what is an address nor what is a name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runParity } from '../support/parity/run-parity.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const text = { type: 'string' };
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const book = { type: 'object', properties: { id: { type: 'integer' }, title: text, self: text } };
const fault = { description: '', ...content({ type: 'object', properties: { message: text, field: text } }) };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const sort = { name: 'sort', in: 'query', schema: { type: 'string', enum: ['title', 'id'] } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  paths: {
    '/books': {
      get: {
        parameters: [sort],
        responses: { 200: { description: '', ...content({ type: 'array', items: book }) }, default: fault },
      },
      post: { requestBody: content(book), responses: { 201: { description: '', ...content(book) }, default: fault } },
    },
    '/books/{id}': {
      parameters: [id],
      get: { responses: { 200: { description: '', ...content(book) }, default: fault } },
      delete: { responses: { 204: { description: '' }, default: fault } },
    },
  },
};
const words = { title: 'titre', self: 'lien', message: 'texte', field: 'champ' };
const table = {
  paths: { books: 'livres' },
  parameters: { sort: 'tri' },
  members: { '*': words },
  values: { '*': { title: 'titre' } },
};

/** Answers of one tree; both have their books in common. */
class Library {
  readonly #books: Map<number, string>;
  readonly #isFrench: boolean;
  readonly #offset: number;

  constructor(books: Map<number, string>, isFrench: boolean, offset: number) {
    this.#books = books;
    this.#isFrench = isFrench;
    this.#offset = offset;
  }

  #word(name: keyof typeof words): string {
    return this.#isFrench ? words[name] : name;
  }

  #show(key: number): object {
    const self = `/${this.#isFrench ? 'livres' : 'books'}/${key + this.#offset}`;
    return { id: key, [this.#word('title')]: this.#books.get(key), [this.#word('self')]: self };
  }

  #refuse(status: number, english: string, french: string, field?: string): Response {
    const message = { [this.#word('message')]: this.#isFrench ? french : english };
    return Response.json(field === undefined ? message : { ...message, [this.#word('field')]: field }, { status });
  }

  async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, list, sent, rest] = pathname.split('/');
    const allowed = sent === undefined ? ['GET', 'POST'] : ['GET', 'DELETE'];
    if (!allowed.includes(request.method) || rest !== undefined) return new Response(null, { status: 405 });
    if (list !== (this.#isFrench ? 'livres' : 'books')) return this.#refuse(404, 'No such path', 'Aucun tel chemin');
    const parameter = this.#isFrench ? 'tri' : 'sort';
    const [name] = [...searchParams.keys()].filter((each) => each !== parameter);
    if (name !== undefined) return this.#refuse(400, `No parameter "${name}"`, `Aucun paramètre « ${name} »`, name);
    const order = searchParams.get(parameter) ?? 'id';
    const isKnown = [this.#word('title'), 'id'].includes(order);
    if (!isKnown) return this.#refuse(400, 'This is no order', 'Ceci ne range rien', parameter);
    const keys = [...this.#books.keys()].sort((one, other) => one - other);
    if (sent === undefined && request.method === 'GET') return Response.json(keys.map((key) => this.#show(key)));
    if (sent === undefined && request.method === 'POST') {
      const key = Math.max(...keys) + 1;
      this.#books.set(key, 'New');
      return Response.json(this.#show(key), { status: 201, headers: { location: `/${list}/${key}` } });
    }
    if (!this.#books.has(Number(sent)))
      return this.#refuse(404, `There is no book "${sent}" here`, `Il n’y a pas de livre « ${sent} » ici`);
    if (request.method !== 'DELETE') return Response.json(this.#show(Number(sent)));
    this.#books.delete(Number(sent));
    return new Response(null, { status: 204 });
  }
}

const folder = temporaryFolder(afterAll);

test.each([
  ['translated well', 0, 0, []],
  ['with links to the next book', 1, 1, [expect.stringContaining('body/lien')]],
])('a tree %s', async (_, offset, expected, findings) => {
  const books = new Map([1, 2, 3, 4].map((key) => [key, `Book ${key}`]));
  const [english, french] = [new Library(books, false, 0), new Library(books, true, offset)];
  const files = Object.entries({ document, table }).flatMap(([name, value]) => {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
    return [`--${name}`, join(folder, `${name}.json`)];
  });
  const args = ['http://a.test', 'http://b.test', ...files, '--seed', '7', '--cases', '300', '--write'];
  const { code, text: printed } = await runParity(args, (url, init) =>
    (url.startsWith('http://a.test') ? english : french).answer(new Request(url, init)),
  );
  expect([code, printed.match(/^\d+\. .*/gm) ?? []]).toEqual([expected, findings]);
});
