import type { Failure, Problem } from '@portcullis/contracts/envelope';
import type { Route, RouteInput, RouteOutput } from '@portcullis/contracts/route';
import { apiPath } from './console-address.ts';
import { csrfToken } from './csrf-token.ts';
import type { Endpoint } from './endpoint.ts';

const timeoutMs = 30_000;

/** What the gateway answered in place of what was asked for, or why nothing came back. */
export class ApiError extends Error {
  /** 0: no answer. */
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];
  readonly requestId: string | undefined;

  constructor(status: number, failure: Omit<Partial<Failure>, 'success'>) {
    super(failure.message ?? failure.error ?? 'The gateway did not answer');
    this.status = status;
    this.code = failure.error_code ?? '';
    this.problems = failure.problems ?? [];
    this.requestId = failure.request_id;
  }
}

type Input<Called extends Route> = Partial<RouteInput<Called['parts']>>;

type Answer = Omit<Partial<Failure>, 'success'> & { readonly success?: boolean };

/** @throws {ApiError} */
export async function request<Called extends Route>(
  { method, path }: Endpoint<Called>,
  { params, query, body }: Input<Called> = {},
  signal?: AbortSignal,
): Promise<RouteOutput<Called['parts']>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(`${apiPath}${fillIn(path, params)}${renderQuery(query)}`, {
      method,
      headers: { 'X-CSRF-Token': csrfToken.current, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, { message: 'The gateway did not answer. It may be restarting, or the network is down.' });
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!response.ok || answer.success !== true) throw new ApiError(response.status, answer);
  return answer.data as RouteOutput<Called['parts']>;
}

const fillIn = (path: string, params: unknown): string =>
  path.replaceAll(/:([a-z_]+)/gi, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, string | number> | undefined)?.[name])),
  );

function renderQuery(query: unknown): string {
  const given = Object.entries((query ?? {}) as Record<string, string | number | boolean | undefined>);
  const asked = new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
  ).toString();
  return asked === '' ? '' : `?${asked}`;
}
