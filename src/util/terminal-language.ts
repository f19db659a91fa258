/** @returns the language of the terminal as a tag, by the rules of POSIX: `es-ES` if it says `es_ES.UTF-8` */
export function readTerminalLanguage(
  { LC_ALL, LC_MESSAGES, LANG }: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return /^[a-z]{2,3}(?:_[A-Za-z0-9]+)?(?=[.@]|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '')?.[0].replace('_', '-');
}
