import type { AuditRecord } from '@portcullis/contracts/audit-events';
import { renderAuditRecord, type AuditEntry } from './audit-entry.ts';

const windowMs = 60_000;
/** Different events within a window that are told apart; an attacker may make up any number. */
const maxKeys = 100;

interface Window {
  readonly endsAtMs: number;
  readonly entry: AuditEntry;
  repeats: number;
}

/**
 * Keeps what a client can cause at will from filling the audit chain: of alike events the first is
 * recorded at once, those that follow within a minute are counted and recorded as one.
 */
export class AuditThrottle {
  readonly #windows = new Map<string, Window>();

  /**
   * Whether this one is to be recorded now. Alike are those of the same key.
   * @param nowMs of a clock that is never set back, or windows would last until it has caught up
   */
  admit(key: string, entry: AuditEntry, nowMs: number): boolean {
    const known = this.#windows.get(key);
    if (known === undefined && this.#windows.size >= maxKeys) return this.#admitOverflow(entry, nowMs);
    return this.#count(key, known, entry, nowMs);
  }

  /** The counted repeats of the windows that have ended, or of all. */
  takeRepeats(nowMs: number): AuditEntry[] {
    const ended = [...this.#windows].filter(([, { endsAtMs }]) => endsAtMs <= nowMs);
    for (const [key] of ended) this.#windows.delete(key);
    return ended.filter(([, { repeats }]) => repeats > 0).map(([, { entry, repeats }]) => describe(entry, repeats));
  }

  /** The same as records for the spool. */
  takeRecords(nowMs: number): AuditRecord[] {
    return this.takeRepeats(nowMs).map((entry) => renderAuditRecord(entry));
  }

  /** What is too much to be told apart becomes one record per event type and window, as severe as the type can be. */
  #admitOverflow({ event_type, result }: AuditEntry, nowMs: number): boolean {
    const entry: AuditEntry = {
      event_type,
      ...(result !== undefined && { result }),
      actor: { type: 'anonymous', id: null, name: null },
      details: { note: `more than ${maxKeys} different ones within a minute` },
    };
    const key = `overflow ${event_type}`;
    this.#count(key, this.#windows.get(key), entry, nowMs);
    return false;
  }

  #count(key: string, known: Window | undefined, entry: AuditEntry, nowMs: number): boolean {
    if (known !== undefined && known.endsAtMs > nowMs) {
      known.repeats += 1;
      return false;
    }
    const repeats = key.startsWith('overflow ') ? 1 : 0;
    // Repeats that have not been taken yet are kept.
    this.#windows.set(key, { endsAtMs: nowMs + windowMs, entry, repeats: repeats + (known?.repeats ?? 0) });
    return true;
  }
}

const describe = (entry: AuditEntry, repeats: number): AuditEntry => ({
  ...entry,
  details: { ...entry.details, repeats },
});
