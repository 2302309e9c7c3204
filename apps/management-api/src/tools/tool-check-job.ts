import { changeConfig } from '@portcullis/platform/database/change-config';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Logger } from '@portcullis/platform/log/logger';
import { findProxy } from '../proxies/proxy-queries.ts';
import { loadSettings } from '../settings/setting-store.ts';
import { auditToolSync } from './audit-tool-sync.ts';
import { claimDueProxies, hasTools, markChecked } from './check-queries.ts';
import { checkTarget, type TakeOver } from './check-target.ts';
import { hasObservations, applyObservations } from './apply-observations.ts';
import { watchedProxy } from './sync-tools.ts';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';

interface ToolCheckJobOptions {
  readonly infrastructure: Infrastructure;
  readonly scanner: DefinitionScanner;
  readonly log: Logger;
  readonly intervalMs?: number;
}

/** Targets that are asked beside each other. */
const concurrency = 5;

/**
 * Settles what traffic showed of tools, and asks the targets whose time has come, again and again until
 * it is disposed. Any number of processes may do this.
 */
export function startToolCheckJob({
  infrastructure,
  scanner,
  log,
  intervalMs = 1_000,
}: ToolCheckJobOptions): AsyncDisposable {
  const { database } = infrastructure;
  const parts = { ...infrastructure, scanner };

  const check = async (proxyId: number): Promise<void> => {
    const proxy = await findProxy(database, proxyId);
    if (proxy === undefined) return;
    const takeOver: TakeOver = (take) =>
      changeConfig(database, async (transaction) => {
        const applied = await take({ kysely: transaction });
        await auditToolSync({ kysely: transaction }, watchedProxy(proxy), applied, 'monitor');
        return applied;
      });
    await checkTarget(proxy, 'monitor', parts, takeOver).catch(async (error: unknown) => {
      log.warn('tools could not be compared', { proxy_id: proxyId, reason: problemText(error) });
      await markChecked(database, proxyId, problemText(error));
    });
  };
  const keep = async (): Promise<void> => {
    const [seen, known] = await Promise.all([hasObservations(database), hasTools(database)]);
    if (seen) while ((await applyObservations(parts)) > 0);
    if (!known) return;
    const { mcp_monitoring: monitoring } = await loadSettings(database);
    if (!monitoring.enabled) return;
    const due = await claimDueProxies(database, monitoring.interval_minutes, concurrency);
    await Promise.all(due.map(check));
  };
  const onFault = (error: unknown) => void log.warn('tools could not be watched', { reason: problemText(error) });
  return runEvery(keep, { intervalMs, onFault, later: true });
}
