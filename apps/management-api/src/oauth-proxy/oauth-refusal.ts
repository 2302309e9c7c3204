import { GatewayError } from '@portcullis/platform/http/gateway-error';

/** A refusal in the words of OAuth. @param error for example `invalid_grant` */
export const oauthRefusal = (error: string, message: string): GatewayError =>
  new GatewayError('bad_request', { oauth: error, message });

export const unknownClient = (): GatewayError =>
  new GatewayError('invalid_credentials', {
    oauth: 'invalid_client',
    message: 'There is no such client, or it did not prove to be the one',
    headers: { 'www-authenticate': 'Basic realm="oauth-proxy"' },
  });

export const tryAgain = (message: string): GatewayError =>
  new GatewayError('service_unavailable', {
    oauth: 'temporarily_unavailable',
    message,
    headers: { 'retry-after': '1' },
  });
