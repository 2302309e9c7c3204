import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { PolicyFile } from '@portcullis/contracts/policy-file';
import { suggestNames } from '@portcullis/core/text/near-names';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { listPolicyNames } from './check-policy-names.ts';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { PolicyChecker } from './policy-checker.ts';
import {
  findPolicy,
  findPolicyByName,
  insertPolicy,
  policyTag,
  updatePolicyRow,
  type PolicyChange,
  type PolicyRow,
} from './policy-queries.ts';

/** Who saves, as versions tell it. */
export const saverOf = ({ caller }: AuditedCall): string | null =>
  caller === undefined ? null : caller.kind === 'user' ? caller.username : caller.name;

export const policyResource = ({ id, name }: { readonly id: number; readonly name: string }) => ({
  type: 'policy',
  id,
  name,
});

/** @throws {GatewayError} `conflict` when the name is taken */
export async function createPolicyOrThrow(
  database: Database,
  call: AuditedCall,
  file: PolicyFile,
  active: boolean,
): Promise<number> {
  return audited(
    database,
    call,
    (transaction) => insertPolicy(transaction, file, active, saverOf(call)),
    (id) => ({ event: 'policy.created', resource: policyResource({ id, name: file.name }), after: file }),
  ).catch((error: unknown) => {
    if (violatedConstraint(error, 'unique') === undefined) throw error;
    throw new GatewayError('conflict', { message: `There is a policy ${JSON.stringify(file.name)} already` });
  });
}

export interface ReplacedPolicy extends Omit<PolicyChange, 'savedBy'> {
  /** The revision that the caller had read; undefined when it does not matter. */
  readonly revision?: number | undefined;
  /** What the caller had read, as the header If-Match has it. */
  readonly ifMatch?: string | undefined;
  readonly event?: AuditEventType;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** @throws {GatewayError} `conflict` when another document was saved since the revision, `precondition_failed`, `not_found` */
export async function changePolicyOrThrow(
  database: Database,
  call: AuditedCall,
  id: number,
  { revision, ifMatch, event = 'policy.updated', details, file, active }: ReplacedPolicy,
): Promise<PolicyRow> {
  const { after } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await findPolicy(transaction, id);
      if (before !== undefined && revision !== undefined && before.revision !== revision) throw staleRevision(before);
      if (before !== undefined && ifMatch !== undefined) checkMatchOrThrow(before, ifMatch);
      await updatePolicyRow(transaction, id, { file, active, savedBy: saverOf(call) });
      return { before, after: await findPolicy(transaction, id) };
    },
    ({ before, after }) =>
      after && { event, resource: policyResource(after), before, after, ...(details && { details }) },
  );
  if (after === undefined) throw new GatewayError('not_found', { message: `There is no policy ${id}` });
  return after;
}

/** Takes a list of tags, and `*` for any. @throws {GatewayError} `precondition_failed` */
function checkMatchOrThrow(row: PolicyRow, ifMatch: string): void {
  const tags = new Set(ifMatch.split(',').map((tag) => tag.trim()));
  if (tags.has('*') || tags.has(policyTag(row))) return;
  throw new GatewayError('precondition_failed', {
    message: `The policy is ${policyTag(row)} by now. Read it again; nothing was changed`,
    headers: { etag: policyTag(row) },
  });
}

const staleRevision = ({ revision, saved_by: savedBy }: PolicyRow): GatewayError =>
  new GatewayError('conflict', {
    message: `The policy is at revision ${revision} by now${savedBy === null ? '' : `, saved by ${savedBy}`}. Nothing was changed`,
  });

/** @param known names that may be meant */
export const unknownPolicyName = (name: string, known: Iterable<string> = []): GatewayError =>
  new GatewayError('not_found', {
    message: `There is no policy ${JSON.stringify(name)}${suggestNames(name, known)}`,
  });

/** Finds a policy by its name or its id. */
export async function findPolicyByReference(
  database: Queryable,
  reference: string | number,
): Promise<PolicyRow | undefined> {
  const text = String(reference);
  const named = await findPolicyByName(database, text);
  return named ?? (/^[1-9]\d{0,8}$/.test(text) ? findPolicy(database, Number(text)) : undefined);
}

/** @throws {GatewayError} `not_found` */
export async function findPolicyOrThrow(database: Queryable, reference: string | number): Promise<PolicyRow> {
  const row = await findPolicyByReference(database, reference);
  if (row === undefined) throw unknownPolicyName(String(reference), await listPolicyNames(database));
  return row;
}

/** @throws {GatewayError} with the place of everything that is wrong with the file */
export async function parseFileOrThrow(
  checker: PolicyChecker,
  document: unknown,
  path = '/body/document',
): Promise<PolicyFile> {
  const { policy, problems } = await checker.ask('parse', document);
  if (policy !== undefined) return policy;
  throw new GatewayError('bad_request', {
    message: 'The policy file is not valid. Nothing was changed',
    problems: problems.map(({ path: place, rule }) => ({ path: `${path}${place}`, rule })),
  });
}

/** @throws {GatewayError} `conflict` */
export function checkNotBuiltin({ name, builtin }: Pick<PolicyRow, 'name' | 'builtin'>): void {
  if (!builtin) return;
  throw new GatewayError('conflict', {
    message: `${name} comes with the gateway. Store the changed file under another name`,
  });
}
