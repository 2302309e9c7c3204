import { waitFor } from '../../packages/testkit/src/wait-for.ts';
import type { Seen } from './load.ts';
import type { Stack } from './stack.ts';

/** What is missing of what the clients saw. */
export interface Lost {
  readonly records: number;
  readonly alerts: number;
  readonly deliveries: number;
}

interface AlertRow {
  readonly id: string | number;
  readonly request_id: string | null;
}

const page = 1_000;
const patienceMs = 120_000;

/** Waits until everything that the clients saw has its record, alert and message in the chat, and counts what never comes. */
export async function findLost({ admin, proxy }: Stack, seen: Seen, posts: () => Promise<string>): Promise<Lost> {
  const logged = () =>
    idsOf((offset) => admin.expect('GET', `/proxies/${proxy.id}/logs?limit=${page}&offset=${offset}`));
  const alerted = async () => {
    const alerts = await all<AlertRow>(
      async (offset) =>
        (await admin.expect<{ alerts: AlertRow[] }>('GET', `/system/alerts?limit=${page}&offset=${offset}`)).alerts,
    );
    return new Map(alerts.map(({ id, request_id: requestId }) => [requestId ?? '', String(id)]));
  };
  const records = await leastOf(async () => countMissing(seen.answered, await logged()));
  const alerts = await leastOf(async () => countMissing(seen.refused, await alerted()));
  const ofRequests = await alerted();
  const deliveries = await leastOf(async () => {
    const text = await posts();
    const told = new Set([...text.matchAll(/Portcullis alert (\d+)/g)].map(([, id]) => id));
    return [...seen.refused].filter((id) => ofRequests.has(id) && !told.has(ofRequests.get(id))).length;
  });
  return { records, alerts, deliveries };
}

const countMissing = (wanted: ReadonlySet<string>, there: { has(id: string): boolean }): number =>
  [...wanted].filter((id) => !there.has(id)).length;

/** The count once it is nothing, or as it is when patience ends. */
async function leastOf(count: () => Promise<number>): Promise<number> {
  const isWhole = async () => (await count()) === 0;
  await waitFor(isWhole, { what: 'the evidence', timeoutMs: patienceMs, intervalMs: 2_000 }).catch(() => undefined);
  return count();
}

async function idsOf(load: (offset: number) => Promise<readonly { readonly request_id: string }[]>) {
  return new Set((await all(load)).map(({ request_id: id }) => id));
}

async function all<Row>(load: (offset: number) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const next = await load(rows.length);
    rows.push(...next);
    if (next.length < page) return rows;
  }
}
