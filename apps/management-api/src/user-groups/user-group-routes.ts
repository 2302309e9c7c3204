import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
  type UserGroupChange,
} from '@portcullis/contracts/routes/user-groups';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { audited } from '@portcullis/platform/audit/audited';
import {
  countWorkingKeys,
  deleteUserGroupRow,
  findUserGroup,
  insertUserGroup,
  listUserGroupRows,
  renderUserGroup,
  updateUserGroupRow,
  type UserGroupRow,
} from './user-group-queries.ts';

export const userGroupRoutes = (database: Database): BoundRoute[] => [
  bind(listUserGroups, async ({ query }) => {
    const { rows, total } = await readConsistent(database, (moment) => listUserGroupRows(moment, query));
    return { data: rows.map(renderUserGroup), headers: { 'x-total-count': String(total) } };
  }),

  bind(createUserGroup, async (call) => {
    const { body } = call;
    checkSynonymOrThrow(body);
    const row = await audited(
      database,
      call,
      (transaction) => insertUserGroup(transaction, body),
      (row) => ({ event: 'usergroup.created', resource: groupResource(row), after: renderUserGroup(row) }),
    ).catch((error: unknown) => refuseTakenName(error, body.name));
    return { data: renderUserGroup(row), message: 'User group created' };
  }),

  bind(getUserGroup, async ({ params }) => {
    const row = await findUserGroup(database, params.id);
    if (row === undefined) throw unknownUserGroup(params.id);
    return { data: renderUserGroup(row) };
  }),

  bind(updateUserGroup, async (call) => {
    const { params, body } = call;
    checkSynonymOrThrow(body);
    const { after: row } = await audited(
      database,
      call,
      async (transaction) => ({
        before: await findUserGroup(transaction, params.id),
        after: await updateUserGroupRow(transaction, params.id, body),
      }),
      ({ before, after }) =>
        before && after && { event: 'usergroup.updated', resource: groupResource(after), ...renderBoth(before, after) },
    ).catch((error: unknown) => refuseTakenName(error, body.name));
    if (row === undefined) throw unknownUserGroup(params.id);
    return { data: renderUserGroup(row), message: 'User group updated' };
  }),

  bind(deleteUserGroup, async (call) => {
    const row = await audited(
      database,
      call,
      async (transaction) => {
        if (!call.query.force) await refuseWithWorkingKeys(transaction, call.params.id);
        return deleteUserGroupRow(transaction, call.params.id);
      },
      (row) => row && { event: 'usergroup.deleted', resource: groupResource(row), before: renderUserGroup(row) },
    );
    if (row === undefined) throw unknownUserGroup(call.params.id);
    return { message: 'User group deleted, with its API keys and its access to proxies' };
  }),
];

/** Deleting keys cannot be undone: each of their clients would need a new one. */
async function refuseWithWorkingKeys(database: Queryable, groupId: number): Promise<void> {
  const count = await countWorkingKeys(database, groupId);
  if (count === 0) return;
  const keys = count === 1 ? 'an API key that still works' : `${count} API keys that still work`;
  const message = `The group has ${keys}: deactivate the group, revoke the keys, or send ?force=true to delete all`;
  throw new GatewayError('conflict', { message });
}

function checkSynonymOrThrow({
  budget_warning_threshold: threshold,
  warning_threshold: synonym,
}: UserGroupChange): void {
  if (threshold === undefined || synonym === undefined || threshold === synonym) return;
  const rule = 'must be the same as budget_warning_threshold';
  throw new GatewayError('bad_request', { problems: [{ path: '/body/warning_threshold', rule }] });
}

const groupResource = ({ id, name }: { readonly id: number; readonly name: string }) => ({
  type: 'user_group',
  id,
  name,
});

const renderBoth = (before: UserGroupRow, after: UserGroupRow) => ({
  before: renderUserGroup(before),
  after: renderUserGroup(after),
});

export const unknownUserGroup = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no user group ${id}` });

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is a user group ${JSON.stringify(name)} already` });
}
