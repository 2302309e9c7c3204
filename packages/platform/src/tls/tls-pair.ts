import { createPrivateKey, createHash, X509Certificate } from 'node:crypto';
import { problemText } from '../errors/problem.ts';

/** A certificate with those that lead to its authority, and its key, which fit each other. */
export interface TlsPair {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  readonly certificates: readonly CertificateFacts[];
}

/** What is said of a certificate; nothing of it is secret. */
export interface CertificateFacts {
  /** In one line, the most general part first. */
  readonly subject: string;
  /** SHA-256, hex. */
  readonly fingerprint: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** More of them are no chain. */
const maxCertificates = 200;
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** @throws {Error} whose message completes "the certificate ..." */
export function parseTlsPairOrThrow(cert: string, key: string): TlsPair {
  const certificates = parseCertificatesOrThrow(cert);
  const leaf = certificates[0] as X509Certificate;
  let fits: boolean;
  try {
    fits = leaf.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Error('goes with a key that cannot be read: it must be an unencrypted private key (PEM)', {
      cause: error,
    });
  }
  if (!fits) throw new Error('does not fit the key');
  return { cert, key, certificates: certificates.map(renderFacts) };
}

/** The certificates of authorities. @throws {Error} whose message completes "the certificate ..." */
export const parseAuthoritiesOrThrow = (pem: string): readonly CertificateFacts[] =>
  parseCertificatesOrThrow(pem).map(renderFacts);

function parseCertificatesOrThrow(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(block) ?? [];
  if (blocks.length === 0) throw new Error('cannot be read: its file holds none (PEM)');
  if (blocks.length > maxCertificates) throw new Error(`is one of more than ${maxCertificates} in its file`);
  try {
    return blocks.map((text) => new X509Certificate(text));
  } catch (error) {
    throw new Error(`cannot be read: ${problemText(error)}`, { cause: error });
  }
}

const renderFacts = (certificate: X509Certificate): CertificateFacts => ({
  subject: certificate.subject.replaceAll('\n', ', '),
  fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
  startsAt: certificate.validFromDate,
  endsAt: certificate.validToDate,
});
