import { setTimeout as pause } from 'node:timers/promises';
import { answer, parseJsonBody, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { calling, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';
import { say } from '../hostile-agent.ts';
import type { Laboratory } from '../laboratory.ts';
import { ask, chatWith, posting, type Door, type Question } from '../send-question.ts';

interface MadeException extends AsyncDisposable {
  end(): Promise<void>;
}

/** Excepts the planted word until the exception is disposed of, or ended. */
async function except({ admin }: Laboratory, scope: object, lastsMs = 600_000): Promise<MadeException> {
  const made = await admin.expect<{ id: number }>('POST', '/security/exceptions', {
    rule_id: 'PLANTED',
    reason: 'An attack',
    ends_at: new Date(Date.now() + lastsMs).toISOString(),
    ...scope,
  });
  return {
    end: async () => void (await admin.expect('POST', `/security/exceptions/${made.id}/end`)),
    async [Symbol.asyncDispose]() {
      await admin.call('POST', `/security/exceptions/${made.id}/end`);
    },
  };
}

/** Answers each call with a text that names another tool, and says it is about that. */
const startToolServer = () =>
  startLoopbackPeer((request, response) => {
    const { id, params } = parseJsonBody(request) as { id: number; params: { arguments?: { answer?: string } } };
    const text = params.arguments?.answer === 'planted' ? planted : 'hello';
    answer(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', name: 'read', text }] } });
  });

const rpc = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params });
const message = (body: unknown): Question => posting('/mcp', JSON.stringify(body));
const call = (name: string, given: object, method = 'tools/call'): Question =>
  message(rpc(method, { name, arguments: given }));

const refused = async (door: Door, question: Question, faults: string[], how: string): Promise<void> => {
  const { status, body } = await ask(door, question);
  if (status === 403 && !body.includes(planted)) return;
  faults.push(`${how} answered ${status}`);
};
const passes = async (door: Door, question: Question, faults: string[], how: string): Promise<void> => {
  const { status } = await ask(door, question);
  if (status !== 200) faults.push(`${how} answered ${status}`);
};

export const policyExceptions: readonly Attack[] = [
  {
    name: 'an exception for one tool, from calls and answers of another that call themselves so',
    attacker: 'key holder',
    expected: '403; the tool that is excepted is called and answers',
    async run(laboratory) {
      await using target = await startToolServer();
      const proxy = await laboratory.openProxy({
        target: target.url,
        type: 'mcp',
        settings: { tool_filtering: 'off' },
      });
      await using _exception = await except(laboratory, { proxy_id: proxy.id, tool: 'read' });
      const faults: string[] = [];
      await passes(proxy, call('read', { text: planted, answer: 'planted' }), faults, 'the tool itself');
      const forged = { name: 'read', text: planted };
      const tries: readonly (readonly [string, Question])[] = [
        ['another tool', call('write', { text: planted })],
        ['another tool that answers so', call('write', { answer: 'planted' })],
        ['the name in capitals', call('Read', { text: planted })],
        ['parameters within', call('write', { params: forged })],
        ['content within', call('write', { content: [forged], tools: [forged] })],
        ['a prompt of that name', call('read', { text: planted }, 'prompts/get')],
        [
          'a batch',
          message([rpc('tools/call', { name: 'read' }), rpc('tools/call', { name: 'write', text: planted })]),
        ],
        ['beside the message', message({ ...rpc('ping', {}), params: { name: 'read', text: planted } })],
      ];
      for (const [how, question] of tries) await refused(proxy, question, faults, how);
      return judge(faults, `${tries.length} refused`);
    },
  },
  {
    name: 'an exception of another team, proxy or agent, and one that is over',
    attacker: 'key holder',
    expected: '403; whom it is for gets through while it lasts',
    async run(laboratory) {
      const { admin, openAgent, openProxy } = laboratory;
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const [ours, other] = [await openProxy({ target: target.url }), await openProxy({ target: target.url })];
      await admin.expect('POST', `/user-groups/${other.groupId}/proxy-access`, {
        proxy_config_id: ours.id,
        rate_limit: 0,
      });
      const theirs = { port: ours.port, key: other.key };
      const word = chatWith(planted);
      const faults: string[] = [];
      const scope = { proxy_id: ours.id, user_group_id: ours.groupId };
      {
        await using exception = await except(laboratory, scope);
        await passes(ours, word, faults, 'the team');
        await passes(theirs, chatWith('hello'), faults, 'another team without the word');
        await refused(theirs, word, faults, 'another team');
        await refused(other, word, faults, 'another proxy');
        await exception.end();
        await refused(ours, word, faults, 'an exception that was ended');
      }
      const { id, agent, ours: caller, theirs: otherCaller, groupId } = await openAgent();
      agent.behave({ answer: say('hello') });
      const toAgent = calling(id, 'SendMessage', { message: saidTo([{ text: planted }]) });
      const isBlocked = async (door: Door) => (await ask(door, toAgent)).body.includes('blocked by security policy');
      {
        // Ids of proxies and agents are apart: one for a proxy with the id of the agent is not for the agent.
        await using _exception = await except(laboratory, scope);
        if (!(await isBlocked(caller))) faults.push('an agent passed by the exception of a proxy');
      }
      {
        await using _exception = await except(laboratory, { agent_id: id, user_group_id: groupId });
        if (await isBlocked(caller)) faults.push('the team of the agent was blocked');
        if (!(await isBlocked(otherCaller))) faults.push('another team of the agent passed');
        await refused(ours, word, faults, 'a proxy by the exception of an agent');
      }
      await using _short = await except(laboratory, scope, 3_000);
      await passes(ours, word, faults, 'one that lasts three seconds');
      await pause(3_100);
      await refused(ours, word, faults, 'an exception that expired');
      return judge(faults, '403 outside');
    },
  },
];
