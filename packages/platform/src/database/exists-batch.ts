import { sql, type Expression, type Kysely } from 'kysely';
import type { Queryable } from './database.ts';
import { prepare } from './prepared.ts';
import type { Tables } from './tables.ts';

/** Timers of the same second are less apart. */
const gatherMs = 5;

/** Ways to meet whose plans are kept, on each connection; in a rarer one questions are planned each time. */
const mostPlans = 64;

/** Writes a query, with `undefined` for what it is given each time, if anything. */
type WriteRows = (kysely: Kysely<Tables>) => Expression<unknown>;

interface Question {
  readonly id: number;
  readonly rows: WriteRows;
  readonly given: readonly unknown[];
  readonly answer: (any: boolean) => void;
  readonly fail: (reason: unknown) => void;
}

const waiting = new WeakMap<Kysely<Tables>, Question[]>();
let kinds = 0;

/**
 * Makes the question whether a query has rows, for jobs that look again and again for something to do that is hardly ever
 * there: what is asked within a few milliseconds is one statement that was planned before, since most of what such
 * a look costs is to ask at all.
 */
export function existsBatch(rows: WriteRows): (database: Queryable, ...given: readonly unknown[]) => Promise<boolean> {
  kinds += 1;
  const id = kinds;
  return ({ kysely }, ...given) =>
    new Promise((answer, fail) => {
      const question = { id, rows, given, answer, fail };
      const others = waiting.get(kysely);
      if (others !== undefined) return void others.push(question);
      waiting.set(kysely, [question]);
      setTimeout(() => void askAll(kysely), gatherMs);
    });
}

async function askAll(kysely: Kysely<Tables>): Promise<void> {
  const questions = (waiting.get(kysely) ?? []).sort((one, other) => one.id - other.id);
  waiting.delete(kysely);
  try {
    const { rows } = await findStatement(questions)(kysely, ...questions.flatMap(({ given }) => given));
    for (const [place, { answer }] of questions.entries()) answer(rows[0]?.[place] === true);
  } catch (error) {
    for (const { fail } of questions) fail(error);
  }
}

type Statement = ReturnType<typeof prepare<Readonly<Record<string, boolean>>>>;

/** By the questions, which mostly meet in a few ways. */
const statements = new Map<string, Statement>();

function findStatement(questions: readonly Question[]): Statement {
  const asked = questions.map(({ id }) => id).join();
  const known = statements.get(asked);
  if (known !== undefined) return known;
  const isKept = statements.size < mostPlans;
  const statement: Statement = prepare(isKept ? `any_rows_${statements.size}` : undefined, (kysely) => {
    const columns = questions.map(({ rows }, place) => sql`exists ${rows(kysely)} as ${sql.id(String(place))}`);
    return sql`select ${sql.join(columns)}`;
  });
  if (isKept) statements.set(asked, statement);
  return statement;
}
