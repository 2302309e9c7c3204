import { createApiKey } from '@portcullis/contracts/routes/api-keys';
import { createPolicy } from '@portcullis/contracts/routes/policies';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { grantProxyAccess } from '@portcullis/contracts/routes/proxy-access';
import { createUserGroup } from '@portcullis/contracts/routes/user-groups';
import { examplePolicy } from '../example-policy.ts';
import { alertRecord, record, requestLogRecord, usageRecord } from '../records.ts';
import type { TestManagement } from '../start-management.ts';

/** One or a few records of each kind, so that generated requests find something to read and to change. */
export async function seed({ admin, infrastructure, signIn }: TestManagement): Promise<void> {
  const group = await admin.data(createUserGroup, { body: { name: 'seeded', monthly_budget: 10 } });
  const target = 'http://127.0.0.1:9';
  const llm = await admin.data(createProxy, { body: { name: 'seeded-llm', type: 'llm', target, port: 23_001 } });
  const mcp = await admin.data(createProxy, { body: { name: 'seeded-mcp', type: 'mcp', target, port: 23_002 } });
  await admin.data(createPolicy, { body: { document: examplePolicy('seeded') } });
  await admin.data(createApiKey, { body: { name: 'seeded', user_group_id: group.id } });
  await admin.data(grantProxyAccess, { params: { id: group.id }, body: { proxy_config_id: llm.id } });
  await Promise.all(Array.from({ length: 8 }, () => signIn('viewer')));
  await record(infrastructure, [
    ...[llm.id, mcp.id].map((id) => requestLogRecord({ proxy_id: id, user_group_id: group.id })),
    ...Array.from({ length: 8 }, () => alertRecord({ proxy_id: llm.id })),
    usageRecord({ proxy_id: llm.id, user_group_id: group.id }),
  ]);
}
