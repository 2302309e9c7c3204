import type { Problem } from '@portcullis/contracts/envelope';
import type { ProxyChange } from '@portcullis/contracts/routes/proxies';
import type { Config } from '@portcullis/platform/config/config';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { checkUrlForm } from '@portcullis/platform/network/address-guard';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { isSameOrigin } from '@portcullis/platform/http/same-origin';
import { checkCertificates } from './check-certificates.ts';
import { findFreePort, findProxy, type ProxyRow } from './proxy-queries.ts';

export const unknownProxy = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no proxy ${id}` });

export async function findProxyOrThrow(database: Queryable, id: number): Promise<ProxyRow> {
  const proxy = await findProxy(database, id);
  if (proxy === undefined) throw unknownProxy(id);
  return proxy;
}

/** What a schema cannot tell: whether the target is a URL that can be called, which headers credentials may be in, whose the port is. */
export function checkProxyOrThrow(input: ProxyChange, config: Config): void {
  const problems: Problem[] = [];
  const targetProblem = input.target === undefined ? undefined : checkUrlForm(input.target);
  if (targetProblem !== undefined) problems.push({ path: '/body/target', rule: targetProblem.rule });
  if (connectionHeaders.has(input.target_auth?.header?.toLowerCase() ?? '')) {
    problems.push({ path: '/body/target_auth/header', rule: 'must not be a header of the connection' });
  }
  for (const part of ['settings', 'config'] as const) {
    const rule = checkCertificates(input[part]?.target_ca ?? null);
    if (rule !== undefined) problems.push({ path: `/body/${part}/target_ca`, rule });
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
  if (input.port === config.PORT) {
    throw new GatewayError('conflict', { message: `Port ${config.PORT} is the management API's own` });
  }
}

/**
 * Credentials were given for one host: a target of another scheme, host or port does not get them by itself.
 * @throws {GatewayError} when they are stored and the change says nothing of them
 */
export function checkAuthOfNewTargetOrThrow(
  before: Pick<ProxyRow, 'target' | 'target_auth'>,
  { target, target_auth: auth }: ProxyChange,
): void {
  if (before.target_auth === null || auth !== undefined) return;
  if (target === undefined || isSameOrigin(before.target, target)) return;
  const rule = 'must be sent again, for target names another host now; null removes it';
  throw new GatewayError('bad_request', {
    message: 'The credentials were given for another target. Nothing was changed',
    problems: [{ path: '/body/target_auth', rule }],
  });
}

/** Turns a broken unique constraint into a 409 that names the proxy in the way; rethrows anything else. */
export async function throwConflict(
  error: unknown,
  database: Database,
  input: ProxyChange,
  config: Config,
): Promise<never> {
  const constraint = violatedConstraint(error, 'unique');
  if (constraint === 'proxies_name_key') {
    throw new GatewayError('conflict', { message: `There is a proxy ${JSON.stringify(input.name)} already` });
  }
  if (constraint !== 'proxies_port_key') throw error;
  const holder = await database.kysely
    .selectFrom('proxies')
    .select(['id', 'name'])
    .where('port', '=', Number(input.port))
    .executeTakeFirst();
  const owner = holder === undefined ? 'another proxy' : `the proxy ${JSON.stringify(holder.name)} (${holder.id})`;
  const free = await findFreePort(database, Number(input.port), config.PORT);
  throw new GatewayError('conflict', {
    message: `Port ${input.port} belongs to ${owner}${free === undefined ? '' : `; ${free} is free`}`,
    ...(free !== undefined && { data: { suggested_port: free } }),
  });
}
