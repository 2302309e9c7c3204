import type { PolicyMode } from '@portcullis/contracts/policy-file';
import type { ListenerType } from '@portcullis/contracts/records';
import type { Document } from '@portcullis/contracts/routes/policies';
import type { ExaminedPolicies } from '@portcullis/contracts/routes/policy-tests';
import type { SetPolicy } from '@portcullis/core/evaluation/exam/logged-verdict';
import type { Policy } from '@portcullis/core/policy/policy';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { listAssignments } from '../proxies/proxy-policy-queries.ts';
import { findProxy } from '../proxies/proxy-queries.ts';
import { describeUnknownPolicy, listPolicyNames } from '../policies/check-policy-names.ts';
import type { PolicyChecker } from '../policies/policy-checker.ts';
import { findPolicyByName } from '../policies/policy-queries.ts';
import { findPolicyByReference, parseFileOrThrow } from '../policies/save-policy.ts';

/** Policies that a request names or brings along, to be tried out. */
export interface RequestedPolicies {
  /** A stored one, by name or id. @throws {GatewayError} `bad_request` with the names that may be meant */
  load(reference: string | number, path: string): Promise<Policy>;
  /** A policy file, plain or wrapped, or a stored one. @throws {GatewayError} `bad_request` */
  read(given: Document | string | number, path: string): Promise<Policy>;
  /** All of a set with their modes, as they would work together. @throws {GatewayError} `bad_request` */
  readSet(given: ExaminedPolicies, path: string): Promise<RequestedSet>;
}

export interface RequestedSet {
  readonly policies: readonly SetPolicy[];
  /** Of the proxy that was named. */
  readonly protocol: ListenerType | undefined;
  readonly trustedRoles: readonly string[] | undefined;
}

export function createRequestedPolicies(database: Database, checker: PolicyChecker): RequestedPolicies {
  const load = async (reference: string | number, path: string): Promise<Policy> => {
    const row = await findPolicyByReference(database, reference);
    if (row !== undefined) return row.document;
    throw problem(path, describeUnknownPolicy(String(reference), await listPolicyNames(database)));
  };

  const read = (given: Document | string | number, path: string): Promise<Policy> => {
    if (typeof given !== 'object') return load(given, path);
    return typeof given['document'] === 'object'
      ? parseFileOrThrow(checker, given['document'], `${path}/document`)
      : parseFileOrThrow(checker, given, path);
  };

  return {
    load,
    read,
    async readSet({ proxy_id: proxyId, policy_names: names = [], policy, shadow = [] }, path) {
      const proxy = proxyId === undefined ? undefined : await findProxy(database, proxyId);
      if (proxyId !== undefined && proxy === undefined)
        throw problem(`${path}/proxy_id`, `must be the id of a proxy: there is no ${proxyId}`);
      const set = new Map<string, SetPolicy>();
      const add = (one: Policy, mode: PolicyMode = set.get(one.name)?.mode ?? 'enforce') =>
        set.set(one.name, { policy: one, mode });
      for (const { policy: assigned, mode } of proxyId === undefined ? [] : await loadAssigned(database, proxyId))
        add(assigned, mode);
      for (const [at, name] of names.entries()) add(await load(name, `${path}/policy_names/${at}`));
      if (policy !== undefined) add(await read(policy, `${path}/policy`));
      for (const [at, name] of shadow.entries()) {
        const found = set.get(name);
        if (found === undefined) throw problem(`${path}/shadow/${at}`, 'must be the name of one of these policies');
        add(found.policy, 'shadow');
      }
      return {
        policies: [...set.values()],
        protocol: proxy?.type,
        trustedRoles: proxy?.settings.trusted_roles ?? undefined,
      };
    },
  };
}

/** Those that are active, as a runtime would have them. */
async function loadAssigned(database: Database, proxyId: number): Promise<readonly SetPolicy[]> {
  const assigned = await listAssignments(database, [proxyId]);
  const rows = await Promise.all(
    assigned.map(async ({ policy_name: name, mode }) => ({ row: await findPolicyByName(database, name), mode })),
  );
  return rows.flatMap(({ row, mode }) => (row?.active === true ? [{ policy: row.document, mode }] : []));
}

const problem = (path: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path, rule }] });
