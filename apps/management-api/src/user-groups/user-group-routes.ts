import {
  createUserGroup,
  deleteUserGroup,
  getUserGroup,
  listUserGroups,
  updateUserGroup,
} from '@portcullis/contracts/routes/user-groups';
import type { Database } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  deleteUserGroupRow,
  findUserGroup,
  insertUserGroup,
  listUserGroupRows,
  renderUserGroup,
  updateUserGroupRow,
} from './user-group-queries.ts';

export const userGroupRoutes = (database: Database): BoundRoute[] => [
  bind(listUserGroups, async () => ({ data: (await listUserGroupRows(database)).map(renderUserGroup) })),

  bind(createUserGroup, async ({ body }) => {
    const row = await insertUserGroup(database, body).catch((error: unknown) => refuseTakenName(error, body.name));
    return { data: renderUserGroup(row), message: 'User group created' };
  }),

  bind(getUserGroup, async ({ params }) => {
    const row = await findUserGroup(database, params.id);
    if (row === undefined) throw unknownUserGroup(params.id);
    return { data: renderUserGroup(row) };
  }),

  bind(updateUserGroup, async ({ params, body }) => {
    const row = await updateUserGroupRow(database, params.id, body).catch((error: unknown) =>
      refuseTakenName(error, body.name),
    );
    if (row === undefined) throw unknownUserGroup(params.id);
    return { data: renderUserGroup(row), message: 'User group updated' };
  }),

  bind(deleteUserGroup, async ({ params }) => {
    if (!(await deleteUserGroupRow(database, params.id))) throw unknownUserGroup(params.id);
    return { message: 'User group deleted, with its API keys and its access to proxies' };
  }),
];

export const unknownUserGroup = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no user group ${id}` });

function refuseTakenName(error: unknown, name: string | undefined): never {
  if (violatedConstraint(error, 'unique') === undefined) throw error;
  throw new GatewayError('conflict', { message: `There is a user group ${JSON.stringify(name)} already` });
}
