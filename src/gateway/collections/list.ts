import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { Methods } from '../dispatch/methods.ts';
import type { Representation } from '../formats/representation.ts';
import type { Exchange, Handler } from '../http/context.ts';
import { APPLIED_HEADER, EVENT_STREAM } from '../http/headers.ts';
import { callerOf, isConditional } from '../http/request.ts';
import { addTag, CHANGE_HEADER, contentHeaders, idsOf, listTag, respondWith } from '../http/respond.ts';
import { itemTemplate, type Tree } from '../http/urls.ts';
import { countOfRows, isPartial, isWalked, type Query, windowOf } from '../model/query.ts';
import { type View, views } from '../model/views.ts';
import type { Found, ListSummary } from '../port/port.ts';
import { Unavailable } from '../port/unavailable.ts';
import { get } from '../read/accept.ts';
import { fileFormatOf, isForm } from '../read/content-type.ts';
import { malformed } from '../read/files/text.ts';
import { changeAfter, isBeyond } from '../read/query/paging.ts';
import type { ParameterName } from '../read/query/parameter.ts';
import { queryReader } from '../read/query/query.ts';
import { requiring } from '../read/query/refusing.ts';
import { waitIn } from '../read/wait.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { scheduled, streamList, writeWhole } from '../write/list.ts';
import { selected } from '../write/selected.ts';
import { commaHint } from './comma-hint.ts';
import { itemCreator } from './create.ts';
import { eventReader } from './events.ts';
import type { Imports } from './import.ts';
import { positionGone } from './refusals.ts';
import { notModified, type Resource, type ResourceOptions } from './resource.ts';
import { readUntil } from './waking.ts';

type OwnHeaders = ReturnType<typeof contentHeaders>;

/** The most rows of a list that is read at once; a longer list is scheduled. */
const SHORT = 100;

/** @returns reads a list from the store and responds with it */
const listReader = (
  { language }: Tree,
  { collection, links, parentKeys, missing }: Resource,
  { store, streams, onFault, addressOf }: ResourceOptions,
) => {
  const template = itemTemplate(language, collection);
  return (c: Exchange, whole: Representation, query: Query): MaybePromise<Response> => {
    const representation = isPartial(query) ? selected(whole, language, collection, query) : whole;
    const { format, list, pack, tagMark } = representation;
    const parents = parentKeys(c);
    const caller = () => callerOf(c, addressOf);
    const isPure = format.isPure && query.isPure;
    const { since } = query;
    const plan = store.plan({
      of: 'list',
      collection,
      keys: parents,
      query,
      // A position must not be ahead of what is read.
      freshness: since ? 'latest' : 'any',
    });

    /** @returns the problem of a list that does not exist, or is too long for its format */
    const refusalOf = (found: ListSummary | undefined): Problem | undefined => {
      if (!found) return missing(collection.parent ?? collection, parents);
      if (since && isBeyond(since, found.change)) {
        return positionGone(language.parameters.word('changed_since'), links.ofStart(parents));
      }
      const { maxRows: most = Number.POSITIVE_INFINITY } = format;
      const rows = countOfRows(query, found.total);
      return rows > most ? new Problem('not-acceptable', sentence('list-too-long', { rows, most })) : undefined;
    };
    const tagOf = ({ change }: ListSummary) => (isPure ? listTag(change, tagMark) : undefined);
    /** Where the list is empty, they say what finds something. */
    const headersOf = (found: ListSummary & Pick<Found, 'next'>): MaybePromise<OwnHeaders> => {
      const headers = contentHeaders(representation.headers, links.ofList(parents, query, found));
      if (template && !query.group) headers['Link-Template'] = `"${template}"; rel="item"`;
      addTag(headers, tagOf(found));
      headers[CHANGE_HEADER] = changeAfter(collection, query, found);
      // How much is still to come changes with every write.
      if (since) return headers;
      headers['X-Total-Count'] = String(found.total);
      if (found.total > 0) return headers;
      const count = async (other: Query) =>
        (await store.summarize(store.plan({ of: 'list', collection, keys: parents, query: other })))?.total ?? 0;
      return commaHint(language, collection, query, count).then((hint) => Object.assign(headers, hint));
    };
    const respondWithout = (found: ListSummary & Pick<Found, 'next'>) =>
      andThen(headersOf(found), (headers) => respondWith(c, 200, null, headers));
    const respondTo = (found: Found, headers: OwnHeaders): Response => {
      const { rows, rest } = found;
      if (!rest && !pack) return respondWith(c, 200, writeWhole(list, rows), headers);
      const ids = idsOf(c.req.raw);
      const onBreak = (error: unknown): void =>
        onFault(error instanceof Unavailable || error instanceof Problem ? error.cause : error, ids);
      const text = streamList(found, list, onBreak);
      return respondWith(c, 200, pack ? pack(text) : text, headers, ids.id);
    };

    const isHead = c.req.method === 'HEAD';
    const answer = (found: Found | undefined): MaybePromise<Response> => {
      try {
        const refusal = refusalOf(found);
        if (!found || refusal) throw refusal;
        // Nobody reads the rest.
        if (isHead) void found.rest?.return?.();
        return isHead ? respondWithout(found) : andThen(headersOf(found), (headers) => respondTo(found, headers));
      } catch (error) {
        void found?.rest?.return?.();
        throw error;
      }
    };
    const read = () => store.read(plan, caller);
    const readNow = () => andThen(read(), answer);
    /** Waits until there is something to tell. */
    const readLater = async (seconds: number): Promise<Response> => {
      const isTold = (found: Found | undefined) => !found || refusalOf(found) !== undefined || found.rows.length > 0;
      const response = await answer(await readUntil(streams, seconds, c.req.raw.signal, read, isTold));
      response.headers.set(APPLIED_HEADER, `wait=${seconds}`);
      return response;
    };
    const wait = since && !isHead ? waitIn(c.req.raw.headers) : 0;
    if (wait > 0) return readLater(wait);
    const readList = () => (windowOf(query).limit > SHORT ? scheduled(readNow) : readNow());
    if (!isHead && !isConditional(c.req.raw.headers)) return readList();
    // The rows are read only where they will be sent.
    return andThen(store.summarize(plan, caller), (summary) => {
      const refusal = refusalOf(summary);
      if (!summary || refusal) throw refusal;
      // Only the rows tell where a page ends.
      const isSummary = isHead && !isWalked(query);
      return notModified(c, tagOf(summary)) ?? (isSummary ? respondWithout(summary) : readList());
    });
  };
};

/** @returns the verbs of a collection's list, and of what there is beside its items */
export const listRoutes = (
  tree: Tree,
  resource: Resource,
  options: ResourceOptions,
): { readonly list: Methods; readonly beside: Readonly<Record<View, Methods>> } => {
  const { collection, parentKeys, ofList: representations } = resource;
  const { language } = tree;
  let made: Imports | undefined;
  /** Loaded with the first import, because the readers of all formats are loaded with it. */
  const imports = async (): Promise<Imports> => {
    const { importsOf } = await import('./import.ts');
    made ??= importsOf(tree, resource, options);
    return made;
  };
  const importArray: Imports['ofArray'] = async (...array) => (await imports()).ofArray(...array);
  const named = ({ format }: Query): Representation | undefined =>
    representations.find((each) => each.format.name === format);

  const readQuery = queryReader(language, resource.others, collection);
  const respondWhole = listReader(tree, resource, options);
  const follow = eventReader(tree, resource, options);
  const respond = (c: Exchange, chosen: Representation, query: Query): MaybePromise<Response> =>
    chosen.type === EVENT_STREAM ? follow(c, chosen, query) : respondWhole(c, chosen, query);
  const followedAs = { ...representations[0], type: EVENT_STREAM };
  const followed: typeof representations = [...representations, followedAs];
  const OPTIONS: Methods['OPTIONS'] = (c) => resource.requireKeys(parentKeys(c));
  const reading = (parameter?: ParameterName): Methods => ({
    GET: get(
      parameter === undefined || parameter === views.changes ? followed : representations,
      parameter === undefined ? readQuery : requiring(readQuery, language, parameter),
      respond,
      named,
    ),
    OPTIONS,
  });
  /** @param ofJson handles a body that is no file */
  const writing = (ofJson: Handler): Methods => ({
    POST: (c) => {
      const contentType = c.req.raw.headers.get('content-type');
      const format = fileFormatOf(contentType);
      return format || isForm(contentType) ? imports().then(({ ofFile }) => ofFile(c, format)) : ofJson(c);
    },
    OPTIONS,
  });
  const refuse = async (): Promise<never> => {
    throw malformed(sentence('body-not-array', { of: language.nouns(collection).of }));
  };
  return {
    list: {
      ...reading(),
      // An item is created where it lies.
      ...(collection.nested ? {} : writing(itemCreator(tree, resource, options, importArray))),
    },
    beside: {
      imports: writing(resource.withBody('create', refuse, importArray)),
      exports: reading(views.exports),
      groups: reading(views.groups),
      selections: reading(views.selections),
      changes: reading(views.changes),
      events: { GET: get([followedAs], readQuery, follow), OPTIONS },
    },
  };
};
