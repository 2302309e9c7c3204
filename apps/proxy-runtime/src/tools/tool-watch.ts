import { randomUUIDv7 } from 'node:crypto';
import type { SpoolRecord, ToolObservationRecord } from '@portcullis/contracts/records';
import { bucketRuleFor } from '@portcullis/core/rate-limit/token-bucket';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';

export type ToolObservation = Pick<
  ToolObservationRecord,
  'proxy_id' | 'request_id' | 'subject' | 'name' | 'hash' | 'definition'
>;

/** What is still the same is told again after a while: listeners may have missed it. */
const reportAgainMs = 600_000;
const maxRemembered = 20_000;
/** A target that offers something else every time is not to fill the spool: at once, then one a second. */
const observationRule = bucketRuleFor(1_000);

const nameOf = (proxyId: number, name: string): string => `${proxyId} ${name}`;

/**
 * What traffic of this process showed of tools, beside what the snapshot says: it takes a moment until
 * every runtime knows of a change, and no client may call a changed tool meanwhile.
 */
export class ToolWatch {
  readonly #append: (records: readonly SpoolRecord[]) => void;
  readonly #buckets = createInProcessBuckets();
  /** Hashes that were seen last, of tools that differ from what is known. */
  readonly #differing = new Map<string, string>();
  readonly #reported = new Map<string, { readonly hash: string; readonly atMs: number }>();

  /** @param append takes what is to be recorded at once: the exchange may be a stream of hours */
  constructor(append: (records: readonly SpoolRecord[]) => void) {
    this.#append = append;
  }

  /** The tool as traffic showed it last is not the one with this hash. */
  differs(proxyId: number, name: string, hash: string): boolean {
    const seen = this.#differing.get(nameOf(proxyId, name));
    return seen !== undefined && seen !== hash;
  }

  /** A tool that is known was seen. */
  remember(proxyId: number, name: string, seen: string, known: string): void {
    if (seen === known) this.#differing.delete(nameOf(proxyId, name));
    else this.#differing.set(nameOf(proxyId, name), seen);
  }

  /** Tells of something that is not as it is known, unless it did so a moment ago, however the clock is set. */
  report(observation: ToolObservation, nowMs = performance.now()): void {
    const key = `${observation.subject} ${nameOf(observation.proxy_id, observation.name)}`;
    const last = this.#reported.get(key);
    if (last !== undefined && last.hash === observation.hash && nowMs - last.atMs < reportAgainMs) return;
    if (last === undefined && this.#reported.size >= maxRemembered) return;
    if (!this.#buckets.take(String(observation.proxy_id), observationRule).allowed) return;
    this.#reported.set(key, { hash: observation.hash, atMs: nowMs });
    this.#append([
      { kind: 'tool_sighting', event_id: randomUUIDv7(), timestamp: new Date().toISOString(), ...observation },
    ]);
  }

  /** All is as it is known. */
  forget(subject: ToolObservation['subject'], proxyId: number, name: string): void {
    if (this.#reported.size > 0) this.#reported.delete(`${subject} ${nameOf(proxyId, name)}`);
  }
}
