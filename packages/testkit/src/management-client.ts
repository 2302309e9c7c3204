/** An answer of the management API. */
export interface ManagementAnswer<Data> {
  readonly status: number;
  readonly success: boolean;
  readonly data: Data;
  readonly error?: string;
  readonly error_code?: string;
  readonly message?: string;
  readonly problems?: readonly { readonly path: string; readonly rule: string }[];
}

/** Calls the management API over HTTP, signed in as one user. */
export interface ManagementClient {
  readonly token: string;
  /** @param path below /api/v1 */
  call<Data = unknown>(method: string, path: string, body?: unknown): Promise<ManagementAnswer<Data>>;
  /** Like `call`, and throws unless the answer is a success. */
  expect<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data>;
}

const request = async <Data>(
  url: string,
  method: string,
  path: string,
  body: unknown,
  token?: string,
): Promise<ManagementAnswer<Data>> => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Omit<ManagementAnswer<Data>, 'status'>;
  return { ...answer, status: response.status };
};

/** Logs in and answers a client. */
export async function createManagementClient(
  url: string,
  credentials: { readonly username: string; readonly password: string },
): Promise<ManagementClient> {
  const login = await request<{ token: string }>(url, 'POST', '/auth/login', credentials);
  if (!login.success) throw new Error(`Login failed with ${login.status}: ${login.error}`);
  const { token } = login.data;

  const call = <Data>(method: string, path: string, body?: unknown) => request<Data>(url, method, path, body, token);

  return {
    token,
    call,
    async expect<Data>(method: string, path: string, body?: unknown) {
      const answer = await call<Data>(method, path, body);
      if (!answer.success) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer)}`);
      }
      return answer.data;
    },
  };
}
