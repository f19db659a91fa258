/** The writing thread's own side: one batch after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { itemSql } from '../sql/items.ts';
import { connect, isUnavailable } from './connection.ts';
import { prepareWriting } from './schema.ts';
import type { Answer, Ask, BareCatalogue, Fault } from './writer-thread.ts';
import { committer } from './writes.ts';

interface Work {
  readonly location: string;
  readonly catalogue: BareCatalogue;
}

/** Collections with as much in them as writing needs. */
const revived = (bare: BareCatalogue): Catalogue => {
  const collections: Collection[] = [];
  for (const { name, parent, fields } of bare) {
    const found = { name, fields, key: fields[0], parent: collections.find((each) => each.name === parent) };
    collections.push(found as unknown as Collection);
  }
  return collections;
};

const { location, catalogue } = workerData as Work;
const collections = new Map(revived(catalogue).map((collection) => [collection.name, collection]));
const texts = new Map([...collections.values()].map((collection) => [collection, itemSql(collection)]));
const collectionOf = (name: string): Collection => {
  const found = collections.get(name);
  if (!found) throw new TypeError(`no collection "${name}"`);
  return found;
};

const connection = connect(location);
prepareWriting(connection);
const commit = committer(connection, (collection) => texts.get(collection) ?? itemSql(collection));

const faultOf = (error: unknown): Fault => ({
  message: error instanceof Error ? error.message : String(error),
  isUnavailable: isUnavailable(error),
});

const answer = (batch: NonNullable<Ask>): Answer => {
  try {
    const intents = batch.map((intent) => ({ ...intent, collection: collectionOf(intent.collection) }));
    const settled = commit(intents)?.map((each) => {
      if (each.kind === 'failed') return { kind: each.kind, fault: faultOf(each.error) };
      return each.kind === 'missing' ? { ...each, collection: each.collection.name } : each;
    });
    return { settled };
  } catch (error) {
    return { fault: faultOf(error) };
  }
};

parentPort?.on('message', (ask: Ask) => {
  if (ask) {
    parentPort?.postMessage(answer(ask));
    return;
  }
  connection.close();
  parentPort?.close();
});
