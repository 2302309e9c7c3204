import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { tokenGroups } from '../../detectors/tokens/token-groups.ts';

/* Credentials that are rows of data: one rule for each kind of service. */

const found = (id: string, name: string, severity: PolicyRule['severity']): PolicyRule => ({
  id,
  name,
  severity,
  enabled: true,
  action: 'block',
  category: 'Content Security',
  patterns: [],
  detectors: [id],
});

export const tokenRules: readonly PolicyRule[] = [
  ...tokenGroups.map(({ name, description }) => found(name, description, 'Critical')),
  found('named-token', 'Token behind the name of its service', 'Critical'),
  found('secret-value', 'Random value behind the name of a secret', 'High'),
];
