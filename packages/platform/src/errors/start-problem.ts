/** Why the process cannot start, as one sentence for the operator. Printed without a stack. */
export class StartProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartProblem';
  }
}
