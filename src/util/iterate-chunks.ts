export function* iterateChunks<T>(all: Iterable<T>, size: number): Generator<readonly T[], undefined> {
  let chunk: T[] = [];
  for (const each of all) {
    if (chunk.push(each) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
