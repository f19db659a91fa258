/** Values at the limits of a field of each kind, and such as are written in another way than they were sent. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { quoted, short } from '../../support/app/trees.ts';

const { send } = useApp({ given: [['/api/cars', { identifier: 'there', brand: 'Seat', model: 'Ibiza' }]] });

const unchanged = (english: string, spanish: string, ...values: readonly string[]) =>
  values.map((value) => ({ english, spanish, value, kept: value, title: short(value) }));
const rewritten = (english: string, spanish: string, value: string, kept: string) => ({
  ...{ english, spanish, value, kept, title: value },
});
const long = [quoted('x'.repeat(200)), quoted('😀'.repeat(200))];

/** JSON texts, so that spellings of one value can be told apart. */
const accepted = [
  ...unchanged('brand', 'marca', '"x"', ...long, '" Seat "', '"a\\nb"', '"\u200b"', '"600 \\u0001"'),
  ...unchanged('year', 'anio', '1886', '2100'),
  ...unchanged('doors', 'puertas', '0', '20'),
  ...unchanged('version', 'version', '""', '" "', ...long, '"A\\\\B\\"C"', '"Die\u0301sel"', '"$& {word} «»"'),
  ...unchanged('clima', 'climatizador', 'true', 'false'),
  rewritten('year', 'anio', '2008.0', '2008'),
  rewritten('year', 'anio', '2.008e3', '2008'),
  rewritten('doors', 'puertas', '-0', '0'),
  rewritten('doors', 'puertas', '-0.0', '0'),
  rewritten('brand', 'marca', '"Citro\\u00ebn"', '"Citroën"'),
  rewritten('brand', 'marca', '"\\ud83d\\ude00"', '"😀"'),
];

/** One member of a written item, whatever stands beside it. */
const expectMember = (text: string, word: string, value: string): void =>
  expect(text.replace(/\}$/, ',')).toContain(`${quoted(word)}:${value},`);

test.each(accepted)('a car may have the $english $title, and both trees keep it', async (sent) => {
  const { english, spanish, value, kept } = sent;
  const least = spanish === 'marca' ? '"modelo":"M"' : '"marca":"B","modelo":"M"';
  const created = await send('POST', '/api/coches', `{${least},"${spanish}":${value}}`);
  expect(created.status).toBe(201);
  expectMember(created.text, spanish, kept);
  expectMember((await send('GET', `/api/cars/${created.json.identificador}`)).text, english, kept);
  const changed = await send('PUT', '/api/cars/there', `{"${english}":${value}}`);
  expect(changed.status).toBe(200);
  expectMember(changed.text, english, kept);
});

test.each(['', ' ', '😀'.repeat(10_000)])('an oil may have any text as its notes', async (text) => {
  await send('POST', '/api/cars/there/oils', { type: 'x' });
  const changed = await send('PUT', '/api/coches/there/aceites/x', { otros_datos: text });
  expect([changed.status, changed.json]).toEqual([200, { tipo: 'x', otros_datos: text }]);
  expect((await send('GET', '/api/cars/there/oils/x')).json.otherInfo).toBe(text);
});
