import { describe, expect, test } from '@jest/globals';
import { parseOptionsOrThrow, UsageProblem } from './options.ts';

describe('the command line', () => {
  test.each([
    [[], { only: [], quick: false, gateway: 'one process' }],
    [['--servers', '--quick'], { quick: true, gateway: 'services' }],
    [
      ['--url', 'http://localhost:8080/ui', '--username', 'root'],
      { gateway: { url: 'http://localhost:8080', username: 'root' } },
    ],
    [['--only', 'keys', '--only', 'flood'], { only: ['keys', 'flood'] }],
  ])('%j', (parameters, options) => {
    expect(parseOptionsOrThrow(parameters)).toMatchObject(options);
  });

  test.each([
    [['--what'], '--what'],
    [['--servers', '--url', 'http://localhost'], '--servers'],
    [['--url', 'localhost:8080'], '--url'],
  ])('is refused with a reason: %j', (parameters, reason) => {
    expect(() => parseOptionsOrThrow(parameters)).toThrow(UsageProblem);
    expect(() => parseOptionsOrThrow(parameters)).toThrow(reason);
  });
});
