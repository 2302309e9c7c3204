import { requestIdOf, takeRequestId } from '@portcullis/platform/http/request-id';
import { traceAnswer } from '@portcullis/platform/routes/trace-requests';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The address of the hub, as metrics and traces name it. */
const hubEndpoint = '/a2a/v1';

/** A request to the hub from its first byte on. */
export interface HubArrival {
  readonly requestId: string;
  /** Does what the hub does itself for it, counted and traced as for every request; calls of agents are by their own handler. */
  answerDirectly(work: () => Promise<void>): Promise<void>;
}

export function openHubArrival(
  metrics: Pick<GatewayMetrics, 'observeRequest'>,
  request: IncomingMessage,
  response: ServerResponse,
): HubArrival {
  const startTime = new Date();
  const startedAtMs = performance.now();
  takeRequestId(request);
  return {
    requestId: requestIdOf(request),
    answerDirectly(work) {
      response.once('close', () => {
        const durationMs = performance.now() - startedAtMs;
        metrics.observeRequest({ endpoint: hubEndpoint, status: response.statusCode, durationMs });
      });
      return traceAnswer({ request, response, findEndpoint: () => hubEndpoint, startTime }, work);
    },
  };
}
