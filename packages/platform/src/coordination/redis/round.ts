/** What Redis is asked together with others. */
export interface Question<Answer> {
  /** The function of the script that answers it. */
  readonly kind: 'take' | 'give' | 'count' | 'reserve' | 'settle';
  readonly keys: readonly string[];
  /** What the function is told beside the keys, as of the moment when it is asked. */
  words(): readonly number[];
  /** The answer, from the words of the script. */
  read(text: string): Answer;
  /** An answer that came when no caller waited for it any more. */
  readLate?(text: string): void;
  /** Told once a round how many turns of the timer were over when the answer came or was given up. */
  readonly tell?: (turnsTaken: number) => void;
}

interface Asker {
  readonly question: Question<unknown>;
  readonly answer: (text: string) => void;
  readonly fail: (error: unknown) => void;
}

/** Questions that are put to Redis as one command, and those who wait for the answers. */
export class Round {
  readonly begunAt = performance.now();
  /** Settled with what Redis replies, in time or late. */
  readonly reply = Promise.withResolvers<string>();
  readonly keys: string[] = [];
  readonly #askers: Asker[] = [];
  #isOver = false;

  get size(): number {
    return this.#askers.length;
  }

  /** No caller waits for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The questions in their order, as the script reads them. */
  render(): string {
    const all = this.#askers.flatMap(({ question }) => {
      const words = question.words();
      return [question.kind, question.keys.length, words.length, ...words];
    });
    return JSON.stringify(all);
  }

  add<Answer>(question: Question<Answer>): Promise<Answer> {
    this.keys.push(...question.keys);
    return new Promise((resolve, reject) => {
      const answer = (text: string): void => resolve(question.read(text));
      this.#askers.push({ question, answer, fail: reject });
    });
  }

  /** It is one answer of Redis, however many wait for it: who listens for several of them hears of it once. */
  tell(turnsTaken: number): void {
    const listeners = new Set(this.#askers.map(({ question }) => question.tell));
    for (const listener of listeners) listener?.(turnsTaken);
  }

  /** @param reply the answers in the order of their questions */
  answer(reply: string): void {
    this.#isOver = true;
    const answers = reply.split(';');
    this.#askers.forEach(({ answer, fail }, at) => {
      try {
        answer(checkAnswer(answers[at]));
      } catch (error) {
        fail(error);
      }
    });
  }

  fail(error: unknown): void {
    this.#isOver = true;
    for (const asker of this.#askers) asker.fail(error);
  }

  answerLate(reply: string): void {
    const answers = reply.split(';');
    this.#askers.forEach(({ question }, at) => {
      const answer = answers[at];
      if (answer !== undefined && !answer.startsWith(refusal)) question.readLate?.(answer);
    });
  }
}

/** What begins an answer that is none. */
const refusal = '!';

function checkAnswer(answer: string | undefined): string {
  if (answer === undefined || answer.startsWith(refusal)) throw new Error(`Redis refuses: ${answer?.slice(1)}`);
  return answer;
}
