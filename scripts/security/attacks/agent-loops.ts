import { ask } from '../send-question.ts';
import { calling, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import { say, type AgentCall } from '../hostile-agent.ts';

type PassOn = (headers: AgentCall['headers']) => Readonly<Record<string, string>>;

const text = (value: string | string[] | undefined): string => [value ?? []].flat().join(',');

/** What an agent that calls the gateway back tells of where its own call came from. */
const loops: readonly (readonly [how: string, passOn: PassOn, most: number])[] = [
  ['that passes its headers on', ({ 'x-portcullis-hops': hops }) => ({ 'x-portcullis-hops': text(hops) }), 8],
  [
    'that passes its trace on alone',
    ({ traceparent, tracestate }) => ({ traceparent: text(traceparent), tracestate: `vendor=1,${text(tracestate)}` }),
    8,
  ],
  [
    'that tells of no hops, with its trace',
    ({ tracestate }) => ({ 'x-portcullis-hops': '0', tracestate: text(tracestate) }),
    8,
  ],
  // Nothing tells that these are one chain: what bounds them is how many calls of a group are under way.
  ['that passes nothing on', () => ({}), 100],
];

export const agentLoops: readonly Attack[] = loops.map(([how, passOn, most]) => ({
  name: `an agent that calls itself through the gateway, ${how}`,
  attacker: 'target',
  expected: `it ends after ${most} calls at most`,
  ...(most > 8 && { slow: true as const }),
  async run({ openAgent }) {
    const { id, agent, ours } = await openAgent();
    const before = agent.calls.length;
    const limit = before + 4 * most;
    agent.behave({
      answer: async (call, response) => {
        if (agent.calls.length < limit) {
          const question = calling(id, 'SendMessage', { message: saidTo() });
          await ask(ours, { ...question, headers: { ...question.headers, ...passOn(call.headers) } });
        }
        await say('back')(call, response);
      },
    });
    const got = await ask(ours, calling(id, 'SendMessage', { message: saidTo() }));
    const calls = agent.calls.length - before;
    agent.behave({ answer: say('hello') });
    const after = await ask(ours, calling(id, 'SendMessage', { message: saidTo() }));
    const faults = calls > most ? [`${calls} calls`] : [];
    if (got.status !== 200 || after.status !== 200) faults.push(`answered ${got.status}, then ${after.status}`);
    return judge(faults, `ended after ${calls} calls`);
  },
}));
