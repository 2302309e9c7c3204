import { Role, TaskState, type SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory as CurrentFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { A2AClient as OldestClient } from 'a2a-sdk-0.2/client';
import { ClientFactory as LegacyFactory, ClientFactoryOptions as LegacyOptions } from 'a2a-sdk-0.3/client';
import { randomUUID } from 'node:crypto';

/** What an official client of one generation does, in no generation's words. */
export interface TriedClient {
  /** The text that came back, of a message or of a task's artifacts. */
  ask(text: string): Promise<string>;
  /** The kinds of the events that came, and the text of all artifacts. */
  stream(text: string): Promise<{ readonly kinds: readonly string[]; readonly text: string }>;
  /** Begins a task without waiting for its end. */
  begin(text: string): Promise<string>;
  /** The kinds of the events of a task under way, from now to its end. */
  follow(id: string): Promise<readonly string[]>;
  /** The state in which the task is then. */
  cancel(id: string): Promise<string>;
}

export const clientNames = ['1.0 JSONRPC', '1.0 HTTP+JSON', '0.3 JSONRPC', '0.3 HTTP+JSON', '0.2 JSONRPC'] as const;
export type ClientName = (typeof clientNames)[number];

/** @param base with a slash at its end, below which the card is found */
export function openClient(name: ClientName, base: string): Promise<TriedClient> {
  const [generation, binding] = name.split(' ') as [string, 'JSONRPC' | 'HTTP+JSON'];
  if (generation === '1.0') return openCurrent(base, binding);
  return generation === '0.3' ? openLegacy(base, binding) : openOldest(base);
}

interface TextPart {
  readonly text?: string;
}
interface WithParts {
  readonly parts: readonly unknown[];
}

const currentText = ({ parts }: WithParts): string =>
  (parts as { content?: { $case: string; value: unknown } }[])
    .map(({ content }) => (content?.$case === 'text' ? String(content.value) : ''))
    .join('');

async function openCurrent(base: string, binding: 'JSONRPC' | 'HTTP+JSON'): Promise<TriedClient> {
  const Factory = binding === 'JSONRPC' ? JsonRpcTransportFactory : RestTransportFactory;
  const client = await new CurrentFactory({ transports: [new Factory()] }).createFromUrl(base);
  const request = (value: string, returnImmediately = false): SendMessageRequest => ({
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  });
  return {
    async ask(text) {
      const answer = await client.sendMessage(request(text));
      return 'parts' in answer ? currentText(answer) : answer.artifacts.map(currentText).join('');
    },
    async stream(text) {
      const kinds: string[] = [];
      let heard = '';
      for await (const { payload } of client.sendMessageStream(request(text))) {
        kinds.push(payload?.$case ?? '');
        if (payload?.$case === 'artifactUpdate' && payload.value.artifact) heard += currentText(payload.value.artifact);
      }
      return { kinds, text: heard };
    },
    async begin(text) {
      const answer = await client.sendMessage(request(text, true));
      return 'id' in answer ? answer.id : '';
    },
    async follow(id) {
      const kinds: string[] = [];
      for await (const { payload } of client.resubscribeTask({ tenant: '', id })) kinds.push(payload?.$case ?? '');
      return kinds;
    },
    async cancel(id) {
      const { status } = await client.cancelTask({ tenant: '', id, metadata: undefined });
      return status?.state === TaskState.TASK_STATE_CANCELED ? 'canceled' : String(status?.state);
    },
  };
}

const legacyText = ({ parts }: WithParts): string => (parts as TextPart[]).map(({ text = '' }) => text).join('');

const legacyMessage = (text: string, blocking = true) => ({
  message: {
    kind: 'message' as const,
    messageId: randomUUID(),
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text }],
  },
  configuration: { blocking, acceptedOutputModes: ['text/plain'] },
});

interface LegacyEvent {
  readonly kind: string;
  readonly artifact?: WithParts;
}

async function gather(events: AsyncIterable<LegacyEvent>) {
  const kinds: string[] = [];
  let text = '';
  for await (const { kind, artifact } of events) {
    kinds.push(legacyKinds[kind] ?? kind);
    if (artifact !== undefined) text += legacyText(artifact);
  }
  return { kinds, text };
}

const legacyKinds: Readonly<Record<string, string>> = {
  'status-update': 'statusUpdate',
  'artifact-update': 'artifactUpdate',
};

interface LegacyTask {
  readonly id: string;
  readonly artifacts?: readonly WithParts[];
}

const textOf = (answer: WithParts | LegacyTask): string =>
  'parts' in answer ? legacyText(answer) : (answer.artifacts ?? []).map(legacyText).join('');

async function openLegacy(base: string, binding: string): Promise<TriedClient> {
  const options = LegacyOptions.createFrom(LegacyOptions.default, { preferredTransports: [binding] });
  const client = await new LegacyFactory(options).createFromUrl(base);
  return {
    ask: async (text) => textOf(await client.sendMessage(legacyMessage(text))),
    stream: (text) => gather(client.sendMessageStream(legacyMessage(text))),
    async begin(text) {
      const answer = await client.sendMessage(legacyMessage(text, false));
      return 'id' in answer ? answer.id : '';
    },
    follow: async (id) => (await gather(client.resubscribeTask({ id }))).kinds,
    cancel: async (id) => (await client.cancelTask({ id })).status.state,
  };
}

async function openOldest(base: string): Promise<TriedClient> {
  const client = new OldestClient(base.replace(/\/$/, ''));
  const resultOf = <Result>(answer: { result: Result } | { error: object }): Result => {
    if ('result' in answer) return answer.result;
    throw new Error(JSON.stringify(answer.error));
  };
  return {
    ask: async (text) => textOf(resultOf(await client.sendMessage(legacyMessage(text)))),
    stream: (text) => gather(client.sendMessageStream(legacyMessage(text))),
    async begin(text) {
      const answer = resultOf(await client.sendMessage(legacyMessage(text, false)));
      return 'id' in answer ? answer.id : '';
    },
    follow: async (id) => (await gather(client.resubscribeTask({ id }))).kinds,
    cancel: async (id) => resultOf(await client.cancelTask({ id })).status.state,
  };
}
