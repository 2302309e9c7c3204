import type { ErrorReason } from '@portcullis/contracts/errors';
import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { MessageSink } from './message-sink.ts';

/** A message of a client whose requests wait for their answers. */
export interface PendingRequest {
  readonly message: MessageSink;
  /** Ids of its batch that were not answered yet. */
  readonly open: Set<RpcId>;
}

/** The requests of one socket that wait for an answer, by their ids. */
export class PendingRequests {
  readonly #most: number;
  readonly #byId = new Map<RpcId, PendingRequest>();

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Why requests with these ids may not be added; undefined when they may. */
  objectTo(ids: readonly RpcId[]): Denial | undefined {
    if (this.#byId.size + ids.length > this.#most) return { reason: 'too_many_requests' };
    const isTaken = ids.some((id, index) => this.#byId.has(id) || ids.indexOf(id) !== index);
    return isTaken ? { reason: 'bad_request', message: 'A request with this id is under way' } : undefined;
  }

  /** What gets no answer is settled at once. */
  add(message: MessageSink, ids: readonly RpcId[]): void {
    if (ids.length === 0) void message.settle();
    const request = { message, open: new Set(ids) };
    for (const id of ids) this.#byId.set(id, request);
  }

  all(): readonly PendingRequest[] {
    return [...new Set(this.#byId.values())];
  }

  /** The request that one of these ids is of. */
  find(ids: readonly RpcId[]): PendingRequest | undefined {
    return ids.map((id) => this.#byId.get(id)).find((found) => found !== undefined);
  }

  /** Resolves when the records are written, if the request is done with these answers. */
  answered(request: PendingRequest, ids: readonly RpcId[]): Promise<void> | undefined {
    for (const id of ids) {
      request.open.delete(id);
      if (this.#byId.get(id) === request) this.#byId.delete(id);
    }
    return request.open.size > 0 ? undefined : request.message.settle();
  }

  /** Its client has taken back the request, which may never be answered. */
  cancel(id: RpcId): void {
    const request = this.#byId.get(id);
    if (request === undefined) return;
    if (request.open.size === 1) request.message.end('client_closed');
    void this.answered(request, [id]);
  }

  /** No client will be answered any more. */
  abandonAll(reason: ErrorReason): void {
    for (const { message, open } of new Set(this.#byId.values())) {
      open.clear();
      message.abandon(reason);
    }
    this.#byId.clear();
  }
}
