/** Files, and reports of what became of them, in Spanish: typed out, as `trees.ts`. */
import type { Send, TestResponse } from './app.ts';
import { type en, es } from './trees.ts';

type Tree = typeof en | typeof es;

const COUNTS = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'] as const;

const spanish: Readonly<Record<string, string>> = {
  ...{ created: 'creados', updated: 'actualizados', unchanged: 'sin_cambios', skipped: 'omitidos' },
  ...{ deleted: 'eliminados', rejected: 'rechazados', cleared: 'vaciados', dryRun: 'simulacro' },
  ...{ detail: 'detalle', reasons: 'motivos', errors: 'errores', count: 'cantidad', row: 'fila', column: 'columna' },
  ...{ value: 'valor', code: 'codigo', suggestion: 'sugerencia', repeated: 'repetidos', key: 'clave' },
  ...{ usedRow: 'fila_usada', warnings: 'advertencias', rows: 'filas', changes: 'cambios', action: 'accion' },
  ...{ before: 'antes', after: 'despues' },
};
const actions: Readonly<Record<string, string>> = { created: 'creado', updated: 'actualizado', deleted: 'eliminado' };

const wordOf = (tree: Tree, name: string): string => tree[name as keyof Tree] ?? name;

/** @returns an item with the members that the tree calls its fields by */
export const itemIn = (tree: Tree, item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [wordOf(tree, name), value]));

/**
 * @param report by the English names of its members; `column` is a field's name
 * @returns the report in Spanish, in the same order
 */
export const inSpanish = (report: object): Readonly<Record<string, unknown>> => {
  const said = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => said(name, each));
    if (name === 'column') return wordOf(es, String(value));
    if (name === 'action') return actions[String(value)];
    if (value === null || typeof value !== 'object' || 'asymmetricMatch' in value) return value;
    return name === 'before' || name === 'after' ? itemIn(es, value as Record<string, unknown>) : inSpanish(value);
  };
  return Object.fromEntries(Object.entries(report).map(([name, value]) => [spanish[name] ?? name, said(name, value)]));
};

/** @returns a whole report in Spanish: what is not counted is 0 */
export const counted = (counts: object = {}): Readonly<Record<string, unknown>> =>
  inSpanish({ ...Object.fromEntries(COUNTS.map((name) => [name, 0])), ...counts });

/** @returns a file as spreadsheet programs in Spanish write it: rows have commas here, and nothing in quotation marks has one */
export const spanishCsv = (header: string, ...rows: readonly string[]): string => {
  const words = header.split(',').map((name) => wordOf(es, name));
  return [words.join(), ...rows].join('\n').replaceAll(',', ';');
};

/** @returns sends a file to the list of cars; by default as CSV, which fits a header with any character */
export const uploader =
  (send: Send, list: string) =>
  (file: unknown, prefer = '', type = 'text/csv', headers = {}): Promise<TestResponse> =>
    send('POST', list, file, {
      'content-type': type,
      ...(prefer === '' ? {} : { prefer: Buffer.from(prefer).toString('latin1') }),
      ...headers,
    });
