import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startGatewayProcess } from '@portcullis/testkit/gateway-process';
import { startLlmPeer } from '@portcullis/testkit/llm-peer';
import { createManagementClient } from '@portcullis/testkit/management-client';
import { startPlainAgent } from '@portcullis/testkit/plain-agent';
import { waitFor } from '@portcullis/testkit/wait-for';
import { placeName, renderText } from './chat-bodies.ts';
import { bindProcess, describeMachine } from './machine.ts';
import { readUsage } from './process-usage.ts';

const rounds = 5;
const callsPerRound = 500;
const warmUpCalls = 1_500;
const connections = 16;
/** What a process puts off counts for the calls that caused it. */
const quietMs = 1_000;
const credentials = { username: 'admin', password: 'only for the laboratory' };
const paragraph = renderText(1_900);

interface Way {
  readonly name: string;
  readonly url: string;
  body(text: string): object;
  /** What a whole answer holds. */
  readonly proof: string;
}

interface Round {
  /** Of the gateway, per call. */
  readonly cpuMicros: number;
  readonly medianMs: number;
}

let serial = 0;
/** No two calls have the same text. */
const newText = (): string => `Good morning from ${placeName((serial += 1))}, number ${serial}. ${paragraph}`;

/** `npm run bench -- agents`: the CPU of an invocation beside that of a proxied chat. Answers the exit code. */
export async function measureAgents(resultsFolder: string, signal: AbortSignal): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const llm = opened.use(await startLlmPeer({ reply: (prompt) => `A plan for: ${prompt}` }));
  const agent = opened.use(await startPlainAgent());
  const gateway = await startGatewayProcess('gateway', {
    PORT: String(await findFreePort()),
    DATA_DIR: folder,
    ADMIN_USERNAME: credentials.username,
    ADMIN_PASSWORD: credentials.password,
  });
  opened.defer(async () => void (await gateway.stop()));
  const pid = gateway.child.pid ?? 0;
  const machine = describeMachine();
  bindProcess(pid, machine.pinned.proxy);
  bindProcess(process.pid, machine.pinned.load);

  const { ways, key } = await setUp(`http://127.0.0.1:${gateway.port}`, { llm: llm.url, agent: agent.url });
  for (const way of ways) await callMany(way, key, warmUpCalls, signal);
  const measured = new Map<string, Round[]>(ways.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ways) {
      await pause(quietMs);
      llm.forget();
      const before = readUsage(pid).cpuMicros;
      const medianMs = median(await callMany(way, key, callsPerRound, signal));
      await pause(quietMs);
      const cpuMicros = (readUsage(pid).cpuMicros - before) / callsPerRound;
      measured.get(way.name)?.push({ cpuMicros, medianMs });
    }
  }
  const text = render(measured, machine.loadBefore);
  process.stdout.write(text);
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(join(resultsFolder, 'agents.md'), text);
  return 0;
}

/** A group with a key, a chat proxy and an agent; the built-in policies that ask for no assignment apply to the agent. */
async function setUp(api: string, targets: { readonly llm: string; readonly agent: string }) {
  const admin = await createManagementClient(api, credentials);
  const make = (path: string, body: object) => admin.expect<{ id: number; key: string }>('POST', path, body);
  const group = await make('/user-groups', { name: 'bench' });
  const { key } = await make('/api-keys', { name: 'bench', user_group_id: group.id });
  const port = await findFreePort();
  const policies = { policy_names: ['llm-security', 'llm-secrets'] };
  const proxy = await make('/proxies', { name: 'chat', type: 'llm', target: targets.llm, port, ...policies });
  await make(`/user-groups/${group.id}/proxy-access`, { proxy_config_id: proxy.id, rate_limit: 1_000_000 });
  await admin.expect('POST', `/proxies/${proxy.id}/start`);
  const agent = await make('/agents', { name: 'agent', url: targets.agent });
  await make(`/agents/${agent.id}/access`, { user_group_id: group.id, rate_limit: 1_000_000 });
  const agentUrl = `${api}/api/v1/agents/${agent.id}`;
  const isOpen = async () => (await fetch(`${agentUrl}/tasks`, { headers: { 'x-api-key': key } })).status === 200;
  await waitFor(isOpen, { what: 'the access to the agent' });

  const chat = { url: `http://127.0.0.1:${port}/v1/chat/completions` };
  const messages = (content: string) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] });
  const message = (text: string) => ({ role: 'user', parts: [{ kind: 'text', text }] });
  const invocation = { url: `${agentUrl}/invoke` };
  const ways: readonly Way[] = [
    {
      name: 'agent, direct',
      url: `${targets.agent}/rpc`,
      proof: 'A plan for',
      body: (text) => ({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: message(text) } }),
    },
    { name: 'chat', ...chat, proof: 'A plan for', body: messages },
    { name: 'chat, stream', ...chat, proof: '[DONE]', body: (text) => ({ ...messages(text), stream: true }) },
    { name: 'invocation', ...invocation, proof: 'A plan for', body: (text) => ({ message: message(text) }) },
    {
      name: 'invocation, stream',
      ...invocation,
      proof: 'TASK_STATE_COMPLETED',
      body: (text) => ({ message: message(text), streaming: true }),
    },
  ];
  return { ways, key };
}

/** How long each call took, in milliseconds. @throws when an answer is not what it has to be */
async function callMany(way: Way, key: string, calls: number, signal: AbortSignal): Promise<readonly number[]> {
  const durations: number[] = [];
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      const response = await fetch(way.url, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(way.body(newText())),
        signal,
      });
      const text = await response.text();
      if (response.status !== 200 || !text.includes(way.proof)) {
        throw new Error(`${way.name} answered ${response.status} ${text.slice(0, 300)}`);
      }
      durations.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return durations;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function render(measured: ReadonlyMap<string, readonly Round[]>, loadAverage: number): string {
  const cpuOf = (name: string): number => median((measured.get(name) ?? []).map(({ cpuMicros }) => cpuMicros));
  const rows = [...measured].map(([name, list]) => {
    const micros = list.map(({ cpuMicros }) => Math.round(cpuMicros));
    const latency = median(list.map(({ medianMs }) => medianMs)).toFixed(1);
    if (name === 'agent, direct') return `| ${name} |  |  | ${latency} |`;
    const ratio = (cpuOf(name) / cpuOf('chat')).toFixed(1);
    const range = `${Math.round(cpuOf(name))} (${Math.min(...micros)} to ${Math.max(...micros)})`;
    return `| ${name} | ${range} | ${ratio} | ${latency} |`;
  });
  return `# Invocations of agents beside proxied chats

${new Date().toISOString()}, load average before the run ${loadAverage.toFixed(1)}. Medians of ${rounds} interleaved rounds of ${callsPerRound} calls, in brackets the lowest and
the highest; ${connections} connections, texts of 2 KB, none twice. One process on embedded stores, whose CPU all counts.

|  | CPU µs per call | × chat | p50 ms |
| --- | --: | --: | --: |
${rows.join('\n')}
`;
}
