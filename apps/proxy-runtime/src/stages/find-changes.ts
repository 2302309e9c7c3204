import type { RequestChanges } from '@portcullis/contracts/records';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { Exchange } from '../exchange/exchange.ts';

/** Rules that are named of each side. */
const maxRules = 20;
const maxNameLength = 200;

/** What the gateway changed in what a client and its target told each other; undefined for nothing. */
export function findChanges(exchange: Exchange): RequestChanges | undefined {
  const { findings, hiddenTools, canaries } = exchange;
  if (findings.length === 0 && hiddenTools.length === 0 && canaries?.planted === undefined) return undefined;
  const changes: RequestChanges = {
    redacted_in_request: exchange.forwarded ? redactingRules(exchange, 'request') : undefined,
    redacted_in_answer: redactingRules(exchange, 'response'),
    hidden_tools: hiddenTools.length === 0 ? undefined : hiddenTools.map((name) => name.slice(0, maxNameLength)),
    canary: exchange.forwarded && canaries?.planted !== undefined ? true : undefined,
  };
  return Object.values(changes).some((change) => change !== undefined) ? changes : undefined;
}

function redactingRules({ findings }: Exchange, side: 'request' | 'response'): readonly string[] | undefined {
  const rules = new Set<string>();
  for (const finding of findings) {
    if (finding.direction !== side || rules.size === maxRules) continue;
    const action = enforcedAction(finding);
    if (action === 'redact' || action === 'replace') rules.add(finding.ruleId);
  }
  return rules.size === 0 ? undefined : [...rules];
}
