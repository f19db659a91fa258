/** What a run has found, for people and for machines. */
import { describeFinding, listDifferences, writeCommands } from './findings.ts';
import { countCovered, type Result } from './run.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  const escaped = text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  return escaped.replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD]/gu, '\uFFFD');
}

function writeFailure(text: string): string {
  return `<failure message="${escapeXml(text.split('\n')[0] ?? '')}">${escapeXml(text)}</failure>`;
}

/** @returns kinds of cases in two trees each, as JUnit: the same names in every run */
export function createJunit({ checked, findings, documents, tooLittle }: Result): string {
  const groups = Map.groupBy(checked, ({ kind, languages }) => `${languages}: ${kind}`);
  const cases = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, all]) => {
      const causes = new Set(all.map(({ cause }) => cause));
      const failures = findings
        .filter(({ cause }) => causes.has(cause))
        .map((finding) => writeFailure(describeFinding(finding)));
      const skipped = all.every(({ outcome }) => outcome === 'moved') ? ['<skipped message="not comparable"/>'] : [];
      return `<testcase classname="parity" name="${escapeXml(name)}">${[...failures, ...skipped].join('')}</testcase>`;
    });
  const rest = [
    `<testcase classname="parity" name="documents">${documents.map(writeFailure).join('')}</testcase>`,
    `<testcase classname="parity" name="enough">${tooLittle === undefined ? '' : `<error message="${escapeXml(tooLittle)}"/>`}</testcase>`,
  ];
  const all = [...cases, ...rest];
  const failures = all.filter((testcase) => testcase.includes('<failure')).length;
  const errors = tooLittle === undefined ? 0 : 1;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="parity" tests="${all.length}" failures="${failures}" errors="${errors}">\n${all.join('\n')}\n</testsuite>\n`;
}

const MOST_DOCUMENTS = 10;

/** @returns all that a run says in the end */
export function summarize({ tags, checked, findings, documents, tooLittle }: Result): string {
  const count = (outcome: string): number => checked.filter((entry) => entry.outcome === outcome).length;
  const list = (kind: string): string => {
    const entries = [...countCovered(checked)].filter(([name]) => name.startsWith(`${kind} `));
    return entries
      .map(([name, times]) => `${name.slice(kind.length + 1)} ${times}`)
      .sort()
      .join(', ');
  };
  return [
    ...findings.map((finding, at) => `${at + 1}. ${describeFinding(finding)}\n`),
    ...documents.slice(0, MOST_DOCUMENTS).map((text) => `documents of ${text}`),
    ...['kind', 'operation', 'parameter'].map((kind) => `${kind}s: ${list(kind)}`),
    `statuses: ${list('status')}`,
    `${checked.length} cases in ${tags.join(', ')}: ${count('same')} the same, ${count('moved')} not comparable, ${count('different')} different (${findings.length} causes); documents: ${documents.length} differences`,
    ...(tooLittle === undefined ? [] : [`too little to compare: ${tooLittle}`]),
  ].join('\n');
}

/** @returns a run as JSON */
export function createJson({ tags, findings, documents, checked, tooLittle }: Result): string {
  const listed = findings.map((finding) => ({
    cause: finding.cause,
    requests: finding.count,
    kind: finding.trial.request.kind,
    commands: writeCommands(finding),
    differences: finding.mismatch.differences,
  }));
  const counts = { cases: checked.length, coverage: Object.fromEntries(countCovered(checked)) };
  return `${JSON.stringify({ trees: tags, ...counts, findings: listed, documents, tooLittle }, null, 2)}\n`;
}

/** @returns findings as SARIF 2.1.0, for code scanning */
export function createSarif({ findings, documents }: Result): string {
  const all = [
    ...findings.map((one) => [one.cause, describeFinding(one), one.mismatch.exchanges[1].request.url] as const),
    ...documents.map((text) => ['documents', text, 'openapi'] as const),
  ];
  const results = all.map(([ruleId, text, url]) => ({
    ruleId,
    level: 'error',
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: url.replace(/^\//, '') } } }],
  }));
  const rules = [...new Set(all.map(([ruleId]) => ruleId))].map((id) => ({ id }));
  const runs = [{ tool: { driver: { name: 'vocabulary-parity', rules } }, results }];
  return `${JSON.stringify({ version: '2.1.0', $schema: 'https://json.schemastore.org/sarif-2.1.0.json', runs }, null, 2)}\n`;
}

/** @returns findings as a page without scripts */
export function createPage(result: Result): string {
  const findings = result.findings.map((finding) => {
    const lines = [...writeCommands(finding), ...listDifferences(finding)].map(escapeXml).join('\n');
    return `<section><h2>${escapeXml(finding.cause)}</h2><p>${finding.count} requests, such as:</p><pre>${lines}</pre></section>`;
  });
  const documents = result.documents.map((text) => `<li><code>${escapeXml(text)}</code></li>`).join('');
  const title = `Parity: ${result.findings.length} causes, ${result.documents.length} differences of documents`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1rem/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;background:#8882;padding:.75rem}</style>
</head><body><h1>${title}</h1><p>${result.checked.length} cases.${result.tooLittle === undefined ? '' : ` Too little to compare: ${escapeXml(result.tooLittle)}.`}</p>
${findings.join('\n')}<ul>${documents}</ul></body></html>
`;
}
