import { addGroupMember, listGroupMembers, removeGroupMember } from '@portcullis/contracts/routes/group-members';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { findUser, renderUser } from '@portcullis/platform/identity/user-queries';
import { unknownUser } from '../users/change-user.ts';
import { deleteMember, insertMember, listMembers } from './member-queries.ts';
import { findUserGroup } from './user-group-queries.ts';
import { unknownUserGroup } from './user-group-routes.ts';

export const memberRoutes = (database: Database): BoundRoute[] => [
  bind(listGroupMembers, async ({ params }) => {
    if ((await findUserGroup(database, params.id)) === undefined) throw unknownUserGroup(params.id);
    return { data: { users: (await listMembers(database, params.id)).map(renderUser) } };
  }),

  bind(addGroupMember, async (call) => {
    await database.kysely.transaction().execute(async (kysely) => {
      const { group, user } = await loadBothOrThrow({ kysely }, call.params.id, call.params.userId);
      if (!(await insertMember({ kysely }, group.id, user.id))) return;
      await recordAudit(kysely, auditEntry(call, { event: 'usergroup.member.added', ...membership(group, user) }));
    });
    return { message: 'The user belongs to the group' };
  }),

  bind(removeGroupMember, async (call) => {
    await database.kysely.transaction().execute(async (kysely) => {
      const { group, user } = await loadBothOrThrow({ kysely }, call.params.id, call.params.userId);
      if (!(await deleteMember({ kysely }, group.id, user.id))) {
        throw new GatewayError('not_found', { message: `User ${user.id} does not belong to user group ${group.id}` });
      }
      await recordAudit(kysely, auditEntry(call, { event: 'usergroup.member.removed', ...membership(group, user) }));
    });
    return { message: 'The user no longer belongs to the group' };
  }),
];

async function loadBothOrThrow(database: Queryable, groupId: number, userId: number) {
  const group = await findUserGroup(database, groupId);
  if (group === undefined) throw unknownUserGroup(groupId);
  const user = await findUser(database, userId);
  if (user === undefined) throw unknownUser(userId);
  return { group, user };
}

export const membership = (
  group: { readonly id: number; readonly name: string },
  user: { readonly id: number; readonly username: string },
) => ({
  resource: { type: 'user_group', id: group.id, name: group.name },
  details: { user_id: user.id, username: user.username },
});
