import type * as client from '../../../clients/en/index.js';

/** What an English-language program does, typed in its words throughout; it runs in a browser, too, and so uses nothing else of this file. */
export const converse = async ({ connect, CatalogueError }: typeof client, origin: string) => {
  const { cars } = connect(origin);
  const codeOf = (error: unknown) =>
    error instanceof CatalogueError ? [error.code, error.problem.errors?.map(({ name }) => name)] : error;
  const { item: created, tag } = await cars.create({
    identifier: 'ibiza/1',
    brand: 'Seat',
    model: 'Ibiza',
    year: 2008,
    clima: true,
  });
  const changed = await cars.update('ibiza/1', { doors: 5, year: null }, { tag });
  const stale = await cars.update('ibiza/1', { doors: 3 }, { tag }).catch(codeOf);
  const wrong = await cars.update('ibiza/1', { doors: 21 }, { tag: changed.tag }).catch(codeOf);
  const report = await cars.import('brand,model,year\nSeat,León,2010\nCitroën,C4,2006\n');
  const file = new Blob(['{"brand":"Audi","model":"A4"}\n'], { type: 'application/x-ndjson' });
  const checked = await cars.import(file, { prefer: 'handling=check' });
  const rejected = await cars
    .import('brand,model,year\nSeat,Ibiza,MM\n')
    .catch((error) => (error instanceof CatalogueError ? error.problem.report?.errors?.[0]?.column : error));
  const oils = cars.oils('ibiza/1');
  await oils.create({ type: '5W-30', otherInfo: 'ñ' });
  const page = await cars.list({
    brand: ['seat', 'citroen'],
    year_from: 2006,
    sort_by: ['year', 'model'],
    order: ['desc', 'asc'],
    number_of_elements: 1,
    model: undefined,
  });
  const { position } = await cars.list({ brand: 'seat' });
  const all: string[] = [];
  for await (const { model } of cars.iterate({ search: 's', number_of_elements: 1 })) all.push(model);
  const { items: groups } = await cars.group({ group_by: 'brand' });
  const selected = await cars.select({ fields: ['model', 'year'], model: 'c4' });
  const csv = await new Response(await cars.export({ format: 'csv', fields: 'model', year: 2010 })).text();
  const { item: whole } = await cars.read('ibiza/1', { include: 'oils' });
  await cars.delete('ibiza/1', { tag: changed.tag }).catch(codeOf);
  const followed: unknown[] = [];
  for await (const { items, startsAnew } of cars.follow(position, { brand: 'seat' })) followed.push(startsAnew, items);
  const gone: unknown[] = [];
  for await (const { items, startsAnew } of cars.follow('zzzzzzzzzz')) gone.push(startsAnew, items.length);
  return {
    created,
    changed: changed.item,
    stale,
    wrong,
    counts: [report.created, checked.dryRun, checked.created],
    rejected,
    page: [page.total, page.items.map(({ model, year }) => [model, year])],
    all,
    groups: groups.map(({ brand, total }) => [brand, total]),
    selected: selected.items.map(({ model, year }) => [model, year]),
    csv: csv.split('\r\n')[0],
    oils: whole.oils,
    followed,
    gone,
    missing: await cars.read('ibiza/1').catch(codeOf),
  };
};
