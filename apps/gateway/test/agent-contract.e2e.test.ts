import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { agentCallRoutes, agentRoutes } from '@portcullis/contracts/all-routes';
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
import * as fc from 'fast-check';
import { openAgentWorld, type AgentWorld } from './agent-world.ts';

const runsPerOperation = 8;

/** As the management API's own are tried: requests made from nothing but the published description of the hub. */
let world: AgentWorld;
let document: OpenApiDocument;
let checkAnswer: ReturnType<typeof compileAnswerCheck>;
beforeAll(async () => {
  world = await openAgentWorld('one process');
  const { url } = world.gateway;
  const described = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  checkAnswer = compileAnswerCheck(described);
  document = partOf(described, [...agentRoutes, ...agentCallRoutes]);
  // One agent and one task of each number that requests ask for first.
  const message = { role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
  for (const { id } of Object.values(world.agents)) await world.ours.call('POST', `/agents/${id}/invoke`, { message });
});
afterAll(async () => world[Symbol.asyncDispose]());

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

/** What removes records comes last, so that the rest meets something. */
const inSafeOrder = (): readonly NamedOperation[] =>
  operationsOf(document).toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test('the description of the hub holds for every request that it allows', async () => {
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

test('the description of the hub holds for requests with one thing wrong, which are told so', async () => {
  for (const operation of inSafeOrder()) {
    const requests = invalidRequestsOf(operation, document);
    if (requests === undefined) continue;
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await send(request);
        const refused = answer.status === 400 ? undefined : 'is not refused as a wrong request';
        const problem = checkAnswer(operation, answer) ?? refused;
        expect({ request, answer, problem }).toEqual({ request, answer, problem: undefined });
      }),
      { numRuns: runsPerOperation, endOnFailure: true },
    );
  }
});
