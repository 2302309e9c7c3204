import type { Row } from '@portcullis/core/pipeline/stage';
import type { Pipeline } from './pipeline.ts';

const title = `
# The pipeline of agents

What happens to every call of an agent, on whichever surface it comes in: REST, hub, JSON-RPC or HTTP+JSON. Generated from
\`apps/a2a-hub/src/pipeline.ts\`.
`;

type AnyRow = Row<{ readonly name: string }>;

const head = '| stage | on its own fault | refuses with |\n|---|---|---|';

const renderRows = (heading: string, rows: readonly AnyRow[]): string =>
  `\n## ${heading}\n\n${head}\n${rows
    .map(({ stage, onFault, status }) => `| ${stage.name} | ${onFault} | ${status.join(', ')} |`)
    .join('\n')}\n`;

/** Prints the pipeline of the hub as tables of docs/generated/pipeline.md. */
export const renderHubPipeline = ({ request, forward, response, settle }: Pipeline): string =>
  [
    title,
    renderRows('Stages of a call', request),
    renderRows('To the agent', [forward]),
    renderRows('Stages of each event of the answer', response),
    renderRows('Stages at the end of a call: always', settle),
  ].join('');
