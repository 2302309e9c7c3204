import { findActiveContent } from '@portcullis/core/a2a/active-content';
import { messageParts } from '@portcullis/core/a2a/message-parts';
import type { StreamEvent } from '@portcullis/core/a2a/task';
import { renderPointer } from '@portcullis/core/json/visit-strings';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import { urlRefusal } from './url-refusal.ts';

type PartAction = 'block' | 'monitor' | 'off';

/** What is looked for in the parts of messages and artifacts, and what is done about it. */
export interface PartRules {
  readonly rule: AddressRule;
  /** URLs that lead where the gateway itself would not go. */
  readonly refusedUrls: PartAction;
  /** Files of agents that run where they are opened. */
  readonly activeFiles: PartAction;
}

type Direction = LocatedFinding['direction'];

const maxEvidenceLength = 200;

/** What is found in the parts of an event, or of a message to an agent. */
export function findInParts(event: StreamEvent, direction: Direction, rules: PartRules): readonly LocatedFinding[] {
  const { rule, refusedUrls, activeFiles } = rules;
  const findings: LocatedFinding[] = [];
  for (const { part, path } of messageParts(event)) {
    const refusal = refusedUrls !== 'off' && 'url' in part ? urlRefusal(part.url, rule) : undefined;
    if (refusedUrls !== 'off' && refusal !== undefined && 'url' in part) {
      const location = renderPointer([...path, 'url']);
      findings.push(findingOf(refusedUrl, { action: refusedUrls, direction, location, evidence: `URL ${refusal}` }));
    }
    const kind = activeFiles !== 'off' && direction === 'response' ? findActiveContent(part) : undefined;
    if (activeFiles !== 'off' && kind !== undefined) {
      const evidence = `${kind}: ${part.mediaType ?? part.filename ?? 'by its beginning'}`;
      findings.push(findingOf(activeFile, { action: activeFiles, direction, location: renderPointer(path), evidence }));
    }
  }
  return findings;
}

type RuleFacts = Pick<LocatedFinding, 'ruleId' | 'ruleName' | 'severity' | 'category' | 'type'>;

const refusedUrl: RuleFacts = {
  ruleId: 'A2A_REFUSED_URL',
  ruleName: 'File at an address that is refused',
  severity: 'High',
  category: 'Content Security',
  type: 'URL',
};

const activeFile: RuleFacts = {
  ruleId: 'A2A_ACTIVE_FILE',
  ruleName: 'File that runs where it is opened',
  severity: 'Medium',
  category: 'Content Security',
  type: 'FILE',
};

interface Place {
  readonly action: Exclude<PartAction, 'off'>;
  readonly direction: Direction;
  readonly location: string;
  readonly evidence: string;
}

const findingOf = (facts: RuleFacts, { evidence, direction, ...place }: Place): LocatedFinding => ({
  ...facts,
  ...place,
  direction,
  policyName: 'agent-parts',
  origin: direction === 'request' ? 'user' : 'tool_result',
  evidence: evidence.slice(0, maxEvidenceLength),
  start: 0,
  end: 0,
  confidence: 1,
  view: 'plain',
  mapped: true,
});
