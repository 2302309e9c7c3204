import { proxyCommandEvents } from '@portcullis/contracts/routes/proxy-lifecycle';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { auditEntry, audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import {
  listRuntimeAnswers,
  saveCommand,
  withdrawStart,
  type Commanded,
  type ProxyCommand,
  type RuntimeAnswer,
} from './desired-state-queries.ts';
import { proxyResource } from './proxy-state.ts';
import { unknownProxy } from './proxy-problems.ts';
import { findProxy } from './proxy-queries.ts';
import type { StateReports } from '@portcullis/platform/runtimes/state-reports';

interface ControlParts {
  readonly database: Database;
  readonly reports: StateReports;
  /** How long the runtimes have to follow a command. */
  readonly timeoutMs?: number;
}

/**
 * Carries out a command: writes down what is wanted, then waits until every live runtime has done it.
 * The audit log has the command from the moment it is wanted, and once more, as a failure, when it was not obeyed.
 */
export type ProxyControl = (id: number, command: ProxyCommand, call: AuditedCall) => Promise<void>;

export function createProxyControl({ database, reports, timeoutMs = 10_000 }: ControlParts): ProxyControl {
  const awaitAnswers = async (id: number, revision: number): Promise<readonly RuntimeAnswer[]> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answers = await listRuntimeAnswers(database, id, revision);
      const late = answers.filter(({ state }) => state === null).length;
      if (answers.length > 0 && late === 0) return answers;
      if (performance.now() >= deadline) {
        throw new GatewayError('service_unavailable', {
          message: `${late} of ${answers.length} proxy runtimes have not followed yet. They will as soon as they can`,
        });
      }
      await reports.next();
    }
  };

  const obey = async (id: number, command: ProxyCommand, commanded: Commanded, alive: boolean): Promise<void> => {
    // With no runtime nothing runs, and a runtime that comes finds the wish.
    const answers = alive ? await awaitAnswers(id, commanded.revision) : [];
    const failed = answers.find(({ state }) => state === 'error');
    if (failed !== undefined && command !== 'stop') {
      const error = failed.error ?? 'unknown reason';
      await withdrawStart(database, id, commanded.revision, error);
      throw new GatewayError('conflict', { message: `The proxy could not start: ${error}` });
    }
    checkOutcome(answers, command, commanded);
  };

  return async (id, command, call) => {
    const alive = (await listRuntimeAnswers(database, id, 0)).length > 0;
    if (!alive && command !== 'stop') {
      throw new GatewayError('service_unavailable', { message: 'No proxy runtime is running' });
    }
    const evidence = ({ name }: Commanded) => ({
      event: proxyCommandEvents[command],
      resource: proxyResource({ id, name }),
      action: command,
    });
    const commanded = await audited(
      database,
      call,
      (transaction) => saveCommand(transaction, id, command),
      (commanded) => commanded && evidence(commanded),
    );
    if (commanded === undefined) throw await whyNot(database, id);
    try {
      await obey(id, command, commanded, alive);
    } catch (error) {
      const failure = { ...evidence(commanded), result: 'failure', error_message: problemText(error) } as const;
      await recordAudit(database.kysely, auditEntry(call, failure));
      throw error;
    }
  };
}

async function whyNot(database: Database, id: number): Promise<GatewayError> {
  const proxy = await findProxy(database, id);
  if (proxy === undefined) return unknownProxy(id);
  return new GatewayError('conflict', { message: `The proxy ${JSON.stringify(proxy.name)} is disabled` });
}

/** A later command of another caller may have been obeyed instead. */
function checkOutcome(answers: readonly RuntimeAnswer[], command: ProxyCommand, { name }: Commanded): void {
  const running = answers.filter(({ state }) => state === 'running').length;
  const obeyed = command === 'stop' ? running === 0 : running === answers.length;
  if (obeyed) return;
  const change = command === 'stop' ? 'started' : 'stopped';
  throw new GatewayError('conflict', { message: `The proxy ${JSON.stringify(name)} was ${change} again meanwhile` });
}
