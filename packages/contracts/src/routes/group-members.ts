import { Type } from 'typebox';
import { ById, Exact, Id } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { User } from './auth.ts';

const tag = 'User groups';

const membership = Exact({ id: Id, userId: Id });

export const listGroupMembers = defineRoute({
  method: 'GET',
  path: '/auth/groups/:id/users',
  role: 'admin',
  summary: 'List the users who belong to a user group',
  tag,
  parts: { params: ById, response: Exact({ users: Type.Array(User) }) },
  errors: ['not_found'],
});

export const addGroupMember = defineRoute({
  method: 'POST',
  path: '/auth/groups/:id/users/:userId',
  role: 'admin',
  summary: 'Let a user belong to a user group; nothing changes for one who does already',
  tag,
  parts: { params: membership },
  errors: ['not_found'],
  audit: 'usergroup.member.added',
});

export const removeGroupMember = defineRoute({
  method: 'DELETE',
  path: '/auth/groups/:id/users/:userId',
  role: 'admin',
  summary: 'Take a user out of a user group',
  tag,
  parts: { params: membership },
  errors: ['not_found'],
  audit: 'usergroup.member.removed',
});
