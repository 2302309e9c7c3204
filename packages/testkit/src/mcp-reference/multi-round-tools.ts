import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredSpec,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const states = createRequestStateCodec<string>({ key: 'reference'.repeat(4), ttlSeconds: 600 });

/** Refuses states that this server did not make. */
export const verifyState = states.verify;

type FieldSchema = { readonly type: 'string' } | { readonly type: 'boolean' };
type InputRequest = NonNullable<InputRequiredSpec['inputRequests']>[string];

const ask = (message: string, field: string, schema: FieldSchema = { type: 'string' }): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: schema }, required: [field] },
  });
const sample = (prompt: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens });

interface Round {
  readonly requests: Record<string, InputRequest>;
  /** Absent when the round works without one. */
  readonly state?: string;
}

/** Asks round after round, until all answers of the last one are there. */
const play = async (rounds: readonly Round[], done: string, { mcpReq }: ServerContext) => {
  const reached = rounds.findIndex(({ state }) => state !== undefined && state === mcpReq.requestState<string>());
  const current = Math.max(0, reached);
  const answered = Object.keys(rounds[current]?.requests ?? {}).every((name) => isAnswered(mcpReq, name));
  const next = rounds[answered ? current + 1 : current];
  if (next === undefined) return undefined;
  return inputRequired({
    inputRequests: next.requests,
    ...(next.state !== undefined && { requestState: await states.mint(next.state) }),
  });
};

const isAnswered = ({ inputResponses }: ServerContext['mcpReq'], name: string): boolean => {
  const answer = inputResponses?.[name];
  if (typeof answer !== 'object' || answer === null) return false;
  return 'action' in answer ? acceptedContent(inputResponses, name) !== undefined : true;
};

const name = { user_name: ask('What is your name?', 'name') };
const confirm = { confirm: ask('Please confirm', 'ok', { type: 'boolean' }) };

const games: Readonly<Record<string, readonly Round[]>> = {
  elicitation: [{ requests: name }],
  sampling: [{ requests: { capital_question: sample('What is the capital of France?', 100) } }],
  list_roots: [{ requests: { client_roots: inputRequired.listRoots() } }],
  request_state: [{ requests: confirm, state: 'confirm' }],
  tampered_state: [{ requests: confirm, state: 'guarded' }],
  multiple_inputs: [
    {
      requests: { ...name, greeting: sample('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
      state: 'three',
    },
  ],
  multi_round: [
    { requests: { step1: ask('Step 1: What is your name?', 'name') }, state: 'first' },
    { requests: { step2: ask('Step 2: What is your favorite color?', 'color') }, state: 'second' },
  ],
};

/** Tools and a prompt that need answers of the client, in the way of 2026-07-28: by another call. */
export function registerMultiRoundTools(server: McpServer): void {
  for (const [title, rounds] of Object.entries(games)) {
    server.registerTool(
      `test_input_required_result_${title}`,
      { description: `Plays ${title}` },
      async (context) => (await play(rounds, title, context)) ?? text('Thank you, state-ok'),
    );
  }
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for what the client can do' },
    async ({ mcpReq }) => {
      const envelope: Readonly<Record<string, object>> = { ...mcpReq.envelope };
      const can: { elicitation?: object; sampling?: object } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
      const requests: Round['requests'] = {
        ...(can.elicitation !== undefined && name),
        ...(can.sampling !== undefined && { greeting: sample('Generate a greeting', 50) }),
      };
      const open = Object.keys(requests).some((key) => !isAnswered(mcpReq, key));
      return open ? inputRequired({ inputRequests: requests }) : text('Thank you');
    },
  );
  server.registerTool('test_missing_capability', { description: 'Needs the model of the client' }, () =>
    inputRequired({ inputRequests: { greeting: sample('Generate a greeting', 50) } }),
  );
  const context = { user_context: ask('What context should the prompt use?', 'context') };
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, async (call) => {
    const content = { type: 'text' as const, text: 'A prompt with your context' };
    return (await play([{ requests: context }], 'prompt', call)) ?? { messages: [{ role: 'user' as const, content }] };
  });
}
