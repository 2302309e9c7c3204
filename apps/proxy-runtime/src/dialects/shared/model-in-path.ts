const [before, operations] = [
  '/model/',
  new Set(['invoke', 'invoke-with-response-stream', 'converse', 'converse-stream', 'count-tokens']),
];

/** Bedrock names the model in the path, percent-encoded: an id, or an ARN with a slash in it. */
export function readBedrockModel(path: string): string | undefined {
  const [start, end] = [path.toLowerCase().indexOf(before), path.lastIndexOf('/')];
  const isThere = start !== -1 && end > start + before.length;
  if (!isThere || !operations.has(path.slice(end + 1).toLowerCase())) return undefined;
  const encoded = path.slice(start + before.length, end);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The maker in the id of a model, such as `us.anthropic.claude-…`; undefined for a name of an account's own. */
export function readBedrockMaker(path: string): string | undefined {
  const model = readBedrockModel(path) ?? '';
  const [region = '', ...names] = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .split('.');
  const [maker = '', ...rest] = regions.has(region) ? names : [region, ...names];
  return rest.length > 0 && isName.test(maker) ? maker : undefined;
}

/** Of profiles that answer from several regions: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html */
const regions: ReadonlySet<string> = new Set(['us', 'us-gov', 'eu', 'apac', 'au', 'ca', 'jp', 'global']);
const isName = /^[a-z][a-z0-9-]*$/;

const modelInPath = /\/([^/]+):[A-Za-z]+$/;

/** The model that Google's paths name, such as /v1beta/models/gemini-2.5-flash:generateContent. */
export const readGeminiModel = (path: string): string | undefined => modelInPath.exec(path)?.[1];

/** Azure names the model in the path only. */
export const readAzureModel = (path: string): string | undefined => deploymentIn.exec(path)?.[1];
const deploymentIn = /\/deployments\/([^/]+)\//;

/** Cloudflare's names begin with a sign of their own: https://developers.cloudflare.com/workers-ai/get-started/rest-api/ */
const beforeCloudflareModel = '/ai/run/';

export const readCloudflareModel = (path: string): string | undefined => {
  const start = path.indexOf(`${beforeCloudflareModel}@`);
  return start === -1 ? undefined : path.slice(start + beforeCloudflareModel.length);
};

/** Whose paths name what answers beside a model in the body: engines of old APIs, endpoints of Vertex AI and SageMaker. */
const elsewhereInPath = [/\/engines\/([^/]+)\//, /\/endpoints\/(?!openapi\/)([^/]+)\//];

const beforeReplicateModel = '/models/';
const behindReplicateModel = '/predictions';

function readReplicateModel(path: string): string | undefined {
  const start = path.indexOf(beforeReplicateModel);
  if (start === -1 || !path.endsWith(behindReplicateModel)) return undefined;
  return path.slice(start + beforeReplicateModel.length, -behindReplicateModel.length) || undefined;
}

/** Every model that a path names, whichever API it is of. */
export const modelsInPath = (path: string): readonly string[] => [
  ...[readAzureModel, readCloudflareModel, readGeminiModel, readBedrockModel, readReplicateModel].flatMap(
    (read) => read(path) ?? [],
  ),
  ...elsewhereInPath.flatMap((pattern) => pattern.exec(path)?.[1] ?? []),
];
