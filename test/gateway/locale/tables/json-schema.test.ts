import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../../src/catalogue.ts';
import { messagesSchema, wordsSchema } from '../../../../src/gateway/locale/table.ts';

const schemaOf = (part: z.ZodType) => z.toJSONSchema(part, { io: 'input' });
/** The service's own. */
const localesFolder = fileURLToPath(new URL('../../../../locales', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(join(localesFolder, file), 'utf8'));
const validatorOf = (part: z.ZodType) =>
  new Ajv2020({ allErrors: true, formats: { date: true } }).compile(schemaOf(part));

describe.each([
  ['', 'locale.schema.json', wordsSchema(catalogue)],
  ['messages', 'messages.schema.json', messagesSchema(catalogue)],
])('the files in locales/%s', (folder, name, part) => {
  test(`${name}, which editors use, is what the start checks (after a change: vitest run test/gateway/locale/tables/json-schema.test.ts -u)`, async () => {
    const text = `${JSON.stringify(schemaOf(part), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join('../../../../locales', folder, name));
  });

  test('each passes it, and names it or none', () => {
    const validate = validatorOf(part);
    const files = readdirSync(join(localesFolder, folder)).filter((file) => /^[a-z]{2,3}\.json$/.test(file));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const content = read(join(folder, file));
      expect([file, validate(content), validate.errors]).toEqual([file, true, null]);
      expect([undefined, `./${name}`]).toContain(content.$schema);
    }
  });
});
