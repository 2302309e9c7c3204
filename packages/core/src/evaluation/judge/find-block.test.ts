import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readAnswer } from '../request/read-answer.ts';
import { findBlock } from './find-block.ts';

const block = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  findBlock(readAnswer({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, 'auto'));

describe('statuses', () => {
  test.each([
    [400, { error: { code: 'content_filter', message: 'The prompt was filtered' } }, 'blocked', 'content_filter'],
    [400, { error: { message: 'Blocked by guardrail' } }, 'blocked', 'guardrail_blocked'],
    [
      403,
      { success: false, error: 'Request blocked by security policy', error_code: 'POLICY_VIOLATION' },
      'blocked',
      'guardrail_blocked',
    ],
    [446, {}, 'blocked', 'guardrail_blocked'],
    [451, 'Unavailable', 'blocked', 'guardrail_blocked'],
    [422, { detail: 'prompt injection detected' }, 'blocked', 'guardrail_blocked'],
    [400, { error: { message: 'messages: field required' } }, 'error', undefined],
    [401, { error: 'no key' }, 'error', undefined],
    [403, 'Forbidden', 'unclear', undefined],
    [403, { error: 'Your API key has no permission' }, 'error', undefined],
    [404, '', 'error', undefined],
    [429, { error: 'Too many requests' }, 'error', undefined],
    [500, { error: 'guardrail service failed' }, 'error', undefined],
    [302, '', 'error', undefined],
  ])('%i %j is %s', (status, body, kind, detection) => {
    const found = block(status, body);
    expect([found?.kind, found?.kind === 'blocked' ? found.detection : undefined]).toEqual([kind, detection]);
  });
});

const chat = (finish: string, content = 'x', more = {}) => ({
  choices: [{ message: { content, ...more }, finish_reason: finish }],
});

describe('answers with status 200', () => {
  test.each([
    [chat('content_filter', ''), 'content_filter'],
    [chat('stop', '', { refusal: 'I cannot.' }), 'refusal_detected'],
    [{ type: 'message', content: [], stop_reason: 'refusal' }, 'refusal_detected'],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 'content_filter'],
    [{ candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] }, 'content_filter'],
    [
      { output: { message: { content: [{ text: 'Sorry.' }] } }, stopReason: 'guardrail_intervened' },
      'guardrail_blocked',
    ],
    [{ completion: 'Sorry.', 'amazon-bedrock-guardrailAction': 'INTERVENED' }, 'guardrail_blocked'],
    [{ error: { message: 'Request blocked by security policy' } }, 'guardrail_blocked'],
    [{ flagged: true, breakdown: [{ detector_type: 'prompt_attack', detected: true }] }, 'prompt_injection'],
    [{ results: [{ flagged: true, categories: { hate: true, violence: false } }] }, 'hate_speech'],
    [{ userPromptAnalysis: { attackDetected: true }, documentsAnalysis: [] }, 'prompt_injection'],
    [{ categoriesAnalysis: [{ category: 'Violence', severity: 6 }] }, 'violence'],
    [{ action: 'GUARDRAIL_INTERVENED', outputs: [{ text: 'Sorry' }] }, 'guardrail_blocked'],
    [{ sanitizationResult: { filterMatchState: 'MATCH_FOUND' } }, 'guardrail_blocked'],
    [{ summary: { injection_attack: 1, toxicity: [], on_topic: 1 } }, 'prompt_injection'],
    [{ validationPassed: false }, 'guardrail_blocked'],
    [{ finalAction: 'BLOCK' }, 'guardrail_blocked'],
    [{ fdl_jailbreaking: 0.93, fdl_harmful: 0.1 }, 'prompt_injection'],
    [[[{ label: 'INJECTION', score: 0.99 }]], 'prompt_injection'],
    [{ action: 'BLOCKED', blocked_reason: 'pii' }, 'guardrail_blocked'],
    [chat('stop', 'unsafe\nS1,S9'), 'guardrail_blocked'],
    [{ blocked: true, answer: 'Please ask something else.' }, 'guardrail_blocked'],
  ])('%j', (body, detection) => {
    expect(block(200, body)).toMatchObject({ kind: 'blocked', detection });
  });

  test('a header of a gateway', () => {
    expect(block(200, chat('stop'), { 'x-guardrail-action': 'BLOCKED' })).toMatchObject({ kind: 'blocked' });
    expect(block(200, chat('stop'), { 'x-guardrail-action': 'none' })).toBeUndefined();
  });

  test.each([
    [{ flagged: false }],
    [{ results: [{ flagged: false }] }],
    [{ action: 'NONE', outputs: [] }],
    [{ sanitizationResult: { filterMatchState: 'NO_MATCH_FOUND' } }],
    [{ validationPassed: true }],
    [chat('stop', 'safe')],
    [{ result: 'safe' }],
    [{ summary: { injection_attack: 0, toxicity: [], on_topic: 1 } }],
  ])('a guardrail that finds nothing: %j', (body) => {
    expect(block(200, body)).toMatchObject({ kind: 'passed' });
  });

  test('an answer is judged by its words', () => {
    expect(block(200, chat('stop', 'Sure, content_filter and guardrails are words.'))).toBeUndefined();
    expect(block(200, chat('length', 'So'))).toBeUndefined();
    expect(block(200, 'plain text')).toBeUndefined();
    expect(block(200, { status: 'success', answer: "I can't help with that." })).toBeUndefined();
    expect(block(200, { flagged: false, answer: 'Sure, step 1.' })).toBeUndefined();
    expect(block(200, { status: 'failed', answer: 'Sure, step 1.' })).toBeUndefined();
  });

  test('an error in the body is an error', () => {
    expect(block(200, { error: 'out of memory' })).toMatchObject({ kind: 'error' });
  });

  test('nothing throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 200, max: 599 }), (body, status) => void block(status, body)),
    );
  });
});
