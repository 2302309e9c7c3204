/** A command that is sent to Redis together with others. */
export interface BatchCommand<Answer> {
  /** The function of the script that answers it. */
  readonly kind: 'take' | 'give' | 'count' | 'reserve' | 'settle';
  readonly keys: readonly string[];
  /** Its arguments beside the keys, as of the moment when it is sent. */
  args(): readonly number[];
  /** The answer, from the text that the script returns. */
  read(text: string): Answer;
  /** An answer that came when no caller waited for it any more. */
  readLate?(text: string): void;
  /** Called once for each batch with how many turns of the timer were over when the answer came or was given up. */
  readonly onReply?: (turnsTaken: number) => void;
}

interface PendingCommand {
  readonly command: BatchCommand<unknown>;
  readonly answer: (text: string) => void;
  readonly fail: (error: unknown) => void;
}

/** Commands that are sent to Redis as one script call, and the callers that wait for their answers. */
export class CommandBatch {
  readonly begunAt = performance.now();
  /** Settled with what Redis replies, in time or late. */
  readonly reply = Promise.withResolvers<string>();
  readonly keys: string[] = [];
  readonly #pending: PendingCommand[] = [];
  #isOver = false;

  get size(): number {
    return this.#pending.length;
  }

  /** No caller waits for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The commands in their order, as the script reads them. */
  render(): string {
    const all = this.#pending.flatMap(({ command }) => {
      const args = command.args();
      return [command.kind, command.keys.length, args.length, ...args];
    });
    return JSON.stringify(all);
  }

  add<Answer>(command: BatchCommand<Answer>): Promise<Answer> {
    this.keys.push(...command.keys);
    return new Promise((resolve, reject) => {
      const answer = (text: string): void => resolve(command.read(text));
      this.#pending.push({ command, answer, fail: reject });
    });
  }

  /** It is one answer of Redis, however many wait for it: a listener for several of them is called once. */
  notifyReply(turnsTaken: number): void {
    const listeners = new Set(this.#pending.map(({ command }) => command.onReply));
    for (const listener of listeners) listener?.(turnsTaken);
  }

  /** @param reply the answers in the order of their commands */
  answer(reply: string): void {
    this.#isOver = true;
    const answers = reply.split(';');
    this.#pending.forEach(({ answer, fail }, at) => {
      try {
        answer(checkAnswer(answers[at]));
      } catch (error) {
        fail(error);
      }
    });
  }

  fail(error: unknown): void {
    this.#isOver = true;
    for (const command of this.#pending) command.fail(error);
  }

  answerLate(reply: string): void {
    const answers = reply.split(';');
    this.#pending.forEach(({ command }, at) => {
      const answer = answers[at];
      if (answer !== undefined && !answer.startsWith(refusal)) command.readLate?.(answer);
    });
  }
}

/** What begins an answer that is none. */
const refusal = '!';

function checkAnswer(answer: string | undefined): string {
  if (answer === undefined || answer.startsWith(refusal)) throw new Error(`Redis refuses: ${answer?.slice(1)}`);
  return answer;
}
