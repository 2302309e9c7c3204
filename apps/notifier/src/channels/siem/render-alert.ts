import type { Alert, OutgoingAlert } from '@portcullis/contracts/events';
import { readAlertFacts } from '../shared/alert-facts.ts';
import { ecsSeverity, ecsVersion, isAddress, ocsfSeverity, ocsfVersion, product, type SiemItem } from './siem-item.ts';

const isBlock = ({ action }: Pick<Alert, 'action'>): boolean => action === 'Block';

/**
 * An alert in the Elastic Common Schema, version 8.11. Fields that ECS does not have are below `portcullis`.
 * https://www.elastic.co/guide/en/ecs/8.11
 */
function renderEcs(alert: OutgoingAlert): Readonly<Record<string, unknown>> {
  const { description, evidence } = readAlertFacts(alert);
  return {
    '@timestamp': alert.created_at,
    ecs: { version: ecsVersion },
    message: description,
    event: {
      id: String(alert.id),
      kind: 'alert',
      category: ['intrusion_detection'],
      type: [isBlock(alert) ? 'denied' : 'info'],
      action: alert.action.toLowerCase(),
      severity: ecsSeverity[alert.severity],
      module: 'portcullis',
      dataset: 'portcullis.alert',
      created: alert.created_at,
      ...(alert.url !== undefined && { url: alert.url }),
    },
    observer: { ...product, type: 'gateway' },
    rule: { id: alert.rule_id, name: alert.title, ruleset: alert.policy_name },
    ...(isAddress(alert.source) && { source: { ip: alert.source } }),
    ...(alert.user_identity !== null && { user: { name: alert.user_identity } }),
    ...(alert.user_group !== null && { group: { name: alert.user_group } }),
    portcullis: {
      alert_id: alert.id,
      severity: alert.severity,
      category: alert.category,
      proxy_id: alert.proxy_id,
      proxy_type: alert.proxy_type,
      request_id: alert.request_id,
      target: alert.target,
      evidence,
    },
  };
}

/** An alert as an OCSF 1.3 Detection Finding. https://schema.ocsf.io/1.3.0/classes/detection_finding */
function renderOcsf(alert: OutgoingAlert): Readonly<Record<string, unknown>> {
  const { title, description, evidence } = readAlertFacts(alert);
  return {
    category_uid: 2,
    class_uid: 2004,
    activity_id: 1,
    type_uid: 200_401,
    time: Date.parse(alert.created_at),
    severity_id: ocsfSeverity[alert.severity],
    severity: alert.severity,
    status_id: 1,
    message: description,
    // The gateway has the profile of a control: it says what it did.
    action_id: isBlock(alert) ? 2 : 1,
    disposition_id: isBlock(alert) ? 2 : 17,
    metadata: {
      version: ocsfVersion,
      profiles: ['security_control'],
      product: { name: product.product, vendor_name: product.vendor },
    },
    finding_info: {
      uid: String(alert.id),
      title,
      desc: description,
      ...(alert.url !== undefined && { src_url: alert.url }),
      created_time: Date.parse(alert.created_at),
      types: [alert.category],
      analytic: { type_id: 1, uid: alert.rule_id, name: alert.policy_name },
    },
    evidences: [
      {
        data: { evidence, target: alert.target },
        ...(isAddress(alert.source) && { src_endpoint: { ip: alert.source } }),
        ...(alert.user_identity !== null && { actor: { user: { name: alert.user_identity } } }),
      },
    ],
  };
}

/** An alert for any of the formats. */
export const alertItem = (alert: OutgoingAlert): SiemItem => ({
  id: `portcullis-alert-${alert.id}`,
  time: alert.created_at,
  sourcetype: 'portcullis:alert',
  ecs: () => renderEcs(alert),
  body: () => renderBody(alert),
});

/** Flat fields for products that map by themselves, and both schemas beside them. */
function renderBody(alert: OutgoingAlert): Readonly<Record<string, unknown>> {
  const { title, description, evidence } = readAlertFacts(alert);
  return {
    timestamp: alert.created_at,
    event_id: `portcullis-alert-${alert.id}`,
    source: 'portcullis',
    event_type: 'security_alert',
    severity: alert.severity,
    category: alert.category,
    title,
    message: description,
    action: alert.action,
    source_ip: isAddress(alert.source) ? alert.source : null,
    target: alert.target,
    user: alert.user_identity,
    user_group: alert.user_group,
    policy_name: alert.policy_name,
    rule_id: alert.rule_id,
    proxy_id: alert.proxy_id,
    request_id: alert.request_id,
    alert_url: alert.url ?? null,
    evidence,
    ecs: renderEcs(alert),
    ocsf: renderOcsf(alert),
  };
}
