import {
  checkGuardrailHealth,
  showGuardrailHealth,
  testGuardrailProvider,
} from '@portcullis/contracts/routes/guardrail-providers';
import { decideCheck } from '@portcullis/core/guardrails/decide-check';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { GuardrailClient, GuardrailOutcome } from '@portcullis/platform/guardrails/guardrail-client';
import type { GuardrailQuestion } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import { checkRuleOf, openGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { renderHealth, roundLatency, saveHealth, type ProviderRow } from './provider-queries.ts';
import { greeting } from './probe-providers.ts';
import { loadProviderOrThrow, providerResource } from './provider-routes.ts';

/** Health checks and the playground: providers are asked here and now, healthy or not. */
export function guardrailTrialRoutes(
  { database, encryption }: Pick<Infrastructure, 'database' | 'encryption'>,
  client: GuardrailClient,
): BoundRoute[] {
  const load = (id: number) => loadProviderOrThrow(database, id);

  const ask = async (call: AuditedCall, row: ProviderRow, question: GuardrailQuestion): Promise<GuardrailOutcome> => {
    const outcome = await client.ask(openGuardrail(row, encryption), question, { fresh: true });
    const { verdict, error, latencyMs } = outcome;
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'guardrail.provider.tested',
        resource: providerResource(row),
        result: verdict === 'error' ? 'failure' : 'success',
        details: { verdict, error, latency_ms: Math.round(latencyMs) },
      }),
    );
    return outcome;
  };

  return [
    bind(showGuardrailHealth, async ({ params }) => ({ data: renderHealth(await load(params.id)) })),

    bind(checkGuardrailHealth, async (call) => {
      const row = await load(call.params.id);
      const { verdict, error, latencyMs } = await ask(call, row, greeting);
      await saveHealth(database, row.id, {
        status: verdict === 'error' ? 'unhealthy' : 'healthy',
        message: error,
        latency_ms: latencyMs,
      });
      return { data: renderHealth(await load(row.id)) };
    }),

    bind(testGuardrailProvider, async (call) => {
      const row = await load(call.params.id);
      const { text, direction = 'request', prompt } = call.body;
      const role = direction === 'request' ? 'user' : 'assistant';
      const outcome = await ask(call, row, { direction, messages: [{ role, text }], prompt });
      const { latencyMs, cached: _cached, ...shown } = outcome;
      return {
        data: {
          ...shown,
          action: decideCheck(outcome, checkRuleOf(row)),
          categories: [...outcome.categories],
          latency_ms: roundLatency(latencyMs),
        },
      };
    }),
  ];
}
