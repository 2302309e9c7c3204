import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Infrastructure } from './infrastructure.ts';

/**
 * One part of the gateway. A service is handed its infrastructure and never listens on the public
 * port, reads the environment or opens a pool itself, so that one process and many run the same code.
 */
export interface Service extends AsyncDisposable {
  readonly name: string;
  /** Its places on the public port; none unless given. */
  readonly mounts?: readonly Mount[];
  /** It opens ports beside the public one. */
  readonly opensPorts?: true;
  start(): Promise<void>;
  /** What health reports of this service, computed on each call and cheap. */
  health(): ServiceHealth;
}

/** A place on the public port: a path and all below it. Where several fit a request, the longest prefix has it. */
export interface Mount {
  /** For example `/api/v1/agents`; `/` takes what no other mount does. The path that a handler sees is the whole one. */
  readonly prefix: string;
  readonly http?: RequestListener;
  /** Handler of WebSocket upgrades. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** What its pages may load and run; nothing unless given. */
  readonly contentSecurityPolicy?: string;
}

export interface ServiceHealth {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  /** One line per component, for example `spool: disk full`. Empty when healthy. */
  readonly problems: readonly string[];
}

export type ServiceFactory = (infrastructure: Infrastructure) => Service;

/** Reads the sources of a service, unless they have been read. */
export type LoadService = () => Promise<ServiceFactory>;
