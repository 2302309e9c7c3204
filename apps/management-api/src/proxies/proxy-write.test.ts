import { expect, test } from '@jest/globals';
import { withWebTarget } from './proxy-write.ts';

test.each([
  [{ target: 'ws://127.0.0.1:9/mcp' }, { target: 'http://127.0.0.1:9/mcp', transport: 'websocket' }],
  [{ target: 'wss://mcp.example.com' }, { target: 'https://mcp.example.com', transport: 'websocket' }],
  [
    { target: 'wss://mcp.example.com', transport: 'http' },
    { target: 'https://mcp.example.com', transport: 'http' },
  ],
  [{ target: 'https://mcp.example.com' }, { target: 'https://mcp.example.com' }],
  [{}, {}],
] as const)('a target as it is written, %j, and as it is kept', (given, kept) => {
  expect(withWebTarget(given)).toEqual(kept);
});
