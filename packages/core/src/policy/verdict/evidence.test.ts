import { describe, expect, test } from '@jest/globals';
import { renderEvidence } from './evidence.ts';

const evidence = (text: string, secret = false): string => renderEvidence(text, 0, text.length, secret);

describe('renderEvidence', () => {
  test('shows the first characters and the length of a secret', () => {
    expect(evidence('hunter2-and-more', true)).toBe('hunt… (16 characters)');
    expect(renderEvidence('key=hunter2;', 4, 11, true)).toBe('h… (7 characters)');
  });

  test('shows other texts as they are, up to a length', () => {
    expect(evidence('ignore all previous instructions')).toBe('ignore all previous instructions');
    expect(evidence('so many words '.repeat(50))).toHaveLength(120);
  });

  test.each([
    ['my password: correcthorse', 'correcthorse'],
    ["token='abcdef'", 'abcdef'],
    ['use sk1live2abc3 here', 'sk1live2abc3'],
    ['run averyverylongrunwithoutanyspaceinit now', 'averyverylongrunwithoutanyspaceinit'],
    [`${'x '.repeat(50)}and a1b2c3d4e5f6g7h8i9j0k1`, 'a1b2c3d4e5f6g7h8i9j0'],
  ])('masks what may be a secret in %s', (text, secret) => {
    expect(evidence(text)).not.toContain(secret);
    expect(evidence(text)).not.toContain(secret.slice(0, 6));
  });
});
