import type { PolicyRule, TextOrigin } from '@portcullis/contracts/policy-file';

type Draft = readonly [name: string, severity: PolicyRule['severity'], ...patterns: readonly string[]];

/** What the rules of a table have in common. */
export type Shared = Pick<PolicyRule, 'category'> &
  Partial<Pick<PolicyRule, 'action' | 'conditions'>> & {
    readonly owasp: readonly string[];
    readonly origins: readonly TextOrigin[];
  };

/** Rules written as a table, one row each by id; patterns match in any case and block unless `shared` says otherwise. */
export const draftRules = (shared: Shared, drafts: Readonly<Record<string, Draft>>): readonly PolicyRule[] =>
  Object.entries(drafts).map(([id, [name, severity, ...patterns]]) => ({
    enabled: true,
    action: 'block',
    ...shared,
    owasp: [...shared.owasp],
    origins: [...shared.origins],
    id,
    name,
    severity,
    patterns: patterns.map((regex) => ({ regex, flags: 'i' })),
  }));

/** The same rules with another action, for policies that are stricter or milder. */
export const withAction = (rules: readonly PolicyRule[], action: PolicyRule['action']): readonly PolicyRule[] =>
  rules.map((rule) => ({ ...rule, action }));
