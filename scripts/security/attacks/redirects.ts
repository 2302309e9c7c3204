import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith, posting } from '../send-question.ts';
import { invoking, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';

const elsewhere = 'http://elsewhere.example/collect';
/** What a target writes into an answer to send its client away. */
const ways: readonly (readonly [status: number, name: string, value: string])[] = [
  ...[300, 301, 302, 303, 305, 307, 308].map((status) => [status, 'location', elsewhere] as const),
  [307, 'location', '//elsewhere.example/collect'],
  [307, 'location', '/\\elsewhere.example/collect'],
  [200, 'content-location', elsewhere],
  [200, 'refresh', `0; url=${elsewhere}`],
];

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pinging = posting('/mcp', JSON.stringify(ping));

/** Whether admins are told about answers of a target, or of an agent. */
async function isTold({ admin }: Pick<Laboratory, 'admin'>, type: 'llm' | 'mcp' | 'a2a'): Promise<boolean> {
  const ofType = async (): Promise<boolean> => {
    const { alerts } = await admin.expect<{ alerts: readonly { rule_id: string; proxy_type: string }[] }>(
      'GET',
      '/system/alerts?limit=100',
    );
    return alerts.some(({ rule_id: rule, proxy_type: of }) => rule === 'TARGET_REDIRECT' && of === type);
  };
  return waitFor(ofType, { what: 'the alert' }).then(
    () => true,
    () => false,
  );
}

const atTheTarget: readonly Attack[] = (['llm', 'mcp'] as const).map((type) => ({
  name: `a target of the type ${type} that sends clients with their keys to another host`,
  attacker: 'target',
  expected: '502 and an alert; what stays within the target leads to the proxy, and an MCP server is asked again there',
  async run({ admin, openProxy }) {
    let way: readonly [number, string, string] = [200, 'x-none', ''];
    await using target = await startLoopbackPeer(({ path }, response) => {
      if (path.startsWith('/mcp/')) return answer(response, 200, { ...ping, result: {} });
      const [status, name, value] = way;
      response.writeHead(status, { [name]: value, 'content-type': 'application/json' }).end('{}');
    });
    const proxy = await openProxy({ target: target.url, type });
    const question = type === 'llm' ? chatWith('hello') : pinging;
    const faults: string[] = [];
    for (way of ways) {
      const { status, headers } = await ask(proxy, question);
      const isSent = JSON.stringify(headers).includes('elsewhere');
      if (status !== 502 || isSent) faults.push(`${way.join(' ')} answered ${status}${isSent ? ' with it' : ''}`);
    }
    if (!(await isTold({ admin }, type))) faults.push('no alert');
    way = [307, 'location', `${target.url}/mcp/`];
    const within = await ask(proxy, question);
    const got = `${within.status} ${String(within.headers['location'] ?? '')}`.trim();
    if (got !== (type === 'llm' ? '307 /mcp/' : '200')) faults.push(`within the target: ${got}`);
    return judge(faults, `${ways.length} refused`);
  },
}));

export const redirects: readonly Attack[] = [
  ...atTheTarget,
  {
    name: 'an agent that sends calls to another host',
    attacker: 'target',
    expected: '502 and an alert',
    async run({ admin, openAgent }) {
      const { id, agent, ours } = await openAgent();
      const faults: string[] = [];
      agent.behave({ answer: (_call, response) => void response.writeHead(307, { location: elsewhere }).end() });
      const { status, headers } = await ask(ours, invoking(id, saidTo()));
      if (status !== 502 || JSON.stringify(headers).includes('elsewhere')) faults.push(`answered ${status}`);
      if (!(await isTold({ admin }, 'a2a'))) faults.push('no alert');
      return judge(faults, '502');
    },
  },
];
