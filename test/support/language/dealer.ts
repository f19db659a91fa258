import { join } from 'node:path';
import { layered } from '../../../src/gateway/locale/layers.ts';
import type { WhenOver } from '../process/folder.ts';
import { project } from '../process/service.ts';
import { folderOf, tableFrom, tableOf } from './locale-folder.ts';

/** The example of another catalogue. */
export const dealerFolder = join(project, 'examples/dealer');

/** @returns a folder with its tables, which say only what is about it: the project's say the rest */
export const dealerTables = (whenOver: WhenOver): string =>
  folderOf(
    Object.fromEntries(
      ['en', 'es'].map((tag) => [`${tag}.json`, layered(tableOf(tag), tableFrom(join(dealerFolder, 'locales'), tag))]),
    ),
    whenOver,
  );
