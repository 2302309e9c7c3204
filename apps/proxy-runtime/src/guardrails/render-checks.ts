import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord, GuardrailCheckRecord, Severity, SpoolRecord } from '@portcullis/contracts/records';
import { renderEvidence } from '@portcullis/core/policy/verdict/evidence';
import type { Exchange } from '../exchange/exchange.ts';
import { alertRecord } from '@portcullis/platform/traffic/alert-record';
import type { Check } from '../exchange/check-ledger.ts';

/** What is kept of a check: a line of the log, and an alert where its owner wants one. */
export const renderCheck = (exchange: Exchange, check: Check): readonly SpoolRecord[] => {
  const log = renderLog(exchange, check);
  return wantsAlert(check) ? [log, renderAlert(exchange, check)] : [log];
};

const round = (figure: number): number => Math.round(figure * 1_000) / 1_000;

const renderLog = (
  exchange: Exchange,
  { guardrail: { provider }, direction, outcome, action, preview }: Check,
): GuardrailCheckRecord => ({
  kind: 'guardrail_check',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: exchange.id,
  provider_id: provider.id,
  provider_name: provider.name,
  provider_type: provider.type,
  proxy_id: exchange.proxy.id,
  user_group_id: exchange.group?.id ?? null,
  api_key_id: exchange.key?.id ?? null,
  direction,
  verdict: outcome.verdict,
  action,
  categories: outcome.categories,
  confidence: outcome.confidence,
  latency_ms: round(outcome.latencyMs),
  tokens: outcome.tokens,
  cached: outcome.cached,
  error: outcome.error,
  content_preview: preview,
});

const wantsAlert = ({ guardrail, outcome: { verdict } }: Check): boolean =>
  (verdict === 'violation' && guardrail.alertOnViolation) || (verdict === 'error' && guardrail.alertOnFailure);

function renderAlert(exchange: Exchange, { guardrail, direction, outcome, action }: Check): AlertRecord {
  const { provider, rule } = guardrail;
  const failed = outcome.verdict === 'error';
  const done = action === 'block' ? 'blocked' : 'let through';
  const why = failed
    ? `could not judge a ${direction} (${outcome.error ?? 'no reason'})`
    : `flagged a ${direction}${outcome.categories.length > 0 ? ` for ${outcome.categories.slice(0, 5).join(', ')}` : ''}`;
  return alertRecord(exchange, {
    severity: severityOf(failed, action === 'block'),
    title: `${failed ? 'Guardrail Failure' : 'Guardrail Violation'}: ${provider.name}`,
    description: `Guardrail provider ${provider.name} ${why} on proxy ${exchange.proxy.name}; the ${direction} was ${done}.`,
    action: action === 'block' ? 'Block' : 'Monitor',
    category: 'Guardrails',
    rule_id: failed ? 'failure' : (outcome.categories[0] ?? 'violation'),
    policy_name: `guardrail-${provider.name}`,
    raw_data: {
      provider: provider.name,
      provider_type: provider.type,
      direction,
      verdict: outcome.verdict,
      categories: outcome.categories,
      scores: outcome.scores,
      confidence: outcome.confidence,
      min_confidence: rule.minConfidence,
      // A provider may quote the text in it.
      rationale:
        outcome.rationale === null ? null : renderEvidence(outcome.rationale, 0, outcome.rationale.length, false),
      error: outcome.error,
      latency_ms: round(outcome.latencyMs),
      cached: outcome.cached,
    },
  });
}

const severityOf = (failed: boolean, blocked: boolean): Severity => {
  // What nobody judged and passed is worth as much as what was refused for it.
  if (failed) return 'Medium';
  return blocked ? 'High' : 'Medium';
};
