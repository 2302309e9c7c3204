import { Type, type Static, type TOptional, type TProperties, type TSchema } from 'typebox';

/** An object whose every field is known; others are refused. */
export const Exact = <Properties extends TProperties>(
  properties: Properties,
  options: { title?: string; description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

type OptionalProperties<Properties extends TProperties> = {
  [Name in keyof Properties]: TOptional<Properties[Name]>;
};

/** The fields, each of which may be absent. A `default` among them is documentation, absence stays absence. */
export const optional = <Properties extends TProperties>(properties: Properties): OptionalProperties<Properties> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as OptionalProperties<Properties>;

/** The schema, or null. Takes schemas with a single `type`, and enums. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => {
  const { enum: values, type, ...rules } = schema as TSchema & { enum?: readonly unknown[]; type?: string };
  return Type.Unsafe<Static<Schema> | null>(
    values === undefined ? { ...rules, type: [type, 'null'] } : { ...rules, enum: [...values, null] },
  );
};

/** Id of a configuration record: a PostgreSQL integer. */
export const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** Id of recorded evidence: a PostgreSQL bigint that JavaScript can count. */
export const EvidenceId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: 'date-time' });

/** A name on one line, without blanks around it. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^\\S(?:.*\\S)?$',
  'x-allowed': 'one line of text without blanks around it',
});

/** A policy, as a path or a list names it. A policy whose name is a number is found by that name. */
export const PolicyReference = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minLength: 1,
  maxLength: 200,
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Id or name',
});

export const Description = Type.String({ maxLength: 2_000 });

export const Count = Type.Integer({ minimum: 0 });

export const ById = Exact({ id: Id });

/** Query fields that say which part of a list is wanted. */
export const page = (fallback: number) => ({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: fallback }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
});
