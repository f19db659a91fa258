/** The reader of metrics that the tests have. */
import { expect, test } from 'vitest';
import { parseMetrics } from './parse.ts';

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

test('it reads what Prometheus reads', () => {
  expect([...parseMetrics(TEXT).keys()]).toEqual(['a_total', 'a_duration_seconds', 'a_bytes']);
});

test.each([
  'a 1\n',
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
