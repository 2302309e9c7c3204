import type { AlertPage } from '@portcullis/contracts/routes/alerts';

export type Alert = AlertPage['alerts'][number];

/** What an alert of a policy keeps of its findings; other kinds keep other things. */
export interface Finding {
  readonly rule_id: string;
  readonly direction: string;
  readonly origin?: string;
  readonly location?: string;
  readonly evidence: string;
}

export function findingsOf({ raw_data }: Pick<Alert, 'raw_data'>): readonly Finding[] {
  const findings = raw_data?.['findings'];
  if (!Array.isArray(findings)) return [];
  return findings.filter((found: Partial<Finding> | null): found is Finding => typeof found?.evidence === 'string');
}
