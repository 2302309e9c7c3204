import type { Secret } from '../../config/secret.ts';
import type { EmbeddedServer } from '../embedded/embedded-server.ts';
import type { Logger } from '../../log/logger.ts';

export interface DatabaseOptions {
  /** PostgreSQL server; without it the embedded one runs on files under `dataDirectory`. */
  readonly url?: Secret | undefined;
  readonly dataDirectory: string;
  /** The embedded one, where it is starting already; it is closed with the database. */
  readonly embedded?: EmbeddedServer | undefined;
  /** Connections to a server at most. The embedded one always has a single session. */
  readonly maxConnections: number;
  /** A query that takes longer is given up, by a server too. */
  readonly queryTimeoutMs: number;
  /** How long a query waits for a connection, free or new. */
  readonly connectTimeoutMs?: number;
  /** How often the embedded one makes a checkpoint, behind which its log is dropped. */
  readonly checkpointMs?: number;
  /** Told how long each query took, also a failed one. */
  readonly onQuery?: (durationMs: number) => void;
  readonly log: Logger;
}

export const defaultConnectTimeoutMs = 5_000;
