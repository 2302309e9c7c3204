import { findPresentedKey } from '@portcullis/core/identity/presented-key';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../routes/bound-route.ts';
import { calledOriginOf } from '../http/called-origin.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { takeRequestId } from '../http/request-id.ts';
import { isLoginToken } from '../routes/role-check.ts';
import type { ServiceApi } from '../service/service-api.ts';
import { createMark, type Attachments } from './attachments.ts';
import type { McpCall } from './mcp-tool.ts';

export type CallParts = Pick<ServiceApi, 'authentication' | 'clientAddress'>;

/** What is known of a request, and more as it is read. */
export class RequestCall implements McpCall {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  readonly calledOrigin: string;
  clientName: string | undefined;
  /** Who it was found to be, for the audit log. */
  caller: Caller | undefined;
  readonly #attachments = new Map<string, Uint8Array>();
  readonly #request: IncomingMessage;
  readonly #authentication: CallParts['authentication'];

  constructor(request: IncomingMessage, { authentication, clientAddress }: CallParts) {
    this.#request = request;
    this.#authentication = authentication;
    this.clientAddress = clientAddress(request);
    this.userAgent = request.headers['user-agent'];
    this.requestId = takeRequestId(request);
    this.calledOrigin = calledOriginOf(request);
  }

  get attachments(): Attachments {
    return this.#attachments;
  }

  attach(bytes: Uint8Array): string {
    const mark = createMark();
    this.#attachments.set(mark, bytes);
    return mark;
  }

  async identify(token?: string): Promise<Caller | undefined> {
    const presented =
      token === undefined ? findPresentedKey(this.#request.headers) : { token, header: 'authorization' as const };
    if (presented === undefined) return undefined;
    this.caller = isLoginToken(presented)
      ? await this.#authentication.user(presented.token)
      : await this.#authentication.apiKey(presented.token);
    if (this.caller.kind === 'user' && this.caller.mustChangePassword === true) {
      throw new GatewayError('password_change_required', { message: 'POST /api/v1/auth/change-password does it' });
    }
    return this.caller;
  }
}
