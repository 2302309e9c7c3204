import { expect, test } from '@jest/globals';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import { startPlainAgent } from './plain-agent.ts';

test('speaks A2A 1.0 with the official client, at once and in events', async () => {
  await using agent = await startPlainAgent();
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory()] });
  const client = await factory.createFromUrl(agent.url);
  const request = {
    message: {
      messageId: 'm1',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value: 'Three days in Bern' } }],
    },
  } as unknown as SendMessageRequest;
  expect(JSON.stringify(await client.sendMessage(request))).toContain('A plan for: Three days in Bern');
  const kinds: unknown[] = [];
  for await (const { payload } of client.sendMessageStream(request)) kinds.push(payload?.$case);
  expect(kinds).toEqual(['task', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
  expect(agent.heard).toEqual(['Three days in Bern', 'Three days in Bern']);
});
