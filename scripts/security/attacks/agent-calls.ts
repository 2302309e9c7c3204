import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, posting, type Question } from '../send-question.ts';
import { calling, invoking, isFailure, saidTo } from '../attacked-agent.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';
import { give, say, saying, taskAt } from '../hostile-agent.ts';

const inside = 'http://169.254.169.254/latest/meta-data/';

/** Other spellings of what is asked, none of which is a call. */
const spellings = (agentId: number): readonly (readonly [how: string, question: Question])[] => {
  const params = { agent_id: agentId, message: saidTo() };
  const call = { jsonrpc: '2.0', id: 1, method: 'agents/invoke', params };
  const standard = { ...call, method: 'SendMessage', params: { message: saidTo() } };
  const hub = (body: unknown): Question => posting('/a2a/v1', JSON.stringify(body));
  const own = (body: unknown): Question => posting(`/a2a/v1/agents/${agentId}/`, JSON.stringify(body));
  const text = JSON.stringify(call);
  return [
    ['a batch', hub([call])],
    ['a batch in a batch', hub([[call]])],
    ['a batch at the endpoint', own([standard])],
    ...[
      'Agents/Invoke',
      'AGENTS/INVOKE',
      'agents/invoke ',
      'agents//invoke',
      'agents/invoke\u0000',
      'agents/\u0131nvoke',
    ].map((method) => [`the method ${JSON.stringify(method)}`, hub({ ...call, method })] as const),
    ...['sendMessage', 'sendmessage', 'Message/Send', 'message/send/', 'SendMessage\n'].map(
      (method) => [`the method ${JSON.stringify(method)}`, own({ ...standard, method })] as const,
    ),
    ['two methods', posting('/a2a/v1', text.replace('"params"', '"method":"agents/list","params"'))],
    [
      'two methods, one escaped',
      posting('/a2a/v1', text.replace('"params"', String.raw`"m\u0065thod":"agents/list","params"`)),
    ],
    ['parameters in a list', hub({ ...call, params: [params] })],
    ['a method that is a list', hub({ ...call, method: ['agents/invoke'] })],
    ['an agent that is a text', hub({ ...call, params: { ...params, agent_id: String(agentId) } })],
    ['a tenant with a path', hub({ ...standard, params: { message: saidTo(), tenant: `../${agentId}` } })],
    ['both spellings of a member', own({ ...standard, params: { message: { ...saidTo(), message_id: 'other' } } })],
    [
      'two contents in one part',
      own({ ...standard, params: { message: saidTo([{ text: 'a', url: 'https://b.example' }]) } }),
    ],
  ];
};

const pushes = (agentId: number, url: string): readonly Question[] => {
  const config = { id: 'c', url, token: 't' };
  return [
    invoking(agentId, saidTo(), { configuration: { push_notification_config: config } }),
    calling(agentId, 'SendMessage', { message: saidTo(), configuration: { taskPushNotificationConfig: config } }),
    calling(agentId, 'message/send', {
      message: { ...saidTo(), kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
      configuration: { pushNotificationConfig: config },
    }),
    calling(agentId, 'CreateTaskPushNotificationConfig', { taskId: 't', ...config }),
    calling(agentId, 'tasks/pushNotificationConfig/set', { taskId: 't', pushNotificationConfig: config }),
    posting(`/a2a/v1/agents/${agentId}/tasks/t/pushNotificationConfigs`, JSON.stringify(config)),
    posting(`/a2a/v1/agents/${agentId}/v1/tasks/t/pushNotificationConfigs`, JSON.stringify(config)),
    posting(
      `/a2a/v1/agents/${agentId}/message:send`,
      JSON.stringify({ message: saidTo(), configuration: { taskPushNotificationConfig: config } }),
    ),
  ];
};

const escapedFile = {
  raw: btoa(`{"word":"${planted.slice(0, 3)}\\u00${planted.charCodeAt(3).toString(16)}${planted.slice(4)}"}`),
  mediaType: 'application/json',
};

/** Where a caller may put a word beside the texts of a message. */
const besideTexts = (agentId: number): readonly (readonly [place: string, question: Question])[] => {
  const modes = { acceptedOutputModes: [`text/${planted}`] };
  return [
    ['the id of a message', invoking(agentId, { ...saidTo(), messageId: `m-${planted}` })],
    [
      'the id of a message to the endpoint',
      calling(agentId, 'SendMessage', { message: { ...saidTo(), messageId: planted } }),
    ],
    ['types of answers', calling(agentId, 'SendMessage', { message: saidTo(), configuration: modes })],
    ['types of answers of 0.3', calling(agentId, 'message/send', { message: legacy(saidTo()), configuration: modes })],
    ['a JSON file with an escape', calling(agentId, 'SendMessage', { message: saidTo([escapedFile]) })],
    ['an extension', calling(agentId, 'SendMessage', { message: { ...saidTo(), extensions: [`x:${planted}`] } })],
  ];
};

const legacy = (message: object) => ({
  ...message,
  kind: 'message',
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
});

export const agentCalls: readonly Attack[] = [
  {
    name: 'a forbidden word to an agent beside the texts of a message',
    attacker: 'key holder',
    expected: '403, and nothing comes to the agent; the same calls without it do',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({ answer: say('hello') });
      const faults: string[] = [];
      const places = besideTexts(id);
      for (const [place, question] of places) {
        const before = agent.calls.length;
        const got = await ask(ours, question);
        if (!got.body.includes('blocked by security policy')) faults.push(`${place} answered ${got.body.slice(0, 60)}`);
        if (agent.calls.length > before) faults.push(`${place} came to the agent`);
        const harmless = String(question.body)
          .replaceAll(planted, saidTo().messageId)
          .replace(escapedFile.raw, btoa('{}'));
        const plain = await ask(ours, { ...question, body: harmless });
        if (agent.calls.length === before) faults.push(`${place} without the word: ${plain.body.slice(0, 60)}`);
      }
      return judge(faults, `${places.length} refused`);
    },
  },
  {
    name: 'batches, letter cases and other spellings of calls of agents',
    attacker: 'key holder',
    expected: 'an error, and nothing comes to the agent',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({ answer: say('hello') });
      const before = agent.calls.length;
      const faults: string[] = [];
      const tries = spellings(id);
      for (const [how, question] of tries) {
        const got = await ask(ours, question);
        if (!isFailure(got.body)) faults.push(`${how} answered ${got.body.slice(0, 60)}`);
      }
      if (agent.calls.length > before) faults.push(`${agent.calls.length - before} came to the agent`);
      const plain = await ask(ours, calling(id, 'SendMessage', { message: saidTo() }));
      if (isFailure(plain.body)) faults.push('a plain call was refused');
      return judge(faults, `${tries.length} refused`);
    },
  },
  {
    name: 'the key of a caller, its cookies and its headers, on the way to an agent',
    attacker: 'target',
    expected: 'the agent sees none of them',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({ answer: say('hello') });
      const secret = 'secret-of-the-caller';
      const headers = {
        authorization: `Bearer ${secret}`,
        cookie: `session=${secret}`,
        'proxy-authorization': `Basic ${secret}`,
        'x-goog-api-key': secret,
        'x-forwarded-for': secret,
        'x-a2a-extensions': `https://ext.example/${secret}`,
        'a2a-extensions': `https://ext.example/${secret}`,
        tracestate: `vendor=${secret}`,
        baggage: `key=${secret}`,
        traceparent: `00-${secret}-01`,
        'user-agent': secret,
        referer: `https://caller.example/${secret}`,
      };
      const got = await ask(ours, {
        ...invoking(id, saidTo()),
        headers: { 'content-type': 'application/json', ...headers },
      });
      const seen = JSON.stringify(agent.calls.at(-1) ?? {});
      const faults = got.status === 200 ? [] : [`answered ${got.status}`];
      if (seen.includes(secret)) faults.push('a header came to the agent');
      if (seen.includes(ours.key)) faults.push('the key came to the agent');
      return judge(faults, 'it came without them');
    },
  },
  {
    name: 'headers in the extensions that a message names',
    attacker: 'key holder',
    expected: '400, or none of them comes to the agent',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      agent.behave({ answer: say('hello') });
      const faults: string[] = [];
      for (const uri of [
        'https://a.example\r\nx-injected: 1',
        'https://a.example, https://b.example',
        'https://ä.example/\u0100',
        'a\0b',
        '',
      ]) {
        const got = await ask(ours, invoking(id, saidTo(undefined, { extensions: [uri] })));
        if (got.status !== 400) faults.push(`${JSON.stringify(uri)} answered ${got.status}`);
      }
      if (agent.calls.some(({ headers }) => 'x-injected' in headers)) faults.push('a header came to the agent');
      const fine = await ask(ours, invoking(id, saidTo(undefined, { extensions: ['https://a.example/v1'] })));
      if (fine.status !== 200) faults.push(`a plain one answered ${fine.status}`);
      return judge(faults, '400');
    },
  },
  {
    name: 'push notifications to an internal address, on every surface',
    attacker: 'key holder',
    expected: 'an error, and nothing is sent there',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      await using internal = await startLoopbackPeer((_request, response) => answer(response, 200, {}));
      agent.behave({ answer: give(taskAt('COMPLETED')) });
      const before = agent.calls.length;
      const faults: string[] = [];
      for (const url of [internal.url, inside]) {
        for (const question of pushes(id, url)) {
          const got = await ask(ours, question);
          if (!isFailure(got.body)) faults.push(`${question.path} answered ${got.body.slice(0, 60)}`);
        }
      }
      if (agent.calls.length > before) faults.push('it came to the agent');
      if (internal.requests.length > 0) faults.push('something was sent there');
      return judge(faults, 'refused');
    },
  },
  {
    name: 'files at internal addresses, to an agent and from it',
    attacker: 'key holder',
    expected: '403, and they come to neither side',
    async run({ openAgent }) {
      const { id, agent, ours } = await openAgent();
      const faults: string[] = [];
      agent.behave({ answer: say('hello') });
      for (const url of [
        inside,
        'http://[fd00:ec2::254]/',
        'http://0xa9fea9fe/',
        'file:///etc/passwd',
        'http://a.example\\@169.254.169.254/',
      ]) {
        const before = agent.calls.length;
        const got = await ask(ours, invoking(id, saidTo([{ kind: 'file', file: { uri: url } }])));
        if (got.status !== 403 || agent.calls.length > before) faults.push(`${url} answered ${got.status}`);
      }
      agent.behave({ answer: give({ message: saying({ url: inside }) }) });
      const back = await ask(ours, invoking(id, saidTo()));
      if (back.status !== 403 || back.body.includes(inside)) faults.push(`from the agent: ${back.status}`);
      agent.behave({ answer: give({ message: saying({ url: 'https://files.example/trip.pdf' }) }) });
      const fine = await ask(
        ours,
        invoking(id, saidTo([{ kind: 'file', file: { uri: 'https://files.example/a.pdf' } }])),
      );
      if (fine.status !== 200) faults.push(`a public one answered ${fine.status}`);
      return judge(faults, '403');
    },
  },
];
