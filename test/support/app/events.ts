/** An event of a stream, and what it says beside events. */
interface SentEvent {
  readonly event: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any;
}

/** Reads a stream of events as a browser does: by the standard's own rules, but for what no stream here has. */
export const readEvents = (response: Response) => {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let position = '';
  let retry = 0;

  /** @returns the next block of lines; `undefined` at the end */
  const nextBlock = async (): Promise<string | undefined> => {
    for (let end = text.indexOf('\n\n'); ; end = text.indexOf('\n\n')) {
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { done, value = '' } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    position: () => position,
    retry: () => retry,
    /** @returns the next event; `undefined` where the stream has ended */
    next: async (): Promise<SentEvent | undefined> => {
      for (;;) {
        const block = await nextBlock();
        if (block === undefined) return undefined;
        const lines = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
        position = lines.get('id') ?? position;
        retry = Number(lines.get('retry') ?? retry);
        const data = lines.get('data');
        if (data !== undefined) return { event: lines.get('event') ?? 'message', id: position, data: JSON.parse(data) };
      }
    },
    /** Goes away. */
    leave: () => reader.cancel(),
  };
};
