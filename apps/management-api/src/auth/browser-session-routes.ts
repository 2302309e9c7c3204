import {
  endOtherSessions,
  endOwnSession,
  getCurrentSession,
  listOwnSessions,
  openBrowserSession,
} from '@portcullis/contracts/routes/browser-sessions';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { BrowserSessions } from '@portcullis/platform/identity/browser-sessions';
import { deleteSession, deleteSessionsOfUser } from '@portcullis/platform/identity/session-queries';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import { invalidToken } from '@portcullis/platform/identity/tokens';
import { renderUser } from '@portcullis/platform/identity/user-queries';
import { bind, type BoundRoute, type Caller, type UserCaller } from '@portcullis/platform/routes/bound-route';
import { loadCallerOrThrow } from './load-caller.ts';
import { findOwnSession, loadOwnSessions, renderOwnSession } from './own-session-queries.ts';
import type { PasswordLogin } from './password-login.ts';

interface Parts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly passwordLogin: PasswordLogin;
}

/** Sessions of browsers, and what people do with their own sessions. */
export const browserSessionRoutes = (parts: Parts): BoundRoute[] => [
  bindOpen(parts),
  bindCurrent(parts),
  bindList(parts),
  bindEndOthers(parts),
  bindEnd(parts),
];

const bindOpen = ({ passwordLogin, browserSessions }: Parts): BoundRoute =>
  bind(openBrowserSession, async (call) => {
    // Login CSRF: a page of another origin must not sign a browser in with an account of its own.
    if (call.browser.csrfToken === undefined) {
      throw new GatewayError('csrf_token_invalid', { message: 'Send the header X-CSRF-Token, with any value' });
    }
    const { session, user } = await passwordLogin(call, (known) => browserSessions.open(known, call.browser, call));
    const { setCookie, csrfToken, expires_at } = session;
    return { data: { user, csrf_token: csrfToken, expires_at }, headers: { 'set-cookie': setCookie } };
  });

const bindCurrent = ({ database, browserSessions }: Parts): BoundRoute =>
  bind(getCurrentSession, async ({ caller }) => {
    const { session } = sessionOfOrThrow(caller);
    const [user, row] = [await loadCallerOrThrow(database, caller), await findOwnSession(database, session.id)];
    if (row === undefined) throw invalidToken();
    return {
      data: {
        session: renderOwnSession(row, session.id),
        user: renderUser(user),
        csrf_token: session.kind === 'cookie' ? browserSessions.csrfTokenOf(session.id) : null,
      },
    };
  });

const bindList = ({ database }: Parts): BoundRoute =>
  bind(listOwnSessions, async ({ caller, query }) => {
    const { id, session } = sessionOfOrThrow(caller);
    const { rows, total } = await readConsistent(database, (moment) => loadOwnSessions(moment, id, query));
    return { data: { sessions: rows.map((row) => renderOwnSession(row, session.id)), total, ...query } };
  });

const bindEndOthers = ({ database, sessions }: Parts): BoundRoute =>
  bind(endOtherSessions, async (call) => {
    const { id, username, session } = sessionOfOrThrow(call.caller);
    const count = await database.kysely.transaction().execute(async (kysely) => {
      const { numDeletedRows } = await deleteSessionsOfUser({ kysely }, id, session.id);
      const resource = { type: 'user', id, name: username };
      const details = { ended_count: Number(numDeletedRows) };
      await recordAudit(kysely, auditEntry(call, { event: 'auth.session.ended', resource, details }));
      return details.ended_count;
    });
    await sessions.announceEnd({ userId: id, but: session.id });
    return { data: { ended_count: count } };
  });

const bindEnd = ({ database, sessions }: Parts): BoundRoute =>
  bind(endOwnSession, async (call) => {
    const { id, username } = sessionOfOrThrow(call.caller);
    const { sessionId } = call.params;
    await database.kysely.transaction().execute(async (kysely) => {
      const found = await findOwnSession({ kysely }, sessionId);
      if (found?.user_id !== id) throw new GatewayError('not_found', { message: 'You have no such session' });
      await deleteSession({ kysely }, sessionId);
      const resource = { type: 'session', id: sessionId, name: username };
      await recordAudit(kysely, auditEntry(call, { event: 'auth.session.ended', resource }));
    });
    await sessions.announceEnd({ userId: id, sessionId });
    return { message: 'Session ended' };
  });

function sessionOfOrThrow(caller: Caller | undefined): UserCaller & Required<Pick<UserCaller, 'session'>> {
  if (caller?.kind !== 'user' || caller.session === undefined) throw invalidToken();
  return { ...caller, session: caller.session };
}
