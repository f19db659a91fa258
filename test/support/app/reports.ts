/** Files, and reports of what became of them, in the words of both languages: typed out, as `trees.ts`. */
import type { Send, TestResponse } from './app.ts';
import { en, type es } from './trees.ts';

export type Tree = typeof en | typeof es;

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

/** @returns a member of a report by its English name, as the tree calls it */
export const reportWord = (tree: Tree, name: string): string => (tree === en ? name : (spanish[name] ?? name));

/** @returns an item with the members that the tree calls its fields by */
export const itemIn = (tree: Tree, item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [wordOf(tree, name), value]));

/**
 * @param report by the English names of its members; `column` is a field's name
 * @returns the report in the words of the tree, in the same order
 */
export const reportIn = (tree: Tree, report: object): Readonly<Record<string, unknown>> => {
  const said = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => said(name, each));
    if (name === 'column') return wordOf(tree, String(value));
    if (name === 'action') return tree === en ? value : actions[String(value)];
    if (value === null || typeof value !== 'object' || 'asymmetricMatch' in value) return value;
    return name === 'before' || name === 'after'
      ? itemIn(tree, value as Record<string, unknown>)
      : reportIn(tree, value);
  };
  return Object.fromEntries(Object.entries(report).map(([name, value]) => [reportWord(tree, name), said(name, value)]));
};

/** @returns a whole report: what is not counted is 0 */
export const counted = (tree: Tree, counts: object = {}): Readonly<Record<string, unknown>> =>
  reportIn(tree, { ...Object.fromEntries(COUNTS.map((name) => [name, 0])), ...counts });

/** @returns a file as spreadsheet programs of the language write it: rows have commas here, and nothing in quotation marks has one */
export const csvIn = (tree: Tree, header: string, ...rows: readonly string[]): string => {
  const words = header.split(',').map((name) => wordOf(tree, name));
  const delimiter = tree === en ? ',' : ';';
  return [words.join(), ...rows].join('\n').replaceAll(',', delimiter);
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
