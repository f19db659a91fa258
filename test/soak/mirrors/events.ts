/** A mirror that follows events as docs/changes.md says; what is added to it keeps it in a file. */
const { origin, list, since, key, deleted } = JSON.parse(process.argv[3] ?? '') as Readonly<Record<string, string>>;

export const cars = new Map<unknown, unknown>();
export let position = '';
const streams = new Set<EventSource>();
// While it waits to connect again, an EventSource does not keep Node.js running.
setInterval(() => {}, 60_000);
let told = Promise.withResolvers<void>();

const begin = async (): Promise<void> => {
  const response = await fetch(`${origin}${list}`);
  if (!response.ok) throw new Error(await response.text());
  cars.clear();
  for (const item of (await response.json()) as readonly Record<string, unknown>[]) cars.set(item[key ?? ''], item);
  position = response.headers.get('X-Change') ?? '';
  told.resolve();
};

const leave = (source: EventSource): void => {
  source.close();
  streams.delete(source);
  told.resolve();
};

const open = (): EventSource => {
  const source = new EventSource(`${origin}${list}?${since}=${position}`);
  const tell = ({ data, lastEventId }: MessageEvent): void => {
    const item = JSON.parse(data);
    if (item[deleted ?? '']) cars.delete(item[key ?? '']);
    else cars.set(item[key ?? ''], item);
    position = lastEventId;
    told.resolve();
  };
  for (const event of ['created', 'changed', 'deleted']) source.addEventListener(event, tell as EventListener);
  source.addEventListener('gone', () => {
    position = '';
    leave(source);
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) leave(source);
  });
  return source;
};

/** Resolves once it was told of something. */
export const follow = async (): Promise<ReadonlyMap<unknown, unknown>> => {
  if (position === '') await begin();
  if (streams.size === 0) streams.add(open());
  await told.promise;
  told = Promise.withResolvers<void>();
  return cars;
};
