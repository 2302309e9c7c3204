import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { SystemEvent } from '@portcullis/contracts/live-events';
import type { Bus } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { recordEvents } from '@portcullis/platform/deliveries/record-events';
import { systemEvent } from '@portcullis/platform/deliveries/system-event';
import type { GuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import type { GuardrailQuestion } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import { openGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { findDueProviders, saveHealth, type DueProvider } from './provider-queries.ts';

export interface ProbeParts {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly client: GuardrailClient;
  readonly bus: Bus;
  readonly log: Logger;
  /** How often each provider is asked. */
  readonly everyMs: number;
  /** How often is looked which of them are due. */
  readonly lookEveryMs?: number;
}

/** What no provider has a reason to flag. */
export const greeting: GuardrailQuestion = { direction: 'request', messages: [{ role: 'user', text: 'Hello' }] };

/**
 * Asks the enabled providers that judge some traffic about a harmless text, each every so often, until it
 * is disposed. Of several processes one asks. A change of health is an event and a line of the log.
 */
export function startProviderProbes(parts: ProbeParts): AsyncDisposable {
  const { database, log, everyMs, lookEveryMs = Math.min(everyMs, 60_000) } = parts;
  const look = async (): Promise<void> => {
    const due = await findDueProviders(database, new Date(Date.now() - everyMs));
    await Promise.all(due.map((provider) => probe(provider, parts)));
  };
  return runEvery(look, {
    intervalMs: lookEveryMs,
    onFault: (error) => void log.warn('Providers could not be asked', { reason: problemText(error) }),
  });
}

async function probe(provider: DueProvider, { database, encryption, client, bus, log }: ProbeParts): Promise<void> {
  const { error, latencyMs, verdict } = await client.ask(openGuardrail(provider, encryption), greeting, {
    fresh: true,
  });
  const status = verdict === 'error' ? 'unhealthy' : 'healthy';
  await saveHealth(database, provider.id, { status, message: error, latency_ms: latencyMs });
  if (status === (provider.health_status ?? 'healthy')) return;
  log.warn('The health of a guardrail provider changed', { provider: provider.name, status, reason: error });
  const event = describeHealth(provider, status, error);
  await recordEvents(database, [systemEvent(event)]);
  await bus
    .publish(liveEventsTopic, { type: 'system_event', payload: event } satisfies LiveEvent)
    .catch(() => undefined);
}

const describeHealth = (provider: DueProvider, status: 'healthy' | 'unhealthy', error: string | null): SystemEvent => ({
  event: `guardrail.${status}`,
  message:
    status === 'healthy'
      ? `The guardrail provider ${provider.name} answers again`
      : `The guardrail provider ${provider.name} does not judge: ${error ?? 'it gave no verdict'}`,
  severity: status === 'healthy' ? 'Low' : 'High',
  details: { provider_id: provider.id, provider: provider.name },
  timestamp: new Date().toISOString(),
});
