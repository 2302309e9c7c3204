import type { AuditedCall } from '@portcullis/platform/audit/audited';
import type { Database } from '@portcullis/platform/database/database';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { checkHostOrThrow, withNote } from '@portcullis/platform/network/check-host';
import type { ProxyCommand } from './desired-state-queries.ts';
import type { ProxyControl } from './proxy-control.ts';
import { findProxy } from './proxy-queries.ts';

/** Starts, stops or restarts a proxy, and answers what to tell its admin. @throws {GatewayError} */
export type CommandProxy = (id: number, command: ProxyCommand, call: AuditedCall) => Promise<string>;

const done = { start: 'Proxy started', stop: 'Proxy stopped', restart: 'Proxy restarted' } as const;

export const createCommandProxy =
  (database: Database, control: ProxyControl, rule: AddressRule): CommandProxy =>
  async (id, command, call) => {
    const note = command === 'stop' ? undefined : await checkTargetOrThrow(database, id, rule);
    await control(id, command, call);
    return withNote(done[command], note);
  };

/** A target that could be reached when it was saved may lead elsewhere by now, or the settings do. */
async function checkTargetOrThrow(database: Database, id: number, rule: AddressRule): Promise<string | undefined> {
  const proxy = await findProxy(database, id);
  return proxy && checkHostOrThrow(proxy.target, rule);
}
