import { describe, expect, test } from '@jest/globals';
import { policyOf } from '../../../test/random-pattern.ts';
import { compilePolicies } from '../compile/compile-policies.ts';
import { finish } from '../../collections/finish-steps.ts';

const context = { direction: 'request', protocol: 'llm' } as const;
const plan = compilePolicies([policyOf(['needle in hay', 'AKIA[A-Z0-9]{16}', 'lowneedle'], 'block')]);
const prose = 'There is a needle in hay somewhere, and nobody has looked for it yet. '.repeat(40);
const key = 'AKIAIOSFODNN7EXAMPLE';

/** Bytes that look like those of a compressed file, the same in every run. */
function noise(length: number): Buffer {
  let seed = 7;
  return Buffer.from(
    Array.from({ length }, () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    }),
  );
}
const png = (rest: Buffer): Buffer => Buffer.concat([Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1'), rest]);
/** Both ways of reading come to the same. */
function find(text: string): readonly string[] {
  const found = plan.scan(text, context).map(({ view, evidence }) => `${view}: ${evidence}`);
  const other = compilePolicies([policyOf(['needle in hay', 'AKIA[A-Z0-9]{16}', 'lowneedle'], 'block')]);
  expect(finish(other.scanCooperatively(text, context)).map(({ view, evidence }) => `${view}: ${evidence}`)).toEqual(
    found,
  );
  return found;
}
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
/** A run with a key in its middle. */
const withKey = (run: string): string => `${run.slice(0, run.length >> 1)}${key}${run.slice(run.length >> 1)}`;

describe.each([3_000, 90_000])('a long run of base64 of %i bytes', (size) => {
  test('that is data holds nothing that looks like a key', () => {
    expect(find(withKey(base64(png(noise(size)))))).toEqual([]);
    expect(find(withKey(base64(noise(size))))).toEqual([]);
    expect(find(`data:image/png;base64,${withKey(base64(png(Buffer.alloc(size))))}`)).toEqual([]);
  });

  test('that is a text is read, regardless of its declared type', () => {
    const text = prose.repeat(Math.ceil(size / prose.length));
    for (const said of ['', 'data:image/png;base64,', 'data:application/json;base64,', 'x']) {
      expect(find(`${said}${base64(text)}`)).toContain('base64: needle in hay');
    }
    expect(find(base64(Buffer.from(text, 'utf16le')))).toContain('base64: needle in hay');
    expect(find(base64(text).replaceAll(/.{76}/g, '$&\r\n'))).toContain('base64: needle in hay');
    expect(find(Buffer.from(text).toString('hex'))).toContain('hex: needle in hay');
  });

  test('that only begins like a picture is read where it is a text', () => {
    const file = png(Buffer.concat([noise(size), Buffer.from(' there is a needle in hay here, too '), noise(size)]));
    expect(find(base64(file))).toEqual(['base64: needle in hay']);
    expect(find(base64(png(Buffer.from(prose))))).toContain('base64: needle in hay');
  });

  test('hides no words that are written without spaces in it', () => {
    const words = `${'ignore-what-stands-here-'.repeat(60)}lowneedle${'-and-everything-else'.repeat(60)}`;
    expect(find(`${base64(png(noise(size))).slice(0, 2_048)}${words}`)).toEqual(['plain: lowneedle']);
    expect(find(words)).toEqual(['plain: lowneedle']);
    const mixed = `${'iGnOrE-wHaT-sTaNdS-hErE-'.repeat(60)}lowneedle${'-AnD-eVeRyThInG-eLsE'.repeat(60)}`;
    expect(find(`${base64(png(noise(size))).slice(0, 2_048)}${mixed}`)).toEqual(['plain: lowneedle']);
  });
});

test('what stands behind a picture is found where it stands', () => {
  const text = `${base64(png(noise(9_000)))} ${key} end`;
  const [finding] = plan.scan(text, context);
  expect(text.slice(finding?.start, finding?.end)).toBe(key);
  expect(finding).toMatchObject({ view: 'plain', mapped: true });
});
