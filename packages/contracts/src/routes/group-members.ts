import { Type } from 'typebox';
import { ById, Exact, Id } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { User } from './auth.ts';

export const routes = createRouteList('User groups');

const membership = Exact({ id: Id, userId: Id });

export const listGroupMembers = routes.define({
  method: 'GET',
  path: '/auth/groups/:id/users',
  role: 'admin',
  summary: 'List the members of a user group',
  parts: { params: ById, response: Exact({ users: Type.Array(User) }) },
  errors: ['not_found'],
});

export const addGroupMember = routes.define({
  method: 'POST',
  path: '/auth/groups/:id/users/:userId',
  role: 'admin',
  summary: 'Add a user to a user group; nothing changes for a member',
  parts: { params: membership },
  errors: ['not_found'],
  audit: 'usergroup.member.added',
});

export const removeGroupMember = routes.define({
  method: 'DELETE',
  path: '/auth/groups/:id/users/:userId',
  role: 'admin',
  summary: 'Remove a user from a user group',
  parts: { params: membership },
  errors: ['not_found'],
  audit: 'usergroup.member.removed',
});
