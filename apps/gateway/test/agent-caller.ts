import type { ManagementAnswer, ManagementClient } from '@portcullis/testkit/management-client';
import type { TestGateway } from '@portcullis/testkit/test-gateway';

export type Call = <Data = unknown>(method: string, path: string, body?: unknown) => Promise<ManagementAnswer<Data>>;

/** Calls the API with headers of its own, such as an API key. */
export const callerWith =
  ({ url }: Pick<TestGateway, 'url'>, headers: Readonly<Record<string, string>> = {}): Call =>
  async <Data>(method: string, path: string, body?: unknown): Promise<ManagementAnswer<Data>> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { ...((await response.json()) as Omit<ManagementAnswer<Data>, 'status'>), status: response.status };
  };

export interface Team {
  readonly id: number;
  readonly keyId: number;
  readonly key: string;
  readonly call: Call;
}

/** A user group with an API key. */
export async function addTeam(gateway: TestGateway, name: string): Promise<Team> {
  const group = await gateway.admin.expect<{ id: number }>('POST', '/user-groups', { name });
  const { api_key, key } = await gateway.admin.expect<{ api_key: { id: number }; key: string }>('POST', '/api-keys', {
    name: `key of ${name}`,
    user_group_id: group.id,
  });
  return { id: group.id, keyId: api_key.id, key, call: callerWith(gateway, { 'x-api-key': key }) };
}

/** Makes a user of a role and signs them in. */
export async function signIn(
  gateway: TestGateway,
  role: 'user' | 'viewer' | 'operator',
  username: string,
): Promise<{ readonly id: number; readonly call: Call }> {
  const given = { username, password: 'correct horse battery' };
  const { user } = await gateway.admin.expect<{ user: { id: number } }>('POST', '/auth/users', {
    ...given,
    email: `${username}@localhost.example`,
    role,
  });
  const { data } = await callerWith(gateway)<{ token: string }>('POST', '/auth/login', given);
  return { id: user.id, call: callerWith(gateway, { authorization: `Bearer ${data.token}` }) };
}

/** What the audit log has of a type, newest first. */
export const auditOf = async (admin: ManagementClient, type: string): Promise<readonly AuditEntry[]> =>
  (await admin.expect<{ logs: readonly AuditEntry[] }>('GET', `/audit/logs?event_type=${type}`)).logs;

interface AuditEntry {
  readonly event_type: string;
  readonly resource: { readonly name: string | null };
  readonly changes: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>> | null;
}
