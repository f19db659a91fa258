/** What a run has found, for people and for machines. */
import { described } from './findings.ts';
import type { Result } from './run.ts';
import type { Service } from './service.ts';

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (each) => XML[each] ?? each).replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD]/gu, '\uFFFD');

const writeFailure = (text: string): string =>
  `<failure message="${escapeXml(text.split('\n')[0] ?? '')}">${escapeXml(text)}</failure>`;

/** Kinds of cases in two languages each: the same names in every run. */
export const junit = (service: Service, { checked, findings, documents, tooLittle }: Result): string => {
  const groups = Map.groupBy(checked, ({ kind, languages }) => `${languages}: ${kind}`);
  const cases = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, all]) => {
      const causes = new Set(all.map(({ cause }) => cause));
      const own = findings
        .filter(({ cause }) => causes.has(cause))
        .map((each) => writeFailure(described(service, each)));
      const skipped = all.every(({ outcome }) => outcome === 'moved') ? ['<skipped message="not comparable"/>'] : [];
      return `<testcase classname="parity" name="${escapeXml(name)}">${[...own, ...skipped].join('')}</testcase>`;
    });
  const rest = [
    `<testcase classname="parity" name="documents">${documents.map(writeFailure).join('')}</testcase>`,
    `<testcase classname="parity" name="enough">${tooLittle === undefined ? '' : `<error message="${escapeXml(tooLittle)}"/>`}</testcase>`,
  ];
  const all = [...cases, ...rest];
  const failures = all.filter((each) => each.includes('<failure')).length;
  const errors = tooLittle === undefined ? 0 : 1;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="parity" tests="${all.length}" failures="${failures}" errors="${errors}">\n${all.join('\n')}\n</testsuite>\n`;
};

const MOST_DOCUMENTS = 10;

/** @returns all that a run says in the end */
export const summary = (service: Service, { checked, findings, documents, coverage, tooLittle }: Result): string => {
  const count = (outcome: string): number => checked.filter((each) => each.outcome === outcome).length;
  const covered = (kind: string): string =>
    [...coverage]
      .flatMap(([name, times]) => (name.startsWith(`${kind} `) ? [`${name.slice(kind.length + 1)} ${times}`] : []))
      .sort()
      .join(', ');
  return [
    ...findings.map((each, at) => `${at + 1}. ${described(service, each)}\n`),
    ...documents.slice(0, MOST_DOCUMENTS).map((each) => `documents of ${each}`),
    `kinds: ${covered('kind')}`,
    `parameters: ${covered('parameter')}`,
    `statuses: ${covered('status')}`,
    `${checked.length} cases in ${service.languages.map(({ tag }) => tag).join(', ')}: ${count('same')} the same, ${count('moved')} not comparable, ${count('different')} different (${findings.length} causes); documents: ${documents.length} differences`,
    ...(tooLittle === undefined ? [] : [`too little to compare: ${tooLittle}`]),
  ].join('\n');
};
