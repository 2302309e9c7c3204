import { waitFor } from '@portcullis/testkit/wait-for';
import type { LoadedProxy } from './loaded-proxy.ts';
import type { World } from './soak-context.ts';

const patienceMs = 120_000;

/** Looks in the request logs for everything that was answered; answers what is lost or too much. */
export async function checkRecords({ admin, proxies }: World): Promise<string[]> {
  const problems: string[] = [];
  for (const proxy of Object.values(proxies) as LoadedProxy[]) {
    const { name, id, certain, uncertain } = proxy;
    const count = async () =>
      (await admin.expect<{ total_requests: number }>('GET', `/proxies/${id}/stats?hours=48`)).total_requests;
    await waitFor(async () => (await count()) >= certain, {
      what: 'the log',
      timeoutMs: patienceMs,
      intervalMs: 500,
    }).catch(() => undefined);
    const logged = await count();
    if (logged < certain) problems.push(`${name}: ${certain - logged} of ${certain} requests are not in the log`);
    if (logged > certain + uncertain) problems.push(`${name}: ${logged - certain - uncertain} in the log too many`);
    problems.push(...(await checkLatest(admin, proxy)));
  }
  return problems;
}

/** The latest requests one by one: each must be there exactly once. */
async function checkLatest(admin: World['admin'], { id, name, recentIds }: LoadedProxy): Promise<string[]> {
  const times = new Map<string, number>();
  for (let offset = 0; offset < 2_000; offset += 1_000) {
    const logs = await admin.expect<{ request_id: string }[]>('GET', `/proxies/${id}/logs?limit=1000&offset=${offset}`);
    for (const { request_id: requestId } of logs) times.set(requestId, (times.get(requestId) ?? 0) + 1);
  }
  const odd = recentIds.filter((requestId) => times.get(requestId) !== 1);
  return odd.length === 0 ? [] : [`${name}: of its latest requests ${odd.length} are not in the log once`];
}
