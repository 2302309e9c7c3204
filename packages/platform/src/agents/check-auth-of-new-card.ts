import type { AgentChange } from '@portcullis/contracts/routes/agents';
import { GatewayError } from '../http/gateway-error.ts';
import type { AgentRow } from './agent-queries.ts';
import { addsOrigins, calledCard } from './called-card.ts';
import type { LoadedCard } from './read-agent-card.ts';

/**
 * Credentials were given for the servers that were called then: others do not get them by themselves.
 * @throws {GatewayError} when they are stored and the change says nothing of them
 */
export function checkAuthOfNewCardOrThrow(before: AgentRow, body: AgentChange, next: LoadedCard | undefined): void {
  if (before.target_auth === null || body.target_auth !== undefined) return;
  const targetUrl = body.target_url === undefined ? before.target_url : body.target_url;
  const called = calledCard(next?.card ?? before.card, targetUrl);
  if (!addsOrigins(calledCard(before.card, before.target_url), called)) return;
  throw new GatewayError('bad_request', {
    message: 'The credentials were given for other servers than would be called now. Nothing was changed',
    problems: [{ path: '/body/target_auth', rule: 'must be sent again; null removes it' }],
  });
}
