import type { CertificateFacts } from './tls-pair.ts';
import type { EndingCertificate } from './tls.ts';

const dayMs = 86_400_000;
const toldForDays = 14;

/** Those of the certificates that end within 14 days, or have ended. */
export const findEnding = (
  name: string,
  certificates: readonly CertificateFacts[],
  nowMs: number,
): readonly EndingCertificate[] =>
  certificates
    .map(({ subject, fingerprint, endsAt }) => ({
      name,
      subject,
      fingerprint,
      endsAt,
      daysLeft: Math.floor((endsAt.getTime() - nowMs) / dayMs),
    }))
    .filter(({ daysLeft }) => daysLeft < toldForDays);
