import { expect, test } from '@jest/globals';
import { calledCard } from './called-card.ts';

const one = (url: string, protocolBinding: string, protocolVersion: string) => ({
  url,
  protocolBinding,
  protocolVersion,
});
const card = {
  supportedInterfaces: [
    one('http://0.0.0.0:80/http', 'HTTP+JSON', '1.0'),
    one('http://0.0.0.0:80/rpc', 'JSONRPC', '0.3'),
    one('http://0.0.0.0:80/rpc', 'JSONRPC', '1.0'),
  ],
};

test('is the card itself without an address of the admin’s', () => {
  expect(calledCard(card, null)).toBe(card);
});

test('has the interfaces of the address that would be called first, at that of the admin', () => {
  expect(calledCard(card, 'https://maps.example/rpc').supportedInterfaces).toEqual([
    one('https://maps.example/rpc', 'JSONRPC', '0.3'),
    one('https://maps.example/rpc', 'JSONRPC', '1.0'),
  ]);
  const rest = { supportedInterfaces: card.supportedInterfaces.slice(0, 1) };
  expect(calledCard(rest, 'https://maps.example').supportedInterfaces).toEqual([
    one('https://maps.example', 'HTTP+JSON', '1.0'),
  ]);
});
