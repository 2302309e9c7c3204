import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Infrastructure } from './infrastructure.ts';

/**
 * One part of the gateway. A service is handed its infrastructure and never listens on the public
 * port, reads the environment or opens a pool itself, so that one process and many run the same code.
 */
export interface Service extends AsyncDisposable {
  readonly name: string;
  /** Handler for the public HTTP edge, when the service has one. */
  readonly http?: RequestListener;
  /** Handler for WebSocket upgrades on the public edge. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  start(): Promise<void>;
  /** What health reports of this service, computed on each call and cheap. */
  health(): ServiceHealth;
}

export interface ServiceHealth {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  /** One line per component, for example `spool: disk full`. Empty when healthy. */
  readonly problems: readonly string[];
}

export type ServiceFactory = (infrastructure: Infrastructure) => Service;
