import { policyAliases } from '@portcullis/core/policy/builtin/policy-aliases';
import { suggestNames } from '@portcullis/core/text/near-names';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';

/**
 * A name, or an id, that no policy has would leave a proxy open that looks guarded.
 * @param kept names that stand there already, such as those of a record that is sent back as it was shown
 * @throws {GatewayError} that names the policies which may be meant
 */
export async function checkPolicyNamesOrThrow(
  database: Queryable,
  names: readonly string[],
  { path, kept = [] }: { readonly path: string; readonly kept?: readonly string[] },
): Promise<void> {
  const earlier = new Set(kept);
  const asked = names.map((name, index) => ({ name, index })).filter(({ name }) => !earlier.has(name));
  if (asked.length === 0) return;
  const [known, ids] = [await listPolicyNames(database), await listPolicyIds(database)];
  const problems = asked
    .filter(({ name }) => !known.has(name) && !ids.has(name))
    .map(({ name, index }) => ({ path: `${path}/${index}`, rule: describeUnknownPolicy(name, known) }));
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** Names by which policies are found, those included that stand for others. */
export async function listPolicyNames({ kysely }: Queryable): Promise<ReadonlySet<string>> {
  const rows = await kysely.selectFrom('policies').select('name').execute();
  const names = new Set(rows.map(({ name }) => name));
  const aliases = Object.entries(policyAliases).filter(([, target]) => target !== undefined && names.has(target));
  return new Set([...names, ...aliases.map(([alias]) => alias)]);
}

/** As texts. */
export async function listPolicyIds({ kysely }: Queryable): Promise<ReadonlySet<string>> {
  const rows = await kysely.selectFrom('policies').select('id').execute();
  return new Set(rows.map(({ id }) => String(id)));
}

export const describeUnknownPolicy = (name: string, known: ReadonlySet<string>): string =>
  `must name a policy: there is no ${JSON.stringify(name)}${suggestNames(name, known)}`;
