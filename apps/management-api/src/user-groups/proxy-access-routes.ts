import {
  grantGroupProxy,
  grantProxyAccess,
  listGroupProxies,
  listProxiesOfGroup,
  listProxyAccess,
  revokeProxyAccess,
  updateProxyAccess,
} from '@portcullis/contracts/routes/proxy-access';
import { findPermissionProblem } from '@portcullis/core/mcp/tool-permissions';
import type { Database } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute, type RouteHandler } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import { unknownProxy } from '../proxies/proxy-problems.ts';
import {
  deleteAccess,
  findAccess,
  insertAccess,
  listAccess,
  renderAccess,
  updateAccess,
  type AccessRow,
} from './proxy-access-queries.ts';
import { findUserGroup } from './user-group-queries.ts';
import { unknownUserGroup } from './user-group-routes.ts';

export const proxyAccessRoutes = (database: Database): BoundRoute[] =>
  [
    bindListProxyAccess,
    bindListGroupProxies,
    bindListProxiesOfGroup,
    bindGrantProxyAccess,
    bindGrantGroupProxy,
    bindUpdateProxyAccess,
    bindRevokeProxyAccess,
  ].map((bindRoute) => bindRoute(database));

const bindListProxyAccess = (database: Database): BoundRoute => bind(listProxyAccess, answerList(database));

const bindListGroupProxies = (database: Database): BoundRoute => bind(listGroupProxies, answerList(database));

const bindListProxiesOfGroup = (database: Database): BoundRoute =>
  bind(listProxiesOfGroup, async ({ params }) => ({
    data: (await list(database, params.id)).map((row) => ({
      ...renderAccess(row),
      proxy: { id: row.proxy_config_id, name: row.proxy_name, type: row.proxy_type, port: row.proxy_port },
    })),
  }));

const bindGrantProxyAccess = (database: Database): BoundRoute => bind(grantProxyAccess, grant(database));

const bindGrantGroupProxy = (database: Database): BoundRoute => bind(grantGroupProxy, grant(database));

const bindUpdateProxyAccess = (database: Database): BoundRoute =>
  bind(updateProxyAccess, async (call) => {
    const { params, body } = call;
    checkPermissionsOrThrow(body.permissions);
    const { after: row } = await audited(
      database,
      call,
      async (transaction) => ({
        before: await findAccess(transaction, params.id, params.accessId),
        after: await updateAccess(transaction, params.id, params.accessId, body),
      }),
      ({ before, after }) =>
        after && { event: 'usergroup.access.updated', resource: accessResource(after), before, after },
    );
    if (row === undefined) {
      throw new GatewayError('not_found', {
        message: `User group ${params.id} has no access entry ${params.accessId}`,
      });
    }
    return { data: renderAccess(row), message: 'Access updated' };
  });

const bindRevokeProxyAccess = (database: Database): BoundRoute =>
  bind(revokeProxyAccess, async (call) => {
    const { params } = call;
    const row = await audited(
      database,
      call,
      (transaction) => deleteAccess(transaction, params.id, params.proxyId),
      (row) => row && { event: 'usergroup.access.removed', resource: accessResource(row), before: renderAccess(row) },
    );
    if (row === undefined) {
      throw new GatewayError('not_found', {
        message: `User group ${params.id} has no access to proxy ${params.proxyId}`,
      });
    }
    return { message: 'Access revoked' };
  });

async function list(database: Database, groupId: number) {
  if ((await findUserGroup(database, groupId)) === undefined) throw unknownUserGroup(groupId);
  return listAccess(database, groupId);
}

const answerList =
  (database: Database): RouteHandler<typeof listProxyAccess.parts> =>
  async ({ params }) => ({ data: { proxy_access: (await list(database, params.id)).map(renderAccess) } });

const grant =
  (database: Database): RouteHandler<typeof grantProxyAccess.parts> =>
  async (call) => {
    const { params, body } = call;
    const { proxy_config_id, proxy_id, ...options } = body;
    const proxyId = readProxyIdOrThrow(proxy_config_id, proxy_id);
    checkPermissionsOrThrow(options.permissions);
    const row = await audited(
      database,
      call,
      (transaction) => insertAccess(transaction, params.id, proxyId, options),
      (row) => ({ event: 'usergroup.access.added', resource: accessResource(row), after: renderAccess(row) }),
    ).catch((error: unknown) => refuseAccess(error, params.id, proxyId));
    return { data: renderAccess(row), message: 'Access granted' };
  };

function checkPermissionsOrThrow(permissions: string | undefined): void {
  const problem = permissions === undefined ? undefined : findPermissionProblem(permissions);
  if (problem !== undefined) throw new GatewayError('bad_request', { message: `permissions: ${problem}` });
}

const accessResource = (row: AccessRow) => ({
  type: 'proxy_access',
  id: row.id,
  name: `user group ${row.user_group_id}, proxy ${row.proxy_name}`,
});

function readProxyIdOrThrow(id: number | undefined, synonym: number | undefined): number {
  const proxyId = id ?? synonym;
  if (proxyId === undefined) {
    throw new GatewayError('bad_request', { problems: [{ path: '/body/proxy_config_id', rule: 'is required' }] });
  }
  if (synonym !== undefined && synonym !== proxyId) {
    throw new GatewayError('bad_request', {
      problems: [{ path: '/body/proxy_id', rule: 'must be the same as proxy_config_id' }],
    });
  }
  return proxyId;
}

function refuseAccess(error: unknown, groupId: number, proxyId: number): never {
  if (violatedConstraint(error, 'unique') !== undefined) {
    throw new GatewayError('conflict', { message: `User group ${groupId} has access to proxy ${proxyId} already` });
  }
  const missing = violatedConstraint(error, 'foreign key');
  if (missing === 'proxy_access_user_group_id_fkey') throw unknownUserGroup(groupId);
  throw missing === undefined ? error : unknownProxy(proxyId);
}
