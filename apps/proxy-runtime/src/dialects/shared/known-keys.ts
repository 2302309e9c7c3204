import { KnownKeys } from '@portcullis/core/json/known-keys';

const known = (names: string, options?: ConstructorParameters<typeof KnownKeys>[1]): KnownKeys =>
  new KnownKeys(names.split(/\s+/).filter(Boolean), options);

const call = known('id type index name arguments args');
const toolCall = known('id type index custom').with({ function: call });

/** A turn of a conversation, and anything that a turn is made of. Arguments and structured results are the sender's own. */
const turn = known(`
  role type text name id call_id tool_call_id tool_use_id arguments is_error refusal thinking thought
  image_url input_audio file source cache_control status inlineData inline_data fileData file_data images
  tool_name tool_plan citations document image guardContent cachePoint signature
`);
const reply = known('id name response');
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
  toolUse: known('toolUseId name input'),
  toolResult: known('toolUseId status').with({ content: turn }),
  reasoningContent: known('reasoningText redactedContent'),
  result: turn,
});

const declaration = known(`
  name description parameters strict type input_schema inputSchema parametersJsonSchema response
  cache_control
`);
const tool = known('type name description parameters strict input_schema cache_control');
const toolSpec = known('name description inputSchema strict');
tool.with({ toolSpec, function: declaration, functionDeclarations: declaration, function_declarations: declaration });

const streamOptions = known('include_usage include_obfuscation');

const settings = `
  model models prompt suffix echo stream store background user metadata n stop temperature top_p max_tokens
  max_completion_tokens max_output_tokens tool_choice best_of logprobs top_logprobs prompt_logprobs
  return_token_ids response_format reasoning_effort previous_response_id conversation include reasoning
  thinking service_tier encoding_format generationConfig generation_config safetySettings safety_settings
  tool_config cachedContent cached_content parallel_tool_calls stop_sequences dimensions text truncation
  anthropic_version template context raw format options think keep_alive images documents inferenceConfig
  additionalModelRequestFields promptVariables guardrailConfig agent agent_config previous_interaction_id
  assistant_id additional_instructions
`;

/** The body of a request in one of the dialects that are read: all of them at once, since no two contradict each other. */
const body = known(settings).with({
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
  toolConfig: known('toolChoice functionCallingConfig retrievalConfig').with({ tools: tool }),
  thread: known('metadata tool_resources').with({ messages: turn }),
  additional_messages: turn,
});

const listed = known('custom_id metadata').with({ params: body, request: body });
const list = known('').with({ requests: listed });
const input = known('file_name fileName').with({ requests: list });
const batch = known('display_name displayName').with({ inputConfig: input, input_config: input });
body.with({ requests: listed, batch });

export const llmKeys = body;

/** What no dialect is known of may have any names, but not one in two cases. */
export const anyKeys = known('');

const meta = known(
  `
    progressToken io.modelcontextprotocol/protocolVersion io.modelcontextprotocol/clientCapabilities
    io.modelcontextprotocol/clientInfo io.modelcontextprotocol/subscriptionId
  `,
  { readsAll: false },
);
const notifications = known(`
  toolsListChanged promptsListChanged resourcesListChanged resourceSubscriptions
`);
const params = known(`
  name arguments uri cursor requestId reason requestState inputResponses taskId task protocolVersion
  capabilities clientInfo level ref argument context
`).with({ _meta: meta, notifications });
const envelope = 'jsonrpc id method';

/** A message of a client of MCP. What it answers to a server is read as a whole, with any keys. */
export const mcpKeys = known(`${envelope} error result`).with({ params });

const named = { readsAll: false };
const toolsCapability = known('listChanged', named);
const capabilities = known('', named).with({ tools: toolsCapability });
const result = known(
  'instructions serverInfo supportedVersions nextCursor cacheScope isError requestState',
  named,
).with({ capabilities, tools: known('name', named) });

/** A message of a server of MCP, as far as its tools and its instructions are read. */
export const mcpAnswerKeys = known(`${envelope} params error`, named).with({ result });
