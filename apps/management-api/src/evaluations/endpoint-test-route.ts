import { testGuardrailEndpoint, type EndpointTest } from '@portcullis/contracts/routes/guardrail-endpoints';
import { findBlock } from '@portcullis/core/evaluation/judge/find-block';
import { buildRequest } from '@portcullis/core/evaluation/request/build-request';
import { readAnswer } from '@portcullis/core/evaluation/request/read-answer';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { createCaseSender } from '@portcullis/platform/evaluation/case-sender';
import {
  openEndpointTarget,
  type EndpointTarget,
  type EndpointTargetParts,
} from '@portcullis/platform/evaluation/open-endpoint-target';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { findEndpointOrThrow, saveEndpointTest } from './endpoint-queries.ts';
import { endpointResource } from './endpoint-routes.ts';

const greeting = [{ role: 'user', content: 'Hello' }] as const;
const shownCharacters = 200;
/** A test answers while a client waits for it, however long the timeout of the endpoint is. */
const longestTestMs = 60_000;

/** Asks an endpoint for real, once. */
export const endpointTestRoute = (parts: EndpointTargetParts): BoundRoute =>
  bind(testGuardrailEndpoint, async (call) => {
    const { database } = parts;
    const row = await findEndpointOrThrow(database, call.params.id);
    const data = await greet(await openEndpointTarget(parts, row));
    await saveEndpointTest(database, row.id, data);
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'guardrail.endpoint.tested',
        resource: endpointResource(row),
        result: data.success ? 'success' : 'failure',
        details: { status_code: data.status_code, response_time_ms: data.response_time_ms },
      }),
    );
    return { data };
  });

async function greet(reached: EndpointTarget): Promise<EndpointTest> {
  const failed = (message: string, status_code: number | null = null, response_time_ms = 0): EndpointTest => ({
    success: false,
    status_code,
    response_time_ms,
    message,
  });
  if (reached.problem !== undefined) return failed(reached.problem);
  const { endpoint, fetch } = reached;
  const built = buildRequest(endpoint, greeting, 16);
  if (built.problem !== undefined) return failed(built.problem);
  const timeoutMs = Math.min(endpoint.timeout_seconds * 1_000, longestTestMs);
  const startedAt = performance.now();
  const send = createCaseSender({ timeoutMs, signal: new AbortController().signal, fetch, repeats: 0 });
  const sent = await send(built.request);
  const tookMs = Math.round((performance.now() - startedAt) * 10) / 10;
  if ('failure' in sent) return failed(sent.failure, null, tookMs);
  const answer = readAnswer(sent, endpoint.response_format, endpoint.response_jq_expr);
  const start = (text: string): string => text.slice(0, shownCharacters);
  if (sent.status >= 400)
    return failed(`The endpoint answered with status ${sent.status}: ${start(sent.body)}`, sent.status, tookMs);
  if (answer.problem !== undefined && findBlock(answer) === undefined)
    return failed(`${answer.problem}: ${start(sent.body)}`, sent.status, tookMs);
  return { success: true, status_code: sent.status, response_time_ms: tookMs, message: start(answer.text) };
}
