import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import type { Proxy } from '@portcullis/contracts/routes/proxies';
import type { Assignment } from './proxy-policy-queries.ts';
import { proxyAddressOf, type GatewayOrigin } from './proxy-address.ts';
import type { ProxyRow } from './proxy-queries.ts';

const noPolicy = 'No policy inspects its traffic';

/**
 * A proxy as the API shows it. The credentials for its target and its runtime state stay out.
 * @param gateway where clients reach it
 */
export function renderProxy(row: ProxyRow, assignments: readonly Assignment[], gateway: GatewayOrigin): Proxy {
  const {
    target_auth: auth,
    desired_state: _,
    generation: __,
    start_problem: ___,
    created_at: createdAt,
    updated_at: updatedAt,
    settings,
    ...same
  } = row;
  const policies = assignments
    .filter(({ proxy_id: proxyId }) => proxyId === row.id)
    .map((assignment) => renderAssignment(assignment, row.type));
  const active = policies.filter((policy) => policy.active).length;
  return {
    ...same,
    settings: { ...defaultProxySettings, ...settings },
    public_url: proxyAddressOf({ ...row, settings }, gateway),
    has_target_auth: auth !== null,
    policies,
    policy_count: policies.length,
    active_policy_count: active,
    warnings: active === 0 ? [noPolicy] : [],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** A policy for other traffic than the proxy's has no effect here, so it does not count as active. */
const renderAssignment = (assignment: Assignment, type: ProxyRow['type']) => {
  const { policy_name: name, id, active, description, severity, policy_type: policyType } = assignment;
  return {
    name,
    exists: id !== null,
    active: active === true && (policyType === 'both' || policyType === type),
    description: description ?? '',
    severity,
  };
};
