/** What a rule found in a request, as the gateway explains it to admins. */
export interface Finding {
  readonly policy: string;
  readonly rule: string;
  readonly action: 'block' | 'replace' | 'redact' | 'monitor' | 'log';
  /** JSON pointer. */
  readonly location: string;
}

/**
 * Reads the header that explains a decision.
 * @throws when there is none, since then nothing is known of what was found
 */
export function readFindings(header: string | null): readonly Finding[] {
  if (header === null) throw new Error('The gateway did not explain its decision');
  const { findings } = JSON.parse(header) as { findings?: readonly Finding[] };
  if (findings === undefined) throw new Error('The gateway had more to explain than fits');
  return findings.map(({ policy, rule, action, location }) => ({ policy, rule, action, location }));
}
