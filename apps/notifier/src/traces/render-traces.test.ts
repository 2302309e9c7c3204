import { describe, expect, test } from '@jest/globals';
import { parseTraces } from '@portcullis/testkit/trace-collector';
import { renderTraces, type TraceToRender } from './render-traces.ts';
import type { TraceUsage } from './trace-rows.ts';

const usage: TraceUsage = {
  protocol: 'anthropic-messages',
  model: 'claude-sonnet-4-5',
  input_tokens: 120,
  cached_input_tokens: 100,
  cache_write_tokens: null,
  output_tokens: 30,
  reasoning_tokens: null,
  total_tokens: 150,
  cost_micro_usd: 1_234,
  estimated: false,
};

const row = (change: Partial<TraceToRender> = {}): TraceToRender => ({
  event_id: '0195a2c4-7b1e-7000-8000-0123456789ab',
  timestamp: new Date('2026-11-26T10:20:30.123Z'),
  request_id: 'req-1',
  method: 'POST',
  path: '/v1/messages',
  status_code: 200,
  duration_ms: 1_234.567,
  risk_level: 'None',
  denied_reason: null,
  denied_stage: null,
  proxy_id: 3,
  proxy_name: 'claude',
  key_name: 'laptop',
  group_name: 'research',
  usage,
  verdicts: [],
  content: null,
  ...change,
});

const span = (change?: Partial<TraceToRender>) => parseTraces(JSON.parse(renderTraces([row(change)], '1.2.3')))[0];

describe('the trace of a request to a model', () => {
  test('has ids that follow from the request, its times, and what it took', () => {
    expect(span()).toMatchObject({
      traceId: '0195a2c47b1e700080000123456789ab',
      spanId: span()?.spanId,
      parentSpanId: undefined,
      name: 'chat claude-sonnet-4-5',
      kind: 3,
      durationMs: 1_234.567,
      status: {},
      resource: { 'service.name': 'portcullis', 'service.version': '1.2.3' },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.usage.input_tokens': '120',
        'gen_ai.usage.cache_read.input_tokens': '100',
        'gen_ai.usage.output_tokens': '30',
        'portcullis.cost_usd': 0.001_234,
        'langfuse.observation.type': 'generation',
        'langfuse.observation.cost_details': '{"total":0.001234}',
        'langfuse.user.id': 'laptop',
        'portcullis.policy.action': 'none',
      },
    });
    expect(span()?.attributes).not.toHaveProperty('gen_ai.usage.reasoning.output_tokens');
  });

  test('tells what policies said, and why there is no answer', () => {
    const verdict = {
      policy: 'llm-security',
      rule: 'PI-001',
      severity: 'High',
      action: 'Block',
      category: 'Policy Violations',
      at_ms: 1,
    };
    const denied = span({
      usage: null,
      status_code: 403,
      denied_reason: 'policy_violation',
      denied_stage: 'inspect-request',
      verdicts: [verdict],
    });
    expect(denied).toMatchObject({
      name: 'chat',
      status: { code: 2, message: 'policy_violation (inspect-request)' },
      attributes: {
        'error.type': 'policy_violation',
        'portcullis.policy.action': 'block',
        'langfuse.observation.level': 'ERROR',
      },
      events: [
        {
          name: 'portcullis.policy.verdict',
          attributes: { 'portcullis.policy.name': 'llm-security', 'portcullis.policy.action': 'block' },
        },
      ],
    });
    expect(span({ status_code: 502 })?.status).toEqual({ code: 2, message: 'HTTP 502' });
  });

  test('holds messages in the form of the conventions, whole, where it is to hold them', () => {
    expect(Object.keys(span()?.attributes ?? {}).join()).not.toMatch(/messages|content/);
    const long = 'word '.repeat(3_000);
    const { attributes } = span({
      opened: {
        input: [
          { role: 'system', parts: ['Be brief.'] },
          { role: 'user', parts: [long, 'and more'] },
          { role: 'tool', parts: ['found'] },
        ],
        output: { parts: ['Yes.'], finish_reason: 'length' },
        cut: true,
      },
    }) as { readonly attributes: Readonly<Record<string, string>> };
    expect(JSON.parse(attributes['gen_ai.input.messages'] ?? '')).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', content: long },
          { type: 'text', content: 'and more' },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', response: 'found' }] },
    ]);
    expect(JSON.parse(attributes['gen_ai.output.messages'] ?? '')).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Yes.' }], finish_reason: 'length' },
    ]);
    expect(attributes['portcullis.content.cut']).toBe(true);
  });

  test('bounds texts, and takes a clock that went back for no time', () => {
    expect(span({ path: `/${'x'.repeat(2_000)}` })?.attributes['url.path']).toHaveLength(512);
    expect(span({ duration_ms: -5 })?.durationMs).toBe(0);
  });
});
