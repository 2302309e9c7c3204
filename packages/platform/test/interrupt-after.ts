import type { Database } from '../src/database/database.ts';
import type { KyselyPlugin } from 'kysely';

/** The same database, in which `happen` happens once, after so many answers. A server's: the embedded one has one connection. */
export function interruptAfter(database: Database, answers: number, happen: () => Promise<void>): Database {
  let answered = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answered += 1;
      if (answered === answers) await happen();
      return result;
    },
  };
  return { ...database, kysely: database.kysely.withPlugin(plugin) };
}
