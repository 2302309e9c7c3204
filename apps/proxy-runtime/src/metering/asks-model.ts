import { property } from '@portcullis/core/json/json-value';
import type { Exchange } from '../exchange/exchange.ts';

/** What only models are asked with. */
const conversations = ['messages', 'contents', 'prompt'];
/** What models are asked with, and others, too. */
const texts = ['input', 'inputs', 'inputText', 'text', 'texts', 'query', 'message'];

/**
 * Whether a request of no known dialect asks a model: it brings a conversation or a prompt, or names a model beside a text or in
 * a form.
 */
export function asksModel({ proxy, dialect, json, model }: Exchange): boolean {
  if (proxy.type !== 'llm' || dialect.isNonInference === true || dialect.isStored === true) return false;
  const has = (field: string): boolean => (property(json, field) ?? undefined) !== undefined;
  if (conversations.some(has)) return true;
  return model !== undefined && (json === undefined || texts.some(has));
}
