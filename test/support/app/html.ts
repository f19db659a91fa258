const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** @returns the text of a piece of HTML */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&([\w#]+);/g, (_, name: string) => ENTITIES[name] ?? '?');
