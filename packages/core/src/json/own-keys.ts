/**
 * Names that the protocols spoken here give to their own fields. They stand in every message by the dozen and say nothing;
 * any other key is a text that its sender chose.
 */
const names = `
  id object type role model name index status created created_at updated_at text content contents parts part messages message
  choices choice delta finish_reason stop_reason stop_sequence logprobs top_logprobs token tokens bytes usage prompt_tokens
  completion_tokens total_tokens prompt_tokens_details completion_tokens_details cached_tokens audio_tokens reasoning_tokens
  input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens system_fingerprint service_tier refusal
  tool_calls tool_call_id tool_choice function_call function arguments tools functions parameters description properties required
  items enum strict stream stream_options include_usage temperature top_p max_tokens max_output_tokens stop n user metadata
  reasoning_content reasoning thinking signature input output instructions response output_index content_index item_id
  sequence_number obfuscation annotations summary call_id content_block message_id tool_use_id is_error cache_control source
  media_type data system title citations embedding dimensions encoding_format candidates modelVersion responseId usageMetadata
  finishReason promptTokenCount totalTokenCount safetyRatings category probability functionCall functionResponse args inlineData
  fileData mimeType thought thoughtSignature generationConfig systemInstruction jsonrpc method params result error code
  isError structuredContent nextCursor cursor uri inputSchema outputSchema protocolVersion capabilities clientInfo
  serverInfo version _meta progressToken annotations additionalProperties default format image_url url detail file
`;

const plainKeys: ReadonlySet<string> = new Set(names.split(/\s+/));

/** True for a key that need not be read. */
export const isPlainKey = (key: string): boolean => plainKeys.has(key);
