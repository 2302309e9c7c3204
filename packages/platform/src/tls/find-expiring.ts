import type { CertificateFacts } from './tls-pair.ts';
import type { ExpiringCertificate } from './tls.ts';

const dayMs = 86_400_000;
const warnDays = 14;

/** Those of the certificates that end within 14 days, or have ended. */
export const findExpiring = (
  name: string,
  certificates: readonly CertificateFacts[],
  nowMs: number,
): readonly ExpiringCertificate[] =>
  certificates
    .map(({ subject, fingerprint, endsAt }) => ({
      name,
      subject,
      fingerprint,
      endsAt,
      daysLeft: Math.floor((endsAt.getTime() - nowMs) / dayMs),
    }))
    .filter(({ daysLeft }) => daysLeft < warnDays);
