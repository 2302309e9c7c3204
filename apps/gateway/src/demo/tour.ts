/** One thing the tour shows. */
export interface Step {
  readonly what: string;
  /** The status that shows it; a number is an HTTP status. */
  readonly expected: number | string;
  run(): Promise<Outcome>;
}

export interface Outcome {
  readonly status: number | string;
  /** One line for a person. */
  readonly result: string;
}

const columns = { number: 4, what: 50, status: 11 };
const maxResult = 100;

/**
 * Runs the steps in order and writes each as a row of a table as soon as it has ended. Answers how
 * many went other than expected; such a row says what was expected, and the tour goes on.
 */
export async function runTour(steps: readonly Step[], write: (line: string) => void): Promise<number> {
  let surprises = 0;
  write(row('#', 'step', 'status', 'result'));
  write(row('--', '-'.repeat(columns.what - 2), '------', '------'));
  for (const [index, step] of steps.entries()) {
    const { status, result } = await runStep(step);
    const isSurprise = status !== step.expected;
    if (isSurprise) surprises += 1;
    const remark = isSurprise ? `(expected ${step.expected}) ` : '';
    write(row(String(index + 1), step.what, String(status), `${remark}${oneLine(result)}`));
  }
  return surprises;
}

async function runStep(step: Step): Promise<Outcome> {
  try {
    return await step.run();
  } catch (error) {
    return { status: 'failed', result: error instanceof Error ? error.message : String(error) };
  }
}

const row = (number: string, what: string, status: string, result: string): string =>
  `  ${number.padEnd(columns.number)}${what.padEnd(columns.what)}${status.padEnd(columns.status)}${result}`.trimEnd();

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxResult ? `${line.slice(0, maxResult - 1)}…` : line;
}
