import { readBedrockModel } from '../aws/model-in-path.ts';
import type { Dialect } from '../dialect.ts';
import { readGeminiModel } from '../google/generate-content.ts';
import { openaiChat } from '../openai/chat.ts';

/** Cloudflare's names begin with a sign of their own: https://developers.cloudflare.com/workers-ai/get-started/rest-api/ */
const beforeCloudflareModel = '/ai/run/';

const readCloudflareModel = (path: string): string | undefined => {
  const start = path.indexOf(`${beforeCloudflareModel}@`);
  return start === -1 ? undefined : path.slice(start + beforeCloudflareModel.length);
};

/** The model in a body or a path, wherever any API names it. */
export const readAnyModel: Dialect['readModel'] = (body, path) =>
  openaiChat.readModel(body, path) ?? readCloudflareModel(path) ?? readGeminiModel(path) ?? readBedrockModel(path);
