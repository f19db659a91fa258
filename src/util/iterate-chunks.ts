export function* iterateChunks<T>(all: Iterable<T>, size: number): Generator<readonly T[], undefined> {
  let chunk: T[] = [];
  for (const value of all) {
    if (chunk.push(value) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
