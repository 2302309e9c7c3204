import type { JsonObject } from '../json/json-object.ts';
import type { Message } from './task.ts';
import type { TaskState } from './task-state.ts';

/** What a caller asks of an agent. */
export type Call = SendCall | GetTaskCall | ListTasksCall | CancelTaskCall | SubscribeCall | ExtendedCardCall;
export type Operation = Call['operation'];

/** Interfaces of 1.0 may serve many tenants: the name goes with every request. */
interface ForTenant {
  readonly tenant?: string | undefined;
}

export interface SendCall extends ForTenant {
  readonly operation: 'send' | 'stream';
  readonly message: Message;
  readonly acceptedOutputModes?: readonly string[] | undefined;
  /** Messages of the task's history that the answer may hold at most. */
  readonly historyLength?: number | undefined;
  /** To be answered with the task as soon as there is one, instead of at its end. */
  readonly returnImmediately?: boolean | undefined;
  readonly metadata?: JsonObject | undefined;
}

export interface GetTaskCall extends ForTenant {
  readonly operation: 'get';
  readonly id: string;
  readonly historyLength?: number | undefined;
}

export interface ListTasksCall extends ForTenant {
  readonly operation: 'list';
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
  readonly historyLength?: number | undefined;
  readonly includeArtifacts?: boolean | undefined;
  /** ISO 8601. */
  readonly statusTimestampAfter?: string | undefined;
}

export interface CancelTaskCall extends ForTenant {
  readonly operation: 'cancel';
  readonly id: string;
  readonly metadata?: JsonObject | undefined;
}

export interface SubscribeCall extends ForTenant {
  readonly operation: 'subscribe';
  readonly id: string;
}

export interface ExtendedCardCall extends ForTenant {
  readonly operation: 'extendedCard';
}

/** The answer is a stream of events. */
export const isStreamed = (operation: Operation): boolean => operation === 'stream' || operation === 'subscribe';

/** What JSON-RPC calls an operation: since 1.0, and before, where not every one was known. */
export const methodNames: Readonly<Record<Operation, { readonly current: string; readonly legacy?: string }>> = {
  send: { current: 'SendMessage', legacy: 'message/send' },
  stream: { current: 'SendStreamingMessage', legacy: 'message/stream' },
  get: { current: 'GetTask', legacy: 'tasks/get' },
  list: { current: 'ListTasks' },
  cancel: { current: 'CancelTask', legacy: 'tasks/cancel' },
  subscribe: { current: 'SubscribeToTask', legacy: 'tasks/resubscribe' },
  extendedCard: { current: 'GetExtendedAgentCard', legacy: 'agent/getAuthenticatedExtendedCard' },
};

/** Methods about callbacks. The gateway knows them and does not offer them. */
export const pushMethods: ReadonlySet<string> = new Set([
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
]);
