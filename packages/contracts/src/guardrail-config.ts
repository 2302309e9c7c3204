import { Type, type Static, type TObject } from 'typebox';
import { Exact, optional } from './fields.ts';

/** What stands behind a guardrail provider; each has one adapter. */
export const guardrailTypes = [
  'openai_moderation',
  'llama_guard',
  'bedrock',
  'azure_content_safety',
  'lakera',
  'dynamoai',
  'enkryptai',
  'fiddler',
  'guardrailsai',
  'http',
  'local-model',
] as const;
export type GuardrailType = (typeof guardrailTypes)[number];
/** Those that are asked over the network. */
export type RemoteGuardrailType = Exclude<GuardrailType, 'local-model'>;
export const remoteGuardrailTypes = guardrailTypes.filter(
  (type): type is RemoteGuardrailType => type !== 'local-model',
);

export const guardrailDirections = ['request', 'response', 'both'] as const;
export const guardrailActions = ['block', 'monitor'] as const;
/** What a check came to. */
export const guardrailCheckActions = ['pass', 'block', 'monitor'] as const;
export type GuardrailCheckAction = (typeof guardrailCheckActions)[number];
export const guardrailFailureModes = ['open', 'closed'] as const;
export const guardrailVerdicts = ['safe', 'violation', 'error'] as const;
export type GuardrailVerdict = (typeof guardrailVerdicts)[number];

const url = { minLength: 1, maxLength: 2_048 };
const word = {
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  'x-allowed': 'printable ASCII without blanks',
};
/** Printable ASCII: what a header can carry. */
const Key = Type.String({
  minLength: 1,
  maxLength: 8_192,
  pattern: '^[\\x21-\\x7e]+$',
  'x-allowed': 'printable ASCII without blanks',
});
const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";
/** Names of properties and places in lists, with dots between. */
const dotPath = { maxLength: 200 };

/** What every type has: which texts of a request are sent. */
const common = {
  scope: Type.Enum(['newest', 'all'], {
    default: 'newest',
    description:
      'The texts after the last answer of the model, or every text of the request with its history, which a client can make up.',
  }),
};

const openaiModeration = {
  ...common,
  base_url: Type.String({ ...url, default: 'https://api.openai.com/v1' }),
  model: Type.String({ ...word, default: 'omni-moderation-latest' }),
};

const llamaGuard = {
  ...common,
  base_url: Type.String({ ...url, default: 'https://api.groq.com/openai/v1' }),
  model: Type.String({ ...word, default: 'meta-llama/llama-guard-4-12b' }),
  answer_format: Type.Enum(['llama_guard', 'json'], {
    default: 'llama_guard',
    description:
      'llama_guard: the answer is safe, or unsafe with codes such as S1. json: an object with violation, category, rationale and confidence, as a model answers that follows a written policy (gpt-oss-safeguard).',
  }),
  policy: Type.String({
    maxLength: 50_000,
    default: '',
    description: 'Sent as the system message. Models that answer in JSON need it, and it must ask for that JSON.',
  }),
  max_tokens: Type.Integer({ minimum: 1, maximum: 32_768, default: 2_048 }),
  reasoning_effort: Type.Enum(['none', 'low', 'medium', 'high'], {
    default: 'none',
    description: 'Sent to models that reason; none sends nothing.',
  }),
};

const bedrock = {
  ...common,
  region: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: '^[a-z0-9-]+$',
    'x-allowed': 'lower-case letters, digits and hyphens',
  }),
  guardrail_id: Type.String({
    minLength: 1,
    maxLength: 2_048,
    pattern: '^[A-Za-z0-9:/_-]+$',
    'x-allowed': 'letters, digits and : / _ -',
  }),
  guardrail_version: Type.String({
    default: 'DRAFT',
    pattern: '^(?:[1-9][0-9]{0,7}|DRAFT)$',
    'x-allowed': 'a whole number or DRAFT',
  }),
  base_url: Type.String({
    maxLength: 2_048,
    default: '',
    description: 'For a private endpoint; otherwise https://bedrock-runtime.{region}.amazonaws.com',
  }),
};

export const azureCategories = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;

const azureContentSafety = {
  ...common,
  base_url: Type.String({ ...url, description: 'The endpoint of the resource' }),
  api_version: Type.String({
    default: '2024-09-01',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(-preview)?$',
    'x-allowed': 'a day such as 2024-09-01, -preview may follow',
  }),
  checks: Type.Array(Type.Enum(['analyze', 'shield']), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    default: ['analyze', 'shield'],
    description: 'analyze: harmful content. shield: attacks on the model, in requests only.',
  }),
  severity_threshold: Type.Integer({
    minimum: 1,
    maximum: 7,
    default: 4,
    description: 'A category of this severity or above is a violation.',
  }),
  categories: Type.Array(Type.Enum(azureCategories), {
    minItems: 1,
    maxItems: azureCategories.length,
    uniqueItems: true,
    default: [...azureCategories],
  }),
  blocklists: Type.Array(Type.String(word), { maxItems: 10, uniqueItems: true, default: [] }),
};

const lakera = {
  ...common,
  base_url: Type.String({ ...url, default: 'https://api.lakera.ai/v2' }),
  project_id: Type.String({ maxLength: 200, default: '', description: "Empty: the organisation's default policy" }),
};

const dynamoai = {
  ...common,
  base_url: Type.String({ ...url, default: 'https://api.dynamo.ai/v1' }),
  policy_ids: Type.Array(Type.String({ pattern: '^[0-9a-f]{24}$', 'x-allowed': '24 hexadecimal digits' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'The policies that judge, by their ids of 24 hexadecimal digits',
  }),
  model_id: Type.String({ maxLength: 200, default: '', description: 'Shown in its monitoring' }),
  client_id: Type.String({ maxLength: 200, default: '', description: 'Shown in its monitoring' }),
};

const enkryptai = {
  ...common,
  base_url: Type.String({ ...url, default: 'https://api.enkryptai.com' }),
  policy: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[\\x20-\\x7e]+$',
    'x-allowed': 'printable ASCII',
    default: 'Security-Guardrail',
    description: 'Name of the policy there. What it says of bias and sponge attacks is recorded and flags nothing.',
  }),
};

const share = { minimum: 0, maximum: 1 };

const fiddler = {
  ...common,
  base_url: Type.String({ ...url, description: 'Where the guardrails of the account are reached' }),
  threshold: Type.Number({ ...share, default: 0.5, description: 'A safety score is a violation from here on.' }),
  personal_data: Type.Boolean({ default: true, description: 'Asks about personal data too, side by side' }),
  personal_data_threshold: Type.Number({ ...share, default: 0.8, description: 'The same for personal data' }),
};

const guardrailsai = {
  ...common,
  base_url: Type.String({ ...url, default: 'http://localhost:8000' }),
  guard: Type.String({ ...word, description: 'Name of the guard that judges' }),
};

const http = {
  ...common,
  url: Type.String(url),
  method: Type.Enum(['POST', 'PUT'], { default: 'POST' }),
  headers: Type.Record(
    Type.String({ pattern: headerName, 'x-allowed': 'the name of an HTTP header' }),
    Type.String({ maxLength: 2_000, pattern: '^[\\x20-\\x7e]*$', 'x-allowed': 'printable ASCII' }),
    {
      maxProperties: 20,
      default: {},
      description:
        'Sent as they are. Read back as masks; a mask that comes back keeps the value while the host stays. Keys belong into the credentials, which are encrypted.',
    },
  ),
  auth_header: Type.String({
    pattern: headerName,
    'x-allowed': 'the name of an HTTP header',
    default: 'authorization',
  }),
  auth_prefix: Type.String({
    maxLength: 40,
    pattern: '^[\\x20-\\x7e]*$',
    'x-allowed': 'printable ASCII',
    default: 'Bearer ',
  }),
  body: Type.Record(Type.String(), Type.Unknown(), {
    default: { text: '{text}', direction: '{direction}' },
    description: 'Sent as JSON; {text}, {prompt} and {direction} in its strings are filled in.',
  }),
  verdict_path: Type.String({
    ...dotPath,
    minLength: 1,
    default: 'flagged',
    description: 'Where the verdict stands in the answer, for example results.0.flagged',
  }),
  violation_values: Type.Array(Type.String({ maxLength: 200 }), {
    minItems: 1,
    maxItems: 50,
    default: ['unsafe', 'violation', 'flagged', 'block', 'blocked', 'deny', 'denied', 'true', 'yes'],
    description: 'A verdict that is one of these texts, in any case, is a violation. Of a flag, see flag_means.',
  }),
  safe_values: Type.Array(Type.String({ maxLength: 200 }), {
    minItems: 1,
    maxItems: 50,
    default: ['safe', 'none', 'ok', 'pass', 'passed', 'allow', 'allowed', 'false', 'no'],
    description: 'A text that is neither here nor there counts as an error, not as safe.',
  }),
  flag_means: Type.Enum(['violation', 'safe'], {
    default: 'violation',
    description: 'What a verdict that is true says: safe where the answer tells that a check was passed',
  }),
  threshold: Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    default: 0.5,
    description: 'A verdict that is a number is a violation from here on.',
  }),
  score_path: Type.String({ ...dotPath, default: 'score', description: 'A number from 0 to 1, the confidence' }),
  categories_path: Type.String({
    ...dotPath,
    default: 'categories',
    description: 'A list of names, or an object of flags or scores by name',
  }),
  rationale_path: Type.String({ ...dotPath, default: 'rationale' }),
};

/** A name of a file or folder of its own: it leads neither up nor to another place. */
const fileName = '[A-Za-z0-9_][A-Za-z0-9._-]{0,99}';

const localModel = {
  ...common,
  model: Type.String({
    pattern: `^${fileName}$`,
    'x-allowed': 'the name of a folder in GUARDRAIL_MODELS_DIR',
    description:
      'Folder in GUARDRAIL_MODELS_DIR with the ONNX file, config.json, tokenizer.json and tokenizer_config.json',
  }),
  file: Type.String({
    pattern: `^(?:${fileName}/)?${fileName}\\.onnx$`,
    'x-allowed': 'the name of an ONNX file in the folder of the model, or in a folder there',
    default: 'model.onnx',
  }),
  threshold: Type.Number({ ...share, default: 0.5, description: 'A share of attack of this or more is a violation.' }),
  attack_labels: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 50,
    uniqueItems: true,
    default: [],
    description:
      'Classes of config.json (id2label) that mean an attack; their shares add up. Empty: all whose name does not say that a text is fine, as SAFE, BENIGN and LABEL_0 do.',
  }),
  max_tokens: Type.Integer({
    minimum: 8,
    maximum: 8_192,
    default: 512,
    description: 'Tokens that the model reads at once. Longer texts are read in windows that overlap.',
  }),
  max_windows: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 32,
    description:
      'Windows of one question at most. A text that is longer is an error unless what was read is a violation.',
  }),
};

const optionalKey = Exact(optional({ api_key: Key }));
const requiredKey = Exact({ api_key: Key });

interface GuardrailTypeEntry {
  readonly label: string;
  /** Every field with its default; those without one must be given. */
  readonly config: TObject;
  /** Texts only, all secret. */
  readonly credentials: TObject;
}

/** What each type wants to know. */
export const guardrailTypeEntries = {
  openai_moderation: {
    label: 'OpenAI-compatible moderation endpoint',
    config: Exact(openaiModeration),
    credentials: optionalKey,
  },
  llama_guard: { label: 'Safety model behind chat completions', config: Exact(llamaGuard), credentials: optionalKey },
  bedrock: {
    label: 'AWS Bedrock Guardrails',
    config: Exact(bedrock),
    credentials: Exact({ access_key_id: Key, secret_access_key: Key, ...optional({ session_token: Key }) }),
  },
  azure_content_safety: {
    label: 'Azure AI Content Safety',
    config: Exact(azureContentSafety),
    credentials: requiredKey,
  },
  lakera: { label: 'Lakera Guard', config: Exact(lakera), credentials: requiredKey },
  dynamoai: { label: 'Dynamo AI moderation', config: Exact(dynamoai), credentials: requiredKey },
  enkryptai: { label: 'Enkrypt AI', config: Exact(enkryptai), credentials: requiredKey },
  fiddler: { label: 'Fiddler Guardrails', config: Exact(fiddler), credentials: requiredKey },
  guardrailsai: {
    label: 'Guardrails AI server of your own',
    config: Exact(guardrailsai),
    credentials: optionalKey,
  },
  http: { label: 'Any HTTP endpoint that answers JSON', config: Exact(http), credentials: optionalKey },
  'local-model': {
    label: 'Text classifier of your own, run by the gateway',
    config: Exact(localModel),
    credentials: Exact({}),
  },
} as const satisfies Readonly<Record<GuardrailType, GuardrailTypeEntry>>;

type Entries = typeof guardrailTypeEntries;

/** Configuration of a type, complete. */
export type GuardrailConfig<Of extends GuardrailType> = Static<Entries[Of]['config']>;
export type GuardrailCredentials<Of extends GuardrailType> = Static<Entries[Of]['credentials']>;

/** The given fields of a configuration with the defaults of the others. It may still not be valid. */
export function completeGuardrailConfig(
  type: GuardrailType,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const defaults = Object.entries(guardrailTypeEntries[type].config.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, (schema as { readonly default: unknown }).default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}
