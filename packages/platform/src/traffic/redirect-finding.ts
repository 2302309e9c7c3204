import type { LocatedFinding } from './located-finding.ts';

interface Redirect {
  /** Name of the header, in lower case. */
  readonly header: string;
  /** Origin and path: credentials and a query may hold secrets. */
  readonly address: string;
  readonly action: 'block' | 'redact';
}

/** An answer in a header of which stands an address past the gateway, where clients would go with what they use here. */
export const redirectFinding = ({ header, address, action }: Redirect): LocatedFinding => ({
  ruleId: 'TARGET_REDIRECT',
  ruleName: 'Address past the gateway',
  policyName: 'target-addresses',
  severity: 'High',
  category: 'Content Security',
  type: 'URL',
  action,
  direction: 'response',
  location: `header ${header}`,
  origin: 'tool_result',
  evidence: address,
  start: 0,
  end: 0,
  confidence: 1,
  view: 'plain',
  mapped: true,
});

const maxShownLength = 200;

/** An address as admins are shown it. */
export const showAddress = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname}`.slice(0, maxShownLength);
