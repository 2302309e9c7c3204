import { expect, test } from '@jest/globals';
import { askForStreamUsage } from './stream-options.ts';

const ask = (source: string): string | undefined =>
  askForStreamUsage(Buffer.from(source), JSON.parse(source))?.toString();

test.each([
  [' { "stream" : true, "seed": 1.50 }', ' {"stream_options":{"include_usage":true}, "stream" : true, "seed": 1.50 }'],
  [
    '{"stream":true,"stream_options":{"include_obfuscation":false}}',
    '{"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}',
  ],
  ['{"stream":true,"stream_options":{}}', '{"stream":true,"stream_options":{"include_usage":true}}'],
  ['{"stream":true,"stream_options": null}', '{"stream":true,"stream_options": {"include_usage":true}}'],
  [
    '{"stream":true,"stream_options":{"include_usage": false}}',
    '{"stream":true,"stream_options":{"include_usage": true}}',
  ],
])('%s asks', (source, expected) => {
  expect(ask(source)).toBe(expected);
});

test.each([
  ['a request that does not stream', '{"stream":false}'],
  ['one that asks by itself', '{"stream":true,"stream_options":{"include_usage":true}}'],
  [
    'one that says no where a text says it as well',
    '{"stream":true,"stream_options":{"include_usage":false},"x":{"include_usage":false}}',
  ],
  ['options that are no object', '{"stream":true,"stream_options":[]}'],
])('%s stays as it is', (_, source) => {
  expect(ask(source)).toBeUndefined();
});
