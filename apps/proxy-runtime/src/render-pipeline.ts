import { listenerTypes as types } from '@portcullis/contracts/records';
import type { RequestStage, Row } from '@portcullis/core/pipeline/stage';
import type { Pipeline } from './pipeline.ts';

const title = `# The pipeline

What happens to every request on a proxy port, in this order. Generated from
\`apps/proxy-runtime/src/pipeline.ts\`; the stage names are also the metric label, the field
\`denied_stage\` of the request log and the name in log lines.

\`deny\`: a stage that breaks refuses the request with 500. \`degrade\`: the request goes on without it, and a log line says so.
A stream whose answer has begun is broken off where a status is told for it.
`;

type AnyRow = Row<Pick<RequestStage<never>, 'name' | 'maySkip'>>;

const head = `| stage | ${types.join(' | ')} | on its own fault | refuses with |\n|---|---|---|---|---|`;

const renderRow = ({ stage, on, onFault, status, whileOpen }: AnyRow): string => {
  const marks = types.map((type) => (on.includes(type) ? 'x' : ' ')).join(' | ');
  const note = whileOpen ? ', also while an answer without end is open' : '';
  const fault = stage.maySkip === undefined ? onFault : `${onFault}; degrade where ${stage.maySkip.where}`;
  return `| ${stage.name}${note} | ${marks} | ${fault} | ${status.join(', ')} |`;
};

const renderRows = (heading: string, rows: readonly AnyRow[]): string =>
  `\n## ${heading}\n\n${head}\n${rows.map(renderRow).join('\n')}\n`;

/** Prints the pipeline as the tables of docs/generated/pipeline.md. */
export const renderPipeline = ({ request, forward, response, settle }: Pipeline): string =>
  [
    title,
    renderRows('Request stages', request),
    renderRows('To the target', [forward]),
    renderRows('Response stages', response),
    renderRows('Settle stages: always, also after a denial, a fault or a hang-up', settle),
  ].join('');
