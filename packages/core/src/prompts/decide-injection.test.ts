import { describe, expect, test } from '@jest/globals';
import { decideInjection, type AssignedPrompts, type CompiledPrompt, type Conversation } from './decide-injection.ts';
import { parseTemplate } from './parse-template.ts';

const prompt = (id: number, content: string, active = true): CompiledPrompt => ({
  id,
  name: `prompt-${id}`,
  active,
  parsed: parseTemplate(content),
});
const team = prompt(1, 'You serve {{.UserGroup}}.');
const proxy = prompt(2, 'Be brief.');
const broken = prompt(3, 'Hello {{.Nobody}}');
const limits = { maxBodyBytes: 1_000, maxMessages: 3 };
const context = { userGroup: 'Research', proxy: { id: 9, name: 'chat' }, now: new Date(0) };

const decide = (assigned: AssignedPrompts, conversation: Partial<Conversation> = {}) =>
  decideInjection(assigned, { bodyBytes: 10, roles: ['user'], ...conversation }, limits, context);

describe('decideInjection', () => {
  test.each<[string, AssignedPrompts, string | undefined, readonly CompiledPrompt[]]>([
    ['nothing without prompts', {}, undefined, []],
    ["the team's alone", { team }, 'You serve Research.', [team]],
    ["the proxy's alone", { proxy }, 'Be brief.', [proxy]],
    ["the team's before the proxy's", { team, proxy }, 'You serve Research.\n\n---\n\nBe brief.', [team, proxy]],
    ['the same one once', { team, proxy: team }, 'You serve Research.', [team]],
    ['nothing of inactive ones', { team: prompt(1, 'x', false), proxy: prompt(2, 'y', false) }, undefined, []],
    ['the active one of two', { team: prompt(1, 'x', false), proxy }, 'Be brief.', [proxy]],
  ])('injects %s', (_, assigned, text, injected) => expect(decide(assigned)).toEqual({ text, injected, skipped: [] }));

  test('skips a prompt whose template is wrong, and no other', () => {
    expect(decide({ team: broken, proxy })).toEqual({
      text: 'Be brief.',
      injected: [proxy],
      skipped: [{ prompt: broken, reason: 'template_error' }],
    });
    expect(decide({ team: broken })).toMatchObject({ text: undefined, injected: [] });
  });

  test.each<[string, Partial<Conversation>, string | undefined]>([
    ['a body of exactly the limit', { bodyBytes: 1_000 }, undefined],
    ['a body above it', { bodyBytes: 1_001 }, 'body_too_large'],
    ['as many messages as allowed', { roles: ['system', 'user', 'user'] }, undefined],
    ['one message more', { roles: ['system', 'user', 'user', 'user'] }, 'too_many_messages'],
    ['an answer of the model', { roles: ['user', 'assistant', 'user'] }, 'continuation'],
    ['a result of a tool', { roles: ['user', 'tool'] }, 'continuation'],
    ['no messages at all', { roles: [] }, undefined],
  ])('%s', (_, conversation, reason) => {
    const { injected, skipped } = decide({ team, proxy }, conversation);
    const all = [team, proxy];
    expect(injected).toEqual(reason === undefined ? all : []);
    expect(skipped).toEqual(
      reason === undefined ? [] : all.map((skippedPrompt) => ({ prompt: skippedPrompt, reason })),
    );
  });
});
