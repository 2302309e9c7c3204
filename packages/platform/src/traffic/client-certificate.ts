import { parseCertificateSubject } from '@portcullis/core/identity/distinguished-name';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** What a client showed when its connection was made. */
export type ShownCertificate =
  | { readonly valid: true; readonly subject: string; readonly expiresAtMs: number }
  | { readonly valid: false };

const known = new WeakMap<Socket, ShownCertificate | { readonly none: true }>();
const none = Object.freeze({ none: true });

/**
 * The certificate that the client of a connection showed; undefined without one, or where the port does not ask.
 * A resumed connection without one counts as `authorized` for some versions of TLS: only a certificate that is there does.
 */
export function findClientCertificate(socket: Socket): ShownCertificate | undefined {
  if (!('encrypted' in socket)) return undefined;
  const before = known.get(socket);
  if (before !== undefined) return 'none' in before ? undefined : before;
  const shown = readCertificate(socket as TLSSocket);
  known.set(socket, shown ?? none);
  return shown;
}

function readCertificate(socket: TLSSocket): ShownCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const subject = parseCertificateSubject(certificate.subject);
  if (!socket.authorized || subject === undefined) return { valid: false };
  return { valid: true, subject, expiresAtMs: certificate.validToDate.getTime() };
}
