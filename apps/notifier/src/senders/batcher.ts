export interface BatcherOptions<Item, Answer> {
  /** Items of one batch, at most. */
  readonly maxItems: number;
  /** Bytes of one batch, at most; an item that is larger goes alone. */
  readonly maxBytes: number;
  readonly bytesOf: (item: Item) => number;
  /** How long the first item of a batch waits for others. */
  readonly lingerMs: number;
  /** Batches under way at once. */
  readonly maxConcurrent: number;
  /** Answers an outcome for each item, in their order. Never rejects. */
  readonly send: (items: readonly Item[], signal: AbortSignal) => Promise<readonly Answer[]>;
}

/** Sends one item together with others that come at the same time. Never rejects. */
export type SendBatched<Item, Answer> = (item: Item, signal: AbortSignal) => Promise<Answer>;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
}

/**
 * Gathers what is sent one by one into batches: bounded in number, in bytes and in time. While as many are under way as may be,
 * what comes waits and fills the next one. Whoever sends waits for the outcome, so no more is held than is sent at once.
 */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): SendBatched<Item, Answer> {
  const { maxItems, maxBytes, bytesOf, lingerMs, maxConcurrent, send } = options;
  const waiting: Waiting<Item, Answer>[] = [];
  let waitingBytes = 0;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  const take = (): Waiting<Item, Answer>[] => {
    let count = 0;
    let bytes = 0;
    for (const one of waiting) {
      if (count === maxItems || (count > 0 && bytes + one.bytes > maxBytes)) break;
      count += 1;
      bytes += one.bytes;
    }
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (let free = maxConcurrent - running; free > 0 && waiting.length > 0; free -= 1) void run(take());
  };

  const run = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    running += 1;
    const answers = await send(
      batch.map(({ item }) => item),
      first.signal,
    );
    running -= 1;
    for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer);
    if (waiting.length > 0) flush();
  };

  return (item, signal) =>
    new Promise((resolve) => {
      const bytes = bytesOf(item);
      waiting.push({ item, bytes, signal, resolve });
      waitingBytes += bytes;
      if (waiting.length >= maxItems || waitingBytes >= maxBytes) flush();
      else timer ??= setTimeout(flush, lingerMs);
    });
}
