interface LatestReportParts<Report> {
  readonly send: (report: Report) => Promise<void>;
  /** Told when a report could not be sent: it is sent again a moment later. */
  readonly onFault: (error: unknown) => void;
  readonly againAfterMs?: number;
}

/** Sees to it that what was reported last is what the others read: one report at a time, the newest last. */
export class LatestReport<Report> {
  readonly #parts: LatestReportParts<Report>;
  #latest: Report | undefined;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LatestReportParts<Report>) {
    this.#parts = parts;
  }

  get value(): Report | undefined {
    return this.#latest;
  }

  get isUnderWay(): boolean {
    return this.#sending !== undefined;
  }

  /** Resolves when it is sent, or has failed once. */
  put(report: Report): Promise<void> {
    this.#latest = report;
    return this.sendAgain();
  }

  sendAgain(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Sends nothing more; resolves when nothing is under way. */
  async end(): Promise<void> {
    this.#latest = undefined;
    await this.#sending;
    clearTimeout(this.#timer);
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    const sent = this.#latest;
    if (sent === undefined) return;
    const { send, onFault, againAfterMs = 1_000 } = this.#parts;
    try {
      await send(sent);
      // There may be news meanwhile.
      if (this.#latest !== sent) await this.#send();
    } catch (error) {
      onFault(error);
      this.#timer = setTimeout(() => void this.sendAgain(), againAfterMs).unref();
    }
  }
}
