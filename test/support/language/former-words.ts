import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WhenOver } from '../process/folder.ts';
import { everyKindTables } from './every-kind.ts';
import { folderOf, type LooseTable } from './locale-folder.ts';

/** The first day on which another word is the right one. */
export const SINCE = '2026-01-15';
/** The last day of words that are accepted, and of those that are not any more. */
export const UNTIL = '2199-06-30';
export const OVER = '2024-02-29';

const was = (word: string, before: string, until = UNTIL) => ({
  word,
  former: [{ word: before, since: until < SINCE ? until : SINCE, until }],
});

const edits: Readonly<Record<string, (table: LooseTable) => void>> = {
  en: ({ paths, fields, parameters }) => {
    paths.boats = was('boats', 'vessels');
    fields.boats.berths = was('berths', 'beds');
    parameters.page = was('page', 'sheet');
  },
  es: ({ paths, fields, parameters, suffixes, values, choices, members }) => {
    paths.boats = was('barcos', 'naves');
    paths.trips = was('viajes', 'travesías');
    paths.exports = was('exportaciones', 'descargas');
    paths.imports = was('importaciones', 'cargas');
    fields.boats.price = was('precio', 'importe');
    fields.boats.price.former[0].since = '2020-01-31';
    fields.boats.berths = was('literas', 'camas', OVER);
    fields.boats.name = was('nombre', 'título');
    parameters.sort_by = was('ordenar_por', 'orden_por');
    suffixes.from = was('desde', 'mínimo');
    values.desc = was('descendente', 'bajando');
    choices.boats.rig.ketch = was('queche', 'dos palos');
    choices.boats.hull.steel = was('acero', 'hierro', OVER);
    members.deleted = was('eliminado', 'borrado');
  },
};

/** @returns a folder with tables of boats some of whose words were others before */
export const formerTables = (whenOver?: WhenOver): string => {
  const own = everyKindTables(whenOver);
  const table = (tag: string): LooseTable => {
    const content = JSON.parse(readFileSync(join(own, `${tag}.json`), 'utf8'));
    edits[tag]?.(content);
    return content;
  };
  return folderOf({ 'en.json': table('en'), 'es.json': table('es') }, whenOver);
};
