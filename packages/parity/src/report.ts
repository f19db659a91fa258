/** What a run has found, for people and for machines. */
import { countRequests, describeFinding, listDifferences, writeCommands } from './findings.ts';
import { countCovered, type Result } from './run.ts';
import type { Say } from './texts.ts';

function escapeXml(text: string): string {
  const escaped = text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return escaped.replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD]/gu, '\uFFFD');
}

function writeFailure(text: string): string {
  return `<failure message="${escapeXml(text.split('\n')[0] ?? '')}">${escapeXml(text)}</failure>`;
}

/** @returns kinds of cases in two trees each, as JUnit: the same names in every run */
function createJunit({ checked, findings, documents, tooLittle }: Result, say: Say): string {
  const groups = Map.groupBy(checked, ({ kind, languages }) => `${languages}: ${kind}`);
  const cases = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, all]) => {
      const causes = new Set(all.map(({ cause }) => cause));
      const own = findings.filter(({ cause }) => causes.has(cause));
      const isSkipped = all.every(({ outcome }) => outcome === 'moved');
      const skipped = isSkipped ? '<skipped message="not comparable"/>' : '';
      return [name, own.map((finding) => writeFailure(describeFinding(finding, say))).join('') + skipped] as const;
    });
  const error = tooLittle && `<error message="${escapeXml(say(tooLittle.text, tooLittle.values))}"/>`;
  const all = [...cases, ['documents', documents.map(writeFailure).join('')], ['enough', error ?? '']] as const;
  const failures = all.filter(([, content]) => content.includes('<failure')).length;
  const written = all.map(
    ([name, content]) => `<testcase classname="parity" name="${escapeXml(name)}">${content}</testcase>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="parity" tests="${all.length}" failures="${failures}" errors="${error ? 1 : 0}">\n${written.join('')}</testsuite>\n`;
}

/** @returns what a run has not compared, and why it proves nothing, if that is so */
function listReserves({ unread, tooLittle }: Result, say: Say): readonly string[] {
  return [
    ...(unread.length === 0 ? [] : [say('not-read', { types: unread.join(', ') })]),
    ...(tooLittle ? [say('too-little', { reason: say(tooLittle.text, tooLittle.values) })] : []),
  ];
}

const MOST_DOCUMENTS = 10;

/** @returns all that a run says in the end */
export function summarize(result: Result, say: Say): string {
  const { tags, checked, findings, documents } = result;
  const count = (outcome: string): number => checked.filter((entry) => entry.outcome === outcome).length;
  const covered = (['kind', 'operation', 'parameter', 'status'] as const).map((kind) => {
    const entries = [...countCovered(checked)].filter(([name]) => name.startsWith(`${kind} `));
    const counts = entries.map(([name, times]) => `${name.slice(kind.length + 1)} ${times}`).sort();
    return say('counts', { kind: say(kind), counts: counts.join(', ') });
  });
  const totals = { same: count('same'), moved: count('moved'), different: count('different') };
  const sizes = { cases: checked.length, causes: findings.length, documents: documents.length };
  return [
    ...findings.map((finding, at) => `${at + 1}. ${describeFinding(finding, say)}\n`),
    ...documents.slice(0, MOST_DOCUMENTS).map((text) => say('document', { text })),
    ...covered,
    say('totals', { ...totals, ...sizes, trees: tags.join(', ') }),
    ...listReserves(result, say),
  ].join('\n');
}

/** @returns a run as JSON */
function createJson({ tags, findings, documents, checked, tooLittle, unread }: Result): string {
  const listed = findings.map((finding) => ({
    cause: finding.cause,
    requests: finding.count,
    kind: finding.trial.request.kind,
    commands: writeCommands(finding),
    differences: finding.mismatch.differences,
  }));
  const counts = { cases: checked.length, coverage: Object.fromEntries(countCovered(checked)), notCompared: unread };
  const all = { trees: tags, ...counts, findings: listed, documents, tooLittle: tooLittle?.message };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** @returns findings as SARIF 2.1.0, for code scanning */
function createSarif({ findings, documents }: Result, say: Say): string {
  const all = [
    ...findings.map((one) => [one.cause, describeFinding(one, say), one.mismatch.exchanges[1].request.url] as const),
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
function createPage(result: Result, say: Say): string {
  const { findings, documents, checked } = result;
  const sections = findings.map((finding) => {
    const lines = [...writeCommands(finding), ...listDifferences(finding)].map(escapeXml).join('\n');
    const requests = say('such-as', { requests: countRequests(finding, say) });
    return `<section><h2>${escapeXml(finding.cause)}</h2><p>${requests}</p><pre>${lines}</pre></section>`;
  });
  const listed = documents.map((text) => `<li><code>${escapeXml(text)}</code></li>`).join('');
  const title = say('title', { causes: findings.length, documents: documents.length });
  const summary = [say('cases', { count: checked.length }), ...listReserves(result, say)].join('. ');
  return `<!doctype html>
<html lang="${say('tag')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1rem/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;background:#8882;padding:.75rem}</style>
</head><body><h1>${title}</h1><p>${escapeXml(summary)}.</p>
${sections.join('\n')}<ul>${listed}</ul></body></html>
`;
}

/** What can be written into files, by the options that name these. */
export const REPORTS = [
  ['junit', createJunit],
  ['sarif', createSarif],
  ['json', createJson],
  ['html', createPage],
  [
    'save',
    ({ findings }: Result) =>
      `${JSON.stringify(
        findings.map(({ trial }) => trial),
        null,
        1,
      )}\n`,
  ],
] as const;
