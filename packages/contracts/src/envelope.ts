import { Type, type Static, type TSchema } from 'typebox';

/** Of a change that is saved and that some proxy runtimes or hubs have not taken over in time. */
export const Pending = Type.Object({
  revision: Type.Integer({ description: 'Of the configuration that carries the change' }),
  runtimes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many of the live proxy runtimes and hubs do not have it in force yet; null when it is unknown',
  }),
  message: Type.String({ description: 'What the change waits for, for a person' }),
});
export type Pending = Static<typeof Pending>;

const messages = { message: Type.Optional(Type.String()), pending: Type.Optional(Pending) };

/** `{success: true, data, message?, pending?}`: the body of every successful management answer. */
export const Success = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data, ...messages });

/** The same of a route without a response. */
export const Done = Type.Object({ success: Type.Literal(true), ...messages });

/** Where a request was wrong: a JSON pointer into `body`, `query` or `params`, and the rule it broke. */
export const Problem = Type.Object({ path: Type.String(), rule: Type.String() });
export type Problem = Static<typeof Problem>;

/** The body of every failure, on every edge that speaks JSON. */
export const Failure = Type.Object({
  success: Type.Literal(false),
  error: Type.String(),
  error_code: Type.String(),
  message: Type.Optional(
    Type.String({ description: 'What to do about it, for a person; with the first of the problems' }),
  ),
  problems: Type.Optional(Type.Array(Problem)),
  data: Type.Optional(Type.Unknown({ description: 'What is known all the same, for the few failures that say more' })),
  request_id: Type.Optional(Type.String()),
});
export type Failure = Static<typeof Failure>;

/** The same on routes that speak OAuth (RFC 6749, 5.2). */
export const OAuthFailure = Type.Object({ error: Type.String(), error_description: Type.String() });
export type OAuthFailure = Static<typeof OAuthFailure>;
