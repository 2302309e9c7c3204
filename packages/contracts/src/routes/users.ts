import { Type, type Static } from 'typebox';
import { ById, Exact, Nullable, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { Password, User, roles } from './auth.ts';

export const routes = createRouteList('Users');

const Username = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$',
  'x-allowed': 'letters, digits and . _ + -, and begin with a letter or digit',
  description: 'Upper and lower case are the same name',
});
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]{1,64}@[^\\s@]+$', 'x-allowed': 'an e-mail address' });

const changeable = { email: Email, role: Type.Enum(roles), active: Type.Boolean({ default: true }) };

export const UserChange = Exact(optional(changeable));
export type UserChange = Static<typeof UserChange>;

export const UserCreation = Exact({
  username: Username,
  ...optional({
    email: Email,
    role: Type.Enum(roles, { default: 'viewer' }),
    active: Type.Boolean({ default: true }),
    password: Password,
    must_change_password: Type.Boolean({
      description: 'Whether the first login must choose another password; true unless the password is given',
    }),
  }),
});
export type UserCreation = Static<typeof UserCreation>;

const NewPassword = Exact({
  user: User,
  password: Nullable(Type.String({ description: 'A password that was made up, shown this once; null: the given one' })),
});

export const listUsers = routes.define({
  method: 'GET',
  path: '/auth/users',
  role: 'admin',
  summary: 'List the users, in the order of their names',
  parts: {
    query: Exact({
      ...optional({
        role: Type.Enum(roles),
        active: Type.Boolean(),
        search: Type.String({ maxLength: 200, description: 'Part of the name or the e-mail address' }),
      }),
      ...page(50),
    }),
    response: Exact({
      users: Type.Array(User),
      total: Type.Integer(),
      limit: Type.Integer(),
      offset: Type.Integer(),
    }),
  },
});

export const createUser = routes.define({
  method: 'POST',
  path: '/auth/users',
  role: 'admin',
  summary: 'Create a user; without a password one is made up and shown in this answer only',
  status: 201,
  parts: { body: UserCreation, response: NewPassword },
  errors: ['conflict'],
  audit: 'user.created',
});

export const getUser = routes.define({
  method: 'GET',
  path: '/auth/users/:id',
  role: 'admin',
  summary: 'Show a user',
  parts: { params: ById, response: User },
  errors: ['not_found'],
});

export const updateUser = routes.define({
  method: 'PUT',
  path: '/auth/users/:id',
  role: 'admin',
  summary: 'Change the given fields of a user; the last active admin stays one',
  parts: { params: ById, body: UserChange, response: User },
  errors: ['not_found', 'conflict'],
  audit: ['user.updated', 'user.role.changed', 'user.activated', 'user.deactivated'],
});

export const deleteUser = routes.define({
  method: 'DELETE',
  path: '/auth/users/:id',
  role: 'admin',
  summary: 'Delete a user; the last active admin stays',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'user.deleted',
});

export const resetPassword = routes.define({
  method: 'POST',
  path: '/auth/users/:id/reset-password',
  role: 'admin',
  summary: 'Reset the password of a user, who must change it at the next login; every session of the user ends',
  parts: { params: ById, body: Exact(optional({ password: Password })), response: NewPassword },
  errors: ['not_found'],
  audit: 'auth.password.reset',
});
