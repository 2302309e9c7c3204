import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  updateApiKey,
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
import {
  deleteApiKeyRow,
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  listApiKeyRows,
  renderApiKey,
  revokeApiKeyRow,
  updateApiKeyRow,
} from './api-key-queries.ts';

const keyPrefix = 'gw_';
const randomLength = 43;

export const apiKeyRoutes = (database: Database): BoundRoute[] =>
  [bindListApiKeys, bindGetApiKey, bindUpdateApiKey, bindCreateApiKey, bindRevokeApiKey, bindDeleteApiKey].map(
    (bindRoute) => bindRoute(database),
  );

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
    );
    if (row === undefined) throw unknownApiKey(params.id);
    return { data: renderApiKey(row), message: 'API key updated' };
  });

const bindCreateApiKey = (database: Database): BoundRoute =>
  bind(createApiKey, async (call) => {
    const { body } = call;
    const key = body.custom_key ?? keyPrefix + randomAlphanumerics(randomLength);
    const hash = hashKey(key);
    const row = await audited(
      database,
      call,
      (transaction) => insertApiKey(transaction, body, { key, hash }),
      (row) => ({ event: 'apikey.created', resource: keyResource(row), after: renderApiKey(row) }),
    ).catch((error: unknown) => refuseKey(error, database, body.user_group_id, hash));
    const message = 'Keep this key: it is not shown again';
    return { data: { api_key: renderApiKey(row), key, message }, message };
  });

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

const unknownApiKey = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no API key ${id}` });

async function refuseKey(error: unknown, database: Database, groupId: number, hash: string): Promise<never> {
  if (violatedConstraint(error, 'foreign key') !== undefined) throw unknownUserGroup(groupId);
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  const holder = await findApiKeyByHash(database, hash);
  throw new GatewayError('conflict', { message: `This key is registered already, as API key ${holder?.id}` });
}
