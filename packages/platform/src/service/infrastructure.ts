import type { Logger } from 'winston';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Database } from '../database/database.ts';
import type { LocalModels } from '../guardrails/local-models/local-models.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Encryption } from '../security/encryption.ts';
import type { Spool } from '../spool/spool.ts';
import type { Tls } from '../tls/tls.ts';
import type { ProcessSecrets } from '../process/secrets.ts';

/** What every service gets from the process that hosts it. */
export interface Infrastructure {
  readonly config: Config & ProcessSecrets;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly coordination: Coordination;
  readonly encryption: Encryption;
  readonly tls: Tls;
  /** Shared, since a model takes much memory. */
  readonly localModels: LocalModels;
  /** Existing folder for the process' files. */
  readonly dataDirectory: string;
  /** Opens the spool of a service under the data directory; one per service name. */
  openSpool(service: string): Promise<Spool>;
  /** Identity of this process among the replicas, a UUID made at start. */
  readonly instanceId: string;
}
