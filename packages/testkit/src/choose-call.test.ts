import { describe, expect, test } from '@jest/globals';
import { anyValueOf, chooseCall, type FileStep } from './choose-call.ts';
import type { OfferedTool } from './llm-dialect.ts';

const tool = (name: string, properties: Readonly<Record<string, object>>, required = Object.keys(properties)) =>
  ({
    name,
    takes: 'json',
    description: '',
    parameters: { type: 'object', properties, required },
  }) satisfies OfferedTool;

const text = { type: 'string' };
const write = tool('write_file', { file_path: text, content: text });
const edit = tool('replace', { file_path: text, old_string: text, new_string: text });
const shell = tool('run', { command: text, description: text });
const read = tool('read_file', { absolute_path: text });

const reading: FileStep = { kind: 'read', path: '/work/a.txt' };
const replacing: FileStep = { kind: 'replace', path: '/work/a.txt', from: 'libary', to: 'library', whole: 'A library' };

describe('the tool for a step, by its schema', () => {
  test('reads with what asks for a path and nothing to write', () => {
    const call = chooseCall([shell, write, edit, tool('read_many_files', { paths: { type: 'array' } }), read], reading);
    expect(call).toEqual({ name: 'read_file', arguments: { absolute_path: '/work/a.txt' } });
  });

  test('replaces with what asks for the old and the new text', () => {
    expect(chooseCall([read, write, edit], replacing)).toEqual({
      name: 'replace',
      arguments: { file_path: '/work/a.txt', old_string: 'libary', new_string: 'library' },
    });
  });

  test('takes a shell where there is nothing else, and fills in what its schema requires', () => {
    expect(chooseCall([shell], replacing)).toEqual({
      name: 'run',
      arguments: { command: "sed -i 's/libary/library/' '/work/a.txt'", description: 'as asked' },
    });
  });

  test('writes the whole file where nothing replaces a part of it', () => {
    expect(chooseCall([read, write], replacing)).toEqual({
      name: 'write_file',
      arguments: { file_path: '/work/a.txt', content: 'A library' },
    });
  });

  test.each([
    ['words of one command', 'command', ['bash', '-lc', "cat '/work/a.txt'"]],
    ['several commands', 'commands', ["cat '/work/a.txt'"]],
  ])('gives a shell %s as a list', (_what, property, expected) => {
    expect(chooseCall([tool('shell', { [property]: { type: 'array' } })], reading)?.arguments).toEqual({
      [property]: expected,
    });
  });

  test('writes a script for a tool of text that has the shell as a function', () => {
    const script = {
      name: 'exec',
      takes: 'text',
      description: 'declare const tools: { exec_command(args: { cmd: string }): Promise<{ output: string }> };',
      parameters: {},
    } as const;
    expect(chooseCall([script], reading)).toEqual({
      name: 'exec',
      arguments: `text((await tools.exec_command({ cmd: "cat '/work/a.txt'" })).output);`,
    });
  });

  test('says so when no tool can do it', () => {
    expect(chooseCall([tool('search', { query: text })], reading)).toBeUndefined();
  });
});

test.each([
  [{ type: ['integer', 'null'], minimum: 3 }, 3],
  [{ enum: ['low', 'high'] }, 'low'],
  [{ type: 'array' }, []],
  [{ type: 'object', properties: { on: { type: 'BOOLEAN' }, of: {} }, required: ['on'] }, { on: false }],
])('%j allows %j', (schema, value) => {
  expect(anyValueOf(schema)).toEqual(value);
});
