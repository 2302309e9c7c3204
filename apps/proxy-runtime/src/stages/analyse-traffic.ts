import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { ErrorReason } from '@portcullis/contracts/errors';
import { visitStrings } from '@portcullis/core/json/visit-strings';
import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { CallOutcome, Suspicion } from '@portcullis/core/traffic-analysis/observation';
import { countRandomTokens } from '@portcullis/core/traffic-analysis/random-tokens';
import { hash, type TrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import type { Exchange } from '../exchange/exchange.ts';
import type { Call } from '../dialects/shared/dialect.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import { alertRecord } from '@portcullis/platform/traffic/alert-record';

/** Calls of one batch that are looked at. */
const maxCalls = 20;

const outcomes: Partial<Readonly<Record<ErrorReason, CallOutcome>>> = {
  key_missing: 'unidentified',
  key_unknown: 'unidentified',
  key_revoked: 'unidentified',
  key_expired: 'unidentified',
  certificate_invalid: 'unidentified',
  certificate_unknown: 'unidentified',
  group_inactive: 'denied',
  access_denied: 'denied',
  policy_violation: 'blocked',
  policy_violation_response: 'blocked',
};

const outcomeOf = ({ ending, statusCode }: Exchange): CallOutcome => {
  if (ending !== undefined) return outcomes[ending.reason] ?? 'failed';
  return statusCode >= 400 ? 'failed' : 'served';
};

/** A request without a message that its dialect knows is a call of its path. */
const callsOf = (exchange: Exchange): readonly Call[] => {
  const calls = exchange.dialect.readCalls(exchange.json);
  return calls.length > 0 ? calls.slice(0, maxCalls) : [{ method: exchange.path, name: exchange.model }];
};

const countRandom = (value: unknown): number => {
  let count = 0;
  visitStrings(value, (text) => {
    count += countRandomTokens(text);
  });
  return count;
};

const alertOf = (exchange: Exchange, { title, description, ruleId, severity, confidence }: Suspicion) => {
  const percent = Math.round(confidence * 100);
  return alertRecord(exchange, {
    severity,
    title,
    description:
      `[Traffic Analysis] ${description}. ` +
      `This is flagged for investigation and is not a confirmed threat (confidence ${percent} %).`,
    action: 'Monitor',
    category: 'Traffic Analysis',
    rule_id: ruleId,
    policy_name: 'traffic-analysis',
    raw_data: { confidence },
  });
};

/** Looks for what is unusual about how a caller calls. It only ever tells; it changes nothing. */
export const createAnalyseTraffic = (analyser: TrafficAnalyser | undefined): SettleStage<Exchange> => ({
  name: 'analyse-traffic',
  run(exchange) {
    if (analyser === undefined) return;
    const outcome = outcomeOf(exchange);
    const isKnown = exchange.key !== undefined || exchange.user !== undefined;
    const token = isKnown ? undefined : exchange.presentedKey?.token;
    const caller = callerNumber(exchange);
    const principal = caller === undefined ? `address:${clientNetworkOf(exchange.clientIp)}` : `key:${caller}`;
    for (const { method, name, arguments: values } of callsOf(exchange)) {
      const suspicions = analyser.observe({
        principal,
        atMs: exchange.startedAt,
        method,
        name,
        outcome,
        presented: token === undefined ? undefined : hash(token),
        randomTokens: values === undefined ? 0 : countRandom(values),
      });
      for (const suspicion of suspicions) exchange.records.push(alertOf(exchange, suspicion));
    }
  },
});
