import { expect, test } from '@jest/globals';
import { createChatBodies, placeName, writeSerial } from './chat-bodies.ts';

test('bodies are distinct valid chats of the exact size', () => {
  const bodies = createChatBodies(50, 2_048, true);
  expect(new Set(bodies.map(String)).size).toBe(50);
  for (const body of bodies) {
    expect(body.length).toBe(2_048);
    expect(JSON.parse(String(body))).toMatchObject({ stream: true, messages: [{ role: 'system' }, { role: 'user' }] });
  }
});

test('the serial number is written into the body, wherever the body starts', () => {
  const [body = Buffer.alloc(0)] = createChatBodies(1, 512, false);
  const request = Buffer.concat([Buffer.from('HEAD'), body]);
  writeSerial(request, 4, 1_234_567);
  expect(JSON.parse(String(request.subarray(4)))).toMatchObject({ user: 'bench-0001234567' });
});

test('each serial number gives the text a name of its own, and changes nothing else', () => {
  const [body = Buffer.alloc(0)] = createChatBodies(1, 512, false);
  const texts = [1, 2, 312_499_999].map((serial) => {
    writeSerial(body, 0, serial);
    const { messages } = JSON.parse(String(body)) as { messages: { content: string }[] };
    return messages[1]?.content.replace(placeName(serial), '*');
  });
  expect(texts[0]).toMatch(/^Dear friends in \*, listen\. The /);
  expect(new Set(texts).size).toBe(1);
  expect(new Set(Array.from({ length: 100_000 }, (_, serial) => placeName(serial))).size).toBe(100_000);
});
