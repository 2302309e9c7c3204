/** One thing the tour shows. @template State what the steps hand to those that follow */
export interface Step<State = void> {
  readonly what: string;
  /** The status that shows it; a number is an HTTP status. */
  readonly expected: number | string;
  run(state: State): Promise<Outcome>;
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
export async function runTour<State = void>(
  steps: readonly Step<State>[],
  write: (line: string) => void,
  state: State,
): Promise<number> {
  let surprises = 0;
  write(row('#', 'step', 'status', 'result'));
  write(row('--', '-'.repeat(columns.what - 2), '------', '------'));
  for (const [index, step] of steps.entries()) {
    const { status, result } = await runStep(step, state);
    const isSurprise = status !== step.expected;
    if (isSurprise) surprises += 1;
    const remark = isSurprise ? `(expected ${step.expected}) ` : '';
    write(row(String(index + 1), step.what, String(status), `${remark}${oneLine(result)}`));
  }
  return surprises;
}

async function runStep<State>(step: Step<State>, state: State): Promise<Outcome> {
  try {
    return await step.run(state);
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
