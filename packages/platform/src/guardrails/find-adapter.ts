import type { RemoteGuardrailType } from '@portcullis/contracts/guardrail-config';
import { azureContentSafety } from './adapters/azure-content-safety.ts';
import { bedrock } from './adapters/bedrock.ts';
import { dynamoai } from './adapters/dynamoai.ts';
import { enkryptai } from './adapters/enkryptai.ts';
import { fiddler } from './adapters/fiddler.ts';
import { guardrailsai } from './adapters/guardrailsai.ts';
import { http } from './adapters/http.ts';
import { lakera } from './adapters/lakera.ts';
import { llamaGuard } from './adapters/llama-guard.ts';
import { openaiModeration } from './adapters/openai-moderation.ts';
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
