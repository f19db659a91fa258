/** What an error advises belongs to its reason: a code has one remedy, and may have many reasons. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { tableOf } from '../../support/language/locale-folder.ts';
import { project } from '../../support/process/service.ts';

const cars = ['k1', 'k2', 'k3', 'k4'].map(
  (identifier) => ['/api/cars', { identifier, brand: 'b', model: 'm' }] as const,
);
const app = useFreshApp({ given: cars });

const CSV = { 'content-type': 'text/csv' };

test.each([
  {
    reason: 'a header in a later row',
    detail: /header-row=4/,
    body: ['Notas', '', '', 'identificador;marca;modelo', 'k1;b;m'].join('\n'),
    headers: CSV,
  },
  { reason: 'a value that is no number', detail: /0.*20/, method: 'PATCH', path: '/k1', body: { puertas: 'cinco' } },
  {
    reason: 'too many deletions',
    detail: /allow-deletions/,
    body: 'identificador;marca;modelo\nk1;b;m',
    headers: { ...CSV, prefer: 'resolution=replace-all' },
  },
])('$reason', async ({ detail, method = 'POST', path = '', body, headers = {} }) => {
  const { json } = await app.send(method, `/api/coches${path}`, body, headers);
  expect(JSON.stringify(json)).toMatch(detail);
  const { code, remedy } = json.remedy === undefined ? json.errors[0] : json;
  expect(remedy).toBe(tableOf('es').problems[code].remedy);
  expect(remedy).not.toMatch(/comillas|^Guarde|^Corrija las filas|primera fila/);
});

/** The phrases with which each code is thrown, as the source has them side by side. */
const reasons = new Map<string, Set<string>>();
for (const file of readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' }).filter((each) =>
  each.endsWith('.ts'),
))
  for (const [, code = '', phrase = ''] of readFileSync(join(project, 'src', file), 'utf8').matchAll(
    /'([a-z]+(?:-[a-z]+)*)',\s*sentence\(\s*'([a-z_-]+)'/g,
  ))
    reasons.set(code, (reasons.get(code) ?? new Set()).add(phrase));

test.each(['en', 'es'])(
  'in %s a remedy names a preference only if one reason asks for it, or with its condition',
  (tag) => {
    const { problems, phrases } = tableOf(tag);
    expect(reasons.size).toBeGreaterThan(10);
    for (const [code, all] of reasons) {
      for (const sentence of String(problems[code]?.remedy ?? '').split(/(?<=\.) /)) {
        const [, preference] = /[“«]Prefer: ([^”»]+)/.exec(sentence) ?? [];
        if (preference === undefined || /^(?:If|Si)\b/.test(sentence)) continue;
        for (const phrase of all)
          expect([code, phrase, JSON.stringify(phrases[phrase])]).toEqual([
            code,
            phrase,
            expect.stringContaining(preference),
          ]);
      }
    }
  },
);
