import { sql, type Expression, type Kysely } from 'kysely';
import type { Queryable } from './database.ts';
import type { Tables } from './tables.ts';

/** Timers of the same second are less apart. */
const gatherMs = 5;

interface Question {
  readonly rows: Expression<unknown>;
  readonly answer: (any: boolean) => void;
  readonly fail: (reason: unknown) => void;
}

const waiting = new WeakMap<Kysely<Tables>, Question[]>();

/**
 * Whether a query has rows, for whoever looks again and again for something to do that is hardly ever there: what is
 * asked within a few milliseconds is one statement, since most of what such a look costs is to ask at all.
 */
export const anyRows = ({ kysely }: Queryable, rows: Expression<unknown>): Promise<boolean> =>
  new Promise((answer, fail) => {
    const question = { rows, answer, fail };
    const others = waiting.get(kysely);
    if (others !== undefined) return void others.push(question);
    waiting.set(kysely, [question]);
    setTimeout(() => void askAll(kysely), gatherMs);
  });

async function askAll(kysely: Kysely<Tables>): Promise<void> {
  const questions = waiting.get(kysely) ?? [];
  waiting.delete(kysely);
  const columns = questions.map(({ rows }, place) => sql`exists ${rows} as ${sql.id(String(place))}`);
  try {
    const { rows } = await sql<Readonly<Record<string, boolean>>>`select ${sql.join(columns)}`.execute(kysely);
    for (const [place, { answer }] of questions.entries()) answer(rows[0]?.[place] === true);
  } catch (error) {
    for (const { fail } of questions) fail(error);
  }
}
