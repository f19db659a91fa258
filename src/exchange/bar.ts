import { progressOn } from '../commands/progress.ts';
import type { Language } from '../locale/language.ts';

/** What a command is doing with rows. */
type Step = 'reading-rows' | 'storing-rows' | 'writing-rows';

/** How far a step has come. */
interface Stand {
  readonly step: Step;
  /** From 0 to 1. */
  readonly share: number;
  readonly rows: number;
  readonly seconds: number;
}

const WIDTH = 24;

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** @param hasBar whether a terminal shows it */
export const standLine = (
  { tag, commands }: Language,
  { step, share, rows, seconds }: Stand,
  hasBar: boolean,
): string => {
  const rate = Math.round(rows / Math.max(seconds, 0.001)).toLocaleString(tag);
  const done = { step: commands(step), percent: Math.floor(100 * share), rows: rows.toLocaleString(tag), rate };
  const left = share > 0 ? [commands('time-left', { left: clock((seconds * (1 - share)) / share) })] : [];
  const full = Math.round(WIDTH * share);
  const bar = hasBar ? [`[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`] : [];
  return [...bar, commands('rows-done', done), ...left].join(' ');
};

export interface Bar {
  readonly tell: (step: Step, share: number, rows: number) => void;
  /** Takes the bar away. */
  readonly end: () => void;
}

/** A bar on a terminal, else a line now and then; each step has a rate and a time left of its own. */
export const barOn = (stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>, language: Language): Bar => {
  const { show, end } = progressOn(stream);
  let current: Step | undefined;
  let begun = 0;
  return {
    tell: (step, share, rows) => {
      const now = performance.now();
      if (step !== current) [current, begun] = [step, now];
      const bounded = Math.min(1, Math.max(0, share));
      const seconds = (now - begun) / 1_000;
      show(standLine(language, { step, share: bounded, rows, seconds }, stream.isTTY));
    },
    end,
  };
};
