import type { Agent } from '@portcullis/contracts/routes/agents';
import { startA2aPeer, type A2aGeneration, type A2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import type { A2aBehaviour } from '@portcullis/testkit/a2a-peer/a2a-behaviour';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { addTeam, type Team } from './agent-caller.ts';
import { startGateway, type Way } from './start-gateway.ts';

/** A gateway with an agent of each generation, and two teams: one that may use the agents, and one that may not. */
export interface AgentGateway extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly ours: Team;
  readonly theirs: Team;
  readonly agents: Readonly<Record<A2aGeneration, KnownAgent>>;
}

export interface KnownAgent {
  readonly id: number;
  readonly peer: A2aPeer;
}

export async function startAgentGateway(
  way: Way,
  options: Readonly<Record<string, string>> = {},
): Promise<AgentGateway> {
  await using opened = new AsyncDisposableStack();
  const gateway = opened.use(await startGateway(way, options, ['a2a-hub']));
  const { admin } = gateway;
  const [ours, theirs] = [await addTeam(gateway, 'ours'), await addTeam(gateway, 'theirs')];
  const known = async (generation: A2aGeneration, conduct: A2aBehaviour = 'stream'): Promise<KnownAgent> => {
    const peer = opened.use(await startA2aPeer({ generation, conduct }));
    const { id } = await admin.expect<Agent>('POST', '/agents', { name: `agent of ${generation}`, url: peer.url });
    await admin.expect('POST', `/agents/${id}/access`, { user_group_id: ours.id });
    return { id, peer };
  };
  const agents = { '1.0': await known('1.0'), '0.3': await known('0.3'), '0.2': await known('0.2') };
  // The policies for the first agent are compiled when it comes, which a busy machine does not have done in time.
  await waitFor(async () => (await ours.call('GET', `/agents/${agents['0.2'].id}/tasks`)).status === 200, {
    what: 'the policies for agents',
  });
  const resources = opened.move();
  return { gateway, ours, theirs, agents, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Sends a request with a key, and reads the data of each event of the answer as it comes. */
export async function* streamEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  signal?: AbortSignal,
): AsyncGenerator<Record<string, never>, void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  if (response.headers.get('content-type') !== 'text/event-stream' || response.body === null) {
    throw new Error(`No stream but ${response.status} ${await response.text()}`);
  }
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Record<string, never>;
  }
}
