import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../../src/catalogue.ts';
import { messagesSchema, wordsSchema } from '../../../../src/gateway/locale/table.ts';

/** Members of words and forms. A schema requires only these: the rest of a table may be in another file, which the start checks. */
const MEMBERS = ['word', 'former', 'since', 'until', 'delimiter', 'byteOrderMark', 'label'];
const writeSchema = (part: z.ZodType) =>
  z.toJSONSchema(part, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (!jsonSchema.required?.some((name) => MEMBERS.includes(name))) delete jsonSchema.required;
    },
  });
const localesFolder = fileURLToPath(new URL('../../../../locales', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(join(localesFolder, file), 'utf8'));
const createValidator = (part: z.ZodType) =>
  new Ajv2020({ allErrors: true, formats: { date: true } }).compile(writeSchema(part));

describe.each([
  ['', 'locale.schema.json', wordsSchema(catalogue)],
  ['messages', 'messages.schema.json', messagesSchema(catalogue)],
])('the files in locales/%s', (folder, name, part) => {
  test(`${name}, which editors use, is what the start checks (after a change: vitest run test/gateway/locale/tables/json-schema.test.ts -u)`, async () => {
    const text = `${JSON.stringify(writeSchema(part), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join('../../../../locales', folder, name));
  });

  test('each passes it, and names it or none', () => {
    const validate = createValidator(part);
    const files = ['', 'more'].flatMap((parent) =>
      globSync('*.json', { cwd: join(localesFolder, parent, folder) }).map((file) => join(parent, folder, file)),
    );
    const tables = files.filter((file) => /^[a-z]{2,3}(?:-[A-Z]{2})?\.json$/.test(basename(file)));
    expect(tables.length).toBeGreaterThan(1);
    for (const file of tables) {
      const content = read(file);
      expect([file, validate(content), validate.errors]).toEqual([file, true, null]);
      expect([undefined, relative(dirname(file), join(folder, name)).replace(/^(?!\.)/, './')]).toContain(
        content.$schema,
      );
    }
  });
});
