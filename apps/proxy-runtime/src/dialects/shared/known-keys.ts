import { KnownKeys } from '@portcullis/core/json/known-keys';

const call = new KnownKeys(['id', 'type', 'index', 'name', 'arguments', 'args']);
const toolCall = new KnownKeys(['id', 'type', 'index', 'custom']).with({ function: call });

/** A turn of a conversation, and anything that a turn is made of. Arguments and structured results are the sender's own. */
const turn = new KnownKeys([
  'role',
  'type',
  'text',
  'name',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'arguments',
  'is_error',
  'refusal',
  'thinking',
  'thought',
  'image_url',
  'input_audio',
  'file',
  'source',
  'cache_control',
  'status',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'images',
  'tool_name',
  'tool_plan',
  'citations',
  'document',
  'image',
  'guardContent',
  'cachePoint',
  'signature',
]);
const reply = new KnownKeys(['id', 'name', 'response']);
turn.with({
  content: turn,
  parts: turn,
  output: turn,
  summary: turn,
  tool_calls: toolCall,
  function_call: call,
  functionCall: call,
  functionResponse: reply,
  function_response: reply,
  toolUse: new KnownKeys(['toolUseId', 'name', 'input']),
  toolResult: new KnownKeys(['toolUseId', 'status']).with({ content: turn }),
  reasoningContent: new KnownKeys(['reasoningText', 'redactedContent']),
  result: turn,
});

const declaration = new KnownKeys([
  'name',
  'description',
  'parameters',
  'strict',
  'type',
  'input_schema',
  'inputSchema',
  'parametersJsonSchema',
  'response',
  'cache_control',
]);
const tool = new KnownKeys(['type', 'name', 'description', 'parameters', 'strict', 'input_schema', 'cache_control']);
const toolSpec = new KnownKeys(['name', 'description', 'inputSchema', 'strict']);
tool.with({ toolSpec, function: declaration, functionDeclarations: declaration, function_declarations: declaration });

const streamOptions = new KnownKeys(['include_usage', 'include_obfuscation']);

const settings = [
  'model',
  'models',
  'prompt',
  'suffix',
  'echo',
  'stream',
  'store',
  'background',
  'user',
  'metadata',
  'n',
  'stop',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'tool_choice',
  'best_of',
  'logprobs',
  'top_logprobs',
  'prompt_logprobs',
  'return_token_ids',
  'response_format',
  'reasoning_effort',
  'previous_response_id',
  'conversation',
  'include',
  'reasoning',
  'thinking',
  'service_tier',
  'encoding_format',
  'generationConfig',
  'generation_config',
  'safetySettings',
  'safety_settings',
  'tool_config',
  'cachedContent',
  'cached_content',
  'parallel_tool_calls',
  'stop_sequences',
  'dimensions',
  'text',
  'truncation',
  'anthropic_version',
  'template',
  'context',
  'raw',
  'format',
  'options',
  'think',
  'keep_alive',
  'images',
  'documents',
  'inferenceConfig',
  'additionalModelRequestFields',
  'promptVariables',
  'guardrailConfig',
  'agent',
  'agent_config',
  'previous_interaction_id',
  'assistant_id',
  'additional_instructions',
];

/** The body of a request in one of the dialects that are read: all of them at once, since no two contradict each other. */
const body = new KnownKeys(settings).with({
  messages: turn,
  input: turn,
  contents: turn,
  instructions: turn,
  system: turn,
  systemInstruction: turn,
  system_instruction: turn,
  tools: tool,
  functions: declaration,
  stream_options: streamOptions,
  toolConfig: new KnownKeys(['toolChoice', 'functionCallingConfig', 'retrievalConfig']).with({ tools: tool }),
  thread: new KnownKeys(['metadata', 'tool_resources']).with({ messages: turn }),
  additional_messages: turn,
});

const listed = new KnownKeys(['custom_id', 'metadata']).with({ params: body, request: body });
const list = new KnownKeys([]).with({ requests: listed });
const input = new KnownKeys(['file_name', 'fileName']).with({ requests: list });
const batch = new KnownKeys(['display_name', 'displayName']).with({ inputConfig: input, input_config: input });
body.with({ requests: listed, batch });

export const llmKeys = body;

/** What no dialect is known of may have any names, but not one in two cases. */
export const anyKeys = new KnownKeys([]);

const meta = new KnownKeys(
  [
    'progressToken',
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/clientCapabilities',
    'io.modelcontextprotocol/clientInfo',
    'io.modelcontextprotocol/subscriptionId',
  ],
  { readsAll: false },
);
const notifications = new KnownKeys([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
  'resourceSubscriptions',
]);
const params = new KnownKeys([
  'name',
  'arguments',
  'uri',
  'cursor',
  'requestId',
  'reason',
  'requestState',
  'inputResponses',
  'taskId',
  'task',
  'protocolVersion',
  'capabilities',
  'clientInfo',
  'level',
  'ref',
  'argument',
  'context',
]).with({ _meta: meta, notifications });
const envelope = ['jsonrpc', 'id', 'method'];

/** A message of a client of MCP. What it answers to a server is read as a whole, with any keys. */
export const mcpKeys = new KnownKeys([...envelope, 'error', 'result']).with({ params });

const named = { readsAll: false };
const toolsCapability = new KnownKeys(['listChanged'], named);
const capabilities = new KnownKeys([], named).with({ tools: toolsCapability });
const result = new KnownKeys(
  ['instructions', 'serverInfo', 'supportedVersions', 'nextCursor', 'cacheScope', 'isError', 'requestState'],
  named,
).with({ capabilities, tools: new KnownKeys(['name'], named) });

/** A message of a server of MCP, as far as its tools and its instructions are read. */
export const mcpAnswerKeys = new KnownKeys([...envelope, 'params', 'error'], named).with({ result });
