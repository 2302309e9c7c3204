import { Agent, fetch as send } from 'undici';
import type { AddressRule } from '../network/address-guard.ts';
import { createGuardedConnector } from '../network/guarded-connector.ts';

/** Connections to endpoints that are evaluated. */
export interface EndpointConnections extends AsyncDisposable {
  /** Only where the gateway may connect to. */
  readonly guarded: typeof fetch;
  /** For proxies of the gateway itself, whose addresses no user has chosen. */
  readonly own: typeof fetch;
}

const connectTimeoutMs = 10_000;
/** To one endpoint; evaluations have at most ten requests under way, and several may have the same one. */
const connections = 64;

export function createEndpointConnections(rule: AddressRule): EndpointConnections {
  const open = (allowed: AddressRule): Agent =>
    new Agent({ connections, connect: createGuardedConnector({ ...allowed, connectTimeoutMs }) });
  const agents = { guarded: open(rule), own: open({ allowPrivate: true }) };
  // The types of undici and of the platform differ in what they call the same.
  const through = (dispatcher: Agent): typeof fetch =>
    ((url: string, init: object) => send(url, { ...init, dispatcher })) as unknown as typeof fetch;
  return {
    guarded: through(agents.guarded),
    own: through(agents.own),
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.guarded.destroy(), agents.own.destroy()]);
    },
  };
}
