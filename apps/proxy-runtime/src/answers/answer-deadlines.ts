/** The bounds in time of one answer. */
export class AnswerDeadlines {
  readonly #onPassed: (problem: string) => void;
  #whole: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;

  /** @param onPassed told, for the log, which bound the answer has passed */
  constructor(onPassed: (problem: string) => void) {
    this.#onPassed = onPassed;
  }

  /** From now to its last byte. */
  boundWhole(ms: number): void {
    this.#whole = setTimeout(this.#onPassed, ms, 'its answer took too long').unref();
  }

  /** From one of its chunks to the next. */
  boundPauses(ms: number): void {
    this.#pause = setTimeout(this.#onPassed, ms, 'its answer paused for too long').unref();
  }

  /** A chunk has come. */
  refresh(): void {
    this.#pause?.refresh();
  }

  clear(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#pause);
  }
}
