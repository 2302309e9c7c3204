import { decide } from '@portcullis/core/policy/verdict/decide';
import type { Exchange } from '../exchange/exchange.ts';

/** Findings told of one exchange. */
const maxFindings = 20;
/** Longest header; many clients take no more than 8 KB of all headers. */
const maxHeaderLength = 4_000;

/** How the policies decided so far: stage, rule, place, view and time, and nothing of what was found. */
export const explain = (exchange: Exchange) => ({
  request_id: exchange.id,
  action: decide(exchange.findings).action,
  policies: exchange.proxy.policyNames,
  duration_us: {
    'inspect-request': Math.round((exchange.inspectionMs ?? 0) * 1_000),
    'inspect-response': Math.round(exchange.responseScanMs * 1_000),
  },
  findings: exchange.findings.slice(0, maxFindings).map((finding) => ({
    stage: `inspect-${finding.direction}`,
    policy: finding.policyName,
    rule: finding.ruleId,
    action: finding.action,
    ...(finding.shadow && { shadow: true }),
    ...(finding.exceptedBy !== undefined && { excepted_by: finding.exceptedBy }),
    confidence: finding.confidence,
    view: finding.view,
    origin: finding.origin,
    location: finding.location,
    start: finding.start,
    end: finding.end,
  })),
  findings_total: exchange.findings.length,
});

/** The same as a header takes it: ASCII, and with as many findings as fit. */
export function renderExplanation(exchange: Exchange): string {
  const explanation = explain(exchange);
  let { findings } = explanation;
  for (;;) {
    const text = JSON.stringify({ ...explanation, findings }).replaceAll(/[^\x20-\x7e]/g, escapeUnit);
    if (text.length <= maxHeaderLength) return text;
    if (findings.length === 0) return '{}';
    findings = findings.slice(0, findings.length - 1);
  }
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
