import { X509Certificate } from 'node:crypto';

const certificates = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Why a text is not a list of certificates in PEM, or undefined when it is one, or null. */
export function checkCertificates(text: string | null): string | undefined {
  if (text === null) return undefined;
  const found = text.match(certificates) ?? [];
  if (found.length === 0 || text.replace(certificates, '').trim() !== '') {
    return 'must be one or more certificates in PEM, and nothing else';
  }
  const broken = found.findIndex((pem) => !isCertificate(pem));
  return broken === -1 ? undefined : `certificate ${broken + 1} cannot be read`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
