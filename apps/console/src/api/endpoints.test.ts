import { expect, test } from '@jest/globals';
import * as alertGroups from '@portcullis/contracts/routes/alert-groups';
import * as alertWork from '@portcullis/contracts/routes/alert-work';
import * as alerts from '@portcullis/contracts/routes/alerts';
import * as approvals from '@portcullis/contracts/routes/approvals';
import * as auth from '@portcullis/contracts/routes/auth';
import * as browserSessions from '@portcullis/contracts/routes/browser-sessions';
import * as proxies from '@portcullis/contracts/routes/proxies';
import * as requests from '@portcullis/contracts/routes/requests';
import * as sessions from '@portcullis/contracts/routes/sessions';
import * as signIn from '@portcullis/contracts/routes/sign-in';
import * as system from '@portcullis/contracts/routes/system';
import { endpoints } from './endpoints.ts';

const contracts = {
  approvals,
  sessions,
  alertGroups,
  alertWork,
  alerts,
  auth,
  browserSessions,
  proxies,
  requests,
  signIn,
  system,
};
const renamed: Readonly<Record<string, string>> = {
  openSession: 'openBrowserSession',
  getSession: 'getCurrentSession',
  getAgentSession: 'getSession',
};

test.each(Object.entries(endpoints))('%s is a route of the contract', (name, { method, path }) => {
  const routes: Record<string, unknown> = Object.assign({}, ...Object.values(contracts));
  expect(routes[renamed[name] ?? name]).toMatchObject({ method, path });
});
