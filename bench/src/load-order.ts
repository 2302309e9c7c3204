type Headers = Readonly<Record<string, string>>;

/** Where requests go: always 127.0.0.1. */
export interface Target {
  readonly port: number;
  readonly path: string;
  /** Authority (PEM) of the certificate that the port shows; in clear without. */
  readonly ca?: string;
  /** Own headers of each caller; requests come from one after the other. Never empty. */
  readonly callers: readonly Headers[];
}

/** One closed loop: each connection sends its next request when the answer to the last is complete. */
export interface LoadOrder {
  readonly target: Target;
  readonly connections: number;
  readonly maxRequests: number;
  readonly maxMs: number;
  /** When given, answers are streams of exactly this many stamped chunks. */
  readonly chunks?: number;
}

export interface Percentiles {
  readonly p50Micros: number;
  readonly p99Micros: number;
  readonly maxMicros: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly elapsedMs: number;
  /** From the request's first byte sent to the answer's last byte received. */
  readonly latency: Percentiles;
  readonly stream?: StreamResult;
}

/** What the generator says to an order. */
export type LoadAnswer = { readonly result: LoadResult } | { readonly error: string };

export interface StreamResult {
  readonly chunks: number;
  /** From the request's first byte sent to the first chunk received. */
  readonly firstToken: Percentiles;
  /** From the moment the upstream wrote a chunk to the moment it arrived. */
  readonly chunkDelay: Percentiles;
}
