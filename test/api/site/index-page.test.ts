/** What the page at the root shows: the words and the exchange of every language, side by side. */
import { describe, expect, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';
import { textOf } from '../../support/app/html.ts';
import { tableOf } from '../../support/language/locale-folder.ts';
import { allTags, temporaryFolderWith } from '../../support/language/new-languages.ts';

const { request } = useApp();

const pageIn = async (lang: string, init: RequestInit = {}) => {
  const response = await request(`/?lang=${lang}`, { headers: { accept: 'text/html' }, ...init });
  return response.text();
};

/** Rows of the table of words, cell by cell. */
const rowsOf = (html: string): readonly (readonly string[])[] => {
  const [, table = ''] = /<table class="words">([\s\S]*?)<\/table>/.exec(html) ?? [];
  return [...table.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)),
  );
};

const words = {
  es: [
    ['Significado', 'English', 'español'],
    ['Rutas'],
    ['Coches', '/api/cars', '/api/coches'],
    ['Aceites', '/api/cars/…/oils', '/api/coches/…/aceites'],
    ['Coches'],
    ['Identificador', 'identifier', 'identificador'],
    ['Marca', 'brand', 'marca'],
    ['Modelo', 'model', 'modelo'],
    ['Año', 'year', 'anio'],
    ['Puertas', 'doors', 'puertas'],
    ['Potencia (CV)', 'enginePower', 'cilindrada'],
    ['Versión', 'version', 'version'],
    ['Climatizador', 'clima', 'climatizador'],
    ['Aire acondicionado', 'ac', 'ac'],
    ['Combustible', 'fuel', 'fuel'],
    ['Aceites'],
    ['Tipo', 'type', 'tipo'],
    ['Otros datos', 'otherInfo', 'otros_datos'],
    ['Parámetros de las listas'],
    ['Campo por el que se ordena', 'sort_by', 'ordenar_por'],
    ['Sentido del orden', 'order', 'orden'],
    ['Elementos por página', 'number_of_elements', 'numero_de_elementos'],
    ['Número de página', 'page', 'pagina'],
    ['Posición tras la que empieza la página', 'after', 'despues_de'],
    ['Posición desde la que se muestran los cambios', 'changed_since', 'cambiado_desde'],
    ['Formato de archivo', 'format', 'formato'],
    ['Palabras que se buscan', 'search', 'buscar'],
    ['Campo por el que se agrupa', 'group_by', 'agrupar_por'],
    ['Campos que se muestran', 'fields', 'campos'],
    ['Qué se incluye', 'include', 'incluir'],
    ['Desde (valor mínimo)', '…_from', '…_desde'],
    ['Hasta (valor máximo)', '…_to', '…_hasta'],
    ['Campos de los grupos'],
    ['Número de elementos', 'total', 'total'],
    ['Elemento eliminado', 'deleted', 'eliminado'],
    ['Informe de una importación'],
    ['`true` si no se ha guardado nada porque solo se pidió comprobar.', 'dryRun', 'simulacro'],
    ['Elementos creados.', 'created', 'creados'],
    ['Elementos modificados.', 'updated', 'actualizados'],
    ['Elementos que ya estaban como en el archivo.', 'unchanged', 'sin_cambios'],
    ['Filas omitidas porque su clave ya existe, o porque otra fila del archivo la tiene.', 'skipped', 'omitidos'],
    ['Elementos eliminados porque faltan en el archivo.', 'deleted', 'eliminados'],
    ['Filas con errores.', 'rejected', 'rechazados'],
    ['Valores que han vaciado las celdas vacías.', 'cleared', 'vaciados'],
    ['Filas que no cuentan porque otra fila tiene su clave (las 100 primeras como máximo).', 'repeated', 'repetidos'],
    ['Errores probables, como claves convertidas en fechas.', 'warnings', 'advertencias'],
    ['Consecuencia de los errores, si los hay.', 'detail', 'detalle'],
    ['Qué está mal y cuántas veces.', 'reasons', 'motivos'],
    ['Errores de las filas (100 como máximo).', 'errors', 'errores'],
    ['Cuántas veces.', 'count', 'cantidad'],
    ['Número de la fila.', 'row', 'fila'],
    ['Nombre de la columna.', 'column', 'columna'],
    ['Código de error.', 'code', 'codigo'],
    ['Lo que conviene usar en su lugar.', 'suggestion', 'sugerencia'],
    ['Clave del elemento.', 'key', 'clave'],
    ['Número de la fila que cuenta en su lugar.', 'usedRow', 'fila_usada'],
    ['Sus filas (las 100 primeras como máximo).', 'rows', 'filas'],
    ['El valor del archivo.', 'value', 'valor'],
    [
      'Lo que se ha hecho con los elementos, o se haría: solo con `Prefer: return=representation`.',
      'changes',
      'cambios',
    ],
    ['Qué se ha hecho con el elemento.', 'action', 'accion'],
    ['El elemento antes; de una actualización, lo que difiere.', 'before', 'antes'],
    ['El elemento después; de una actualización, lo que difiere.', 'after', 'despues'],
    ['Valores de los parámetros y de los informes'],
    ['Ascendente', 'asc', 'ascendente'],
    ['Descendente', 'desc', 'descendente'],
    ['Elemento creado', 'created', 'creado'],
    ['Elemento actualizado', 'updated', 'actualizado'],
    ['Elemento eliminado', 'deleted', 'eliminado'],
  ],
  en: [
    ['Meaning', 'English', 'español'],
    ['Paths'],
    ['Cars', '/api/cars', '/api/coches'],
    ['Oils', '/api/cars/…/oils', '/api/coches/…/aceites'],
    ['Cars'],
    ['Identifier', 'identifier', 'identificador'],
    ['Brand', 'brand', 'marca'],
    ['Model', 'model', 'modelo'],
    ['Year', 'year', 'anio'],
    ['Doors', 'doors', 'puertas'],
    ['Engine power (CV)', 'enginePower', 'cilindrada'],
    ['Version', 'version', 'version'],
    ['Climate control', 'clima', 'climatizador'],
    ['Air conditioning', 'ac', 'ac'],
    ['Fuel', 'fuel', 'fuel'],
    ['Oils'],
    ['Type', 'type', 'tipo'],
    ['Other information', 'otherInfo', 'otros_datos'],
    ['Parameters of lists'],
    ['Field to sort by', 'sort_by', 'ordenar_por'],
    ['Sort order', 'order', 'orden'],
    ['Page size', 'number_of_elements', 'numero_de_elementos'],
    ['Page number', 'page', 'pagina'],
    ['Position after which the page begins', 'after', 'despues_de'],
    ['Position since which changes are listed', 'changed_since', 'cambiado_desde'],
    ['File format', 'format', 'formato'],
    ['Words to search for', 'search', 'buscar'],
    ['Field to group by', 'group_by', 'agrupar_por'],
    ['Fields to show', 'fields', 'campos'],
    ['What to include', 'include', 'incluir'],
    ['From (lowest value)', '…_from', '…_desde'],
    ['To (highest value)', '…_to', '…_hasta'],
    ['Fields of groups'],
    ['Number of items', 'total', 'total'],
    ['Item deleted', 'deleted', 'eliminado'],
    ['Report of an import'],
    ['`true` where nothing was stored because only a check was preferred.', 'dryRun', 'simulacro'],
    ['Items that were created.', 'created', 'creados'],
    ['Items that were changed.', 'updated', 'actualizados'],
    ['Items that are as the file has them.', 'unchanged', 'sin_cambios'],
    [
      'Rows that were skipped because their key exists, or because another row of the file has it.',
      'skipped',
      'omitidos',
    ],
    ['Items that were deleted because the file lacks them.', 'deleted', 'eliminados'],
    ['Rows that have errors.', 'rejected', 'rechazados'],
    ['Values that empty cells have cleared.', 'cleared', 'vaciados'],
    ['Rows that do not count because another row has their key (at most the first 100).', 'repeated', 'repetidos'],
    ['Probable mistakes, such as keys that have become dates.', 'warnings', 'advertencias'],
    ['Consequence of the errors, if there are any.', 'detail', 'detalle'],
    ['What is wrong, and how often.', 'reasons', 'motivos'],
    ['Errors of the rows (at most 100).', 'errors', 'errores'],
    ['How often.', 'count', 'cantidad'],
    ['Number of the row.', 'row', 'fila'],
    ['Name of the column.', 'column', 'columna'],
    ['Error code.', 'code', 'codigo'],
    ['What to use instead.', 'suggestion', 'sugerencia'],
    ['Key of the item.', 'key', 'clave'],
    ['Number of the row that counts instead.', 'usedRow', 'fila_usada'],
    ['Their rows (at most the first 100).', 'rows', 'filas'],
    ['The value in the file.', 'value', 'valor'],
    ['What was done with items, or would be: only with `Prefer: return=representation`.', 'changes', 'cambios'],
    ['What became of the item.', 'action', 'accion'],
    ['The item before; of an update, what differs.', 'before', 'antes'],
    ['The item after; of an update, what differs.', 'after', 'despues'],
    ['Values of parameters and reports'],
    ['Ascending', 'asc', 'ascendente'],
    ['Descending', 'desc', 'descendente'],
    ['Item created', 'created', 'creado'],
    ['Item updated', 'updated', 'actualizado'],
    ['Item deleted', 'deleted', 'eliminado'],
  ],
} as const;

test.each(['en', 'es'] as const)('the words stand side by side in %s', async (lang) => {
  expect(rowsOf(await pageIn(lang))).toEqual(words[lang]);
});

/** Page texts of one language that another has in other words. */
const foreignTo = (own: string, other: string): readonly string[] => {
  const [texts, others] = [own, other].map((tag) => ({ ...tableOf(tag).pages.texts, ...tableOf(tag).subject }));
  return Object.keys(texts).flatMap((name) => (texts[name] === others[name] ? [] : [others[name]]));
};

test.each([
  ['en', 'es'],
  ['es', 'en'],
])('the pages in %s say nothing in %s', async (lang, other) => {
  for (const path of ['/', '/api/problems', '/api/problems/forbidden', '/docs/']) {
    const page = await request(`${path}?lang=${lang}`, { headers: { accept: 'text/html' } });
    const said = [...(await page.text()).matchAll(/>([^<>]+)</g)].map(([, text = '']) => textOf(text).trim());
    expect(said.length).toBeGreaterThan(5);
    expect(said.filter((text) => foreignTo(lang, other).includes(text))).toEqual([]);
  }
});

/** Commands of the exchange, with what stands below each as the response. */
const exchangeOf = (html: string) =>
  [
    ...html.matchAll(
      /<code [^>]*data-command>([\s\S]*?)<\/code>[\s\S]*?<span class="\w+">(\d+)<[\s\S]*?<code[^>]*>([\s\S]*?)<\/code>/g,
    ),
  ].map(([, command = '', status = '', response = '']) => ({
    command: textOf(command),
    status: Number(status),
    response: JSON.parse(textOf(response)),
  }));

const POST = /^curl -X POST '([^']+)' \\\n {2}-H 'Content-Type: application\/json' \\\n {2}-d '([^']+)'$/;
const GET = /^curl '([^']+)'$/;

/** Sends what a command would send. */
const run = (command: string, send: typeof request): Promise<Response> => {
  const [, posted, body] = POST.exec(command) ?? [];
  const [, read] = GET.exec(command) ?? [];
  const { pathname, search } = new URL(posted ?? read ?? '');
  return send(pathname + search, body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body } : {});
};

describe('the exchange', () => {
  test('is typed as it is in both languages', async () => {
    const shown = exchangeOf(await pageIn('es'));
    expect(shown.map(({ command }) => command)).toEqual([
      `curl -X POST 'http://localhost/api/cars' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  "identifier": "seat-ibiza-1",\n  "brand": "Seat",\n  "model": "Ibiza",\n  "year": 2008\n}'`,
      `curl -X POST 'http://localhost/api/coches' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  "identificador": "seat-ibiza-1",\n  "marca": "Seat",\n  "modelo": "Ibiza",\n  "anio": 2008\n}'`,
      "curl 'http://localhost/api/cars/seat-ibiza-1'",
      "curl 'http://localhost/api/coches/seat-ibiza-1'",
      "curl 'http://localhost/api/cars?marca=Seat'",
      "curl 'http://localhost/api/coches?brand=Seat'",
    ]);
    expect(shown.map(({ response }) => response.detail).filter(Boolean)).toEqual([
      '“marca” is not a parameter here; did you mean “brand”?',
      '«brand» no es un parámetro de esta URL; ¿quería decir «marca»?',
    ]);
  });

  test.each(allTags)('is what the service responds, whatever the languages: %s', async (tag) => {
    const { request, close } = await openApp({ locales: temporaryFolderWith(...allTags) });
    const page = await request(`/?lang=${tag}`, { headers: { accept: 'text/html' } });
    const shown = exchangeOf(await page.text());
    expect(shown).toHaveLength(3 * allTags.length);
    for (const { command, status, response } of shown) {
      // There is one catalogue: what another language has created exists.
      if (status === 201) await request('/api/cars/seat-ibiza-1', { method: 'DELETE' });
      const given = await run(command, request);
      expect([command, given.status]).toEqual([command, status]);
      const { requestId, ...said } = JSON.parse(await given.text());
      const { requestId: varies, ...expected } = response;
      expect(said).toEqual(expected);
      expect(varies === undefined).toBe(requestId === undefined);
    }
    await close();
  });
});
