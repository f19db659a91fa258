import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../../src/gateway/model/fields.ts';
import type { ValueWords } from '../../../../src/gateway/model/kinds/kind.ts';
import { checkerIn, getKind } from '../../../../src/gateway/model/kinds/kinds.ts';

test('any list that is accepted is returned as it was sent, in JSON and from the cell of a file', () => {
  const field = { name: 'extras', ...list({ max: 5, most: 3 }) };
  const values = getKind(field).in(field, {} as ValueWords);
  const check = checkerIn(field, values);
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'É', ' ', '"', '\\', ',', '%', '😀', '\n', '\r', '\0') }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(texts, (sent) => {
      const isValid =
        sent.length <= 3 && sent.every((text) => text.trim() !== '' && [...text].length <= 5 && !/[\n\r\0]/.test(text));
      const { cell } = check(sent);
      expect(typeof cell === 'string').toBe(isValid);
      if (typeof cell !== 'string') return;
      expect(JSON.parse(values.toJson(cell))).toEqual(sent);
      expect(values.fromCell(values.toText(cell).replaceAll('\n', '\r\n'))).toEqual(sent);
    }),
  );
});
