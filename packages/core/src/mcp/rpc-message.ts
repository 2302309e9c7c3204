import { objectOf, type JsonObject } from '../json/json-object.ts';

export type RpcId = string | number;

/** A request or notification as far as the admission of calls must know it. */
export interface RpcCall {
  /** Undefined for a notification, which gets no answer. */
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** The messages of a body: the one, or those of a batch, each with its place. */
export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

export const rpcId = (value: unknown): RpcId | undefined =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined;

/** The requests and notifications of a body; answers call nothing. */
export const callsOf = (body: unknown): readonly RpcCall[] =>
  messagesOf(body).flatMap((message) => {
    const { method, id, params } = objectOf(message) ?? {};
    return typeof method === 'string' ? [{ id: rpcId(id), method, params: objectOf(params) }] : [];
  });

/** An answer; undefined for everything else. */
export interface RpcAnswer {
  readonly id: RpcId | undefined;
  readonly result: JsonObject | undefined;
  readonly isError: boolean;
}

export function answerOf(message: unknown): RpcAnswer | undefined {
  const object = objectOf(message);
  if (object === undefined || typeof object['method'] === 'string') return undefined;
  const result = objectOf(object['result']);
  const failed = object['error'] !== undefined;
  if (result === undefined && !failed) return undefined;
  // A tool that fails says so in its result.
  return { id: rpcId(object['id']), result, isError: failed || result?.['isError'] === true };
}
