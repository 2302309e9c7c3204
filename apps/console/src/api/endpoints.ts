import type * as alertGroups from '@portcullis/contracts/routes/alert-groups';
import type * as alertWork from '@portcullis/contracts/routes/alert-work';
import type * as alerts from '@portcullis/contracts/routes/alerts';
import type * as approvals from '@portcullis/contracts/routes/approvals';
import type * as auth from '@portcullis/contracts/routes/auth';
import type * as browserSessions from '@portcullis/contracts/routes/browser-sessions';
import type * as proxies from '@portcullis/contracts/routes/proxies';
import type * as requests from '@portcullis/contracts/routes/requests';
import type * as sessions from '@portcullis/contracts/routes/sessions';
import type * as signIn from '@portcullis/contracts/routes/sign-in';
import type * as system from '@portcullis/contracts/routes/system';
import { endpoint } from './endpoint.ts';

/** What the console calls. */
export const endpoints = {
  openSession: endpoint<typeof browserSessions.openBrowserSession>('POST', '/auth/session'),
  getSession: endpoint<typeof browserSessions.getCurrentSession>('GET', '/auth/session'),
  logout: endpoint<typeof auth.logout>('POST', '/auth/logout'),
  changePassword: endpoint<typeof auth.changePassword>('POST', '/auth/change-password'),
  listSignInProviders: endpoint<typeof signIn.listSignInProviders>('GET', '/auth/oauth/providers'),

  getHealth: endpoint<typeof system.getHealth>('GET', '/health'),
  listProxies: endpoint<typeof proxies.listProxies>('GET', '/proxies'),

  listAlerts: endpoint<typeof alerts.listAlerts>('GET', '/system/alerts'),
  getAlert: endpoint<typeof alerts.getAlert>('GET', '/system/alerts/:id'),
  getAlertStats: endpoint<typeof alerts.getAlertStats>('GET', '/system/alerts/stats'),
  listAlertGroups: endpoint<typeof alertGroups.listAlertGroups>('GET', '/system/alerts/groups'),
  setAlertStatus: endpoint<typeof alerts.setAlertStatus>('PUT', '/system/alerts/:id/status'),
  addAlertNote: endpoint<typeof alertWork.addAlertNote>('POST', '/system/alerts/:id/notes'),
  assignAlert: endpoint<typeof alertWork.assignAlert>('PUT', '/system/alerts/:id/assignee'),
  reopenAlert: endpoint<typeof alertWork.reopenAlert>('POST', '/system/alerts/:id/reopen'),
  bulkUpdateAlerts: endpoint<typeof alertWork.bulkUpdateAlerts>('POST', '/system/alerts/bulk'),

  listRequests: endpoint<typeof requests.listRequests>('GET', '/requests'),
  getRequest: endpoint<typeof requests.getRequest>('GET', '/requests/:request_id'),
  listSessions: endpoint<typeof sessions.listSessions>('GET', '/sessions'),
  getAgentSession: endpoint<typeof sessions.getSession>('GET', '/sessions/:session_id'),

  listApprovals: endpoint<typeof approvals.listApprovals>('GET', '/approvals'),
  getApproval: endpoint<typeof approvals.getApproval>('GET', '/approvals/:id'),
  grantApproval: endpoint<typeof approvals.grantApproval>('POST', '/approvals/:id/approve'),
  rejectApproval: endpoint<typeof approvals.rejectApproval>('POST', '/approvals/:id/reject'),
} as const;
