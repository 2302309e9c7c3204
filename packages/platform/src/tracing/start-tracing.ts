import type { Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';

export type TracingConfig = Pick<
  Config,
  | 'TRACING_ENABLED'
  | 'TRACING_SERVICE_NAME'
  | 'TRACING_ENVIRONMENT'
  | 'TRACING_JAEGER_URL'
  | 'TRACING_OTLP_ENDPOINT'
  | 'TRACING_SAMPLE_RATE'
>;

const off: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/**
 * Sends the spans of this process to the collector of the environment, until disposed, which sends
 * what is still there. The SDK is loaded only when tracing is on.
 */
export async function startTracing(config: TracingConfig, log: Logger): Promise<AsyncDisposable> {
  if (!config.TRACING_ENABLED) return off;
  const collector = config.TRACING_OTLP_ENDPOINT ?? config.TRACING_JAEGER_URL;
  if (collector === undefined) {
    log.warn('Tracing is on, but TRACING_OTLP_ENDPOINT names no collector: nothing is traced');
    return off;
  }
  const { startTracingSdk } = await import('./tracing-sdk.ts');
  return startTracingSdk({
    url: tracesUrl(collector.reveal()),
    serviceName: config.TRACING_SERVICE_NAME,
    environment: config.TRACING_ENVIRONMENT,
    sampleRate: config.TRACING_SAMPLE_RATE,
    log,
  });
}

/** A collector given without a path takes traces where OTLP says. */
function tracesUrl(collector: string): string {
  const url = new URL(collector);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}
