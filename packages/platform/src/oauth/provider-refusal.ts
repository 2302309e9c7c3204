import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { GatewayError } from '../http/gateway-error.ts';
import { problemText } from '../lifecycle/problem.ts';
import { TenantRefused } from './provider-server.ts';

/**
 * What the client is told of something that went wrong at the provider. The log gets one line of it: the errors of
 * the library carry tokens.
 */
export function providerRefusal(name: string, error: unknown): GatewayError {
  if (error instanceof TenantRefused) return new GatewayError('sign_in_denied', { message: error.message });
  const isDenied =
    (error instanceof AuthorizationResponseError && error.error === 'access_denied') ||
    (error instanceof ResponseBodyError && error.error === 'invalid_grant');
  if (isDenied) return new GatewayError('sign_in_denied');
  return new GatewayError('provider_failed', { cause: new Error(`${name}: ${problemText(error)}`) });
}
