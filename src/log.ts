import { writeSync } from 'node:fs';

const levels = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof levels)[number];

/** One line for each event, with the cause indented below it. */
export type Log = Readonly<Record<Level, (message: string, cause?: unknown) => void>>;

const detail = (cause: unknown): string => {
  if (cause === undefined) return '';
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return `\n  ${text.replaceAll('\n', '\n  ')}`;
};

/** A log that cannot be written ends nothing: its disk may be full, or its reader gone. A later line may get through. */
const toStandardError = (line: string): void => {
  try {
    writeSync(process.stderr.fd, line);
  } catch {
    // There is nowhere to tell it.
  }
};

/**
 * @param level the least important level that is logged
 * @param write writes a line; by default to standard error, which keeps standard output free
 */
export const createLog = (level: Level, write: (line: string) => void = toStandardError): Log => {
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  const writer = (each: Level) => (message: string, cause?: unknown) => {
    if (enabled.includes(each)) write(`${new Date().toISOString()} ${each.padEnd(5)} ${message}${detail(cause)}\n`);
  };
  return { error: writer('error'), warn: writer('warn'), info: writer('info'), debug: writer('debug') };
};
