const endOfMember = (header: string, start: number): number => {
  let isQuoted = false;
  for (let at = start; at < header.length; at++) {
    const character = header[at];
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) return at;
  }
  return header.length;
};

const WEIGHT = /;[\t ]*q[\t ]*=[\t ]*([^;\t ]*)/i;

/** @returns the weight among parameters, from 0 to 1; 1 where there is none or it is not a number */
const weightIn = (parameters: string): number => {
  const sent = WEIGHT.exec(parameters)?.[1];
  const weight = sent ? Number(sent) : 1;
  return Number.isNaN(weight) ? 1 : Math.min(Math.max(weight, 0), 1);
};

/**
 * The members of a header such as `Accept`, in their order, each with its weight (RFC 9110 §12.4.2) and its parameters. A
 * generator, because a header may have eight thousand of them.
 */
export function* weightedMembers(
  header: string,
): Generator<readonly [member: string, weight: number, parameters: string]> {
  for (let start = 0; start < header.length; ) {
    const end = endOfMember(header, start);
    const text = header.slice(start, end);
    const semicolon = text.indexOf(';');
    const member = (semicolon === -1 ? text : text.slice(0, semicolon)).trim();
    const parameters = semicolon === -1 ? '' : text.slice(semicolon);
    if (member !== '') yield [member, parameters === '' ? 1 : weightIn(parameters), parameters];
    start = end + 1;
  }
}
