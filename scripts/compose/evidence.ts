import { hash } from 'node:crypto';
import { waitFor } from '../../packages/testkit/src/wait-for.ts';
import type { Seen } from './load.ts';
import type { Stack } from './stack.ts';

/** What is missing of what the clients saw. */
export interface Lost {
  readonly records: number;
  readonly alerts: number;
  /** Messages about alerts, by where they were to come. */
  readonly 'messages in the chat': number;
  readonly 'events in the SIEM': number;
  /** Of requests to the model. */
  readonly traces: number;
  /** Logs of invocations that were answered. */
  readonly invocations: number;
  /** Tasks whose ids were returned. */
  readonly tasks: number;
  /** Packages of skills that were taken and cannot be downloaded as they came. */
  readonly packages: number;
  /** Of the evaluation: without a result, with more than one, or with an error. */
  readonly 'test cases': number;
}

interface SkillPackage {
  readonly id: number;
  readonly skill_id: number;
  readonly sha256: string;
}

interface AlertRow {
  readonly id: string | number;
  readonly request_id: string | null;
}

const page = 1_000;
/** Of agents. */
const smallPage = 100;
const evidenceTimeoutMs = 120_000;

/** What peers took, as they tell it. */
export type AskPeer = (what: 'posts' | 'siem' | 'traces') => Promise<string>;

/** Waits until everything that the clients saw has its record, alert, messages and trace, and counts what never comes. */
export async function findLost(stack: Stack, seen: Seen, ask: AskPeer): Promise<Lost> {
  const { admin, proxy } = stack;
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
  const posts = await leastOf(async () => {
    const posted = new Set([...(await ask('posts')).matchAll(/Portcullis alert (\d+)/g)].map(([, id]) => id));
    return [...seen.refused].filter((id) => ofRequests.has(id) && !posted.has(ofRequests.get(id))).length;
  });
  return {
    records,
    alerts,
    'messages in the chat': posts,
    'events in the SIEM': await leastOf(async () => countMissing(seen.refused, requestsOf(await ask('siem')))),
    traces: await leastOf(async () =>
      countMissing(seen.answered, new Set(JSON.parse(await ask('traces')) as string[])),
    ),
    ...(await findLostOfAgent(stack, seen)),
    packages: await countLostPackages(stack, seen),
    'test cases': await countLostCases(stack),
  };
}

/** The requests that events in a SIEM are about. */
const requestsOf = (events: string): ReadonlySet<string> =>
  new Set(
    (JSON.parse(events) as { readonly portcullis?: { readonly request_id?: string } }[]).flatMap(
      ({ portcullis }) => portcullis?.request_id ?? [],
    ),
  );

async function findLostOfAgent({ admin, agent, key }: Stack, seen: Seen): Promise<Pick<Lost, 'invocations' | 'tasks'>> {
  const logged = () =>
    idsOf((offset) => admin.expect('GET', `/agents/${agent.id}/logs?limit=${smallPage}&offset=${offset}`), smallPage);
  const invocations = await leastOf(async () => countMissing(seen.invoked, await logged()));
  const tasks = await leastOf(async () => {
    const kept = await tasksOf(`${agent.url}/tasks?page_size=${smallPage}&history_length=0`, key);
    return countMissing(seen.tasks, kept);
  });
  return { invocations, tasks };
}

interface EvaluatedCase {
  readonly outcome: string;
  readonly test_case: { readonly test_id: string };
}

async function countLostCases({ admin, evaluation: { id, totalTests } }: Stack): Promise<number> {
  const path = `/security/guardrails/evaluations/${id}`;
  const hasEnded = async () => (await admin.expect<{ status: string }>('GET', `${path}/status`)).status !== 'running';
  await waitFor(hasEnded, { what: 'the end of the evaluation', timeoutMs: 600_000, intervalMs: 2_000 });
  const { results } = await admin.expect<{ results: EvaluatedCase[] }>('GET', `${path}/results?limit=${page}`);
  const judged = results.filter(({ outcome }) => outcome !== 'error').map((one) => one.test_case.test_id);
  return totalTests - new Set(judged).size + (judged.length - new Set(judged).size);
}

/** Approves and downloads each package that is listed, as an agent that installs it would. */
async function countLostPackages({ api, admin }: Stack, seen: Seen): Promise<number> {
  const isBack = async () => (await admin.call('GET', '/security/skills/packages?limit=1')).status === 200;
  await waitFor(isBack, { what: 'the hub of skills to answer', timeoutMs: evidenceTimeoutMs, intervalMs: 1_000 });
  const listed = await all<SkillPackage>(
    async (offset) =>
      (
        await admin.expect<{ packages: SkillPackage[] }>(
          'GET',
          `/security/skills/packages?limit=${smallPage}&offset=${offset}`,
        )
      ).packages,
    smallPage,
  );
  const whole = new Set<string>();
  for (const { id, skill_id: skill, sha256 } of listed) {
    if (!seen.packages.has(sha256)) continue;
    await admin.call('POST', `/security/skills/registry/${skill}/approve`, {});
    const headers = { authorization: `Bearer ${admin.token}` };
    const response = await fetch(`${api}/api/v1/security/skills/packages/${id}/download`, { headers });
    whole.add(hash('sha256', new Uint8Array(await response.arrayBuffer())));
  }
  return countMissing(seen.packages, whole);
}

interface TaskPage {
  readonly tasks: readonly { readonly id: string }[];
  readonly next_page_token: string;
}

async function tasksOf(url: string, key: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let token = ''; ;) {
    const response = await fetch(token === '' ? url : `${url}&page_token=${encodeURIComponent(token)}`, {
      headers: { 'x-api-key': key },
    });
    const { data } = (await response.json()) as { data: TaskPage };
    for (const { id } of data.tasks) ids.add(id);
    if (data.next_page_token === '') return ids;
    token = data.next_page_token;
  }
}

const countMissing = (wanted: ReadonlySet<string>, there: { has(id: string): boolean }): number =>
  [...wanted].filter((id) => !there.has(id)).length;

/** The count once it is nothing, or as it is when the time is over. */
async function leastOf(count: () => Promise<number>): Promise<number> {
  const isWhole = async () => (await count()) === 0;
  await waitFor(isWhole, { what: 'the evidence', timeoutMs: evidenceTimeoutMs, intervalMs: 2_000 }).catch(
    () => undefined,
  );
  return count();
}

async function idsOf(load: (offset: number) => Promise<readonly { readonly request_id: string }[]>, size = page) {
  return new Set((await all(load, size)).map(({ request_id: id }) => id));
}

async function all<Row>(load: (offset: number) => Promise<readonly Row[]>, size = page): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const next = await load(rows.length);
    rows.push(...next);
    if (next.length < size) return rows;
  }
}
