import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { listenerTypes } from '../records.ts';

export const routes = createRouteList('Proxy lifecycle');

const shortStatus = {
  id: Id,
  name: Type.String(),
  type: Type.Enum(listenerTypes),
  running: Type.Boolean(),
  port: Type.Integer(),
};

export const ProxyStatus = Exact(
  {
    ...shortStatus,
    target: Type.String(),
    start_time: Nullable(Timestamp),
    uptime: Type.String({ description: 'For example 2h15m30s; empty when stopped' }),
    requests_processed: Type.Integer({
      minimum: 0,
      description: 'Requests that ended since each of the live runtimes started, refused ones among them',
    }),
    errors: Type.Integer({
      minimum: 0,
      description:
        'Those of them that were answered with a status of 500 or above: the target failed, did not answer in time or answered so itself, or the gateway could not serve. What was refused with 4xx, such as a blocked or unauthorized request, does not count, and neither does a stream that broke off after its head had left. For each request there is an entry in the logs',
    }),
    desired_state: Type.Enum(['running', 'stopped'], { description: 'What was last asked for' }),
    state: Type.Enum(['running', 'partly_running', 'starting', 'stopping', 'stopped', 'error', 'unreachable'], {
      description:
        'partly_running: not on every runtime. unreachable: it should run, and no runtime gives a sign of life',
    }),
    runtimes: Exact(
      { live: Count, running: Count },
      {
        title: 'RuntimeCounts',
        description: 'Runtime processes that give signs of life, and those that run the proxy',
      },
    ),
    circuit: Type.Enum(['closed', 'half_open', 'open'], {
      description:
        'The circuit to the target, of the runtime that fares worst. closed: requests flow; open: requests are answered 502 at once; half_open: one at a time tries whether the target is back',
    }),
    target_problem: Nullable(Type.String({ description: 'Why the target failed last, until it answers again' })),
    last_error: Nullable(
      Type.String({
        description:
          'Why it does not run although it should, or why its last start failed, for example because its port is taken; null after the next start, stop or change',
      }),
    ),
  },
  { title: 'ProxyStatus' },
);
export type ProxyStatus = Static<typeof ProxyStatus>;

export const listProxyStatuses = routes.define({
  method: 'GET',
  path: '/proxies/status',
  role: 'viewer',
  acceptsApiKey: true,
  summary: 'Show the status of all proxies',
  parts: { response: Type.Array(Exact(shortStatus)) },
});

export const getProxyStatus = routes.define({
  method: 'GET',
  path: '/proxies/:id/status',
  role: 'viewer',
  acceptsApiKey: true,
  summary: 'Show the status of a proxy',
  parts: { params: ById, response: ProxyStatus },
  errors: ['not_found', 'access_denied'],
});

export const proxyCommandEvents = {
  start: 'proxy.started',
  stop: 'proxy.stopped',
  restart: 'proxy.restarted',
} as const;

/** All three answer once every live runtime has followed. */
const command = (name: 'start' | 'stop' | 'restart', summary: string) =>
  routes.define({
    method: 'POST',
    path: `/proxies/:id/${name}`,
    role: 'operator',
    summary,
    parts: { params: ById },
    errors: ['not_found', 'conflict', 'target_refused', 'service_unavailable'],
    audit: proxyCommandEvents[name],
  });

export const startProxy = command('start', 'Start a proxy; it also runs again after the gateway restarts');
export const stopProxy = command('stop', 'Stop a proxy once the exchanges in flight are done');
export const restartProxy = command('restart', 'Stop a proxy and start it again');
