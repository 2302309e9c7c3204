import type { ProxyType } from '@portcullis/core/pipeline/stage';
import type { Pipeline } from './pipeline.ts';

const protocols: readonly ProxyType[] = ['llm', 'mcp'];

const title = `# The pipeline

What happens to every request on a proxy port, in this order. Generated from
\`apps/proxy-runtime/src/pipeline.ts\`; the stage names are also the metric label, the field
\`denied_stage\` of the request log and the name in log lines.
`;

interface Row {
  readonly name: string;
  readonly on: readonly ProxyType[];
  readonly onFault?: string;
}

const renderRows = (heading: string, rows: readonly Row[]): string => {
  const lines = rows.map(({ name, on, onFault }) => {
    const marks = protocols.map((protocol) => (on.includes(protocol) ? 'x' : ' ')).join(' | ');
    return `| ${name} | ${marks} | ${onFault ?? 'goes on'} |`;
  });
  return `\n## ${heading}\n\n| stage | ${protocols.join(' | ')} | on its own fault |\n|---|---|---|---|\n${lines.join('\n')}\n`;
};

/** Prints the pipeline as the tables of docs/generated/pipeline.md. */
export const renderPipeline = (pipeline: Pipeline): string =>
  [
    title,
    renderRows('Request stages', pipeline.request),
    '\nThen the request is forwarded (stage name `forward`), and the answer passes\n',
    renderRows('Response stages', pipeline.response),
    renderRows('Settle stages: always, also after a denial, a fault or a hang-up', pipeline.settle),
  ].join('');
