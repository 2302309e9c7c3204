import type { PolicyMode, PolicyType } from '@portcullis/contracts/policy-file';
import type { Severity } from '@portcullis/contracts/records';
import { defaultPolicies } from '@portcullis/core/policy/builtin/default-policies';
import { policyAliases } from '@portcullis/core/policy/builtin/policy-aliases';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';

/** A policy as its id names it. */
const policyId = /^[1-9]\d{0,8}$/;

/** The policies of these proxies in the order of their assignment, those included that do not exist. */
export const listAssignments = ({ kysely }: Queryable, proxyIds: readonly number[]) =>
  kysely
    .selectFrom('proxy_policies')
    .leftJoin('policies', 'policies.name', 'proxy_policies.policy_name')
    .select(['proxy_id', 'policy_name', 'mode', 'policies.id', 'active', 'description', 'severity', 'policy_type'])
    .where(sql<boolean>`proxy_id = any(${proxyIds})`)
    .orderBy('proxy_id')
    .orderBy('position')
    .orderBy('policy_name')
    .$narrowType<{ mode: PolicyMode; severity: Severity | null; policy_type: PolicyType | null }>()
    .execute();

export type Assignment = Awaited<ReturnType<typeof listAssignments>>[number];

/** The policies of a new proxy for which none are named; those that were switched off are left out. */
export async function listDefaultPolicies({ kysely }: Queryable): Promise<readonly string[]> {
  const rows = await kysely
    .selectFrom('policies')
    .select('name')
    .where(sql<boolean>`name = any(${defaultPolicies})`)
    .where('builtin', '=', true)
    .where('active', '=', true)
    .execute();
  const active = new Set(rows.map(({ name }) => name));
  return defaultPolicies.filter((name) => active.has(name));
}

export const listPolicySummaries = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('policies')
    .select(['id', 'name', 'description', 'version', 'severity', 'policy_type', 'active'])
    .orderBy('name')
    .$narrowType<{ severity: Severity; policy_type: PolicyType }>()
    .execute();

export async function replaceAssignments(
  kysely: Kysely<Tables>,
  proxyId: number,
  policyNames: readonly string[],
): Promise<void> {
  const earlier = await kysely
    .deleteFrom('proxy_policies')
    .where('proxy_id', '=', proxyId)
    .returning(['policy_name', 'mode'])
    .execute();
  if (policyNames.length === 0) return;
  // Who names policies anew says nothing of modes: what was merely tried out must not be in force by it.
  const modes = new Map(earlier.map(({ policy_name: name, mode }) => [name, mode]));
  const names = new Set(await resolvePolicyNames(kysely, policyNames));
  const rows = [...names].map((name, position) => ({
    proxy_id: proxyId,
    policy_name: name,
    position,
    mode: modes.get(name) ?? 'enforce',
  }));
  await kysely.insertInto('proxy_policies').values(rows).execute();
}

/** Assigns a policy after the others; one that is assigned already keeps its place, and its mode unless one is given. */
export async function addAssignment(
  { kysely }: Queryable,
  proxyId: number,
  policyName: string,
  mode: PolicyMode | undefined,
): Promise<void> {
  const [name = policyName] = await resolvePolicyNames(kysely, [policyName]);
  await sql`
    insert into proxy_policies (proxy_id, policy_name, position, mode)
    select ${proxyId}::integer, ${name}, coalesce(max(position) + 1, 0), ${mode ?? 'enforce'}
      from proxy_policies where proxy_id = ${proxyId}
    on conflict (proxy_id, policy_name) do update set mode = coalesce(${mode ?? null}, proxy_policies.mode)
  `.execute(kysely);
}

/** False when the proxy did not have it. */
export async function removeAssignment({ kysely }: Queryable, proxyId: number, policyName: string): Promise<boolean> {
  const names = [policyName, ...(await resolvePolicyNames(kysely, [policyName]))];
  const { numDeletedRows } = await kysely
    .deleteFrom('proxy_policies')
    .where('proxy_id', '=', proxyId)
    .where('policy_name', 'in', names)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** An id and an alias stand for their policy, unless that is not there or some policy really has such a name. */
async function resolvePolicyNames(kysely: Kysely<Tables>, references: readonly string[]): Promise<readonly string[]> {
  const targets = references.flatMap((reference) => policyAliases[reference] ?? []);
  const ids = references.filter((reference) => policyId.test(reference)).map(Number);
  if (targets.length === 0 && ids.length === 0) return references;
  const rows = await kysely
    .selectFrom('policies')
    .select(['id', 'name'])
    .where(({ or, eb }) => or([eb('name', 'in', [...references, ...targets]), eb('id', '=', sql<number>`any(${ids})`)]))
    .execute();
  const known = new Set(rows.map(({ name }) => name));
  const byId = new Map(rows.map(({ id, name }) => [String(id), name]));
  return references.map((reference) => {
    if (known.has(reference)) return reference;
    const target = policyAliases[reference];
    return target !== undefined && known.has(target) ? target : (byId.get(reference) ?? reference);
  });
}
