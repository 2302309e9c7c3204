import { promptsAfterBlock, type Examination } from './examine-agent.ts';
import type { Verdict } from './ledger.ts';

/** The table of agents and policies as Markdown, with everything that was found below it. */
export function renderReport(examinations: readonly Examination[], absent: readonly string[]): string {
  const policies = examinations[0]?.verdicts.map(({ policy }) => policy) ?? [];
  const rows = examinations.map((one) => [
    `${one.title} ${one.version}`,
    ...one.verdicts.map((verdict) => (one.undone.length > 0 ? 'not driven' : renderVerdict(verdict))),
    one.undone.length > 0 ? 'not driven' : one.hindered.length === 0 ? 'done' : 'HINDERED',
    one.tellsRefusal ? 'yes' : 'no',
    one.answered === undefined ? 'cannot resume' : `${one.answered} of ${promptsAfterBlock}`,
  ]);
  const table = renderTable(
    ['agent', ...policies, 'tasks with all that passed', 'shows refusals', 'goes on after a block'],
    rows,
  );
  const details = [
    ...examinations.flatMap(({ title, undone }) => undone.map((fault) => `${title} did not do ${fault}`)),
    ...examinations.flatMap(({ title, hindered }) => hindered.map((fault) => `${title} was hindered at ${fault}`)),
    ...absent,
    ...examinations.flatMap(({ title, verdicts }) => verdicts.flatMap((verdict) => renderFindings(title, verdict))),
  ];
  return `${table}\n${details.map((line) => `- ${line}\n`).join('')}`;
}

/** Whether the agents can be used behind the policies. */
export const isPassed = (examinations: readonly Examination[]): boolean =>
  examinations.every(
    ({ undone, hindered, verdicts, answered = promptsAfterBlock }) =>
      answered === promptsAfterBlock &&
      undone.length === 0 &&
      hindered.length === 0 &&
      verdicts.every(({ blocked }) => blocked === 0),
  );

function renderVerdict({ blocked, requests, findings }: Verdict): string {
  if (blocked > 0) return `BLOCKED ${blocked} of ${requests}`;
  const count = (action: string): number => findings.filter((finding) => finding.action === action).length;
  const [redacted, monitored] = [count('redact'), count('monitor')];
  const notes = [
    ...(redacted > 0 ? [`${redacted} redacted`] : []),
    ...(monitored > 0 ? [`${monitored} reported`] : []),
  ];
  return ['passed', ...notes].join(', ');
}

const renderFindings = (title: string, { policy, findings }: Verdict): readonly string[] =>
  findings.map(
    ({ action, rule, location, task }) => `${title}, ${policy}: ${action} \`${rule}\` at ${location} (${task})`,
  );

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
