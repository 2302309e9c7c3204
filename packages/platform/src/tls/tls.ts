import type { RequestListener, Server, ServerOptions } from 'node:http';

/** How a port speaks. */
export interface PortTls {
  /** A pair of TLS_PAIRS_DIR instead of that of the process. */
  readonly pair?: string | null;
  /** Asks clients for a certificate where TLS_CLIENT_CA_FILE says whose are good. They need one where TLS_CLIENT_AUTH says so. */
  readonly asksClients?: boolean;
}

/** Makes the server of a port, not listening yet. */
export type CreateServer = (options: ServerOptions, listener: RequestListener) => Server;

/** The certificates of this process, kept in step with their files. */
export interface Tls extends AsyncDisposable {
  /** Whether ports without a pair of their own speak TLS. */
  readonly enabled: boolean;
  /**
   * How servers of a port are made: in clear only where the process has no pair and the port names none.
   * @throws {Error} naming the pair that cannot be used
   */
  prepare(port: PortTls): Promise<CreateServer>;
  /** Forgets named pairs but these. */
  keepOnly(pairs: ReadonlySet<string>): void;
  /** Called when a pair that could not be used can be. */
  onMended(listener: () => void): void;
  /** One line each, for the health report: what cannot be read, and what ends soon. */
  problems(nowMs?: number): readonly string[];
  /** The certificates in use that end within 14 days, or have. */
  ending(nowMs?: number): readonly ExpiringCertificate[];
}

export interface ExpiringCertificate {
  /** Where it comes from, for example `TLS_CERT_FILE`. */
  readonly name: string;
  readonly subject: string;
  readonly fingerprint: string;
  readonly endsAt: Date;
  /** Whole days that are left; negative when it has ended. */
  readonly daysLeft: number;
}
