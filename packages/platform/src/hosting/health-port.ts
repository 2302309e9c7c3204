import type { RequestListener } from 'node:http';
import { problemText } from '../errors/problem.ts';
import { openPublicEdge } from './public-edge.ts';
import type { Service, ServiceHealth } from '../service/service.ts';

/**
 * Answers `GET /health` for the supervisor of the process: 200 while every service is healthy or
 * degraded, 503 otherwise, with what each of them reports.
 * @throws {StartProblem} when the port cannot be had
 */
export async function openHealthPort(
  host: string,
  port: number,
  services: readonly Service[],
): Promise<AsyncDisposable & { readonly port: number }> {
  const edge = await openPublicEdge(host, port, { option: 'HEALTH_PORT' });
  edge.serve([{ prefix: '/', http: answerHealth(services) }]);
  return edge;
}

const answerHealth =
  (services: readonly Service[]): RequestListener =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== '/health') {
      response.writeHead(404).end();
      return;
    }
    const health = services.map((service) => [service.name, checkHealth(service)] as const);
    const unhealthy = health.some(([, { status }]) => status === 'unhealthy');
    response.writeHead(unhealthy ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ services: Object.fromEntries(health) }));
  };

/** What the service reports of itself; one that cannot is unhealthy. */
export function checkHealth(service: Service): ServiceHealth {
  try {
    return service.health();
  } catch (error) {
    return { status: 'unhealthy', problems: [`${service.name}: ${problemText(error)}`] };
  }
}
