import type { Queryable } from '@portcullis/platform/database/database';
import { listAssignments } from './proxy-policy-queries.ts';
import { findProxy } from './proxy-queries.ts';

/** The fields of a proxy that the audit log must not show. */
export const secrets = ['target_auth'] as const;

/** Everything that is configured for a proxy, its policies in order, for the audit log to compare. */
export async function loadState(transaction: Queryable, id: number) {
  const row = await findProxy(transaction, id);
  if (row === undefined) return undefined;
  return { ...row, policy_names: await loadPolicyNames(transaction, id) };
}

const loadPolicyNames = async (transaction: Queryable, proxyId: number): Promise<readonly string[]> =>
  (await listAssignments(transaction, [proxyId])).map(({ policy_name: name }) => name);

export const proxyResource = ({ id, name }: { readonly id: number; readonly name: string }) => ({
  type: 'proxy',
  id,
  name,
});
