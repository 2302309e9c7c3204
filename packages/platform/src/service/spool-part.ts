import type { SpoolRecord } from '@portcullis/contracts/records';
import type { ServicePart } from './service-part.ts';
import type { Spool, SpoolState } from '../spool/spool.ts';

/** A spool that is opened when its service starts, for the parts that are made before and append once it has. */
export class SpoolPart implements Spool, ServicePart {
  readonly #open: () => Promise<Spool>;
  #spool: Spool | undefined;

  constructor(open: () => Promise<Spool>) {
    this.#open = open;
  }

  async start(): Promise<void> {
    this.#spool = await this.#open();
  }

  append(records: readonly SpoolRecord[], written?: () => void): void {
    this.#opened.append(records, written);
  }

  state(): SpoolState {
    return this.#opened.state();
  }

  drained(timeoutMs: number): Promise<void> {
    return this.#opened.drained(timeoutMs);
  }

  problems(): readonly string[] {
    const state = this.#spool?.state();
    return state?.status === 'degraded' ? [`spool: ${state.reason}`] : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool?.[Symbol.asyncDispose]();
  }

  get #opened(): Spool {
    if (this.#spool === undefined) throw new Error('The spool is not open yet');
    return this.#spool;
  }
}
