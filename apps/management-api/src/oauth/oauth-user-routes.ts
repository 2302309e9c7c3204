import {
  activateOAuthUser,
  deactivateOAuthUser,
  getOAuthUser,
  getOAuthUserByIdentity,
  getOAuthUserStats,
  groupOAuthUsers,
  listOAuthUsers,
  listSessionsOfOAuthUser,
  updateOAuthUser,
  type OAuthUser,
} from '@portcullis/contracts/routes/oauth-users';
import type { UserChange } from '@portcullis/contracts/routes/users';
import { auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import type { Tables } from '@portcullis/platform/database/tables';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Sessions } from '@portcullis/platform/identity/sessions';
import type { Transaction } from 'kysely';
import { deleteMember, insertMember } from '../user-groups/member-queries.ts';
import { membership } from '../user-groups/member-routes.ts';
import { findUserGroup, type UserGroupRow } from '../user-groups/user-group-queries.ts';
import { announceChange, changeUser } from '../users/change-user.ts';
import { guardLastAdmin } from '../users/guard-last-admin.ts';
import { countOAuthUsers, findOAuthUser, findOAuthUserByIdentity, loadOAuthUserPage } from './oauth-user-queries.ts';
import { loadSessionPage } from './session-queries.ts';

interface OAuthUserParts {
  readonly database: Database;
  readonly sessions: Sessions;
}

export const oauthUserRoutes = (parts: OAuthUserParts): BoundRoute[] => [
  ...readingRoutes(parts.database),
  bind(updateOAuthUser, async (call) => {
    const { user_group_id: groupId, user_role: role } = call.body;
    const data = await changeOAuthUser(parts, call, { ...(role !== undefined && { role }) }, groupId);
    return { data, message: 'User updated' };
  }),
  bind(deactivateOAuthUser, async (call) => ({
    data: await changeOAuthUser(parts, call, { active: false }),
    message: 'User deactivated',
  })),
  bind(activateOAuthUser, async (call) => ({
    data: await changeOAuthUser(parts, call, { active: true }),
    message: 'User activated',
  })),
  bindGroupSeveral(parts),
];

const readingRoutes = (database: Database): BoundRoute[] => [
  bind(listOAuthUsers, async ({ query }) => {
    const page = await readConsistent(database, (moment) => loadOAuthUserPage(moment, query));
    return { data: { ...page, page: query.page, page_size: query.page_size } };
  }),
  bind(getOAuthUserStats, async () => ({ data: await countOAuthUsers(database) })),
  bind(getOAuthUser, async ({ params }) => ({ data: await loadOrThrow(database, params.id) })),
  bind(getOAuthUserByIdentity, async ({ params }) => {
    const user = await findOAuthUserByIdentity(database, params.identity);
    if (user === undefined) throw unknown(JSON.stringify(params.identity));
    return { data: user };
  }),
  bind(listSessionsOfOAuthUser, async ({ params, query }) => {
    const page = await readConsistent(database, async (moment) => {
      const { id: userId } = await loadOrThrow(moment, params.id);
      return loadSessionPage(moment, { ...query, userId });
    });
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  }),
];

const bindGroupSeveral = ({ database }: OAuthUserParts): BoundRoute =>
  bind(groupOAuthUsers, async (call) => {
    const { user_ids: ids, user_group_id: groupId } = call.body;
    await guardLastAdmin(database, async (transaction) => {
      const group = await loadGroupOrThrow({ kysely: transaction }, groupId);
      for (const id of ids) await moveTo(transaction, call, await loadOrThrow({ kysely: transaction }, id), group);
    });
    return { data: { updated_count: ids.length }, message: 'Users updated' };
  });

type CallById = AuditedCall & { readonly params: { readonly id: number } };

/** @param groupId left as it is where undefined */
async function changeOAuthUser(
  { database, sessions }: OAuthUserParts,
  call: CallById,
  change: UserChange,
  groupId?: number | null,
): Promise<OAuthUser> {
  const { id } = call.params;
  const { changed, user } = await guardLastAdmin(database, async (transaction) => {
    const before = await loadOrThrow({ kysely: transaction }, id);
    if (groupId !== undefined) {
      await moveTo(transaction, call, before, await loadGroupOrThrow({ kysely: transaction }, groupId));
    }
    const changed = Object.keys(change).length > 0 ? await changeUser(transaction, call, id, change) : undefined;
    return { changed, user: await loadOrThrow({ kysely: transaction }, id) };
  });
  if (changed !== undefined) await announceChange(sessions, changed);
  return user;
}

async function moveTo(
  transaction: Transaction<Tables>,
  call: AuditedCall,
  user: OAuthUser,
  group: UserGroupRow | null,
): Promise<void> {
  const database = { kysely: transaction };
  const member = { id: user.id, username: user.user_identity };
  for (const id of user.user_group_ids) {
    const left = id === group?.id ? undefined : await findUserGroup(database, id);
    if (left === undefined) continue;
    await deleteMember(database, id, user.id);
    await recordAudit(
      transaction,
      auditEntry(call, { event: 'usergroup.member.removed', ...membership(left, member) }),
    );
  }
  if (group !== null && (await insertMember(database, group.id, user.id))) {
    await recordAudit(transaction, auditEntry(call, { event: 'usergroup.member.added', ...membership(group, member) }));
  }
}

async function loadGroupOrThrow(database: Queryable, id: number | null): Promise<UserGroupRow | null> {
  if (id === null) return null;
  const group = await findUserGroup(database, id);
  if (group !== undefined) return group;
  const problems = [{ path: '/body/user_group_id', rule: 'must be one that there is' }];
  throw new GatewayError('bad_request', { problems });
}

async function loadOrThrow(database: Queryable, id: number): Promise<OAuthUser> {
  const user = await findOAuthUser(database, id);
  if (user === undefined) throw unknown(String(id));
  return user;
}

const unknown = (who: string): GatewayError =>
  new GatewayError('not_found', { message: `There is no user ${who} who has signed in with an identity provider` });
