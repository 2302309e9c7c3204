import 'reflect-metadata';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type Extension,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

/** A certificate and its key, as their files hold them (PEM). */
export interface TestPair {
  readonly cert: string;
  readonly key: string;
}

interface IssueOptions {
  /** Subject, for example `CN=agent,O=Example`. */
  readonly subject: string;
  /** Days from now until it ends; negative: it has ended. 30 unless given. */
  readonly days?: number;
  /** For clients instead of for servers on localhost. */
  readonly client?: boolean;
}

/** An authority of one test, with a key that exists in memory only. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  readonly cert: string;
  issue(options: IssueOptions): Promise<TestPair>;
}

/** Makes an authority that issues certificates for `localhost`, 127.0.0.1 and ::1, and for clients. */
export async function createTestAuthority(subject = 'CN=Authority for tests'): Promise<TestAuthority> {
  const authority = await generateKeys();
  const own = await X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys: authority,
    signingAlgorithm: algorithm,
    ...validity(3_650),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });

  return {
    cert: own.toString('pem'),
    async issue({ subject: name, days = 30, client = false }) {
      const keys = await generateKeys();
      const certificate = await X509CertificateGenerator.create({
        subject: name,
        issuer: own.subject,
        publicKey: keys.publicKey,
        signingKey: authority.privateKey,
        signingAlgorithm: algorithm,
        ...validity(days),
        extensions: client ? forClients : forServers,
      });
      const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
      return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
    },
  };
}

const generateKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const validity = (days: number) => ({
  notBefore: new Date(Date.now() - 400 * dayMs),
  notAfter: new Date(Date.now() + days * dayMs),
});

const forClients: Extension[] = [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
const forServers: Extension[] = [
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
  new SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
    { type: 'ip', value: '::1' },
  ]),
];

/**
 * Lets the clients of this process trust an authority until it is disposed. Files of tests share a process and authorities of
 * tests share a name, so one that stayed would be asked in place of the next.
 */
export function trustAuthority({ cert }: Pick<TestAuthority, 'cert'>): Disposable {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, cert]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(usual) };
}
