import type { IncomingMessage } from 'node:http';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { trialTimeoutMs, type TrialServer } from '@portcullis/platform/trials/trial-bus';
import type { Exchange } from '../exchange/exchange.ts';
import { LegacySseStreams } from '../mcp-streams/legacy-sse-streams.ts';
import type { PipelineParts } from '../pipeline.ts';
import type { TrafficObserver } from '../target/proxy-driver.ts';
import { createTrafficHandler, type TrafficParts } from '../traffic/traffic-handler.ts';
import { createTrialPipeline, type FindTrial } from './trial-pipeline.ts';
import { runTrial, type TrialRun } from './trial-run.ts';

export type Trials = Pick<TrialServer, 'serves' | 'run'>;

export interface TrialParts {
  readonly pipeline: PipelineParts;
  readonly traffic: Omit<TrafficParts, 'pipeline' | 'observer' | 'spool' | 'explain' | 'legacySse'>;
  readonly log: Logger;
  readonly timeoutMs?: number;
}

/** Tries requests on the proxies of this process, running or not. */
export function createTrials({ pipeline, traffic, log, timeoutMs = trialTimeoutMs }: TrialParts): Trials {
  const runs = new WeakMap<IncomingMessage, TrialRun>();
  const find: FindTrial = ({ request }) => {
    const run = runs.get(request);
    if (run === undefined) throw new Error('The request is no trial');
    return run;
  };
  const handlerFor = createTrafficHandler({
    ...traffic,
    pipeline: createTrialPipeline(pipeline, find),
    observer: observeTrials(find, log),
    // Nothing of a trial is recorded but what the management API writes into the audit log.
    spool: { append: (_records, written) => written?.() },
    explain: () => undefined,
    legacySse: new LegacySseStreams(),
  });
  const findProxy = (id: number) => traffic.currentSnapshot().proxies.get(id);
  return {
    serves: (proxyId) => findProxy(proxyId) !== undefined,
    async run(question) {
      const proxy = findProxy(question.proxyId);
      if (proxy === undefined) throw new Error('The proxy was deleted a moment ago');
      const handler = handlerFor(proxy.id);
      const begin = (request: IncomingMessage, run: TrialRun): void => void runs.set(request, run);
      try {
        return await runTrial(question, { proxy, listener: handler.request, begin, timeoutMs });
      } finally {
        handler.cut();
      }
    },
  };
}

const observeTrials = (find: FindTrial, log: Logger): TrafficObserver => {
  const facts = (exchange: Exchange) => ({ trial: true, request_id: exchange.id, proxy_id: exchange.proxy.id });
  return {
    fault: (stage, onFault, error, exchange) =>
      void log.error('stage failed', { stage, on_fault: onFault, reason: problemText(error), ...facts(exchange) }),
    denied: (_stage, denial, exchange) => find(exchange).recorder.denied(denial),
    targetFailed: (exchange, error) =>
      void log.warn('target failed', { reason: problemText(error), ...facts(exchange) }),
    settled(exchange) {
      find(exchange).recorder.settled(exchange);
      exchange.trace?.end(exchange);
    },
  };
};
