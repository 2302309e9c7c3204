import { DatabaseUnavailable } from './database-unavailable.ts';

/** Asks for many at once; answers in the order of the items. */
type AskAll<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

interface Waiting<Item, Answer> extends PromiseWithResolvers<Answer> {
  readonly item: Item;
}

/**
 * One statement for what many ask for at about the same time: those of one turn of the event loop, and those that come
 * while the statement before is under way. A statement costs as much as many rows, on both sides of the connection.
 */
export class BatchedStatement<Item, Answer> {
  readonly #askAll: AskAll<Item, Answer>;
  readonly #maxItems: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #isUnderWay = false;

  constructor(askAll: AskAll<Item, Answer>, maxItems = 100) {
    this.#askAll = askAll;
    this.#maxItems = maxItems;
  }

  /** Fails as the statement does: where the database refuses it, with its own refusal alone. */
  ask(item: Item): Promise<Answer> {
    const waiting = { item, ...Promise.withResolvers<Answer>() };
    this.#waiting.push(waiting);
    if (!this.#isUnderWay) {
      this.#isUnderWay = true;
      setImmediate(() => void this.#run());
    }
    return waiting.promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#settle(this.#waiting.splice(0, this.#maxItems));
    this.#isUnderWay = false;
  }

  async #settle(asked: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askAll(asked.map(({ item }) => item));
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (asked.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of asked) reject(error);
      // One of them is refused for what it is, and the others with it.
      else for (const one of asked) await this.#settle([one]);
    }
  }
}
