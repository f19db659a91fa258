/** The text that Prometheus reads, and what several processes have together. */
import { describe, expect, test } from 'vitest';
import {
  counter,
  type Family,
  gauge,
  histogram,
  histogramFamily,
  metricsText,
} from '../../../src/host/metrics/family.ts';
import { parseMetrics } from '../../support/metrics/parse.ts';

const durations = (...values: readonly number[]): Family => {
  const counted = histogram([0.1, 1]);
  values.forEach(counted.observe);
  return histogramFamily('a_duration_seconds', 'Seconds.', [[{ of: 'a' }, counted]]);
};

const TEXT = `# HELP a_total As.
# TYPE a_total counter
a_total{language="es",route="/api/coches/:cars"} 3
# HELP a_duration_seconds Seconds.
# TYPE a_duration_seconds histogram
a_duration_seconds_bucket{of="a",le="0.1"} 2
a_duration_seconds_bucket{of="a",le="1"} 3
a_duration_seconds_bucket{of="a",le="+Inf"} 4
a_duration_seconds_sum{of="a"} 7.15
a_duration_seconds_count{of="a"} 4
# HELP a_bytes Bytes.
# TYPE a_bytes gauge
a_bytes 1.5e+21
`;

describe('text', () => {
  test('of each type', () => {
    const text = metricsText([
      counter('a_total', 'As.', [[{ language: 'es', route: '/api/coches/:cars' }, 3]]),
      durations(0.05, 0.1, 1, 6),
      gauge('a_bytes', 'Bytes.', 1.5e21),
    ]);
    expect(text).toBe(TEXT);
    expect([...parseMetrics(text).keys()]).toEqual(['a_total', 'a_duration_seconds', 'a_bytes']);
  });

  test('a family without samples is left out', () => {
    expect(metricsText([{ ...gauge('a', 'A.', 1), samples: [] }])).toBe('');
  });

  test.each(['"', '\\', '\n', '\\n', 'ñ', 'a,b="c"', '}', ''])('the label %j is read as it was written', (label) => {
    const text = metricsText([gauge('a', 'A \\ of\nb.', [[{ one: label, other: 'b' }, 1]])]);
    expect(parseMetrics(text).get('a')?.samples).toEqual([{ name: 'a', labels: { one: label, other: 'b' }, value: 1 }]);
    expect(text.split('\n')).toHaveLength(4);
  });

  test.each([0, -1, 0.1, 1e-7, 2 ** 53, Infinity, -Infinity])('the value %d is read as it was written', (value) => {
    expect(parseMetrics(metricsText([gauge('a', 'A.', value)])).get('a')?.samples[0]?.value).toBe(value);
  });
});

test.each([
  'a 1\n',
  '# HELP a A.\n# TYPE a gauge\n',
  '# HELP a A.\n# TYPE a gauge\na 1',
  '# HELP a A.\n# TYPE a gauge\na 1\na 2\n',
  '# HELP a A.\n# TYPE a counter\na 1\n',
  '# HELP a A.\n# TYPE a gauge\nb 1\n',
  '# HELP a A.\n# TYPE a gauge\na{b="\\x"} 1\n',
  '# HELP a A.\n# TYPE a gauge\na{b="1",b="2"} 1\n',
  '# HELP a A.\n# TYPE a gauge\na NaN\n',
  TEXT + TEXT,
  TEXT.replace('le="+Inf"', 'le="2"'),
  TEXT.replace('le="1"', 'le="0.01"'),
  TEXT.replace('_count{of="a"} 4', '_count{of="a"} 5'),
  TEXT.replace('le="1"} 3', 'le="1"} 1'),
  TEXT.replace('a_duration_seconds_sum', 'a_duration_seconds_total'),
])('the reader of the tests does not take %j', (text) => {
  expect(() => parseMetrics(text)).toThrow(/twice|no |without| in /);
});
