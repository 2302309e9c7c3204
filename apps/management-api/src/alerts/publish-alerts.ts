import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import { renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Bus } from '@portcullis/platform/coordination/coordination';

/** Tells live watchers of alerts that have changed. */
export async function publishAlerts(bus: Bus, alerts: readonly AlertRow[]): Promise<void> {
  const events = alerts.map((alert): LiveEvent => ({ type: 'alert', payload: renderAlert(alert) }));
  // The change is stored; that no client hears of it at once is no reason to report a failure.
  await Promise.all(events.map((event) => bus.publish(liveEventsTopic, event))).catch(() => undefined);
}
