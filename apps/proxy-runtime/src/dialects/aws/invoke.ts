import { property, textProperty } from '@portcullis/core/json/json-value';
import { anthropicMessages } from '../anthropic/messages.ts';
import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { readBedrockMaker, readBedrockModel } from '../shared/model-in-path.ts';
import { renderAwsError } from './render-error.ts';

/** Bedrock's own price counts, so the model is told as it was asked for. */
const readUsage: Dialect['readUsage'] = (answer) => {
  const usage = anthropicMessages.readUsage(answer);
  return usage && { ...usage, model: undefined };
};

/**
 * Claude on Bedrock, as Claude Code asks for it: Anthropic's body without a model, and its events in frames.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const bedrockClaude: Dialect = {
  ...anthropicMessages,
  provider: 'aws',
  readModel: (_body, path) => readBedrockModel(path),
  readUsage,
  readEvent(data) {
    const reading = anthropicMessages.readEvent(data);
    return reading.usage === undefined ? reading : { ...reading, usage: { ...reading.usage, model: undefined } };
  },
  keyHeader: 'authorization',
};

/**
 * Bodies of Bedrock's InvokeModel are their maker's own. The version of Anthropic's API is required in Claude's, and
 * a model that is named as another maker's does not read them so.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export const bedrockInvoke: Dialect = {
  ...anyJson,
  bodies: 'json',
  readModel: (_body, path) => readBedrockModel(path),
  forBody(body, path) {
    const maker = readBedrockMaker(path);
    if (maker === 'anthropic') return Array.isArray(property(body, 'messages')) ? bedrockClaude : bedrockInvoke;
    const isClaude = maker === undefined && textProperty(body, 'anthropic_version') !== undefined;
    return isClaude ? bedrockClaude : bedrockInvoke;
  },
  keyHeader: 'authorization',
  renderNativeError: renderAwsError,
};
