import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { createGuardedConnector } from '@portcullis/platform/network/guarded-connector';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { CallLimits } from './call-limits.ts';

export interface ConnectionOptions extends AddressRule {
  /** To one agent at most. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly lookup?: LookupFunction;
}

/** Connections to agents, kept alive for each origin. Every address is checked when a connection is made. */
export const openAgentConnections = (
  { connections, connectTimeoutMs, ...rule }: ConnectionOptions,
  limits: CallLimits,
): Dispatcher =>
  new Agent({
    connections,
    pipelining: 1,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connect: createGuardedConnector({ ...rule, connectTimeoutMs }),
  });
