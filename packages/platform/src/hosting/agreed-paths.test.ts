import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agentRoutes, integrationRoutes, managementRoutes, servicesRoutes } from '@portcullis/contracts/all-routes';
import { evaluationRunRoutes } from '@portcullis/contracts/evaluation-run-routes';
import type { Route } from '@portcullis/contracts/route';
import { skillRoutes } from '@portcullis/contracts/skill-routes';
import { Agent, request, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { silentLog } from '../../test/test-database.ts';
import { createClientAddress } from '../http/client-address.ts';
import { createEdgeSeal } from '../http/edge-seal.ts';
import { mountedPath, mountRoutes } from '../routes/mount-routes.ts';
import { createBodyMemory } from '../http/body-memory.ts';
import { plainRefusals } from './edge-refusals.ts';
import { createRequestForwarder } from './request-forwarder.ts';
import { openPublicEdge, type PublicEdge } from './public-edge.ts';

// Whatever a client writes into its request line, the process with the public port and the process that it hands the
// request to must see one path in it, and it must be the path that the whole gateway in one process sees.

/** The places of each service beside the management API, and the routes that it answers there. */
const others: Readonly<Record<string, { readonly prefixes: readonly string[]; readonly routes: readonly Route[] }>> = {
  'a2a-hub': {
    prefixes: ['/api/v1/agents', '/a2a/v1', '/.well-known/agent-card.json', '/.well-known/jwks.json'],
    routes: agentRoutes,
  },
  'skill-hub': { prefixes: ['/api/v1/security/skills'], routes: skillRoutes },
  'guardrails-worker': {
    prefixes: ['/api/v1/security/guardrails/evaluations', '/api/v1/security/guardrails/results'],
    routes: evaluationRunRoutes,
  },
  notifier: { prefixes: ['/api/v1/system/integrations', '/api/v1/system/dead-letters'], routes: integrationRoutes },
};

/** The routes of a service, open to anybody, each answering which it is. */
function serve(service: string, routes: readonly Route[], elsewhere: readonly Route[] = []): RequestListener {
  const open = (route: Route): Route => {
    const { method, path, absolute, errors, summary, tag } = route;
    const plain = { role: 'public', contentType: 'text/plain', parts: {}, errors, summary, tag } as const;
    return { method, path, ...(absolute === true && { absolute }), ...plain };
  };
  const contract = routes.map(open);
  return mountRoutes({
    contract,
    bound: contract.map((route) => ({
      route,
      handler: ({ calledOrigin }) => ({ text: `${service} ${route.method} ${mountedPath(route)} at ${calledOrigin}` }),
    })),
    elsewhere: elsewhere.map(open),
    authentication: {
      browser: () => Promise.resolve(undefined),
      user: () => Promise.reject(new Error('unused')),
      apiKey: () => Promise.reject(new Error('unused')),
    },
    allowsOrigin: () => false,
    maxBodyBytes: 1_000,
    bodyMemory: createBodyMemory(10_000),
    log: silentLog,
    observe: () => undefined,
  });
}

const mountsOf = (name: string) => {
  const { prefixes, routes } = others[name] ?? { prefixes: [], routes: [] };
  const http = serve(name, routes);
  return prefixes.map((prefix) => ({ prefix, http }));
};
const management = () => ({ prefix: '/', http: serve('management-api', managementRoutes, servicesRoutes) });

async function open(opened: AsyncDisposableStack, mounts: Parameters<PublicEdge['serve']>[0]): Promise<number> {
  const edge = opened.use(await openPublicEdge('127.0.0.1', 0));
  edge.serve(mounts);
  return edge.port;
}

const openOneProcess = (opened: AsyncDisposableStack) =>
  open(opened, [management(), ...Object.keys(others).flatMap(mountsOf)]);

/** The management API with the public port, and a process for each other service. */
async function openServices(opened: AsyncDisposableStack): Promise<number> {
  const addresses = new Map<string, string>();
  for (const name of Object.keys(others)) {
    addresses.set(name, `http://127.0.0.1:${await open(opened, mountsOf(name))}`);
  }
  const forward = opened.use(
    createRequestForwarder({
      directory: { pick: (service) => addresses.get(service), avoid: () => undefined },
      clientAddress: createClientAddress([]),
      seal: createEdgeSeal('a secret of the test that is long enough'),
      refusals: plainRefusals,
      log: silentLog,
    }),
  );
  const places = Object.entries(others).flatMap(([service, { prefixes }]) =>
    prefixes.map((prefix) => ({ prefix, ...forward({ service, prefix }) })),
  );
  return open(opened, [management(), ...places]);
}

const host = 'gateway.example:8080';
/** The first route of each path, and the service that has it. */
const routes = [
  ...new Map(
    [
      ['management-api', managementRoutes] as const,
      ...Object.entries(others).map(([name, { routes: own }]) => [name, own] as const),
    ]
      .flatMap(([service, own]) => own.map((route) => [mountedPath(route), { service, route }] as const))
      .toReversed(),
  ).entries(),
].map(([mounted, { service, route }]) => ({
  path: mounted.replaceAll(/:\w+/g, '1'),
  method: route.method,
  answer: `${service} ${route.method} ${mounted}`,
}));

const oneOfEach = [...new Map(routes.map((one) => [one.answer.split(' ', 1).join(''), one])).values()];

type Spelling = (path: string) => string;
const same: readonly Spelling[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path}?next=//api/v1/agents/../1`,
  (path) => `http://${host}${path}`,
  (path) => `HTTPS://${host}${path}?x`,
];
const refused: readonly Spelling[] = [
  (path) => `${path}#`,
  (path) => `${path}#/../x`,
  (path) => `${path}?x#/y`,
  (path) => `/api/v1/agents/..${path}`,
  (path) => `/api/v1/agents/../../..${path}`,
  (path) => `/api/v1/proxies/%2e%2E/../..${path}`,
  (path) => `/.${path}`,
  (path) => `${path}/.`,
  (path) => `/${path}`,
  (path) => `//api/v1/agents${path}`,
  (path) => String.raw`/x\..${path}`,
  (path) => path.replace(/(?<=.)\//, '\\'),
  (path) => `http://${host}/x/..${path}`,
  (path) => `http://${host}/${path}`,
  (path) => `http://user@${host}${path}`,
  (path) => `http://${host}%00${path}`,
  (path) => `javascript://${host}${path}`,
];
/** Nobody says what they are; both ways must say the same. */
const odd: readonly Spelling[] = [
  (path) => `${path};x=1`,
  (path) => path.replace(/(?<=.)\//, ';/'),
  (path) => path.replace(/(?<=.)\//, '//'),
  (path) => path.replace(/(?<=.)\//, '%2f'),
  (path) => path.replace('a', '%61'),
  (path) => `${path}%00`,
  (path) => `${path}%2f..%2fproxies`,
  (path) => `${path}%`,
  (path) => `${path}\u00a0`,
  (path) => `${path}/\u00e4`,
  (path) => `${path}//`,
];

describe('a path', () => {
  const opened = new AsyncDisposableStack();
  const agent = new Agent({ keepAlive: true });
  let oneProcess: number;
  let services: number;
  beforeAll(async () => {
    [oneProcess, services] = [await openOneProcess(opened), await openServices(opened)];
  });
  afterAll(async () => {
    agent.destroy();
    await opened.disposeAsync();
  });

  const ask = (port: number, method: string, path: string, headers: Readonly<Record<string, string>> = { host }) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject);
      });
      sent.on('error', reject).end();
    });
  /** In one process, and in services. */
  const askBoth = (method: string, path: string, headers?: Readonly<Record<string, string>>) =>
    Promise.all([oneProcess, services].map((port) => ask(port, method, path, headers)));

  test('leads to the route that it names, in every spelling that means the same, in one process and through the edge', async () => {
    for (const { method, path, answer } of routes) {
      for (const spell of same) {
        const wanted = `200 ${answer} at http://${host}`;
        expect([spell(path), ...(await askBoth(method, spell(path)))]).toEqual([spell(path), wanted, wanted]);
      }
    }
  });

  test('that readers disagree about is refused before any of them has read it', async () => {
    const wanted = expect.stringMatching(/^400 .*"error_code":"BAD_REQUEST"/) as unknown;
    // The port does it, before it is known whose the path is: on every route through the edge, on one of each service in both ways.
    for (const { method, path } of routes) {
      for (const spell of refused) {
        expect([spell(path), await ask(services, method, spell(path))]).toEqual([spell(path), wanted]);
      }
    }
    for (const { method, path } of oneOfEach) {
      for (const spell of refused) expect(await askBoth(method, spell(path))).toEqual([wanted, wanted]);
    }
  });

  test('that is odd is the same for the edge and the service', async () => {
    for (const { method, path } of routes) {
      for (const spell of odd) {
        const [whole, parts] = await askBoth(method, spell(path));
        expect([spell(path), parts]).toEqual([spell(path), whole]);
      }
    }
  });

  test.each(['/', '#', '@', '?', '\\', '%00', '/#@?\\%00', `user@${host}`, `${host}/..`, `${host},other.example`])(
    'is asked for in vain by a client that calls the host %j',
    async (named) => {
      const wanted = expect.stringMatching(/^400 .*The header Host must name one host/) as unknown;
      for (const { method, path } of oneOfEach) {
        expect(await askBoth(method, path, { host: named })).toEqual([wanted, wanted]);
      }
    },
  );
});
