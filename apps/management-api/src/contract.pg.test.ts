import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { managementRoutes } from '@portcullis/contracts/all-routes';
import * as fc from 'fast-check';
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
import { seed } from '../test/generated-requests/seed.ts';
import { answerTrials } from '../test/answer-trials.ts';
import { followDesiredState, type RuntimeRows } from '../test/follow-desired-state.ts';
import { startManagement, stores, type TestManagement } from '../test/start-management.ts';

const runsPerOperation = 12;

/**
 * Requests made from nothing but the published description, right and wrong ones, to every
 * operation. Each answer must be what the description says.
 */
describe.each(stores)('the published description (%s)', (store) => {
  let management: TestManagement;
  let runtime: RuntimeRows;
  let trials: AsyncDisposable;
  let document: OpenApiDocument;
  let checkAnswer: (operation: NamedOperation, answer: Answer) => string | undefined;
  let token = '';
  beforeAll(async () => {
    management = await startManagement(store, { JWT_EXPIRY: '1h' });
    document = (await (await fetch(`${management.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    checkAnswer = compileAnswerCheck(document);
    await seed(management);
    runtime = await followDesiredState(management.infrastructure.database);
    trials = await answerTrials(management);
    token = await management.signIn('admin');
  });
  afterAll(async () => {
    await trials[Symbol.asyncDispose]();
    await runtime[Symbol.asyncDispose]();
    await management.stop();
  });

  const send = async ({ method, path, body }: GeneratedRequest): Promise<Answer> => {
    const response = await fetch(`${management.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const contentType = response.headers.get('content-type')?.split(';', 1).join('') ?? '';
    return { status: response.status, contentType, text: await response.text() };
  };

  /** Signs in again when a generated request has ended our own session. */
  const sendSignedIn = async (request: GeneratedRequest): Promise<Answer> => {
    const answer = await send(request);
    if (answer.status !== 401 || request.path.includes('/auth/')) return answer;
    token = await management.signIn('admin');
    return send(request);
  };

  test('holds for every request that it allows', async () => {
    const never: string[] = [];
    for (const operation of inSafeOrder(own(document))) {
      let served = 0;
      await fc.assert(
        fc.asyncProperty(validRequestsOf(operation, document), async (request) => {
          const answer = await sendSignedIn(request);
          const problem = checkAnswer(operation, answer) ?? serverFault(operation, answer);
          expect({ request, answer, problem }).toEqual({ request, answer, problem: undefined });
          if (answer.status < 300) served += 1;
        }),
        { numRuns: runsPerOperation, endOnFailure: true },
      );
      if (served === 0) never.push(operation.operationId);
    }
    // A run in which little succeeds would say little.
    expect(never.length).toBeLessThan(operationsOf(own(document)).length / 2);
  });

  test('holds for requests with one thing wrong, which are told so', async () => {
    for (const operation of inSafeOrder(own(document))) {
      const requests = invalidRequestsOf(operation, document);
      if (requests === undefined) continue;
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const answer = await sendSignedIn(request);
          const refused = answer.status === 400 ? undefined : 'is not refused as a wrong request';
          const problem = checkAnswer(operation, answer) ?? refused;
          expect({ request, answer, problem }).toEqual({ request, answer, problem: undefined });
        }),
        { numRuns: runsPerOperation, endOnFailure: true },
      );
    }
  });
});

/** What this service answers. */
const own = (document: OpenApiDocument): OpenApiDocument => partOf(document, managementRoutes);

/** What ends sessions or removes records comes last, so that the rest meets something. */
function inSafeOrder(document: OpenApiDocument): readonly NamedOperation[] {
  const rank = ({ method, path }: NamedOperation) => (path.includes('/auth/') ? 2 : method === 'DELETE' ? 1 : 0);
  return operationsOf(document).toSorted((a, b) => rank(a) - rank(b));
}
