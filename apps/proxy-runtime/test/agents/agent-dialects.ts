import { agentFraming, agentInstructions, agentTools, projectNotes } from './agent-prompt.ts';

/** One turn of a conversation between an agent, its user and its model. */
export type AgentTurn =
  | { readonly user: string }
  | { readonly said: string }
  | { readonly call: string; readonly arguments: object }
  | { readonly result: string };

/** How an agent would send a conversation: with its instructions, its tools, and its own words before those of its user. */
export interface AgentDialect {
  readonly path: string;
  readonly render: (turns: readonly AgentTurn[]) => object;
}

const instructions = agentInstructions(25_000);

const anthropicTurn = (turn: AgentTurn, index: number): object => {
  if ('user' in turn) return { role: 'user', content: [{ type: 'text', text: turn.user }] };
  if ('said' in turn) return { role: 'assistant', content: [{ type: 'text', text: turn.said }] };
  return 'call' in turn
    ? { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: turn.call, input: turn.arguments }] }
    : { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index - 1}`, content: turn.result }] };
};

const chatTurn = (turn: AgentTurn, index: number): object => {
  if ('user' in turn) return { role: 'user', content: turn.user };
  if ('said' in turn) return { role: 'assistant', content: turn.said };
  if ('result' in turn) return { role: 'tool', tool_call_id: `t${index - 1}`, content: turn.result };
  const call = { name: turn.call, arguments: JSON.stringify(turn.arguments) };
  return { role: 'assistant', content: null, tool_calls: [{ id: `t${index}`, type: 'function', function: call }] };
};

const message = (role: string, text: string, type = 'input_text') => ({
  type: 'message',
  role,
  content: [{ type, text }],
});

const responsesTurn = (turn: AgentTurn, index: number): object => {
  if ('user' in turn) return message('user', turn.user);
  if ('said' in turn) return message('assistant', turn.said, 'output_text');
  return 'call' in turn
    ? { type: 'function_call', call_id: `t${index}`, name: turn.call, arguments: JSON.stringify(turn.arguments) }
    : { type: 'function_call_output', call_id: `t${index - 1}`, output: turn.result };
};

const geminiTurn = (turn: AgentTurn, index: number): object => {
  const framing = index === 0 ? [{ text: agentFraming }] : [];
  if ('user' in turn) return { role: 'user', parts: [...framing, { text: turn.user }] };
  if ('said' in turn) return { role: 'model', parts: [{ text: turn.said }] };
  return 'call' in turn
    ? { role: 'model', parts: [{ functionCall: { name: turn.call, args: turn.arguments } }] }
    : { role: 'user', parts: [{ functionResponse: { name: 'tool', response: { output: turn.result } } }] };
};

export const agentDialects: Readonly<Record<string, AgentDialect>> = {
  'Anthropic messages': {
    path: '/v1/messages',
    render(turns) {
      const [first, ...others] = turns.map(anthropicTurn) as { role: string; content: object[] }[];
      const opening = { role: 'user', content: [{ type: 'text', text: agentFraming }, ...(first?.content ?? [])] };
      const late = { role: 'system', content: agentInstructions(4_000) };
      const tools = agentTools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));
      const system = [{ type: 'text', text: instructions }];
      return { model: 'm', max_tokens: 9, system, tools, messages: [opening, late, ...others] };
    },
  },
  'OpenAI responses': {
    path: '/v1/responses',
    render: (turns) => ({
      model: 'm',
      input: [
        message('developer', instructions),
        message('user', `# AGENTS.md instructions for /srv/app\n\n<INSTRUCTIONS>\n${projectNotes}\n</INSTRUCTIONS>`),
        message('user', '<environment_context>\n  <cwd>/srv/app</cwd>\n</environment_context>'),
        ...turns.map(responsesTurn),
      ],
      tools: agentTools.map((tool) => ({ type: 'function', ...tool })),
    }),
  },
  'OpenAI chat': {
    path: '/v1/chat/completions',
    render: (turns) => ({
      model: 'm',
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: agentFraming },
        ...turns.map(chatTurn),
      ],
      tools: agentTools.map((tool) => ({ type: 'function', function: tool })),
    }),
  },
  Gemini: {
    path: '/v1beta/models/m:generateContent',
    render: (turns) => ({
      systemInstruction: { parts: [{ text: instructions }] },
      contents: turns.map(geminiTurn),
      tools: [{ functionDeclarations: agentTools }],
    }),
  },
};
