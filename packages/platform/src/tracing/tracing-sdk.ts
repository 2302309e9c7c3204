import { context, diag, DiagLogLevel, propagation, type DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { problemText } from '../errors/problem.ts';
import { version } from '../process/version.ts';
import type { Logger } from '../log/logger.ts';
import { setActiveTracer } from './active-tracer.ts';

/** So long may the collector take, also at the end of the process. */
const exportTimeoutMs = 3_000;
const complainEveryMs = 60_000;
/** Spans that wait for the collector; what comes beyond them is dropped. */
const maxQueueSize = 2_048;

export interface TracingSdkOptions {
  /** Where the collector takes OTLP traces as JSON. */
  readonly url: string;
  readonly serviceName: string;
  readonly environment: string;
  /** Share of traces that are recorded, 0-1; the spans of a trace share its fate. */
  readonly sampleRate: number;
  readonly log: Logger;
}

/** Registers the SDK for the whole process, once; disposing sends what is left and takes it away again. */
export function startTracingSdk({
  url,
  serviceName,
  environment,
  sampleRate,
  log,
}: TracingSdkOptions): AsyncDisposable {
  const complain = createComplaint(log);
  diag.setLogger(complaintsOnly(complain), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'deployment.environment.name': environment,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRate) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs, maxQueueSize })],
  });
  const contextManager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contextManager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setActiveTracer(provider.getTracer('portcullis', version));

  return {
    async [Symbol.asyncDispose]() {
      setActiveTracer(undefined);
      await provider.shutdown().catch((error: unknown) => complain(problemText(error)));
      propagation.disable();
      context.disable();
      diag.disable();
    },
  };
}

/** The SDK tells its troubles for every batch; a collector that is away needs one line a minute. */
function createComplaint(log: Logger): (problem: string) => void {
  let silentUntilMs = 0;
  return (problem) => {
    if (performance.now() < silentUntilMs) return;
    silentUntilMs = performance.now() + complainEveryMs;
    log.warn('Traces cannot be delivered', { problem });
  };
}

function complaintsOnly(complain: (problem: string) => void): DiagLogger {
  const ignore = () => {};
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
}
