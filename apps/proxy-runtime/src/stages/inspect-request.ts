import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep, visitStrings } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decide, enforcedAction } from '@portcullis/core/policy/decide';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { Exchange } from '../exchange.ts';
import { TextContext } from '../inspection/text-context.ts';
import { maskLocation } from '../redaction/mask-location.ts';
import { NotRewritable } from '../redaction/not-rewritable.ts';
import { decodeQuery } from '../redaction/query-text.ts';
import { redactRequest, type TextToRedact } from '../redaction/redact-request.ts';

/** Scans every text of the request and answers those with something to redact. */
const detect = (exchange: Exchange, plan: PolicyPlan): readonly TextToRedact[] => {
  const context = new TextContext(exchange, 'request', exchange.json);
  const toRedact: TextToRedact[] = [];
  const scan = (text: string, location: () => string, place: () => TextToRedact['place']): void => {
    const findings = plan.scan(text, context);
    if (findings.length === 0) return;
    for (const finding of findings)
      exchange.findings.push({ ...finding, direction: 'request', location: maskLocation(location()) });
    const hidden = findings.filter((finding) => enforcedAction(finding) === 'redact');
    if (hidden.length > 0) toRedact.push({ place: place(), text, findings: hidden });
  };
  if (exchange.query !== '')
    scan(
      decodeQuery(exchange.query).text,
      () => '?',
      () => 'query',
    );
  if (exchange.json !== undefined) {
    visitStrings(exchange.json, (text, path, isKey) => {
      context.place = path;
      scan(text, context.pointer, () => ({ path: [...path], isKey }));
    });
  } else if (exchange.body.length > 0)
    scan(
      exchange.body.toString('utf8'),
      () => '/',
      () => 'body',
    );
  return toRedact;
};

/** Runs the assigned policies over every text of the request, and redacts what they want hidden from the target. */
export const inspectRequest: RequestStage<Exchange> = {
  name: 'inspect-request',
  on: ['llm', 'mcp'],
  onFault: 'deny',
  run(exchange): Verdict {
    const plan = exchange.proxy.policies;
    if (plan === undefined) return next;
    const from = performance.now();
    try {
      const toRedact = detect(exchange, plan);
      exchange.requestScanMs = performance.now() - from;
      if (exchange.findings.length === 0) return next;
      if (decide(exchange.findings).action === 'block') return deny('policy_violation');
      if (toRedact.length > 0) redactRequest(exchange, toRedact);
      return next;
    } catch (error) {
      if (error instanceof NestedTooDeep || error instanceof RepeatedKey || error instanceof NotRewritable) {
        return deny('bad_request', { message: error.message });
      }
      throw error;
    }
  },
};
