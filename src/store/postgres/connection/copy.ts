/** `COPY … FROM STDIN` (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY), of which `pg` has only the messages. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Cell } from '../../../gateway/model/field.ts';

/** The part of the driver's line to the server that is used. */
interface Line {
  readonly sendCopyFromChunk: (chunk: Buffer) => void;
  readonly endCopyFrom: () => void;
  readonly sendCopyFail: (reason: string) => void;
  readonly stream: NodeJS.EventEmitter & { readonly writableNeedDrain?: boolean };
}

/** Has the driver run a query that is made of a text and values, with these members in place of its own. */
export type Submit = (text: string, values: unknown[] | undefined, members: object) => void;

/** Resolves when the stream takes more, or never will. */
const drained = ({ stream }: Line): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, end);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.on(event, end);
  });

export const copyFrom = (submit: Submit, sql: string, texts: Iterable<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    let isOver = false;
    let failure: unknown;

    const send = async (line: Line): Promise<void> => {
      try {
        for (const text of texts) {
          if (isOver) return;
          line.sendCopyFromChunk(Buffer.from(text));
          // Everything else that waits for the event loop runs meanwhile.
          await (line.stream.writableNeedDrain ? drained(line) : turn());
        }
        line.endCopyFrom();
      } catch (error) {
        failure = error;
        line.sendCopyFail('the rows cannot be read');
      }
    };
    submit(sql, undefined, {
      handleCopyInResponse: (line: Line) => void send(line),
      callback: (error: unknown) => {
        isOver = true;
        if (error) reject(failure ?? error);
        else resolve();
      },
    });
  });

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const copyText = (cell: Cell): string => {
  if (cell === null) return '\\N';
  if (typeof cell === 'number' || !SPECIAL.test(cell)) return String(cell);
  return cell.replaceAll(/[\\\t\n\r]/g, (each) => ESCAPES[each] ?? each);
};

/** @returns a line of COPY's text format */
export const copyLine = (cells: readonly Cell[]): string => `${cells.map(copyText).join('\t')}\n`;
