import {
  createProxy,
  deleteProxy,
  getProxy,
  listProxies,
  suggestPort,
  updateProxy,
} from '@portcullis/contracts/routes/proxies';
import { addressRuleOf } from '@portcullis/platform/config/config';
import type { Proxy, ProxyChange } from '@portcullis/contracts/routes/proxies';
import type { Queryable } from '@portcullis/platform/database/database';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import type { RouteParts } from '@portcullis/contracts/route';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { checkPolicyNamesOrThrow } from '../policies/check-policy-names.ts';
import { audited } from '@portcullis/platform/audit/audited';
import { checkHostOrThrow, withNote } from '@portcullis/platform/network/check-host';
import { checkOAuthSettingsOrThrow } from './check-oauth-settings.ts';
import { checkOwnPortOrThrow } from './check-own-port.ts';
import { listAssignments, listDefaultPolicies } from './proxy-policy-queries.ts';
import {
  checkAuthOfNewTargetOrThrow,
  checkProxyOrThrow,
  findProxyOrThrow,
  throwConflict,
  unknownProxy,
} from './proxy-problems.ts';
import { loadState, proxyResource, secrets } from './proxy-state.ts';
import { checkScopeOrThrow, groupOf } from './proxy-scope.ts';
import { deleteStoppedProxy, findFreePort, insertProxy, listProxyRows, updateProxyRow } from './proxy-queries.ts';
import { readNewProxy, readProxyWrite, withWebTarget } from './proxy-write.ts';
import { gatewayOriginFor } from './proxy-address.ts';
import { renderProxy } from './render-proxy.ts';

/** Policies that do not exist protect nothing. */
const checkAssignedOrThrow = (transaction: Queryable, body: ProxyChange, kept: readonly string[] = []) =>
  checkPolicyNamesOrThrow(transaction, readProxyWrite(body).policyNames ?? [], {
    path: body.policy_names === undefined ? '/body/policies' : '/body/policy_names',
    kept,
  });

interface ProxyParts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly rule: AddressRule;
}

export function proxyRoutes(infrastructure: Omit<ProxyParts, 'rule'>): BoundRoute[] {
  const parts = { ...infrastructure, rule: addressRuleOf(infrastructure.config) };
  return [bindListProxies, bindCreateProxy, bindGetProxy, bindSuggestPort, bindUpdateProxy, bindDeleteProxy].map(
    (bindRoute) => bindRoute(parts),
  );
}

async function show({ database, config }: ProxyParts, call: Pick<Call<RouteParts>, 'calledOrigin'>, id: number) {
  const row = await findProxyOrThrow(database, id);
  return renderProxy(row, await listAssignments(database, [id]), gatewayOriginFor(config, call.calledOrigin));
}

/** The answer to a change: what it came to, what is to be known of its target, and what is open. */
const respond = (data: Proxy, message: string, note: string | undefined) => ({
  data,
  message: data.warnings.reduce((text, warning) => withNote(text, warning), withNote(message, note)),
});

const bindListProxies = ({ database, config }: ProxyParts): BoundRoute =>
  bind(listProxies, async ({ query, caller, calledOrigin }) => {
    const rows = await listProxyRows(database, { ...query, groupId: groupOf(caller) });
    const assignments = await listAssignments(
      database,
      rows.map(({ id }) => id),
    );
    const gateway = gatewayOriginFor(config, calledOrigin);
    return { data: rows.map((row) => renderProxy(row, assignments, gateway)) };
  });

const bindCreateProxy = (parts: ProxyParts): BoundRoute =>
  bind(createProxy, async (call) => {
    const { database, encryption, config, rule } = parts;
    const body = withWebTarget(call.body);
    checkProxyOrThrow(body, config);
    checkOwnPortOrThrow(body);
    const note = await checkHostOrThrow(body.target, rule, '/body/target');
    const after = await audited(
      database,
      call,
      async (transaction) => {
        await checkAssignedOrThrow(transaction, body);
        const { policyNames = await listDefaultPolicies(transaction), ...wanted } = readNewProxy(body);
        const id = await insertProxy(transaction, { ...wanted, policyNames }, encryption);
        const inserted = await loadState(transaction, id);
        if (inserted !== undefined) await checkOAuthSettingsOrThrow(transaction, inserted, config);
        return inserted;
      },
      (after) => after && { event: 'proxy.created', resource: proxyResource(after), after, secrets },
    ).catch((error: unknown) => throwConflict(error, database, body, config));
    return respond(await show(parts, call, after?.id ?? 0), 'Proxy created', note);
  });

const bindGetProxy = (parts: ProxyParts): BoundRoute =>
  bind(getProxy, async (call) => {
    const { params, caller } = call;
    await checkScopeOrThrow(parts.database, caller, params.id);
    return { data: await show(parts, call, params.id) };
  });

const bindSuggestPort = ({ database, config }: ProxyParts): BoundRoute =>
  bind(suggestPort, async ({ query }) => {
    const port = await findFreePort(database, query.from, config.PORT);
    if (port === undefined) throw new GatewayError('conflict', { message: `No port from ${query.from} on is free` });
    return { data: { port } };
  });

const bindUpdateProxy = (parts: ProxyParts): BoundRoute =>
  bind(updateProxy, async (call) => {
    const { database, encryption, config, rule } = parts;
    const { params } = call;
    const body = withWebTarget(call.body);
    checkProxyOrThrow(body, config);
    const note = body.target === undefined ? undefined : await checkHostOrThrow(body.target, rule, '/body/target');
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadState(transaction, params.id);
        if (before === undefined) throw unknownProxy(params.id);
        checkAuthOfNewTargetOrThrow(before, body);
        checkOwnPortOrThrow({ target: body.target ?? before.target, port: body.port ?? before.port });
        await checkAssignedOrThrow(transaction, body, before.policy_names);
        await updateProxyRow(transaction, params.id, readProxyWrite(body), encryption);
        const after = await loadState(transaction, params.id);
        if (after !== undefined) await checkOAuthSettingsOrThrow(transaction, after, config);
        return { before, after };
      },
      ({ before, after }) =>
        after && { event: 'proxy.updated', resource: proxyResource(after), before, after, secrets },
    ).catch((error: unknown) => throwConflict(error, database, body, config));
    return respond(await show(parts, call, params.id), 'Proxy updated', note);
  });

const bindDeleteProxy = ({ database }: ProxyParts): BoundRoute =>
  bind(deleteProxy, async (call) => {
    const { params } = call;
    const deleted = await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadState(transaction, params.id);
        return (await deleteStoppedProxy(transaction, params.id)) && before;
      },
      (before) => before && { event: 'proxy.deleted', resource: proxyResource(before), before, secrets },
    );
    if (deleted !== undefined) return { message: 'Proxy deleted' };
    const row = await findProxyOrThrow(database, params.id);
    throw new GatewayError('conflict', { message: `Stop the proxy ${JSON.stringify(row.name)} before deleting it` });
  });
