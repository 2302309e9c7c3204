import type { JsonObject } from '../json/json-object.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import type { A2aVersion } from './agent-card.ts';
import { methodNames, type Call, type SendCall } from './call.ts';
import { renderMessage } from './render-message.ts';
import type { WireForm } from './wire-form.ts';

/** The generation does not know the operation. */
export const unsupportedOperation = Symbol('unknown there');

/** The body of a request of JSON-RPC to an agent; `unsupportedOperation` where its generation has no such method. */
export function renderRpcCall(call: Call, version: A2aVersion, id: string): JsonObject | typeof unsupportedOperation {
  const { current, legacy } = methodNames[call.operation];
  const method = version === '1.0' ? current : legacy;
  if (method === undefined) return unsupportedOperation;
  const form = version === '1.0' ? 'current' : 'kind';
  const params = renderParams(call, form);
  return { jsonrpc: '2.0', id, method, ...(Object.keys(params).length > 0 && { params }) };
}

export interface RenderedHttpCall {
  readonly method: 'GET' | 'POST';
  /** To be put behind the address of the interface, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
}

/** A request over HTTP+JSON to an agent. */
export function renderHttpCall(call: Call, version: A2aVersion): RenderedHttpCall | typeof unsupportedOperation {
  const isCurrent = version === '1.0';
  const form: WireForm = isCurrent ? 'current' : 'draft';
  const tenant = isCurrent && call.tenant !== undefined ? `/${encodeURIComponent(call.tenant)}` : '';
  const base = isCurrent ? tenant : '/v1';
  switch (call.operation) {
    case 'send':
    case 'stream':
      return { method: 'POST', path: `${base}/message:${call.operation}`, body: renderParams(call, form) };
    case 'get':
      return { method: 'GET', path: `${taskPath(base, call.id)}${queryOf({ historyLength: call.historyLength })}` };
    case 'cancel':
      return {
        method: 'POST',
        path: `${taskPath(base, call.id)}:cancel`,
        body: isCurrent ? omitUndefined({ metadata: call.metadata }) : {},
      };
    case 'subscribe':
      return { method: 'POST', path: `${taskPath(base, call.id)}:subscribe` };
    case 'extendedCard':
      return { method: 'GET', path: isCurrent ? `${base}/extendedAgentCard` : `${base}/card` };
    case 'list': {
      if (!isCurrent) return unsupportedOperation;
      const { operation: _, tenant: __, ...query } = renderList(call);
      return { method: 'GET', path: `${base}/tasks${queryOf(query)}` };
    }
  }
}

const taskPath = (base: string, id: string): string => `${base}/tasks/${encodeURIComponent(id)}`;

function queryOf(values: JsonObject): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return present.length === 0
    ? ''
    : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`;
}

function renderList({ state, ...call }: Extract<Call, { operation: 'list' }>): JsonObject {
  return { ...call, ...(state !== undefined && { status: state }) };
}

function renderParams(call: Call, form: 'current' | 'kind' | 'draft'): JsonObject {
  const isCurrent = form === 'current';
  const tenant = isCurrent ? call.tenant : undefined;
  switch (call.operation) {
    case 'send':
    case 'stream':
      return renderSend(call, form, tenant);
    case 'get':
      return omitUndefined({ id: call.id, historyLength: call.historyLength, tenant });
    case 'list': {
      const { operation: _, ...params } = renderList(call);
      return params;
    }
    case 'cancel':
      return omitUndefined({ id: call.id, metadata: call.metadata, tenant });
    case 'subscribe':
      return omitUndefined({ id: call.id, tenant });
    case 'extendedCard':
      return omitUndefined({ tenant });
  }
}

function renderSend(call: SendCall, form: 'current' | 'kind' | 'draft', tenant: string | undefined): JsonObject {
  const { acceptedOutputModes, historyLength, returnImmediately = false } = call;
  const wait =
    form === 'current' ? { returnImmediately: returnImmediately || undefined } : { blocking: !returnImmediately };
  const configuration = omitUndefined({
    acceptedOutputModes: acceptedOutputModes?.length === 0 ? undefined : acceptedOutputModes,
    historyLength,
    ...wait,
  });
  return omitUndefined({
    message: renderMessage(call.message, form),
    configuration: Object.keys(configuration).length === 0 ? undefined : configuration,
    metadata: call.metadata,
    tenant,
  });
}
