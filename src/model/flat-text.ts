/** @returns a copy of a Latin-1 text, which was joined from others: V8 keeps those, and joins them anew whenever the text is sent */
export const flatText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
