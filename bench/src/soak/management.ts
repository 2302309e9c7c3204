import { waitFor } from '@portcullis/testkit/wait-for';
import { askOpenai } from './chats.ts';
import { call } from './send-request.ts';
import type { World } from './soak-context.ts';

export async function readLists({ admin, proxies }: World): Promise<void> {
  await admin.expect('GET', `/proxies/${proxies.llm.id}/logs?limit=50`);
  await admin.expect('GET', '/system/alerts?limit=50');
  await admin.expect('GET', '/audit/logs?limit=50');
}

export async function readFigures({ admin, proxies }: World): Promise<void> {
  await admin.expect('GET', '/proxies/status');
  await admin.expect('GET', `/proxies/${proxies.llm.id}/stats`);
  await admin.expect('GET', `/proxies/${proxies.llm.id}/tokens`);
  await admin.expect('GET', '/metrics');
}

/** A key is made, works, is revoked, works no longer, and is deleted. */
export async function keyChurn({ admin, proxies, groupId }: World): Promise<void> {
  const wanted = { name: 'soak for a moment', user_group_id: groupId };
  const made = await admin.expect<{ key: string; api_key: { id: number } }>('POST', '/api-keys', wanted);
  const statusIs = (status: number) => async () =>
    (await call(proxies.llm, { ...askOpenai('Good morning'), key: made.key })).status === status;
  await waitFor(statusIs(200), { what: 'a new key to work', intervalMs: 50 });
  await admin.expect('POST', `/api-keys/${made.api_key.id}/revoke`);
  await waitFor(statusIs(401), { what: 'a revoked key to be refused', intervalMs: 50 });
  await admin.expect('DELETE', `/api-keys/${made.api_key.id}`);
}
