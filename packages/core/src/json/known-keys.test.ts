import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { foldKey } from './fold-key.ts';
import { KnownKeys } from './known-keys.ts';

const part = new KnownKeys(['type', 'text']);
const turn = new KnownKeys(['role', 'arguments']).with({ content: part });
const body = new KnownKeys(['model', 'task_id']).with({ messages: turn });

describe('keys that could be taken for others', () => {
  test.each([
    [{ Model: 'x' }, 'The key "Model" must be written "model"'],
    [{ model: 'x', MODEL: 'y' }, 'The key "MODEL" must be written "model"'],
    [{ 'me\u017f\u017fages': [] }, 'must be written "messages"'],
    [{ 'tas\u212a_id': 1 }, 'must be written "task_id"'],
    [{ 'TASK_\u0130D': 1 }, 'must be written "task_id"'],
    [{ 'task_\u0131d': 1 }, 'must be written "task_id"'],
    [{ 'model\0': 1 }, 'must be written "model"'],
    [{ messages: [{ Role: 'user' }] }, 'must be written "role"'],
    [{ messages: { ROLE: 'user' } }, 'must be written "role"'],
    [{ messages: [{ content: [{ type: 'text', Text: '' }] }] }, 'must be written "text"'],
    [[{ model: 'x' }, { Model: 'x' }], 'must be written "model"'],
    [{ other: 1, Other: 2 }, 'The key "Other" stands beside one that differs from it in case only'],
  ])('are found in %j', (value, problem) => {
    expect(body.findConfusion(value)).toContain(problem);
  });

  test.each([
    { model: 'x', messages: [{ role: 'user', arguments: { id: 1, ID: 2, Role: 3 } }] },
    { messages: [{ role: 'user', content: 'Role' }, [{ Role: 1 }], null, 'Role', 7] },
    { unread: { model: 1, Model: 2 }, task_id: 1, taskid: 2, 'task-id': 3, models: 4 },
    { ['x'.repeat(65)]: 1, ['X'.repeat(65)]: 2 },
    null,
    'Model',
  ])('are not those of data, nor others: %j', (value) => {
    expect(body.findConfusion(value)).toBeUndefined();
  });

  test('are found behind many others, in steps that are short', () => {
    const turns = Array.from({ length: 10_000 }, () => ({ role: 'user', content: [{ text: 'a' }] }));
    const steps = body.findConfusionCooperatively({ messages: [{ content: [{ Text: 'b' }] }, ...turns] });
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(step.value).toContain('must be written "text"');
    expect(count).toBeGreaterThan(20);
  });

  test('are compared with the known ones alone where the rest is data', () => {
    const map = new KnownKeys(['tools'], { readsAll: false });
    expect(map.findConfusion({ tools: 1, id: 1, ID: 2 })).toBeUndefined();
    expect(map.findConfusion({ Tools: 1 })).toBeDefined();
  });

  test('are counted, however deep and many they are', () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, n]));
    expect(body.findConfusion(many)).toContain('more than 1000 unknown keys');
    const chain = new KnownKeys([]);
    chain.with({ content: chain });
    let deep: object = { Content: 1 };
    for (let depth = 0; depth < 50_000; depth += 1) deep = { content: deep };
    expect(chain.findConfusion(deep)).toContain('"content"');
  });

  test('fold like every key that differs in case only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (key) => {
        if (key.toUpperCase().length > 64 || key.includes('\0')) return;
        expect(foldKey(key.toUpperCase())).toBe(foldKey(key));
      }),
    );
    expect(foldKey('Tool_Name2')).toBe('tool_name2');
  });
});
