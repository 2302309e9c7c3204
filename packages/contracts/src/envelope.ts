import { Type, type Static, type TSchema } from 'typebox';

/** `{success: true, data, message?}`: the body of every successful management answer. */
export const Success = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data, message: Type.Optional(Type.String()) });

/** Where a request was wrong: a JSON pointer into `body`, `query` or `params`, and the rule it broke. */
export const Problem = Type.Object({ path: Type.String(), rule: Type.String() });
export type Problem = Static<typeof Problem>;

/** The body of every failure, on every edge that speaks JSON. */
export const Failure = Type.Object({
  success: Type.Literal(false),
  error: Type.String(),
  error_code: Type.String(),
  message: Type.Optional(Type.String({ description: 'What to do about it, for a person' })),
  problems: Type.Optional(Type.Array(Problem)),
  data: Type.Optional(Type.Unknown({ description: 'What is known all the same, for the few failures that say more' })),
  request_id: Type.Optional(Type.String()),
});
export type Failure = Static<typeof Failure>;
