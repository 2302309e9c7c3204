import { createMetrics } from '../packages/platform/src/metrics/metrics.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/metrics.md: the metrics of the gateway, printed from the registry itself.

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly labelNames: readonly string[];
}

const families = (createMetrics().registry.getMetricsAsArray() as unknown as Family[]).filter(({ name }) =>
  name.startsWith('gateway_'),
);
const labels = ({ labelNames }: Family) => labelNames.map((label) => `\`${label}\``).join(', ');
const sums: Readonly<Record<string, string>> = { sum: 'sum', max: 'greatest' };
const row = (family: Family) =>
  `| \`${family.name}\` | ${family.type} | ${labels(family)} | ${sums[family.aggregator] ?? family.aggregator} | ${family.help} |`;

saveGenerated(
  'docs/generated/metrics.md',
  `# Metrics

What \`GET /api/v1/metrics/prometheus\` tells, beside what prom-client tells of every process (\`process_*\`,
\`nodejs_*\`). One management process tells the figures of all processes together; the column says how.

| Name | Type | Labels | Of several processes | Meaning |
|---|---|---|---|---|
${families
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map(row)
  .join('\n')}
`,
);
