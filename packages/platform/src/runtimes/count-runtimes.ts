import type { Queryable } from '../database/database.ts';
import { liveRuntimes } from './live-runtimes.ts';

/** How many runtimes live, and how many of them do not have a revision in force. */
export const countRuntimes = ({ kysely }: Queryable, revision: number): Promise<{ live: number; late: number }> =>
  kysely
    .selectFrom(liveRuntimes(kysely).as('live'))
    .leftJoin('runtime_revisions as report', (join) =>
      join.onRef('report.instance_id', '=', 'live.instance_id').on('report.revision', '>=', revision),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('live'),
      fn.countAll<number>().filterWhere('report.revision', 'is', null).as('late'),
    ])
    .executeTakeFirstOrThrow();
