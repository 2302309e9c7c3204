import { severities, type RequestLogRecord } from '@portcullis/contracts/records';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import { usedExceptions } from '@portcullis/platform/traffic/used-exceptions';
import type { RenderSessionId } from '@portcullis/platform/traffic/session-ids';
import type { Exchange } from '../exchange/exchange.ts';
import { findSessionSign } from '../exchange/session-sign.ts';
import { findChanges } from './find-changes.ts';
import type { RefusalAggregator } from './refusal-aggregator.ts';

/** Longest path, user agent and problem that a log keeps. */
const maxTextLength = 512;

/** What went to the target, which nothing did of a request that was refused. */
const injectedPrompts = ({ prompting, forwarded }: Exchange): readonly number[] | undefined =>
  prompting === undefined || !forwarded || prompting.injected.length === 0
    ? undefined
    : prompting.injected.map(({ id }) => id);

const skippedPrompts = ({ prompting }: Exchange): readonly number[] | undefined =>
  prompting === undefined || prompting.skipped.length === 0
    ? undefined
    : prompting.skipped.map(({ prompt }) => prompt.id);

const riskLevel = (exchange: Exchange): RequestLogRecord['risk_level'] => {
  const flagged = exchange.guardrails?.checks.some(({ outcome }) => outcome.verdict === 'violation') === true;
  if (exchange.findings.length === 0) return flagged ? 'High' : undefined;
  return severities.find((severity) => exchange.findings.some((finding) => finding.severity === severity)) ?? 'Low';
};

/** Stages that refuse before it is known whose the request is, or because of who it is by. */
const beforeCaller: ReadonlySet<string> = new Set(['check-framing', 'check-origin', 'identify']);

/**
 * Records the exchange itself, however it ended. What was refused before anybody counts as its caller is aggregated, where it
 * comes again and again.
 */
export const createRecord = (
  refusalLog: RefusalAggregator,
  renderSessionId: RenderSessionId,
): SettleStage<Exchange> => ({
  name: 'record',
  run(exchange) {
    const { ending } = exchange;
    const isStranger = ending !== undefined && beforeCaller.has(ending.stage);
    if (!isStranger) exchange.sessionId ??= findLateSession(exchange, renderSessionId);
    const record = renderRecord(exchange);
    const isGathered = isStranger && refusalLog.aggregate(record, exchange.startedAt);
    if (!isGathered) exchange.records.push(record);
  },
});

/** Of what was refused before it was read, and of what a target began with its answer. */
function findLateSession(exchange: Exchange, render: RenderSessionId): string | undefined {
  const sign = findSessionSign(exchange);
  return sign && render(sign, exchange);
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/** The query is left out: it may carry secrets. */
function renderRecord(exchange: Exchange): RequestLogRecord {
  const denied = exchange.ending ?? exchange.refusal;
  return {
    kind: 'request_log',
    event_id: exchange.eventId,
    timestamp: exchange.timestamp,
    request_id: exchange.id,
    proxy_id: exchange.proxy.id,
    method: exchange.request.method ?? '',
    path: exchange.path.slice(0, maxTextLength),
    status_code: exchange.statusCode,
    duration_ms: rounded(performance.now() - exchange.startedAt),
    request_size: exchange.requestBytes,
    response_size: exchange.responseBytes,
    client_ip: exchange.clientIp,
    user_agent: exchange.request.headers['user-agent']?.slice(0, maxTextLength) ?? null,
    api_key_id: exchange.key?.id ?? null,
    user_group_id: exchange.group?.id ?? null,
    risk_level: riskLevel(exchange),
    denied_reason: denied?.reason,
    denied_stage: denied?.stage,
    injected_prompts: injectedPrompts(exchange),
    skipped_prompts: skippedPrompts(exchange),
    exceptions: usedExceptions(exchange.findings),
    target_problem: exchange.targetProblem?.slice(0, maxTextLength),
    // A key that came along is who counts, as everywhere.
    user_id: exchange.key === undefined ? exchange.user?.id : undefined,
    session_id: exchange.sessionId,
    inspection_ms: exchange.inspectionMs === undefined ? undefined : rounded(exchange.inspectionMs),
    target_wait_ms: exchange.targetWaitMs === undefined ? undefined : rounded(exchange.targetWaitMs),
    response_inspection_ms: exchange.responseScanMs === 0 ? undefined : rounded(exchange.responseScanMs),
    changes: findChanges(exchange),
  };
}
