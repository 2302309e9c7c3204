import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  listKeyCallers,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
  type ApiKeyCreation,
} from '@portcullis/contracts/routes/api-keys';
import { hashKey } from '@portcullis/core/identity/presented-key';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { randomAlphanumerics } from '@portcullis/platform/security/random-text';
import { audited } from '@portcullis/platform/audit/audited';
import { unknownUserGroup } from '../user-groups/user-group-routes.ts';
import { unknownUser } from '../users/change-user.ts';
import {
  deleteApiKeyRow,
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeyRows,
  renderApiKey,
  revokeApiKeyRow,
  rotateApiKeyRow,
  updateApiKeyRow,
  type ApiKeyRow,
} from './api-key-queries.ts';
import { findKeyCallers } from './key-callers.ts';

const keyPrefix = 'gw_';
const randomLength = 43;

export const apiKeyRoutes = (database: Database): BoundRoute[] =>
  [
    bindListApiKeys,
    bindGetApiKey,
    bindListKeyCallers,
    bindUpdateApiKey,
    bindCreateApiKey,
    bindRotateApiKey,
    bindRevokeApiKey,
    bindDeleteApiKey,
  ].map((bindRoute) => bindRoute(database));

const bindListApiKeys = (database: Database): BoundRoute =>
  bind(listApiKeys, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => listApiKeyRows(moment, query));
    return { data: rows.map(renderApiKey), headers: { 'x-total-count': String(total) } };
  });

const bindGetApiKey = (database: Database): BoundRoute =>
  bind(getApiKey, async ({ params }) => {
    const row = await findApiKey(database, params.id);
    if (row === undefined) throw unknownApiKey(params.id);
    return { data: renderApiKey(row) };
  });

const bindListKeyCallers = (database: Database): BoundRoute =>
  bind(listKeyCallers, async ({ params, query }) => {
    if ((await findApiKey(database, params.id)) === undefined) throw unknownApiKey(params.id);
    return { data: await findKeyCallers(database, params.id, query.hours) };
  });

const bindUpdateApiKey = (database: Database): BoundRoute =>
  bind(updateApiKey, async (call) => {
    const { params, body } = call;
    const { after: row } = await audited(
      database,
      call,
      async (transaction) => ({
        before: await findApiKey(transaction, params.id),
        after: await updateApiKeyRow(transaction, params.id, body),
      }),
      ({ before, after }) =>
        before &&
        after && {
          event: 'apikey.updated',
          resource: keyResource(after),
          before: renderApiKey(before),
          after: renderApiKey(after),
        },
    ).catch((error: unknown) => refuseKey(error, database, { ownerId: body.owner_id }));
    if (row === undefined) throw unknownApiKey(params.id);
    return { data: renderApiKey(row), message: 'API key updated' };
  });

const bindCreateApiKey = (database: Database): BoundRoute =>
  bind(createApiKey, async (call) => {
    const { body } = call;
    checkEndOrThrow(body);
    const { key, hash } = newKey(body.custom_key);
    const row = await audited(
      database,
      call,
      (transaction) => insertApiKey(transaction, body, { key, hash }),
      (row) => ({ event: 'apikey.created', resource: keyResource(row), after: renderApiKey(row) }),
    ).catch((error: unknown) =>
      refuseKey(error, database, { groupId: body.user_group_id, ownerId: body.owner_id, hash }),
    );
    const message = 'Keep this key: it is not shown again';
    return { data: { api_key: renderApiKey(row), key, message }, message };
  });

const bindRotateApiKey = (database: Database): BoundRoute =>
  bind(rotateApiKey, async (call) => {
    const { params, body } = call;
    checkEndOrThrow(body);
    const { key, hash } = newKey(body.custom_key);
    const rotated = await audited(
      database,
      call,
      async (transaction) => {
        const row = await findApiKey(transaction, params.id);
        if (row === undefined) throw unknownApiKey(params.id);
        checkRotatableOrThrow(row);
        return rotateApiKeyRow(transaction, row, body, { key, hash });
      },
      ({ created, replaced }) => ({
        event: 'apikey.rotated',
        resource: keyResource(replaced),
        after: renderApiKey(created),
        details: { replaced_key_ends: replaced.active ? (replaced.expires_at?.toISOString() ?? null) : 'at once' },
      }),
    ).catch((error: unknown) => refuseKey(error, database, { hash }));
    const message = 'Keep this key: it is not shown again';
    const { created, replaced } = rotated;
    return { data: { api_key: renderApiKey(created), replaced: renderApiKey(replaced), key, message }, message };
  });

const newKey = (custom: string | undefined): { readonly key: string; readonly hash: string } => {
  const key = custom ?? keyPrefix + randomAlphanumerics(randomLength);
  return { key, hash: hashKey(key) };
};

/** @throws {GatewayError} where a key would end at two times */
function checkEndOrThrow({
  expires_in_days: days,
  expires_in_minutes: minutes,
}: Pick<ApiKeyCreation, 'expires_in_days' | 'expires_in_minutes'>) {
  if (days === undefined || minutes === undefined) return;
  throw new GatewayError('bad_request', {
    problems: [{ path: '/expires_in_minutes', rule: 'must not come with expires_in_days' }],
  });
}

/** @throws {GatewayError} for a key that counts no more, or has a successor already */
function checkRotatableOrThrow({ id, active, is_expired: isExpired, rotated_to: successor }: ApiKeyRow) {
  const refuse = (message: string): never => {
    throw new GatewayError('conflict', { message });
  };
  if (successor !== null) refuse(`API key ${id} has been rotated already: API key ${successor} took its place`);
  if (!active || isExpired) refuse(`API key ${id} ${active ? 'has expired' : 'is revoked'}: create a new one`);
}

const bindRevokeApiKey = (database: Database): BoundRoute =>
  bind(revokeApiKey, async (call) => {
    const row = await audited(
      database,
      call,
      (transaction) => revokeApiKeyRow(transaction, call.params.id),
      (row) => row && { event: 'apikey.revoked', resource: keyResource(row), details: { was_active: row.active } },
    );
    if (row === undefined) throw unknownApiKey(call.params.id);
    return { message: 'API key revoked' };
  });

const bindDeleteApiKey = (database: Database): BoundRoute =>
  bind(deleteApiKey, async (call) => {
    const row = await audited(
      database,
      call,
      (transaction) => deleteApiKeyRow(transaction, call.params.id),
      (row) => row && { event: 'apikey.deleted', resource: keyResource(row), before: renderApiKey(row) },
    );
    if (row === undefined) throw unknownApiKey(call.params.id);
    return { message: 'API key deleted' };
  });

const keyResource = ({ id, name, key_prefix: prefix }: { id: number; name: string; key_prefix: string }) => ({
  type: 'api_key',
  id,
  name: name === '' ? `${prefix}…` : name,
});

export const unknownApiKey = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no API key ${id}` });

interface WrittenKey {
  readonly groupId?: number;
  readonly ownerId?: number | null | undefined;
  readonly hash?: string;
}

/** Says what a key could not be written for. */
async function refuseKey(error: unknown, database: Database, { groupId, ownerId, hash }: WrittenKey): Promise<never> {
  const missing = violatedConstraint(error, 'foreign key');
  if (missing === 'api_keys_owner_id_fkey') throw unknownUser(ownerId ?? 0);
  if (missing !== undefined && groupId !== undefined) throw unknownUserGroup(groupId);
  if (violatedConstraint(error, 'unique') === undefined || hash === undefined) throw error;
  const holder = await findApiKeyByHash(database, hash);
  throw new GatewayError('conflict', { message: `This key is registered already, as API key ${holder?.id}` });
}
