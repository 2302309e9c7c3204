import type { Config } from '@portcullis/platform/config/config';

/** How this installation runs, and what keeps its state. */
export const describeStores = ({ DATABASE_URL, REDIS_URL }: Pick<Config, 'DATABASE_URL' | 'REDIS_URL'>) => ({
  mode: REDIS_URL === undefined ? ('single_process' as const) : ('services' as const),
  stores: {
    database: DATABASE_URL === undefined ? ('embedded' as const) : ('postgresql' as const),
    coordination: REDIS_URL === undefined ? ('in_process' as const) : ('redis' as const),
  },
});
