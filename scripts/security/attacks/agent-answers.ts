import { ask, posting, type Question } from '../send-question.ts';
import { beginTask, calling, invoking, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import { give, say, saying, taskAt, type AgentAnswer } from '../hostile-agent.ts';
import { planted } from '../forbidden-word.ts';

const [first, second] = [planted.slice(0, 9), planted.slice(9)];
const about = { taskId: 'task-of-the-agent', contextId: 'context-of-the-agent' };
const artifact = (parts: readonly object[], more: object = {}) => ({ artifactId: 'a', parts, ...more });
const update = (parts: readonly object[], more: object = {}, artifactMore: object = {}) => ({
  artifactUpdate: { ...about, artifact: artifact(parts, artifactMore), ...more },
});
const status = (state: string, more: object = {}) => ({
  statusUpdate: { ...about, status: { state: `TASK_STATE_${state}`, ...more } },
});
const base64 = Buffer.from(`The word is ${planted}, keep it well in mind`).toString('base64');

/** Where an agent may put a word, whole. */
const places: readonly (readonly [place: string, answer: AgentAnswer])[] = [
  ['a message', say(planted)],
  ['a message of two parts', give({ message: saying({ text: first }, { text: second }) })],
  ['the name of a file', give({ message: saying({ url: 'https://a.example/f', filename: planted }) })],
  ['a URL', give({ message: saying({ url: `https://a.example/${planted}` }) })],
  ['a media type', give({ message: saying({ text: 'hi', mediaType: `text/${planted}` }) })],
  ['bytes of a file', give({ message: saying({ raw: base64 }) })],
  ['data', give({ message: saying({ data: { deep: [{ word: planted }] } }) })],
  ['a key of data', give({ message: saying({ data: { [planted]: 1 } }) })],
  ['metadata of a part', give({ message: saying({ text: 'hi', metadata: { note: planted } }) })],
  ['metadata of a message', give({ message: { ...saying({ text: 'hi' }), metadata: { note: planted } } })],
  ['an extension', give({ message: { ...saying({ text: 'hi' }), extensions: [`https://a.example/${planted}`] } })],
  ['its own id of a message', give({ message: { ...saying({ text: 'hi' }), messageId: planted } })],
  ['its own id of a context', give({ message: { ...saying({ text: 'hi' }), contextId: planted } })],
  ['ids of other tasks', give({ message: { ...saying({ text: 'hi' }), referenceTaskIds: [planted] } })],
  [
    'the id of an artifact',
    give(taskAt('COMPLETED', { artifacts: [{ ...artifact([{ text: 'hi' }]), artifactId: planted }] })),
  ],
  [
    'the id of an artifact in an update',
    give(taskAt('WORKING'), update([{ text: 'hi' }], {}, { artifactId: planted }), status('COMPLETED')),
  ],
  ['a member that is unknown', give({ message: { ...saying({ text: 'hi' }), note: planted } })],
  [
    'beside the result',
    ({ id }, response) =>
      void response.end(
        JSON.stringify({ jsonrpc: '2.0', id, note: planted, result: { message: saying({ text: 'hi' }) } }),
      ),
  ],
  [
    'an error',
    ({ id }, response) =>
      void response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: planted, data: [{ note: planted }] } }),
      ),
  ],
  [
    'a header',
    ({ id }, response) =>
      void response
        .setHeader('x-note', planted)
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { message: saying({ text: 'hi' }) } })),
  ],
  ['the words of a state', give(taskAt('WORKING'), status('COMPLETED', { message: saying({ text: planted }) }))],
  [
    'the name of an artifact',
    give(taskAt('COMPLETED', { artifacts: [artifact([{ text: 'hi' }], { name: planted })] })),
  ],
  [
    'the description of an artifact',
    give(taskAt('COMPLETED', { artifacts: [artifact([{ text: 'hi' }], { description: planted })] })),
  ],
  ['the history', give(taskAt('COMPLETED', { history: [saying({ text: planted })] }))],
  ['metadata of a task', give(taskAt('COMPLETED', { metadata: { note: planted } }))],
  [
    'metadata of an update',
    give(taskAt('WORKING'), update([{ text: 'hi' }], { metadata: { note: planted } }), status('COMPLETED')),
  ],
];

/** A word that comes in pieces, of which a reader makes one. */
const pieces: readonly (readonly [how: string, answer: AgentAnswer])[] = [
  [
    'over two updates',
    give(
      taskAt('WORKING'),
      update([{ text: first }]),
      update([{ text: second }], { append: true }),
      status('COMPLETED'),
    ),
  ],
  [
    'letter by letter',
    give(
      taskAt('WORKING'),
      ...planted.split('').map((text, index) => update([{ text }], { append: index > 0 })),
      status('COMPLETED'),
    ),
  ],
  ...[1, 2, 3, 4, 5, 6, 7, 9].map((count) => {
    const word = `${first}\uFEFF${second}`;
    const size = Math.ceil(word.length / count);
    const parts = Array.from({ length: count }, (_, index) => word.slice(index * size, (index + 1) * size));
    return [
      `with a byte order mark, over ${count} updates`,
      give(
        taskAt('WORKING'),
        ...parts.map((text, index) => update([{ text }], { append: index > 0 })),
        status('COMPLETED'),
      ),
    ] as const;
  }),
  [
    'with an empty piece between',
    give(
      taskAt('WORKING'),
      update([{ text: first }]),
      update([{ text: '' }], { append: true }),
      update([{ text: second }], { append: true }),
      status('COMPLETED'),
    ),
  ],
  [
    'over two parts of one update',
    give(taskAt('WORKING'), update([{ text: first }, { text: second }]), status('COMPLETED')),
  ],
  [
    'over a part with a media type and one without',
    give(
      taskAt('WORKING'),
      update([{ text: first, mediaType: 'text/plain' }]),
      update([{ text: second }], { append: true }),
      status('COMPLETED'),
    ),
  ],
  [
    'over the beginning of the task and an update',
    give(
      taskAt('WORKING', { artifacts: [artifact([{ text: first }])] }),
      update([{ text: second }], { append: true }),
      status('COMPLETED'),
    ),
  ],
  [
    'over two artifacts',
    give(
      taskAt('COMPLETED', { artifacts: [artifact([{ text: first }]), { artifactId: 'b', parts: [{ text: second }] }] }),
    ),
  ],
  [
    'over updates of two artifacts',
    give(
      taskAt('WORKING'),
      update([{ text: first }]),
      update([{ text: second }], {}, { artifactId: 'b' }),
      status('COMPLETED'),
    ),
  ],
  [
    'over two states',
    give(
      taskAt('WORKING', {}),
      status('WORKING', { message: saying({ text: first }) }),
      status('COMPLETED', { message: saying({ text: second }) }),
    ),
  ],
];

const asking = (id: number): readonly (readonly [surface: string, question: Question])[] => [
  ['REST', invoking(id, saidTo())],
  ['REST, streaming', invoking(id, saidTo(), { streaming: true })],
  [
    'hub',
    posting(
      '/a2a/v1',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'agents/invoke', params: { agent_id: id, message: saidTo() } }),
    ),
  ],
  [
    'hub, streaming',
    posting(
      '/a2a/v1',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'agents/invoke',
        params: { agent_id: id, message: saidTo(), streaming: true },
      }),
    ),
  ],
  ['JSON-RPC, streaming', calling(id, 'SendStreamingMessage', { message: saidTo() })],
];

/** All texts of parts in an answer in their order, by the lists in which a reader puts them together. */
function readTexts(body: string): readonly string[] {
  const events = body.startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data: ') ? line.slice(6) : []));
  const joined: string[] = [];
  const byArtifact = new Map<string, string>();
  let messages = '';
  const note = (event: unknown): void => {
    const { result } = event as { result?: { kind?: string; parts?: readonly { text?: string }[] } };
    if (result?.kind === 'message') messages += (result.parts ?? []).map(({ text = '' }) => text).join('');
  };
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { parts, artifactId, artifact_id: id } = node as Readonly<Record<string, unknown>>;
    if (Array.isArray(parts)) {
      const text = parts.map((part) => (part as { text?: string }).text ?? '').join('');
      joined.push(text);
      const name = artifactId ?? id;
      if (typeof name === 'string') byArtifact.set(name, `${byArtifact.get(name) ?? ''}${text}`);
    }
    for (const child of Object.values(node)) walk(child);
  };
  for (const event of events) {
    const parsed: unknown = JSON.parse(event);
    note(parsed);
    walk(parsed);
  }
  return [...joined, ...byArtifact.values(), messages];
}

/** As it looks: a byte order mark is not seen. */
const holds = (text: string): boolean => text.replaceAll('\uFEFF', '').includes(planted);

const brings = (body: string): boolean => holds(body) || body.includes(base64) || readTexts(body).some(holds);

const tried = (name: string, answer: AgentAnswer): Attack => ({
  name,
  attacker: 'target',
  expected: 'no caller reads it, and it is not kept',
  async run({ openAgent }) {
    const { id, agent, ours } = await openAgent();
    agent.behave({ answer });
    const faults: string[] = [];
    for (const [surface, question] of asking(id)) {
      const got = await ask(ours, question);
      if (JSON.stringify(got.headers).includes(planted) || brings(got.body)) faults.push(`${surface}: it came`);
    }
    const kept = await ask(ours, { path: `/api/v1/agents/${id}/tasks?page_size=5` });
    if (brings(kept.body)) faults.push('it is in the list of tasks');
    return judge(faults, 'without it');
  },
});

export const agentAnswers: readonly Attack[] = [
  {
    name: 'a harmless answer of an agent, in one piece and in several',
    attacker: 'target',
    expected: 'it reaches the caller: what is refused below is refused for the word',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({
        answer: give(
          taskAt('WORKING'),
          update([{ text: 'sword' }]),
          update([{ text: 'fish' }], { append: true }),
          status('COMPLETED'),
        ),
      });
      const streamed = await ask(ours, invoking(id, saidTo(), { streaming: true }));
      agent.behave({ answer: say('swordfish') });
      const whole = await ask(ours, invoking(id, saidTo()));
      const faults = readTexts(streamed.body).includes('swordfish') ? [] : ['the stream did not come'];
      if (!readTexts(whole.body).includes('swordfish')) faults.push(`answered ${whole.status}`);
      return judge(faults, 'it came');
    },
  },
  ...places.map(([place, answer]) => tried(`a forbidden word in an answer of an agent: ${place}`, answer)),
  ...pieces.map(([how, answer]) => tried(`a forbidden word of an agent in pieces: ${how}`, answer)),
  {
    name: 'a forbidden word of an agent in pieces: over a task that is kept and a stream that goes on with it',
    attacker: 'target',
    expected: 'no caller reads it, and it is not kept',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({ answer: give(taskAt('WORKING', { artifacts: [artifact([{ text: first }])] })) });
      const task = await beginTask(ours, id);
      agent.behave({ answer: give(update([{ text: second }], { append: true }), status('COMPLETED')) });
      await ask(ours, calling(id, 'SubscribeToTask', { id: task.id }));
      const kept = await ask(ours, { path: `/api/v1/agents/${id}/tasks/${task.id}` });
      return judge(brings(kept.body) ? ['it is kept'] : [], 'without it');
    },
  },
  ...(['SendMessage', 'SendStreamingMessage'] as const).map((method): Attack => ({
    name: `an answer of an agent without end, ${method}`,
    attacker: 'target',
    expected: 'it is cut off with 502, and the gateway goes on',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      let sent = 0;
      agent.behave({
        answer: (_call, response) => {
          const type = method === 'SendMessage' ? 'application/json' : 'text/event-stream';
          response.writeHead(200, { 'content-type': type });
          response.write('data: {"jsonrpc":"2.0","result":{"message":{"parts":[{"text":"');
          const piece = 'x'.repeat(262_144);
          const more = (): void => {
            while (!response.destroyed && sent < 256 * 1_048_576) {
              sent += piece.length;
              if (!response.write(piece)) return void response.once('drain', more);
            }
          };
          more();
        },
      });
      const got = await ask(ours, calling(id, method, { message: saidTo() }));
      agent.behave({ answer: say('hello') });
      const after = await ask(ours, invoking(id, saidTo()));
      const faults = got.body.includes('error') ? [] : [`answered ${got.status}`];
      if (sent > 64 * 1_048_576) faults.push(`${Math.round(sent / 1_048_576)} MiB were taken`);
      if (after.status !== 200) faults.push(`the next call answered ${after.status}`);
      return judge(faults, `cut off after ${Math.round(sent / 1_048_576)} MiB`);
    },
  })),
];
