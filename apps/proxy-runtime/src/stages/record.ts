import { severities, type RequestLogRecord } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { createEventId } from '@portcullis/platform/spool/event-id';
import type { Exchange } from '../exchange.ts';

/** Longest path, user agent and problem that a log keeps. */
const maxTextLength = 512;

/** What went to the target, which nothing did of a request that was refused. */
const promptsOf = ({ prompting, forwarded }: Exchange): Partial<RequestLogRecord> => {
  if (prompting === undefined) return {};
  const { injected, skipped } = prompting;
  return {
    ...(forwarded && injected.length > 0 && { injected_prompts: injected.map(({ id }) => id) }),
    ...(skipped.length > 0 && { skipped_prompts: skipped.map(({ prompt }) => prompt.id) }),
  };
};

const riskLevel = (exchange: Exchange): RequestLogRecord['risk_level'] => {
  const flagged = exchange.guardrails?.checks.some(({ outcome }) => outcome.verdict === 'violation') === true;
  if (exchange.findings.length === 0) return flagged ? 'High' : 'None';
  return severities.find((severity) => exchange.findings.some((finding) => finding.severity === severity)) ?? 'Low';
};

/** Records the exchange itself, however it ended. The query is left out: it may carry secrets. */
export const record: SettleStage<Exchange> = {
  name: 'record',
  on: ['llm', 'mcp'],
  run(exchange) {
    const denied = exchange.ending ?? exchange.refusal;
    exchange.records.push({
      kind: 'request_log',
      event_id: createEventId(),
      timestamp: exchange.timestamp,
      request_id: exchange.id,
      proxy_id: exchange.proxy.id,
      method: exchange.request.method ?? '',
      path: exchange.path.slice(0, maxTextLength),
      status_code: exchange.statusCode,
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 1_000) / 1_000,
      request_size: exchange.body.length,
      response_size: exchange.responseBytes,
      client_ip: exchange.clientIp,
      user_agent: exchange.request.headers['user-agent']?.slice(0, maxTextLength) ?? null,
      api_key_id: exchange.key?.id ?? null,
      user_group_id: exchange.group?.id ?? null,
      risk_level: riskLevel(exchange),
      denied_reason: denied?.reason ?? null,
      denied_stage: denied?.stage ?? null,
      ...promptsOf(exchange),
      target_problem: exchange.targetProblem?.slice(0, maxTextLength) ?? null,
    });
  },
};
