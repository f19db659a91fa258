import { expect, test } from 'vitest';
import { inEveryLanguage } from '../../../packages/parity/src/kit/every-language.ts';
import '../../../packages/parity/src/kit/vitest.ts';
import { app } from './app.ts';

test.each(['/api/cars?brand=seat&sort_by=year', '/api/coches?agrupar_por=marca', '/api/cars/none'])(
  '%s says the same in every language',
  async (url) => {
    await expect(app).toAnswerAlike({ GET: url });
  },
);

test('one snapshot for all languages', async () => {
  const { status, body } = await inEveryLanguage(app, { GET: '/api/cars?fields=brand' });
  expect({ status, body }).toMatchInlineSnapshot(`
    {
      "body": [],
      "status": 200,
    }
  `);
});
