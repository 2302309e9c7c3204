import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { renderWelcome } from './welcome.ts';

const start = {
  version: '1.2.3',
  secure: false,
  host: '0.0.0.0',
  port: 8080,
  dataDirectory: '/srv/data',
  username: 'admin',
  password: undefined,
};

test('says where it is, who the admin is and where the data lies', () => {
  const welcome = renderWelcome(start);
  expect(welcome).toContain('Portcullis 1.2.3 is ready: http://localhost:8080\n');
  expect(welcome).toMatch(/^ {2}admin user {2}admin$/m);
  expect(welcome).toMatch(/^ {2}password {4}as set at the first start$/m);
  expect(welcome).toMatch(/^ {2}data {8}\/srv\/data$/m);
});

test('shows a password that was made up in this start', () => {
  expect(renderWelcome({ ...start, password: 'made up' })).toContain(
    '  password    made up   (shown only this once)\n',
  );
});

test.each([
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['fd00::1', 'http://[fd00::1]:8080'],
])('listening on %s is reached at %s', (host, url) => {
  expect(renderWelcome({ ...start, host })).toContain(`${url}/api/v1/health`);
});

test('a gateway with a certificate is reached over TLS', () => {
  expect(renderWelcome({ ...start, secure: true })).toContain('https://localhost:8080/api/v1/health');
});

test('the login it proposes survives a shell, for any name', () => {
  const welcome = renderWelcome({ ...start, username: `o'brien $HOME "x"`, password: 'p' });
  const body = /-d ('.*')$/m.exec(welcome)?.[1] ?? '';
  const text = execFileSync('sh', ['-c', `printf %s ${body}`], { encoding: 'utf8' });
  expect(JSON.parse(text)).toEqual({ username: `o'brien $HOME "x"`, password: 'p' });
});
