/** The program that has called a command, or serves; without one, npm has, in the repository. */
export const calls: { program?: string } = {};

/** @returns a text that names commands as they are called */
export function nameCommands(text: string): string {
  return calls.program === undefined ? text : text.replaceAll(/\bnpm run (\w+)(?: --(?= |$))?/g, `${calls.program} $1`);
}
