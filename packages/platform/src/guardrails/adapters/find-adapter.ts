import type { RemoteGuardrailType } from '@portcullis/contracts/guardrail-config';
import { azureContentSafety } from './azure-content-safety.ts';
import { bedrock } from './bedrock.ts';
import { dynamoai } from './dynamoai.ts';
import { enkryptai } from './enkryptai.ts';
import { fiddler } from './fiddler.ts';
import { guardrailsai } from './guardrailsai.ts';
import { http } from './http.ts';
import { lakera } from './lakera.ts';
import { llamaGuard } from './llama-guard.ts';
import { openaiModeration } from './openai-moderation.ts';
import type { GuardrailAdapter } from './guardrail-adapter.ts';

const adapters: { readonly [Of in RemoteGuardrailType]: GuardrailAdapter<Of> } = {
  openai_moderation: openaiModeration,
  llama_guard: llamaGuard,
  bedrock,
  azure_content_safety: azureContentSafety,
  lakera,
  dynamoai,
  enkryptai,
  fiddler,
  guardrailsai,
  http,
};

export const findAdapter = (type: RemoteGuardrailType): GuardrailAdapter<RemoteGuardrailType> => adapters[type];
