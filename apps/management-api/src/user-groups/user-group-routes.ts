import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
  type UserGroupChange,
} from '@portcullis/contracts/routes/user-groups';
import { parseWrittenSubject } from '@portcullis/core/identity/distinguished-name';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
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
    const body = parseSubjectOrThrow(call.body);
    checkSynonymOrThrow(body);
    const row = await audited(
      database,
      call,
      (transaction) => insertUserGroup(transaction, body),
      (row) => ({ event: 'usergroup.created', resource: groupResource(row), after: renderUserGroup(row) }),
    ).catch((error: unknown) => throwConflict(error, body));
    return { data: renderUserGroup(row), message: 'User group created' };
  }),

  bind(getUserGroup, async ({ params }) => {
    const row = await findUserGroup(database, params.id);
    if (row === undefined) throw unknownUserGroup(params.id);
    return { data: renderUserGroup(row) };
  }),

  bind(updateUserGroup, async (call) => {
    const { params } = call;
    const body = parseSubjectOrThrow(call.body);
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
    ).catch((error: unknown) => throwConflict(error, body));
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

/** The subject in the spelling in which it is compared. */
function parseSubjectOrThrow<Body extends UserGroupChange>(body: Body): Body {
  const { client_certificate_subject: given } = body;
  if (given === undefined || given === null) return body;
  const subject = parseWrittenSubject(given);
  if (subject !== undefined) return { ...body, client_certificate_subject: subject };
  const rule = 'must be the subject of a certificate, such as CN=agent,O=Example';
  throw new GatewayError('bad_request', { problems: [{ path: '/body/client_certificate_subject', rule }] });
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

function throwConflict(error: unknown, { name, client_certificate_subject: subject }: UserGroupChange): never {
  const constraint = violatedConstraint(error, 'unique');
  if (constraint === undefined) throw error;
  const message = constraint.includes('client_certificate_subject')
    ? `Another user group is bound to ${JSON.stringify(subject)} already`
    : `There is a user group ${JSON.stringify(name)} already`;
  throw new GatewayError('conflict', { message });
}
