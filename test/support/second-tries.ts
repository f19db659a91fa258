import type { Reporter } from 'vitest/node';

/**
 * Names, when a run is over, the tests that passed only because they were tried again, each with what its first try failed for: the
 * run is green, and they are to be mended.
 *
 * @param say told nothing where there are none
 */
export const secondTries = (say: (text: string) => void = console.warn): Reporter => ({
  onTestRunEnd: (modules) => {
    const flaky = modules.flatMap(({ children }) =>
      [...children.allTests('passed')].filter((each) => each.diagnostic()?.flaky),
    );
    if (flaky.length === 0) return;
    const lines = flaky.map((each) => {
      const name = [each.project.name, each.module.relativeModuleId, '>', each.fullName].join(' ').trim();
      const [why] = each.result().errors ?? [];
      const [where] = why?.stacks ?? [];
      return `  ${name}\n    line ${where?.line}: ${why?.message}`;
    });
    say(`Passed only at the second try: ${flaky.length}\n${lines.join('\n')}`);
  },
});
