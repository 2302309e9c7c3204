import type { ErrorReason } from '@portcullis/contracts/errors';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { fingerprintTools } from '../tools/fingerprint-tools.ts';
import { recheckCaller } from '../identity/recheck-caller.ts';
import { hasSameChecks } from './same-checks.ts';

/** What stays open without end: a stream on which only the server speaks, or a socket. */
export interface StandingStream {
  /** Of the request that opened it. */
  readonly exchange: Exchange;
  /** Ends it in good order, soon. */
  readonly leave: () => void;
  /** Ends it at once: its client may not have it any more. */
  readonly expel: (reason: ErrorReason) => void;
  /** Tells the client that other tools are open to it now, if it listens. */
  readonly announceTools: () => void;
  /** Ends it, since other policies judge answers now; absent where each message is judged by those of its time. */
  readonly outdate?: () => void;
  /** Tells those who still wait for answers that none come, and ends it; absent where the exchanges of the port do. */
  readonly breakOff?: (denial: Denial) => void;
  /** Cuts it; absent where the server of the port does. */
  readonly cut?: () => void;
}

interface OpenStream extends StandingStream {
  /** Of the tools that its client may see. */
  tools: string;
}

/** Longest time that a timer can wait. */
const maxTimerMs = 2_147_483_647;

/**
 * Streams and sockets of one proxy port that stay open without end. They live on what was decided when they were
 * opened, so they are told when that changes: the port closes, a key is revoked or expires, access is taken
 * away, or other tools are open. What the server says unasked obeys the newest snapshot.
 */
export class StandingStreams {
  readonly #open = new Set<OpenStream>();
  readonly #currentSnapshot: () => Snapshot;
  #timer: NodeJS.Timeout | undefined;
  /** When the first key of these streams expires. */
  #expiresAtMs = Number.POSITIVE_INFINITY;

  constructor(currentSnapshot: () => Snapshot) {
    this.#currentSnapshot = currentSnapshot;
  }

  /**
   * It may be expelled before this returns.
   * @returns to be called when it has ended
   */
  add(stream: StandingStream): () => void {
    const { proxy, access, key, user, certificate, snapshot } = stream.exchange;
    const open = { ...stream, tools: fingerprintTools(proxy.tools, access?.tools, key?.tools) };
    this.#open.add(open);
    this.#expireAt((key ?? user?.claims ?? certificate)?.expiresAtMs);
    // It was decided about by a snapshot that may not be the newest any more.
    if (snapshot !== this.#currentSnapshot()) this.#look(open);
    return () => {
      this.#open.delete(open);
      if (this.#open.size === 0) this.#forgetTimer();
    };
  }

  endAll(): void {
    for (const { leave } of this.#open) leave();
  }

  breakOffAll(denial: Denial): void {
    for (const { breakOff } of this.#open) breakOff?.(denial);
  }

  cutAll(): void {
    for (const { cut } of this.#open) cut?.();
  }

  /** The configuration has changed, or a key has expired. */
  reconsider(): void {
    this.#forgetTimer();
    for (const stream of this.#open) this.#look(stream);
  }

  #look(stream: OpenStream): void {
    const standing = recheckCaller(stream.exchange, this.#currentSnapshot(), Date.now());
    if (standing.problem !== undefined) return stream.expel(standing.problem);
    this.#expireAt(standing.expiresAtMs);
    const { exchange } = stream;
    const isAlike = hasSameChecks(exchange.proxy, standing.proxy, exchange.group?.id);
    exchange.proxy = standing.proxy;
    exchange.access = standing.access;
    exchange.key = standing.key;
    if (!isAlike && stream.outdate !== undefined) return stream.outdate();
    const tools = fingerprintTools(standing.proxy.tools, standing.access.tools, standing.key?.tools);
    if (tools === stream.tools) return;
    stream.tools = tools;
    stream.announceTools();
  }

  #expireAt(atMs = Number.POSITIVE_INFINITY): void {
    if (atMs >= this.#expiresAtMs) return;
    clearTimeout(this.#timer);
    this.#expiresAtMs = atMs;
    const waitMs = Math.min(Math.max(1, atMs - Date.now()), maxTimerMs);
    this.#timer = setTimeout(() => this.reconsider(), waitMs).unref();
  }

  #forgetTimer(): void {
    clearTimeout(this.#timer);
    this.#expiresAtMs = Number.POSITIVE_INFINITY;
  }
}
