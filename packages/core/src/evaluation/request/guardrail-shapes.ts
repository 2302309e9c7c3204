/** How a guardrail API wants the text that it judges, by the path that it has. */
interface GuardrailShape {
  readonly name: string;
  readonly path: RegExp;
  readonly body: (text: string, model: string) => unknown;
}

const shapes: readonly GuardrailShape[] = [
  {
    name: 'OpenAI moderation',
    path: /\/moderations$/,
    body: (text, model) => ({ ...(model !== '' && { model }), input: text }),
  },
  {
    name: 'Bedrock ApplyGuardrail',
    path: /\/guardrail\/[^/]+\/version\/[^/]+\/apply$/,
    body: (text) => ({ source: 'INPUT', content: [{ text: { text } }] }),
  },
  {
    name: 'Azure Prompt Shields',
    path: /\/contentsafety\/text:shieldPrompt$/i,
    body: (text) => ({ userPrompt: text, documents: [] }),
  },
  { name: 'Azure text analysis', path: /\/contentsafety\/text:analyze$/i, body: (text) => ({ text }) },
  { name: 'Model Armor', path: /:sanitizeUserPrompt$/, body: (text) => ({ userPromptData: { text } }) },
  {
    name: 'LiteLLM guardrail',
    path: /\/litellm_basic_guardrail_api$/,
    body: (text) => ({ texts: [text], input_type: 'request' }),
  },
  {
    name: 'Dynamo AI',
    path: /\/moderation\/analyze\/?$/,
    body: (text) => ({ messages: [{ role: 'user', content: text }], textType: 'MODEL_INPUT' }),
  },
  { name: 'Enkrypt AI', path: /\/guardrails\/(?:policy\/)?detect$/, body: (text) => ({ text }) },
  { name: 'Guardrails AI', path: /\/guards\/[^/]+\/validate$/, body: (text) => ({ llmOutput: text }) },
  { name: 'Fiddler', path: /\/guardrails\/ftl-safety$/, body: (text) => ({ data: { input: text } }) },
  {
    name: 'text classification',
    path: /\/classify$/,
    body: (text, model) => ({ ...(model !== '' && { model }), input: text }),
  },
  { name: 'text classification', path: /\/predict$/, body: (text) => ({ inputs: text }) },
];

export const findGuardrailShape = (path: string): GuardrailShape | undefined =>
  shapes.find((shape) => shape.path.test(path.split(/[?#]/, 1)[0] ?? ''));

/** The body for a guardrail API; one that is not known by its path is asked with messages, as most of them are. */
export const guardrailBody = (path: string, text: string, model: string): unknown =>
  findGuardrailShape(path)?.body(text, model) ?? { messages: [{ role: 'user', content: text }] };
