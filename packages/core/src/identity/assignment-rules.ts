import type { UserRole } from '@portcullis/contracts/route';
import type { OAuthRule } from '@portcullis/contracts/routes/oauth-rules';
import { RE2JS } from 're2js';

export type RuleType = OAuthRule['rule_type'];

/** Says who becomes a user at their first login. */
export interface AssignmentRule {
  readonly id: number;
  readonly rule_type: RuleType;
  readonly rule_value: string;
  /** Null: with any provider. */
  readonly provider_id: number | null;
  /** Null: in no group. */
  readonly user_group_id: number | null;
  readonly user_role: UserRole;
  /** The highest decides the role. */
  readonly priority: number;
}

/** Who has come: an address that the provider verified, and the provider. */
export interface SignInCandidate {
  readonly email: string;
  /** Undefined for a provider of the environment. */
  readonly providerId: number | undefined;
  readonly providerName: string;
}

export interface Assignment {
  readonly role: UserRole;
  readonly groupIds: readonly number[];
  /** That said so, the one that decided the role first. */
  readonly ruleIds: readonly number[];
}

const maxPattern = 500;
const domain =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

/** What is wrong with the value of a rule, or undefined. */
export function ruleValueProblem(type: RuleType, value: string): string | undefined {
  if (type === 'provider') return value === '' ? 'must name a provider' : undefined;
  if (type !== 'email_pattern') return domain.test(value) ? undefined : 'must be a domain, such as example.com';
  if (value.length > maxPattern) return `must have at most ${maxPattern} characters`;
  try {
    compile(value);
    return undefined;
  } catch {
    return 'must be a regular expression without lookaround and backreferences';
  }
}

/**
 * What the rules make of a newcomer; undefined where none says that they may come. All that match give their group; the one
 * with the highest priority, of these the oldest, gives the role.
 */
export function assign(rules: readonly AssignmentRule[], newcomer: SignInCandidate): Assignment | undefined {
  const matching = rules
    .filter((rule) => matches(rule, newcomer))
    .toSorted((one, other) => other.priority - one.priority || one.id - other.id);
  const [first] = matching;
  if (first === undefined) return undefined;
  const groups = matching.flatMap(({ user_group_id: id }) => (id === null ? [] : [id]));
  return { role: first.user_role, groupIds: [...new Set(groups)], ruleIds: matching.map(({ id }) => id) };
}

function matches(rule: AssignmentRule, { email, providerId, providerName }: SignInCandidate): boolean {
  if (rule.provider_id !== null && rule.provider_id !== providerId) return false;
  const value = rule.rule_value.toLowerCase();
  const host = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  switch (rule.rule_type) {
    case 'email_domain':
      return host === value;
    case 'org_domain':
      return host === value || host.endsWith(`.${value}`);
    case 'provider':
      return providerName.toLowerCase() === value;
    case 'email_pattern':
      return compile(rule.rule_value).matches(email);
  }
}

/** Linear in the address, since the caller has chosen it. Of the whole address, in any case of letters. */
const compile = (pattern: string): RE2JS => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);

/** A role that reads the management API is given by one provider, not by any that an admin may add one day. */
export const needsProvider = (rule: Pick<AssignmentRule, 'rule_type' | 'provider_id' | 'user_role'>): boolean =>
  rule.user_role !== 'user' && rule.rule_type !== 'provider' && rule.provider_id === null;
