import { observeRequestRow, observeResponseRow } from '@portcullis/core/pipeline/observe-stages';
import { deny, next, reply, row, type RequestStage, type Row } from '@portcullis/core/pipeline/stage';
import { judgeKey } from '@portcullis/platform/traffic/identify';
import type { KeyEntry } from '@portcullis/platform/traffic/traffic-exchange';
import type { Exchange } from '../exchange/exchange.ts';
import { createPipeline, type Pipeline, type PipelineParts } from '../pipeline.ts';
import type { TrialRun } from './trial-run.ts';

/** Finds the trial that an exchange is. */
export type FindTrial = (exchange: Exchange) => TrialRun;

/** Its parts count nothing and record nothing; whether a budget is spent is asked of the real one. */
const harmlessParts = (parts: PipelineParts): PipelineParts => ({
  ...(parts.readToken && { readToken: parts.readToken }),
  ...(parts.endpoints && { endpoints: parts.endpoints }),
  ...(parts.sessions && { sessions: parts.sessions }),
  ...(parts.tasks && { tasks: parts.tasks }),
  ...(parts.states && { states: parts.states }),
  ...(parts.brokenPrompt && { brokenPrompt: parts.brokenPrompt }),
  maxBodyBytes: parts.maxBodyBytes,
  bodyMemory: parts.bodyMemory,
  usage: parts.usage,
  limits: { shared: unlimited, local: unlimited },
  slots: { take: () => true, free: () => undefined },
  guardrails: { service: parts.guardrails.service, appendLate: () => undefined },
  budgets: {
    ...parts.budgets,
    service: {
      open: (exchange) => parts.budgets.service.open(exchange),
      reserve: () => undefined,
      settle: () => undefined,
    },
  },
  analyser: undefined,
});

const unlimited = { take: () => ({ allowed: true, retryAfterMs: 0 }) };

/** Of the rows that run once an exchange has ended, the one that a trial needs. */
const settles: ReadonlySet<string> = new Set(['free-body']);

/**
 * The rows of real requests, each observed. The caller is the one whom the admin named; behind the last of the request
 * rows it ends where it is not to be sent.
 */
export function createTrialPipeline(parts: PipelineParts, find: FindTrial): Pipeline {
  const pipeline = createPipeline(harmlessParts(parts));
  const rows = pipeline.request.map((each) =>
    each.stage.name === 'identify' ? { ...each, stage: identify(find) } : each,
  );
  const { stage: forward } = pipeline.forward;
  return {
    ...pipeline,
    request: [
      ...rows.map((each) =>
        observeRequestRow(each, (exchange, stage) => find(exchange).recorder.beginRequestStage(exchange, stage)),
      ),
      endOfRequest(find),
    ],
    forward: {
      ...pipeline.forward,
      stage: {
        name: forward.name,
        run(call) {
          find(call.exchange).recorder.beginForward();
          forward.run(call);
        },
      },
    },
    response: pipeline.response.map((each) =>
      observeResponseRow(each, (exchange, stage) => find(exchange).recorder.observeFilter(stage)),
    ),
    settle: pipeline.settle.filter(({ stage }) => settles.has(stage.name)),
  };
}

const identify = (find: FindTrial): RequestStage<Exchange> => ({
  name: 'identify',
  run(exchange) {
    const key = findCaller(exchange, find(exchange));
    if (key === undefined) return deny('key_unknown');
    exchange.key = key;
    return judgeKey(key, exchange.receivedAt);
  },
});

/** No key has this id. */
const noKeyId = 0;

function findCaller({ snapshot }: Exchange, { question }: TrialRun): KeyEntry | undefined {
  const { api_key_id: keyId, user_group_id: groupId } = question.request.as;
  if (groupId !== undefined)
    return { id: noKeyId, name: 'trial', groupId, active: true, expiresAtMs: Number.POSITIVE_INFINITY };
  for (const key of snapshot.keysByHash.values()) if (key.id === keyId) return key;
  return undefined;
}

const endOfRequest = (find: FindTrial): Row<RequestStage<Exchange>> =>
  row(
    {
      name: 'end-of-trial',
      run(exchange) {
        const { recorder, question } = find(exchange);
        recorder.pass(exchange);
        return question.request.send === true ? next : reply({ status: 204, headers: {}, body: Buffer.alloc(0) });
      },
    },
    ['llm', 'mcp'],
    { onFault: 'deny' },
  );
