import type { Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import type { LoadService } from '../service/service.ts';
import type { PublicEdge } from './public-edge.ts';

export interface HostOptions {
  /** Name of the process; one process of a name may use a data directory. */
  readonly name: string;
  readonly config: Config;
  readonly log: Logger;
  /** In the order in which they start. */
  readonly services: readonly LoadService[];
  /** See `ProcessOptions`. */
  readonly prepare?: ((infrastructure: Infrastructure) => Promise<void>) | undefined;
  /** See `ProcessOptions`. */
  readonly startsWithoutDatabase?: boolean;
  /** See `ProcessOptions`. */
  readonly supervised?: boolean;
  /** See `ProcessOptions`. */
  readonly isEdge?: boolean;
}

/** Services that run in this process. Disposing drains and stops them. */
export interface Host extends AsyncDisposable {
  readonly infrastructure: Infrastructure;
  /** Absent when no service here has a place on the public port. */
  readonly edge: PublicEdge | undefined;
}
