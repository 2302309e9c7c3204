import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { createUser } from '@portcullis/contracts/routes/users';
import type { ApiClient } from './api-client.ts';

export const dayMs = 86_400_000;
/** The start of yesterday, so that all that is recorded lies behind us. */
export const yesterday = Math.floor(Date.now() / dayMs) * dayMs - dayMs;

/** The time so many hours into yesterday. */
export const at = (hours: number): string => new Date(yesterday + hours * 3_600_000).toISOString();

export type Spender = Awaited<ReturnType<typeof setUpSpender>>;

/** Makes a proxy, the user group `research`, the user `ada` and a key of that group which she owns. */
export async function setUpSpender(admin: ApiClient) {
  const target = { name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 25_101 } as const;
  const proxy = await admin.data(createProxy, { body: target });
  const team = await admin.data(createUserGroup, { body: { name: 'research' } });
  const person = {
    username: 'ada',
    email: 'ada@example.com',
    password: 'Ada-Password-1234',
    role: 'viewer',
  } as const;
  const { user: ada } = await admin.data(createUser, { body: person });
  const key = { user_group_id: team.id, name: 'owned', owner_id: ada.id };
  const { api_key: owned } = await admin.data(createApiKey, { body: key });
  return { proxy, team, ada, owned };
}
