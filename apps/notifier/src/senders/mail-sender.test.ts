import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@portcullis/platform/config/secret';
import { startSmtpPeer, type SmtpPeerOptions } from '@portcullis/testkit/smtp-peer';
import {
  createTestAuthority,
  trustAuthority,
  type TestAuthority,
  type TestPair,
} from '@portcullis/testkit/test-authority';
import { createMailSender, type OutgoingMail } from './mail-sender.ts';

let authority: TestAuthority;
let pair: TestPair;
let trusted: Disposable;
beforeAll(async () => {
  authority = await createTestAuthority();
  trusted = trustAuthority(authority);
  pair = await authority.issue({ subject: 'CN=mail' });
});
afterAll(() => trusted[Symbol.dispose]());

const login = { username: 'gateway', password: 'mail password' };

async function send(peerOptions: SmtpPeerOptions, change: Partial<OutgoingMail> = {}, allowPrivate = true) {
  await using peer = await startSmtpPeer(peerOptions);
  const mail: OutgoingMail = {
    host: '127.0.0.1',
    port: peer.port,
    tls: 'starttls',
    login: { username: login.username, password: new Secret(login.password) },
    from: 'gateway@example.com',
    to: ['ann@example.com', 'bob@example.com'],
    id: 'alert-7',
    subject: '[AI Security Alert] High: Wörter',
    text: 'plain words',
    html: '<p>rich words</p>',
    ...change,
  };
  const outcome = await createMailSender({ allowPrivate }).send(mail, new AbortController().signal);
  return { outcome, mails: peer.mails };
}

describe('mails', () => {
  test('go over STARTTLS with a login, as HTML with plain text beside it', async () => {
    const { outcome, mails } = await send({ pair, login });
    expect(outcome).toEqual({ kind: 'delivered', status: null });
    expect(mails).toMatchObject([
      { from: 'gateway@example.com', to: ['ann@example.com', 'bob@example.com'], isEncrypted: true, user: 'gateway' },
    ]);
    const raw = mails[0]?.raw ?? '';
    expect(raw).toContain('Message-ID: <portcullis-alert-7@example.com>');
    expect(raw).toContain('Subject: =?UTF-8?Q?=5BAI_Security_Alert=5D_High=3A_W=C3=B6r?=');
    expect(raw).toContain('multipart/alternative');
    expect(raw).toContain('plain words');
    expect(raw).toContain('<p>rich words</p>');
  });

  test('go over TLS from the first byte', async () => {
    const { outcome, mails } = await send({ pair, login, implicitTls: true }, { tls: 'implicit' });
    expect(outcome.kind).toBe('delivered');
    expect(mails).toMatchObject([{ isEncrypted: true, user: 'gateway' }]);
  });

  test('go without TLS and without a login where an admin has said so', async () => {
    const { outcome, mails } = await send({}, { tls: 'none', login: undefined });
    expect(outcome.kind).toBe('delivered');
    expect(mails).toMatchObject([{ isEncrypted: false, user: undefined }]);
  });

  test.each<[string, SmtpPeerOptions, Partial<OutgoingMail>, object]>([
    [
      'a server that offers no TLS',
      {},
      {},
      { kind: 'refused', reason: 'The mail server offers no TLS, which use_tls asks for' },
    ],
    [
      'a wrong password',
      { login },
      { login: { username: 'gateway', password: new Secret('wrong') } },
      { kind: 'refused', status: 535, reason: 'The mail server does not accept the user name and password' },
    ],
    [
      'recipients that the server never takes',
      { refuse: { recipient: 'ann@example.com', code: 550 } },
      { to: ['ann@example.com'], login: undefined },
      { kind: 'refused', status: 550, reason: 'The mail server refused the mail with 550' },
    ],
    [
      'recipients that the server does not take now',
      { refuse: { recipient: 'ann@example.com', code: 451 } },
      { to: ['ann@example.com'], login: undefined },
      { kind: 'failed', status: 451, reason: 'The mail server refused the mail with 451' },
    ],
    [
      'a port at which nothing listens',
      {},
      { port: 1 },
      { kind: 'failed', reason: expect.stringContaining('refused at this port (ECONNREFUSED)') },
    ],
    [
      'a name that is not there',
      {},
      { host: 'mail.invalid' },
      { kind: 'failed', reason: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    ],
  ])('%s: the reason is told', async (name, options, change, outcome) => {
    const needsTls = name !== 'a server that offers no TLS';
    expect((await send({ ...(needsTls && { pair }), ...options }, change)).outcome).toMatchObject(outcome);
  });

  test('a certificate of an authority that is not trusted is told, and nothing is sent', async () => {
    const foreign = await (await createTestAuthority('CN=Foreign')).issue({ subject: 'CN=mail' });
    const { outcome, mails } = await send({ pair: foreign, login });
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('certificate') });
    expect(mails).toEqual([]);
  });

  test('an internal server is not reached', async () => {
    const { outcome, mails } = await send({ pair, login }, {}, false);
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('must not point to this machine'),
    });
    expect(mails).toEqual([]);
  });

  test('one that never answers is given up when the service stops', async () => {
    await using peer = await startSmtpPeer({ pair, login });
    const stopping = AbortSignal.abort();
    const mail = {
      host: '127.0.0.1',
      port: peer.port,
      tls: 'starttls' as const,
      login: undefined,
      from: 'a@b',
      to: ['c@d'],
    };
    const outcome = await createMailSender({ allowPrivate: true }).send(
      { ...mail, id: '1', subject: 's', text: 't' },
      stopping,
    );
    expect(outcome).toMatchObject({ kind: 'failed' });
  });
});
