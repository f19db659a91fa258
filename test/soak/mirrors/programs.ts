/** Programs that keep a mirror in a file: those of the documents, and what follows events as the documents say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { en, es } from '../../support/app/trees.ts';
import { project } from '../../support/process/service.ts';

export const trees = { en, es } as const;
type Tag = keyof typeof trees;

export interface Kind {
  readonly tongue: 'ts' | 'python';
  readonly way: 'pages' | 'wait' | 'events';
  readonly tag: Tag;
}

export const kinds: readonly Kind[] = (['ts', 'python'] as const).flatMap((tongue) =>
  (['pages', 'wait', 'events'] as const).flatMap((way) => (['en', 'es'] as const).map((tag) => ({ tongue, way, tag }))),
);

const DOCUMENTS = { en: 'docs/changes.md', es: 'docs/es/changes.md' } as const;
/** What the document in Spanish calls the items. */
const SPANISH_ITEMS = /(?<!\/)\bcoches\b/g;

/** What is read and written: the items and their position at once, whatever ends the program. */
const KEEPING = {
  ts: `
import * as fs from 'node:fs';
const file = process.argv[2] ?? '';
if (fs.existsSync(file)) {
  const kept = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const [key, item] of kept.items) cars.set(key, item);
  position = kept.position;
}
for (;;) {
  try {
    await follow();
    fs.writeFileSync(file + '.part', JSON.stringify({ position, items: [...cars] }));
    fs.renameSync(file + '.part', file);
  } catch {}
  await new Promise((resolve) => setTimeout(resolve, 50));
}`,
  python: `
import os, sys, time
file = sys.argv[1]
if os.path.exists(file):
    with open(file) as kept:
        kept = json.load(kept)
        cars, position = dict(kept["items"]), kept["position"]
while True:
    try:
        follow()
        with open(file + ".part", "w") as part:
            json.dump({"position": position, "items": list(cars.items())}, part)
        os.replace(file + ".part", file)
    except (OSError, ValueError, http.client.HTTPException):
        pass
    time.sleep(PAUSE)`,
} as const;

const replaced = (text: string, from: string | RegExp, to: string): string => {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`no ${from} in ${text}`);
  return changed;
};

/** @returns the mirror of a document, as it stands there, or with the header that the document says for waiting */
const documented = ({ tongue, way, tag }: Kind, origin: string): string => {
  const text = readFileSync(join(project, DOCUMENTS[tag]), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`${tongue}\\n([^]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  const own = replaced(code, 'http://localhost:3000', origin).replace(SPANISH_ITEMS, 'cars');
  if (way === 'pages') return own;
  return tongue === 'ts'
    ? replaced(own, /fetch\((`[^`]*`)\)/, "fetch($1, { headers: { Prefer: 'wait=25' } })")
    : replaced(own, /urlopen\((f"[^"]*")\)/, 'urlopen(urllib.request.Request($1, headers={"Prefer": "wait=25"}))');
};

/**
 * @param folder for the program, and the file of the mirror
 * @returns the command that runs it, and that file
 */
export const programOf = (folder: string, kind: Kind, origin: string) => {
  const { tongue, way, tag } = kind;
  const { cars: list, changed_since: since, identifier: key, deleted } = trees[tag];
  const name = [tongue, way, tag].join('-');
  const ending = tongue === 'ts' ? 'ts' : 'py';
  const follow =
    way === 'events' ? readFileSync(new URL(`events.${ending}`, import.meta.url), 'utf8') : documented(kind, origin);
  // One event is followed at a time in Python.
  const pause = way === 'events' ? '0' : '0.05';
  const [program, file] = [join(folder, `${name}.${ending}`), join(folder, `${name}.json`)];
  writeFileSync(
    program,
    `${tongue === 'ts' ? '' : 'import http.client\n'}${follow}\n${KEEPING[tongue]}\n`.replace('PAUSE', pause),
  );
  const settings = JSON.stringify({ origin, list, since, key, deleted });
  const [command, ...args] = tongue === 'ts' ? [process.execPath, '--experimental-eventsource'] : ['python3', '-u'];
  return { name, file, command, args: [...args, program, file, settings] };
};
