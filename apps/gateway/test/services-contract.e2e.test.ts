import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { servicesRoutes as routes } from '@portcullis/contracts/all-routes';
import type { Route } from '@portcullis/contracts/route';
import { accessOf, callers, type CallerKind, type RouteAccess } from '@portcullis/contracts/route-access';
import {
  compileAnswerCheck,
  serverFault,
  type Answer,
} from '@portcullis/platform/test/generated-requests/answer-check';
import {
  invalidRequestsOf,
  validRequestsOf,
  type GeneratedRequest,
} from '@portcullis/platform/test/generated-requests/generated-request';
import {
  operationsOf,
  partOf,
  type NamedOperation,
  type OpenApiDocument,
} from '@portcullis/platform/test/generated-requests/open-api-document';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import type { Peer } from '@portcullis/testkit/loopback-peer';
import { createManagementClient } from '@portcullis/testkit/management-client';
import { waitFor } from '@portcullis/testkit/wait-for';
import * as fc from 'fast-check';
import { startAgentGateway, type AgentGateway } from './start-agent-gateway.ts';
import { harmlessSkill, waitForOwnSkill, zipOf } from './start-skill-hub.ts';

const runsPerOperation = 8;

let world: AgentGateway;
let bot: Peer;
let document: OpenApiDocument;
let checkAnswer: ReturnType<typeof compileAnswerCheck>;
beforeAll(async () => {
  world = await startAgentGateway('one process');
  const { url } = world.gateway;
  const described = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  checkAnswer = compileAnswerCheck(described);
  document = partOf(described, routes);
  // One agent and one task of each number that requests ask for first.
  const message = { role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
  for (const { id } of Object.values(world.agents)) await world.ours.call('POST', `/agents/${id}/invoke`, { message });
  const { admin } = world.gateway;
  await waitForOwnSkill(world.gateway);
  await admin.expect('POST', '/security/skills/submissions', { skill_name: 'clock', skill_source: harmlessSkill });
  await admin.expect('POST', '/security/skills/packages', { content: zipOf({ 'SKILL.md': `${harmlessSkill} ` }) });
  bot = await startEvaluatedEndpoint('naive');
  const guardrails = '/security/guardrails';
  await admin.expect('POST', `${guardrails}/endpoints`, { name: 'bot', url: bot.url, model: 'm' });
  const evaluation = { name: 'first', endpoint_id: 1, categories: ['pii_extraction'], delay_ms: 0 };
  await admin.expect('POST', `${guardrails}/evaluations`, evaluation);
  const status = async () => admin.expect<{ status: string }>('GET', `${guardrails}/evaluations/1/status`);
  await waitFor(async () => (await status()).status === 'completed', { what: 'the first evaluation' });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await bot[Symbol.asyncDispose]();
});

async function send({ method, path, body }: GeneratedRequest): Promise<Answer> {
  const response = await fetch(`${world.gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.gateway.admin.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const contentType = response.headers.get('content-type')?.split(';', 1).join('') ?? '';
  return { status: response.status, contentType, text: await response.text() };
}

async function credentialsOf(caller: CallerKind): Promise<Record<string, string>> {
  if (caller === 'anonymous') return {};
  if (caller === 'api_key') return { 'x-api-key': world.ours.key };
  const credentials = { username: `the-${caller}`, password: 'correct horse battery' };
  const { admin } = world.gateway;
  const { user } = await admin.expect<{ user: { id: number } }>('POST', '/auth/users', {
    ...credentials,
    role: caller,
  });
  await admin.expect('POST', `/auth/groups/${world.ours.id}/users/${user.id}`);
  const { token } = await createManagementClient(world.gateway.url, credentials);
  return { authorization: `Bearer ${token}` };
}

/** Asks about records that do not exist, but for the agent that the caller's group may use, and with an empty body. */
async function accessGiven(route: Route, credentials: Readonly<Record<string, string>>): Promise<RouteAccess | number> {
  const id = route.acceptsApiKey === true ? world.agents['1.0'].id : 2_147_483_647;
  const hasBody = route.parts.body !== undefined;
  const { status } = await fetch(
    `${world.gateway.url}${route.absolute === true ? '' : '/api/v1'}${route.path.replaceAll(/:\w+/g, String(id))}`,
    {
      method: route.method,
      headers: { ...credentials, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: '{}' }),
    },
  );
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 500 ? status : 'passes';
}

test.each(callers)('the services serve %s what the contract says', async (caller) => {
  const credentials = await credentialsOf(caller);
  const name = ({ method, path }: Route) => `${method} ${path}`;
  const wanted = routes.map((route) => [name(route), accessOf(route, caller)]);
  const given: (readonly [string, RouteAccess | number])[] = [];
  for (const route of routes) given.push([name(route), await accessGiven(route, credentials)]);
  expect(given).toEqual(wanted);
});

/** What removes records comes last, so that the rest meets something. */
const inSafeOrder = (): readonly NamedOperation[] =>
  operationsOf(document).toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test('the description of the services holds for every request that it allows', async () => {
  const never: string[] = [];
  for (const operation of inSafeOrder()) {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(validRequestsOf(operation, document), async (request) => {
        const answer = await send(request);
        const problem = checkAnswer(operation, answer) ?? serverFault(operation, answer);
        expect({ request, answer, problem }).toEqual({ request, answer, problem: undefined });
        if (answer.status < 300) served += 1;
      }),
      { numRuns: runsPerOperation, endOnFailure: true },
    );
    if (served === 0) never.push(operation.operationId);
  }
  expect(never.length).toBeLessThan(operationsOf(document).length / 2);
});

test('the description of the services holds for requests with one thing wrong, which are told so', async () => {
  for (const operation of inSafeOrder()) {
    const requests = invalidRequestsOf(operation, document);
    if (requests === undefined) continue;
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await send(request);
        // What is too long may be too large for any request.
        const refused = [400, 413].includes(answer.status) ? undefined : 'is not refused as a wrong request';
        const problem = checkAnswer(operation, answer) ?? refused;
        expect({ request, answer, problem }).toEqual({ request, answer, problem: undefined });
      }),
      { numRuns: runsPerOperation, endOnFailure: true },
    );
  }
});
