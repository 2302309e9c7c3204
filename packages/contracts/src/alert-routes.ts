import type { Route } from './route.ts';
import { addAlertNote, assignAlert, listAlertAssignees, listAlertNotes, reopenAlert } from './routes/alert-work.ts';
import {
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert,
  deleteOldAlerts,
  exportAlerts,
  getAlert,
  getAlertStats,
  listAlerts,
  setAlertStatus,
} from './routes/alerts.ts';

/** Alerts, and what people do about them. */
export const alertRoutes: readonly Route[] = [
  listAlerts,
  getAlertStats,
  exportAlerts,
  getAlert,
  setAlertStatus,
  reopenAlert,
  assignAlert,
  listAlertAssignees,
  addAlertNote,
  listAlertNotes,
  bulkAcknowledgeAlerts,
  bulkResolveAlerts,
  deleteAlert,
  deleteOldAlerts,
];
