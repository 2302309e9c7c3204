import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { ChannelName } from '@portcullis/contracts/channels';
import type { Alert, OutgoingAlert } from '@portcullis/contracts/events';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { SettingsSection } from '@portcullis/contracts/settings';
import type { OpenSection } from '@portcullis/platform/settings/open-section';
import type { DeliveryOutcome } from '../../senders/delivery-outcome.ts';
import type { HttpSender } from '../../senders/http-sender.ts';
import type { MailSender } from '../../senders/mail-sender.ts';
import type { SyslogSender } from '../../senders/syslog-sender.ts';

/** Where alerts go by the settings of a channel. */
export interface Destination {
  readonly enabled: boolean;
  /** What has to be set before anything can be sent, as a sentence for admins; undefined when nothing is missing. */
  readonly missing: string | undefined;
  /** The event that the audit log gets for each alert that was delivered. */
  readonly audited?: AuditEventType;
  accepts(alert: Alert): boolean;
  /** Sends an alert, or a digest of many. Never rejects. */
  send(alert: OutgoingAlert, signal: AbortSignal): Promise<DeliveryOutcome>;
  /** Undefined where it takes alerts alone. */
  readonly events?: EventDestination;
  /** Shows that address and credentials are right, with a message that says it is a test. Never rejects. */
  verify(signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** Where what happens beside alerts goes. */
export interface EventDestination {
  accepts(event: Pick<GatewayEvent, 'kind'>): boolean;
  /** Never rejects. */
  send(event: GatewayEvent, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** What channels send with. */
export interface ChannelTools {
  readonly http: HttpSender;
  readonly mail: MailSender;
  readonly syslog: SyslogSender;
}

/** Of channels that send batches: what is under way at once is what can be gathered. */
export const batchConcurrency = 500;

/** One kind of destination for alerts: a folder in `channels`, a row in `channels.ts`. */
export interface Channel<Section extends SettingsSection = SettingsSection> {
  readonly name: ChannelName;
  readonly section: Section;
  /** Attempts under way at once; few unless given. */
  readonly concurrency?: number;
  open(section: OpenSection<Section>, tools: ChannelTools): Destination;
}
