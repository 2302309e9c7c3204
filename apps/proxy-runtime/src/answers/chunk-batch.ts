import { batchPerTick } from '@portcullis/platform/event-loop/batch-per-tick';

export interface ChunkBatchListener {
  takeChunk(chunk: Buffer): void;
  takeEnd(): void;
  /** The connection has failed. */
  takeError(error: Error): void;
  /** Taking what came has failed. */
  breakDown(error: Error): void;
}

/** What came of an answer in one turn of the event loop waits for its end and is taken together, in order. */
export class ChunkBatch {
  readonly #listener: ChunkBatchListener;
  #chunks: Buffer[] = [];
  #last: 'end' | Error | undefined;
  #waits = false;

  constructor(listener: ChunkBatchListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#wait();
  }

  end(): void {
    this.#last = 'end';
    this.#wait();
  }

  /** What has come before is not lost. */
  fail(error: Error): void {
    if (this.#waits) this.#last = error;
    else this.#listener.takeError(error);
  }

  #wait(): void {
    if (this.#waits) return;
    this.#waits = true;
    batchPerTick(() => this.#take());
  }

  #take(): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#waits = false;
    try {
      for (const chunk of chunks) this.#listener.takeChunk(chunk);
      if (this.#last instanceof Error) this.#listener.takeError(this.#last);
      else if (this.#last === 'end') this.#listener.takeEnd();
    } catch (error) {
      this.#listener.breakDown(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
