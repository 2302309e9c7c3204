import { expect, test } from '@jest/globals';
import { readFormField } from './form-field.ts';

const formOf = async (fields: Readonly<Record<string, string | Blob>>): Promise<Buffer> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return Buffer.from(await new Response(form).arrayBuffer());
};

test('a field is found behind a file, by its whole name', async () => {
  const body = await formOf({ file: new Blob([Buffer.alloc(70_000, 7)]), model_id: 'no', model: 'gpt-4o-transcribe' });
  expect(readFormField(body, 'model')).toBe('gpt-4o-transcribe');
  expect(readFormField(await formOf({ file: new Blob(['x']), model: 'm é' }), 'model')).toBe('m é');
});

test.each([
  ['no field of that name', { other: 'model' }],
  ['an empty one', { model: '' }],
  ['one that is no name', { model: 'x'.repeat(201) }],
])('%s tells nothing', async (_, fields) => {
  expect(readFormField(await formOf(fields), 'model')).toBeUndefined();
});
