import { judge, type Attack } from '../attack.ts';

const get = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' });
  await response.arrayBuffer();
  return response;
};

export const downloadLinks: readonly Attack[] = [
  {
    name: 'the link of a download: used twice, at once, for another path or query, and after its session',
    attacker: 'stranger',
    expected: 'the file once, for what was asked, while the session of who asked lasts; then 401',
    async run({ url, viewer, admin }) {
      const path = '/api/v1/system/alerts/export?format=csv';
      const make = async (): Promise<string> =>
        (await admin.expect<{ url: string }>('POST', '/auth/download-links', { path })).url;
      const faults: string[] = [];
      const expectStatus = async (address: string, wanted: number): Promise<void> => {
        const { status } = await get(url + address);
        if (status !== wanted) faults.push(`${address.replace(/_token=.*/, '_token=…')} answered ${status}`);
      };
      const link = await make();
      const token = link.slice(link.indexOf('download_token='));
      for (const other of [`/api/v1/auth/me?${token}`, `${path.replace('csv', 'json')}&${token}`, `${link}&limit=1`])
        await expectStatus(other, 401);
      await expectStatus(link, 200);
      await expectStatus(link, 401);
      const raced = await make();
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => get(url + raced)));
      const opened = answers.filter(({ status }) => status === 200).length;
      if (opened !== 1) faults.push(`${opened} of 5 at once were answered with the file`);
      await expectStatus(`${path}&download_token=${'A'.repeat(43)}`, 401);
      const forbidden = await viewer.call('POST', '/auth/download-links', { path: '/api/v1/audit/export?format=csv' });
      if (forbidden.status !== 403) faults.push(`a viewer got a link to the audit log: ${forbidden.status}`);
      return judge(faults, 'once, for what was asked');
    },
  },
];
