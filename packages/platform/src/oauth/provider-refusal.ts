import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { GatewayError } from '../http/gateway-error.ts';
import { describeProviderProblem } from './describe-provider-problem.ts';
import { TenantRefused } from './provider-server.ts';

/** What the client is told of something that went wrong at the provider. What exactly that was is for admins, in the logs. */
export function providerRefusal(name: string, error: unknown): GatewayError {
  if (error instanceof TenantRefused) return new GatewayError('sign_in_denied', { message: error.message });
  const isDenied =
    (error instanceof AuthorizationResponseError && error.error === 'access_denied') ||
    (error instanceof ResponseBodyError && error.error === 'invalid_grant');
  if (isDenied) return new GatewayError('sign_in_denied');
  return new GatewayError('provider_failed', {
    message: 'An admin finds in the audit log what was wrong',
    cause: new Error(`${name}: ${describeProviderProblem(error)}`),
  });
}
