import { NestedTooDeep, renderPointer, visitStrings } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decide } from '@portcullis/core/policy/decide';
import type { PolicyPlan, ScanContext } from '@portcullis/core/policy/policy';
import type { Exchange } from '../exchange.ts';

const detect = (exchange: Exchange, plan: PolicyPlan, context: ScanContext): void => {
  const scan = (text: string, location: () => string): void => {
    for (const finding of plan.scan(text, context)) {
      exchange.findings.push({ ...finding, direction: 'request', location: location() });
    }
  };
  if (exchange.query !== '') scan(decodeQuery(exchange.query), () => '?');
  if (exchange.json !== undefined) visitStrings(exchange.json, (text, path) => scan(text, () => renderPointer(path)));
  else if (exchange.body.length > 0) scan(exchange.body.toString('utf8'), () => '/');
};

const decodeQuery = (query: string): string => {
  try {
    return decodeURIComponent(query.slice(1).replaceAll('+', ' '));
  } catch {
    return query;
  }
};

/** Runs the assigned policies over every text of the request; the engine of policies decides. */
export const inspectRequest: RequestStage<Exchange> = {
  name: 'inspect-request',
  on: ['llm', 'mcp'],
  onFault: 'deny',
  run(exchange): Verdict {
    const plan = exchange.proxy.policies;
    if (plan === undefined) return next;
    try {
      detect(exchange, plan, { direction: 'request', protocol: exchange.proxy.type });
    } catch (error) {
      if (error instanceof NestedTooDeep) return deny('bad_request', { message: error.message });
      throw error;
    }
    if (exchange.findings.length === 0) return next;
    const { action } = decide(exchange.findings);
    // Nothing can be redacted yet, and letting pass what a policy wants hidden would be worse.
    return action === 'block' || action === 'redact' ? deny('policy_violation') : next;
  },
};
