import type { Database } from '@portcullis/platform/database/database';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';

/** A statement that some work sent, as the database explains it. */
export interface Explained {
  /** Execution at the database: the first time, and the median of all. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly plan: string;
}

const rounds = 7;

/** Does the work once and then has each of its statements explained, with what it read, over and over. */
export async function explain(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<readonly Explained[]> {
  // A part of a statement is transformed by itself too, but has no result.
  const known = new WeakMap<object, RootOperationNode>();
  const nodes: RootOperationNode[] = [];
  const collect: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => (known.set(queryId, node), node),
    async transformResult({ result, queryId }) {
      const node = known.get(queryId);
      if (node !== undefined) nodes.push(node);
      return result;
    },
  };
  await work({ ...database, kysely: database.kysely.withPlugin(collect) });
  const explained: Explained[] = [];
  for (const node of nodes) explained.push(await explainStatement(database, node));
  return explained;
}

async function explainStatement({ kysely }: Database, node: RootOperationNode): Promise<Explained> {
  const { sql, parameters } = kysely.getExecutor().compileQuery(node, { queryId: 'plan' });
  const plans: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { rows } = await kysely.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, timing off, costs off) ${sql}`, [...parameters]),
    );
    plans.push(rows.map((row) => row['QUERY PLAN'].slice(0, 200)).join('\n'));
  }
  const times = plans.map((plan) => Number(/Execution Time: ([\d.]+) ms/.exec(plan)?.[1] ?? Number.NaN));
  return { firstMs: times[0] ?? Number.NaN, medianMs: median(times), plan: plans.at(-1) ?? '' };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds that the work takes from here, answers and all: the median of several times. */
export async function timeFromHere(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
