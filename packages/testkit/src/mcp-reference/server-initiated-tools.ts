import type { McpServer, ServerContext, ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

const property = (type: string, rest: object = {}) => ({ type, ...rest });
type Form = Extract<
  Parameters<ServerContext['mcpReq']['elicitInput']>[0],
  { requestedSchema: object }
>['requestedSchema'];
const form = (properties: object, required: string[] = []) => ({ type: 'object', properties, required }) as Form;

const defaults = form({
  name: property('string', { description: 'User name', default: 'John Doe' }),
  age: property('integer', { description: 'User age', default: 30 }),
  score: property('number', { description: 'User score', default: 95.5 }),
  status: property('string', { enum: ['active', 'inactive', 'pending'], default: 'active' }),
  verified: property('boolean', { description: 'Verification status', default: true }),
});

const titled = (prefix: string, values: readonly (readonly [string, string])[]) =>
  values.map(([value, title]) => ({ const: value, title: `${title} ${prefix}` }));
const values = [
  ['value1', 'First'],
  ['value2', 'Second'],
  ['value3', 'Third'],
] as const;
const enums = form({
  untitledSingle: property('string', { enum: ['option1', 'option2', 'option3'] }),
  titledSingle: property('string', { oneOf: titled('Option', values) }),
  legacyEnum: property('string', {
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  }),
  untitledMulti: property('array', {
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  }),
  titledMulti: property('array', { minItems: 1, maxItems: 3, items: { anyOf: titled('Choice', values) } }),
});

/** What happens outside a call and is told to all listeners. */
export interface Announcements extends Pick<ServerNotifier, 'toolsChanged' | 'promptsChanged'> {}

/** Tools that talk to the client before they answer: logs, progress, questions, streams that are resumed. */
export function registerServerInitiatedTools(server: McpServer, announce: () => Announcements): void {
  const register = (name: string, run: (context: ServerContext) => Promise<string>) =>
    server.registerTool(name, { description: `Talks before it answers ${name}` }, async (context) =>
      text(await run(context)),
    );
  const log = ({ mcpReq }: ServerContext, data: string) =>
    mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });

  register('test_tool_with_logging', async (context) => {
    for (const step of ['execution started', 'processing data', 'execution completed'])
      await log(context, `Tool ${step}`);
    return 'Tool with logging executed successfully';
  });
  register('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only for clients that asked for logs');
    return 'logged';
  });
  register('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return `Progress told to ${String(progressToken)}`;
  });
  register('test_reconnection', async ({ http }) => {
    http?.closeSSE?.();
    return 'Reconnection test completed successfully.';
  });
  register('test_streaming_elicitation', async (context) => {
    await log(context, 'about to ask');
    return 'asked nobody';
  });
  register('test_trigger_tool_change', async () => {
    announce().toolsChanged();
    return 'tools changed';
  });
  register('test_trigger_prompt_change', async () => {
    announce().promptsChanged();
    return 'prompts changed';
  });
  registerQuestions(server);
}

/** A question goes out on the stream of the call that asks. The stream of the session may not be open yet. */
const onItsStream = ({ mcpReq }: ServerContext) => ({ relatedRequestId: mcpReq.id });

function registerQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, context) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const { content } = await context.mcpReq.requestSampling({ messages, maxTokens: 100 }, onItsStream(context));
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const ask = async (context: ServerContext, message: string, requestedSchema: Form) => {
    const { action, content } = await context.mcpReq.elicitInput({ message, requestedSchema }, onItsStream(context));
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
  };
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => ask(context, message, form({ response: property('string') }, ['response'])),
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks with defaults' }, (context) =>
    ask(context, 'Please review and update the form fields with defaults', defaults),
  );
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks with choices' }, (context) =>
    ask(context, 'Please select options from the enum fields', enums),
  );
}
