import type { EventSeverity } from '@portcullis/contracts/gateway-events';

/** An alert or event for a SIEM, before it has the format of a product. */
export interface SiemItem {
  /** The same each time it is sent: what comes twice is known by it. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** What Splunk knows it by. */
  readonly sourcetype: 'portcullis:alert' | 'portcullis:event';
  /** In the Elastic Common Schema. */
  ecs(): Readonly<Record<string, unknown>>;
  /** The event of our own, with both schemas in it. */
  body(): Readonly<Record<string, unknown>>;
}

export const ecsVersion = '8.11.0';
export const ocsfVersion = '1.3.0';

/** Of ECS, where higher is worse; the numbers are ours, as ECS leaves them to the source. */
export const ecsSeverity: Readonly<Record<EventSeverity, number>> = {
  Info: 1,
  Low: 21,
  Medium: 47,
  High: 73,
  Critical: 99,
};

/** OCSF 1.3, `severity_id`. */
export const ocsfSeverity: Readonly<Record<EventSeverity, number>> = {
  Info: 1,
  Low: 2,
  Medium: 3,
  High: 4,
  Critical: 5,
};

export const product = { vendor: 'Portcullis', product: 'AI security gateway' };

/** Sources that come from no client are words. */
export const isAddress = (source: string): boolean => /^(?:[0-9.]+|[0-9a-fA-F.]*:[0-9a-fA-F:.]+)$/.test(source);
