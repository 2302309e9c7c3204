import type { Failure } from '@portcullis/contracts/envelope';
import type { Route, RouteInput, RouteOutput, RouteParts } from '@portcullis/contracts/route';
import { objectOf } from '@portcullis/core/json/json-object';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { CommandIo } from './command.ts';
import { GatewayRefusal } from './gateway-refusal.ts';

type Input<Parts extends RouteParts> = {
  readonly [Part in 'params' | 'query' | 'body']?: Partial<RouteInput<Parts>[Part]>;
};

interface AnyInput {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Calls routes of a gateway. @throws {GatewayRefusal} */
export interface GatewayClient {
  /** The data of a success. */
  data<Parts extends RouteParts>(route: Route<Parts>, input?: Input<Parts>): Promise<RouteOutput<Parts>>;
  /** The body of a success that is no envelope. */
  file(route: Route, input?: AnyInput): Promise<Uint8Array>;
}

interface Gateway {
  readonly url: string;
  readonly token: string | undefined;
}

const pathOf = ({ absolute, path }: Route): string => (absolute === true ? path : `/api/v1${path}`);

/** An exam or a report may take a while. */
const timeoutMs = 90_000;

export function createGatewayClient({ url, token }: Gateway, io: Pick<CommandIo, 'stopping'>): GatewayClient {
  const send = async (route: Route, { params = {}, query = {}, body }: AnyInput): Promise<Response> => {
    const fields = new Map<string, unknown>(Object.entries(params));
    const path = pathOf(route).replaceAll(/:(\w+)/g, (_whole, name: string) =>
      encodeURIComponent(String(fields.get(name))),
    );
    const address = new URL(`${trimSlashes(url)}${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    const response = await fetch(address, {
      method: route.method,
      // The token is for this gateway alone.
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([io.stopping, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: unknown) => {
      if (io.stopping.aborted) throw new GatewayRefusal(`Stopped before the gateway at ${address.origin} had answered`);
      throw new GatewayRefusal(`The gateway at ${address.origin} cannot be reached: ${reasonOf(error)}`);
    });
    if (response.ok) return response;
    throw new GatewayRefusal(describeRefusal(route, response.status, await response.text()), response.status);
  };

  return {
    async data(route, input = {}) {
      const text = await (await send(route, input)).text();
      try {
        return (JSON.parse(text) as { data: RouteOutput<typeof route.parts> }).data;
      } catch {
        throw new GatewayRefusal(`${route.method} ${pathOf(route)} answered no JSON: is this a gateway?`);
      }
    },
    file: async (route, input = {}) => new Uint8Array(await (await send(route, input)).arrayBuffer()),
  };
}

function describeRefusal(route: Route, status: number, text: string): string {
  const place = `${route.method} ${pathOf(route)} answered ${status}`;
  const failure = parseFailure(text);
  if (failure === undefined) return `${place}: ${text.slice(0, 200)}`;
  // The message has the first one, where there is a message.
  const problems = (failure.problems ?? [])
    .slice(failure.message === undefined ? 0 : 1, 10)
    .map(({ path, rule }) => `\n  ${path}: ${rule}`);
  return `${place}: ${failure.message ?? failure.error}${problems.join('')}`;
}

function parseFailure(text: string): Failure | undefined {
  try {
    const fields = objectOf(JSON.parse(text));
    return fields?.['success'] === false ? (fields as unknown as Failure) : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` says little itself; what failed is the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
