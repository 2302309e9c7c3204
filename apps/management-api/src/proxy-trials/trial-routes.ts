import type { Problem } from '@portcullis/contracts/envelope';
import { maxTrialBodyBytes, tryProxy, type Trial, type TrialRequest } from '@portcullis/contracts/routes/proxy-trials';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Queryable } from '@portcullis/platform/database/database';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { askForTrial, createTrialId } from '@portcullis/platform/trials/trial-bus';
import { findApiKey } from '../api-keys/api-key-queries.ts';
import { findUserGroup } from '../user-groups/user-group-queries.ts';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';

/** What a trial has of its own. */
const ownHeaders: ReadonlySet<string> = new Set(['x-request-id', 'x-api-key']);

/** Runs requests through the stages of a proxy without counting them. */
export const trialRoutes = ({
  database,
  coordination,
  encryption,
}: Pick<Infrastructure, 'database' | 'coordination' | 'encryption'>): BoundRoute[] => [
  bind(tryProxy, async (call) => {
    const { params, body } = call;
    checkTrialOrThrow(body);
    const proxy = await findProxyOrThrow(database, params.id);
    await checkCallerOrThrow(database, body.as);
    const question = { id: createTrialId(), proxyId: proxy.id, request: body };
    const data = await askForTrial({ coordination, encryption }, question);
    // A runtime that took it and did not answer may have sent it: that is written down like any other.
    const { refused_by = null, error_code = null, outcome = 'unanswered' } = data ?? ({} as Partial<Trial>);
    await recordAudit(
      database.kysely,
      auditEntry(call, {
        event: 'proxy.tried',
        resource: { type: 'proxy', id: proxy.id, name: proxy.name },
        details: { request_id: question.id, as: body.as, send: body.send === true, outcome, refused_by, error_code },
      }),
    );
    if (data === undefined) {
      throw new GatewayError('service_unavailable', { message: 'No proxy runtime has tried the request in time' });
    }
    return { data };
  }),
];

function checkTrialOrThrow({ headers = {}, body }: TrialRequest): void {
  const problems: Problem[] = [];
  for (const name of Object.keys(headers).map((each) => each.toLowerCase())) {
    if (connectionHeaders.has(name) || ownHeaders.has(name)) {
      problems.push({
        path: `/body/headers/${name}`,
        rule: 'must not be given: it belongs to the connection or the caller',
      });
    }
  }
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  if (Buffer.byteLength(text) > maxTrialBodyBytes) {
    problems.push({ path: '/body/body', rule: `must have at most ${maxTrialBodyBytes} bytes` });
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

async function checkCallerOrThrow(database: Queryable, as: TrialRequest['as']): Promise<void> {
  const { api_key_id: keyId, user_group_id: groupId } = as;
  if (groupId !== undefined && (await findUserGroup(database, groupId)) === undefined) {
    throw new GatewayError('not_found', { message: `There is no user group ${groupId}` });
  }
  if (keyId !== undefined && (await findApiKey(database, keyId)) === undefined)
    throw new GatewayError('not_found', { message: `There is no API key ${keyId}` });
}
