import {
  compileForwardStage,
  compileRequestStages,
  type Outcome,
  type PipelineObserver,
} from '@portcullis/core/pipeline/engine';
import { compileResponseStages } from '@portcullis/core/pipeline/response-chain';
import { compileSettleStages } from '@portcullis/core/pipeline/settle';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { ServerResponse } from 'node:http';
import type { Pipeline } from '../pipeline.ts';
import type { Failure } from '../surfaces/surface.ts';
import type { AgentFailure } from '../upstream/agent-failure.ts';
import { Invocation, type Arrival } from '../invocation/invocation.ts';
import type { OpenInvocations } from './open-invocations.ts';
import { InvocationWriter, type WriterParts } from '../invocation/invocation-writer.ts';

export interface InvocationObserver extends PipelineObserver<Invocation> {
  settled(invocation: Invocation): void;
  agentFailed(invocation: Invocation, failure: AgentFailure): void;
}

export interface HandlerParts extends Omit<WriterParts, 'settle'> {
  readonly pipeline: Pipeline;
  readonly observer: InvocationObserver;
  readonly underWay: OpenInvocations;
}

/** Serves calls of agents, from whichever surface. */
export function createInvocationHandler({
  pipeline,
  observer,
  underWay,
  ...writerParts
}: HandlerParts): (arrival: Arrival, response: ServerResponse) => void {
  const runRequestStages = compileRequestStages(pipeline.request, 'a2a', observer);
  const openChain = compileResponseStages(pipeline.response, 'a2a', observer);
  const runSettleStages = compileSettleStages(pipeline.settle, 'a2a', observer);
  const runForward = compileForwardStage(pipeline.forward, observer);
  const settle = (invocation: Invocation): void => {
    underWay.settled(invocation);
    runSettleStages(invocation);
    observer.settled(invocation);
    invocation.trace?.end(invocation);
  };

  const proceed = (invocation: Invocation, writer: InvocationWriter, { verdict, stage }: Outcome): void => {
    const deny = (denial: Denial, by: string): void => writer.fail(explain(invocation, denial), by);
    if (verdict.kind === 'deny') return deny(verdict.denial, stage ?? '');
    // Also for a caller who has gone: it sends nothing then, and gives back what the stages took.
    runForward({
      exchange: invocation,
      writer,
      deny,
      chain: () => openChain(invocation),
      follow: (work) => underWay.follow(work),
      onAgentFailure: (failure) => observer.agentFailed(invocation, failure),
    });
  };

  return (arrival, response) => {
    const invocation = new Invocation(arrival);
    const writer = new InvocationWriter(invocation, response, { ...writerParts, settle });
    underWay.add(invocation, writer);
    const outcome = runRequestStages(invocation);
    if (outcome instanceof Promise) void outcome.then((late) => proceed(invocation, writer, late));
    else proceed(invocation, writer, outcome);
  };
}

/** What a refusal says: the stage's own words where it has some, else those of its denial. */
function explain({ failure, rateLimit }: Invocation, { reason, message, headers }: Denial): Omit<Failure, 'requestId'> {
  if (failure?.reason === reason) return { message, headers, ...failure };
  return { reason, message, headers, limit: reason === 'rate_limited' ? rateLimit : undefined };
}
