import { ask, type Door, type Question } from '../send-question.ts';
import { beginTask, calling, invoking, isFailure, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import { give, taskAt } from '../hostile-agent.ts';

/** Every way to come at a task, on every surface. */
const waysTo = (agentId: number, id: string): readonly Question[] => {
  const base = `/a2a/v1/agents/${agentId}`;
  const rest = `/api/v1/agents/${agentId}`;
  return [
    { path: `${rest}/tasks/${id}` },
    { path: `${rest}/tasks/${id}/cancel`, method: 'POST' },
    invoking(agentId, saidTo(undefined, { taskId: id })),
    invoking(agentId, saidTo(undefined, { referenceTaskIds: [id] })),
    calling(agentId, 'GetTask', { id }),
    calling(agentId, 'CancelTask', { id }),
    calling(agentId, 'SubscribeToTask', { id }),
    calling(agentId, 'tasks/get', { id }),
    calling(agentId, 'tasks/resubscribe', { id }),
    calling(agentId, 'SendMessage', { message: saidTo(undefined, { taskId: id }) }),
    calling(agentId, 'SendStreamingMessage', { message: saidTo(undefined, { taskId: id }) }),
    { path: `${base}/tasks/${id}` },
    { path: `${base}/tasks/${id}:subscribe` },
    { path: `${base}/v1/tasks/${id}` },
    { path: `${base}/tasks/${id}:cancel`, method: 'POST' },
  ];
};

async function tryAll(door: Door, questions: readonly Question[], secrets: readonly string[]) {
  const faults: string[] = [];
  for (const question of questions) {
    const got = await ask(door, question);
    const leaked = secrets.find((secret) => got.body.includes(secret));
    if (!isFailure(got.body) || leaked !== undefined) faults.push(`${question.path} answered ${got.body.slice(0, 80)}`);
  }
  return faults;
}

export const agentTasks: readonly Attack[] = [
  {
    name: 'tasks and contexts of another user group, on every surface',
    attacker: 'key holder',
    expected: 'they are not found, the agent is not asked, and their owner still has them',
    async run({ openAgent }) {
      const { id, agent, ours, theirs } = await openAgent();
      agent.behave({
        answer: give(taskAt('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'secret plan' }] }] })),
      });
      const task = await beginTask(ours, id);
      const before = agent.calls.length;
      const faults = [...(await tryAll(theirs, waysTo(id, task.id), ['secret plan', 'of-the-agent']))];
      if (agent.calls.length > before) faults.push('it came to the agent');
      // A context is its owner's name for one: to others it is a new one.
      await ask(theirs, invoking(id, saidTo(undefined, { contextId: task.contextId })));
      if (JSON.stringify(agent.calls.at(-1)).includes('context-of-the-agent'))
        faults.push('the context was taken over');
      const listed = await ask(theirs, { path: `/api/v1/agents/${id}/tasks?context_id=${task.contextId}` });
      if (listed.body.includes(task.id)) faults.push('it was in the list of the context');
      const mine = await ask(ours, { path: `/api/v1/agents/${id}/tasks/${task.id}` });
      if (mine.status !== 200 || !mine.body.includes('secret plan')) faults.push(`its owner got ${mine.status}`);
      return judge(faults, `not found, ${waysTo(id, task.id).length} times`);
    },
  },
  {
    name: 'guessed ids of tasks: those of the agent, in other letters, next to known ones, and as paths',
    attacker: 'key holder',
    expected: 'a task of others is as one that does not exist',
    async run({ openAgent }) {
      const { id, agent, ours, theirs } = await openAgent();
      agent.behave({ answer: give(taskAt('WORKING')) });
      const { id: known } = await beginTask(ours, id);
      const next = (BigInt(`0x${known}`) + 1n).toString(16).padStart(32, '0');
      const guesses = [
        'task-of-the-agent',
        known.toUpperCase(),
        next,
        `${known}%20`,
        `%2e%2e%2f${known}`,
        '1',
        "'%20or%20'1'='1",
      ];
      const answers = new Map<string, string>();
      for (const guess of [known, ...guesses]) {
        const got = await ask(theirs, { path: `/api/v1/agents/${id}/tasks/${guess}` });
        // Each refusal has an id of its own.
        answers.set(guess, `${got.status} ${got.body.replaceAll(/"request_id":"[^"]*"/g, '')}`);
      }
      const [first] = answers.values();
      const faults = guesses.filter((guess) => !/^40[04] /.test(answers.get(guess) ?? ''));
      const nothing = answers.get(next);
      if (first !== nothing) faults.push('one of others is told apart from none');
      const others = await ask(theirs, { path: `/api/v1/agents/${id}/tasks` });
      if (others.body.includes(known)) faults.push('it was in the list');
      return judge(faults, `${guesses.length} guesses not found`);
    },
  },
  {
    name: 'forged page tokens: of another group, of another list, changed, and made up',
    attacker: 'key holder',
    expected: '400',
    async run({ openAgent }) {
      const { id, agent, ours, theirs } = await openAgent();
      agent.behave({ answer: give(taskAt('COMPLETED')) });
      await beginTask(ours, id);
      await beginTask(ours, id);
      const list = (door: Door, query: string) => ask(door, { path: `/api/v1/agents/${id}/tasks?page_size=1${query}` });
      const { data } = JSON.parse((await list(ours, '')).body) as { data: { next_page_token: string } };
      const token = encodeURIComponent(data.next_page_token);
      const changed = `${token.slice(0, 8)}${token[8] === 'A' ? 'B' : 'A'}${token.slice(9)}`;
      const madeUp = Buffer.from(`${new Date().toISOString()} ${'0'.repeat(32)}`).toString('base64url');
      const tries: readonly (readonly [how: string, door: Door, query: string])[] = [
        ['of another group', theirs, `&page_token=${token}`],
        ['of another list', ours, `&status=completed&page_token=${token}`],
        ['changed', ours, `&page_token=${changed}`],
        ['made up', ours, `&page_token=${madeUp}`],
        ['twice', ours, `&page_token=${token}&page_token=${token}`],
      ];
      const faults: string[] = [];
      for (const [how, door, query] of tries) {
        const { status } = await list(door, query);
        if (status !== 400) faults.push(`${how}: ${status}`);
      }
      const own = await list(ours, `&page_token=${token}`);
      if (own.status !== 200) faults.push(`the real one got ${own.status}`);
      return judge(faults, `400 for ${tries.length}`);
    },
  },
  {
    name: 'an agent that answers with the open task of another caller',
    attacker: 'target',
    expected: 'the second caller gets none of it, and an alert says so',
    async run({ openAgent, admin }) {
      const { id, agent, ours, theirs } = await openAgent();
      const shared = taskAt(
        'WORKING',
        { history: [{ messageId: 'h', role: 'ROLE_USER', parts: [{ text: 'first caller' }] }] },
        'shared',
      );
      agent.behave({ answer: give(shared) });
      const begun = await beginTask(ours, id);
      const got = await ask(theirs, invoking(id, saidTo()));
      const faults = got.status === 502 && !got.body.includes('first caller') ? [] : [`answered ${got.status}`];
      const kept = await ask(ours, { path: `/api/v1/agents/${id}/tasks/${begun.id}` });
      if (kept.status !== 200) faults.push(`the first caller got ${kept.status}`);
      const alerts = await admin.call<{ alerts: { title: string }[] }>('GET', '/system/alerts?limit=100');
      if (alerts.status !== 200) faults.push('no alerts could be read');
      return judge(faults, '502');
    },
  },
];
