import { Role, TaskState, type AgentCard, type Message } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutionEvent,
  type AgentExecutor,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { randomUUID } from 'node:crypto';
import type { AgentState } from './agent-state.ts';
import { stepsOf, type Step, type StepState } from './a2a-behaviour.ts';

/** An agent of A2A 1.0: JSON-RPC at `/rpc`, HTTP+JSON at `/http`. */
export function mountCurrentAgent({ app, url, tasks, conduct, card }: AgentState): void {
  const executor: AgentExecutor = {
    async execute({ request, taskId, contextId, task }, bus) {
      const { message } = request;
      const heard =
        message?.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('') ?? '';
      await tasks.run(taskId, contextId, async (ended) => {
        for await (const step of stepsOf(conduct(), { heard, goesOn: task !== undefined, ended })) {
          bus.publish(eventOf(step, { taskId, contextId }, message === undefined ? [] : [message]));
        }
      });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const contextId = tasks.cancel(taskId);
      if (contextId === undefined) return;
      bus.publish(eventOf({ state: 'canceled' }, { taskId, contextId }, []));
      bus.finished();
    },
  };
  const interfaceAt = (path: string, protocolBinding: string) => ({
    url: `${url}${path}`,
    protocolBinding,
    protocolVersion: '1.0',
    tenant: '',
  });
  const current = (): AgentCard => ({
    ...card(),
    skills: card().skills.map((skill) => ({ ...skill, ...noSkillDetails })),
    supportedInterfaces: [interfaceAt('/rpc', 'JSONRPC'), interfaceAt('/http', 'HTTP+JSON')],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    signatures: [],
  });
  const requestHandler = new DefaultRequestHandler(current(), new InMemoryTaskStore(), executor);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => current() }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/http', restHandler(options));
}

const noSkillDetails = { examples: [], inputModes: [], outputModes: [], securityRequirements: [] };

const states: Readonly<Record<StepState, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  canceled: TaskState.TASK_STATE_CANCELED,
  failed: TaskState.TASK_STATE_FAILED,
};

const textPart = (value: string) => ({
  content: { $case: 'text' as const, value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});

function eventOf(
  step: Step,
  { taskId, contextId }: { readonly taskId: string; readonly contextId: string },
  history: Message[],
): AgentExecutionEvent {
  const about = { taskId, contextId, metadata: undefined };
  const say = (text: string, ofTask: string): Message => ({
    messageId: randomUUID(),
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    contextId,
    taskId: ofTask,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  const status = (state: StepState, says?: string) => ({
    state: states[state],
    message: says === undefined ? undefined : say(says, taskId),
    timestamp: new Date().toISOString(),
  });
  if ('message' in step) return AgentEvent.message(say(step.message, ''));
  if ('task' in step) {
    return AgentEvent.task({
      id: taskId,
      contextId,
      status: status(step.task),
      artifacts: [],
      history,
      metadata: undefined,
    });
  }
  if ('state' in step) return AgentEvent.statusUpdate({ ...about, status: status(step.state, step.says) });
  const artifact = {
    artifactId: 'answer',
    name: 'Answer',
    description: '',
    parts: [textPart(step.artifact)],
    metadata: undefined,
    extensions: [],
  };
  return AgentEvent.artifactUpdate({ ...about, artifact, append: step.append, lastChunk: step.last });
}
