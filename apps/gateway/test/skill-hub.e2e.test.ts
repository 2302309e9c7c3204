import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { skillRoutes } from '@portcullis/contracts/skill-routes';
import type { Skill, SkillAnalysis } from '@portcullis/contracts/skills';
import type { SkillPackage } from '@portcullis/contracts/routes/skill-packages';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Check } from 'typebox/value';
import { WebSocket } from 'ws';
import { harmlessSkill, hostileSkill, startSkillHub, waitForOwnSkill, zipOf } from './start-skill-hub.ts';
import { waysFor } from './start-gateway.ts';

const base = '/security/skills';

describe.each(waysFor('services'))('the skill hub (%s)', (way) => {
  let gateway: TestGateway;
  const heard: { readonly type: string; readonly payload: Record<string, unknown> }[] = [];
  let socket: WebSocket;
  beforeAll(async () => {
    gateway = await startSkillHub(way, { SKILL_SOURCE_MAX_KB: '64' });
    socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws?token=${gateway.admin.token}`);
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as (typeof heard)[number]));
    await once(socket, 'open');
  });
  afterAll(async () => {
    socket.close();
    await gateway[Symbol.asyncDispose]();
  });

  /** Answers the data, which is what the contract says. */
  async function ask<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const data = await gateway.admin.expect<Data>(method, `${base}${path}`, body);
    const plain = `${base}${path.replace(/\?.*/, '')}`;
    const route = skillRoutes
      .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
      .find((each) => each.method === method && new RegExp(`^${each.path.replaceAll(/:\w+/g, '\\d+')}$`).test(plain));
    const { response } = route?.parts ?? {};
    expect([plain, response === undefined || Check(response, data)]).toEqual([plain, true]);
    return data;
  }
  const heardOf = (event: string, name: string) =>
    waitFor(
      () => heard.some(({ payload }) => payload['event'] === event && String(payload['message']).includes(name)),
      {
        what: `${event} on /ws`,
      },
    );
  const submit = (name: string, source: string, version?: string) =>
    ask<SkillAnalysis>('POST', '/submissions', {
      skill_name: name,
      skill_source: source,
      version,
      agent_name: 'tester',
    });
  const find = async (name: string) => {
    const { skills } = await ask<{ skills: Skill[] }>('GET', `/registry?search=${name}`);
    const [skill] = skills;
    if (skill === undefined) throw new Error(`no ${name}`);
    return skill;
  };

  test('from the first scan over the approval to a changed source', async () => {
    const analysis = await submit('clock', harmlessSkill);
    expect(analysis).toMatchObject({ risk_level: 'None', approval_status: 'pending' });
    const { id } = await find('clock');
    const body = { notes: 'read', content_hash: analysis.content_hash };
    expect(await ask('POST', `/registry/${id}/approve`, body)).toMatchObject({ status: 'approved', reviewer: 'admin' });
    await heardOf('skill.approved', 'clock');
    expect(await submit('clock', hostileSkill)).toMatchObject({ approval_status: 'pending', risk_level: 'Critical' });
    await heardOf('skill.changed', 'clock');
    expect(await ask('GET', `/registry/${id}/diff`)).toMatchObject({ source_diff: expect.stringContaining('+cat ~') });
    expect(await ask('GET', `/registry/${id}`)).toMatchObject({
      status: 'pending',
      approved_hash: analysis.content_hash,
    });
    await ask('POST', `/registry/${id}/quarantine`, { notes: 'odd' });
    expect(await ask('GET', '/registry?status=quarantined&sort=risk_score&order=asc')).toMatchObject({ total: 1 });
    const { logs } = await gateway.admin.expect<{ logs: { event_type: string }[] }>('GET', '/audit/logs?limit=100');
    expect(logs.map(({ event_type: type }) => type)).toEqual(
      expect.arrayContaining(['skill.submitted', 'skill.approved', 'skill.quarantined']),
    );
    const page = await ask<{ submissions: { id: number }[] }>('GET', '/submissions?agent_name=tester&skill_name=clock');
    expect(page.submissions).toHaveLength(2);
    expect(await ask('GET', `/submissions/${page.submissions[0]?.id}`)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ severity: 'Critical' })]),
    });
  });

  test('packages are uploaded, approved, downloaded with their hash, and deleted', async () => {
    const content = zipOf({ 'watch/SKILL.md': harmlessSkill.replaceAll('clock', 'watch'), 'watch/run.sh': 'date\n' });
    const { package: added } = await ask<{ package: SkillPackage }>('POST', '/packages', { content });
    const get = (id = added.id) =>
      fetch(`${gateway.url}/api/v1${base}/packages/${id}/download`, {
        headers: { authorization: `Bearer ${gateway.admin.token}` },
      });
    expect((await get()).status).toBe(404);
    await ask('POST', `/registry/${added.skill_id}/approve`, { content_hash: added.tree_hash });
    const answer = await get();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(hash('sha256', new Uint8Array(await answer.arrayBuffer()))).toBe(added.sha256);
    expect(await ask('GET', '/packages?search=WATCH')).toMatchObject({
      packages: [{ download_count: 1, current: true }],
    });
    expect(await ask('GET', `/packages/${added.id}`)).toMatchObject({ uploaded_by: 'admin' });
    await ask('DELETE', `/packages/${added.id}`);
    expect((await get()).status).toBe(404);
    await ask('DELETE', `/registry/${added.skill_id}`);
    await heardOf('skill.deleted', 'watch');
  });

  test('a package comes as a form or as the body, too, and many skills go at once', async () => {
    const zip = Buffer.from(zipOf({ 'SKILL.md': harmlessSkill.replaceAll('clock', 'sundial') }), 'base64');
    const send = async (body: string | Buffer | FormData, headers: Record<string, string> = {}, query = '') => {
      const response = await fetch(`${gateway.url}/api/v1${base}/packages${query}`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${gateway.admin.token}`, ...headers },
      });
      const { data, error, message } = (await response.json()) as {
        data: { package: SkillPackage };
        error?: string;
        message?: string;
      };
      return { status: response.status, package: data?.package, told: message ?? error };
    };
    const formOf = (parts: Readonly<Record<string, string | File>>): FormData => {
      const form = new FormData();
      for (const [name, part] of Object.entries(parts)) form.append(name, part);
      return form;
    };
    const file = new File([zip], 'my sundial.zip', { type: 'application/zip' });
    const asForm = await send(formOf({ file, version: '2.0.0' }));
    expect(asForm).toMatchObject({
      status: 200,
      package: { skill_name: 'sundial', version: '2.0.0', file_name: 'my-sundial.zip' },
    });
    const type = { 'content-type': 'application/zip' };
    const alone = await send(zip, type, '?version=3.0.0&skill_name=sundial-two');
    expect(alone).toMatchObject({ status: 200, package: { skill_name: 'sundial-two', version: '3.0.0' } });
    expect(alone.package.sha256).toBe(asForm.package.sha256);

    expect(await send(formOf({ file, other: file }))).toMatchObject({
      status: 400,
      told: expect.stringContaining('2 files'),
    });
    expect(await send(formOf({ version: '1' }))).toMatchObject({
      status: 400,
      told: expect.stringContaining('0 files'),
    });
    expect((await send(formOf({ file, odd: 'x' }))).status).toBe(400);
    expect((await send(formOf({ file, content: 'UEs=' }))).status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 'x']));
    expect(await send(formOf(many))).toMatchObject({
      status: 400,
      told: expect.stringContaining('more than 20 parts'),
    });
    expect((await send('no form', { 'content-type': 'multipart/form-data' })).status).toBe(400);
    expect((await send('--x\r\nno form', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400);
    expect((await send('PK', type)).status).toBe(422);
    expect((await send(Buffer.alloc(8_000_000), type)).status).toBe(413);
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415);

    const ids = [asForm.package.skill_id, alone.package.skill_id];
    expect(await ask('POST', '/registry/bulk-delete', { skill_ids: ids })).toEqual({ deleted: 2, kept: [] });
    expect(await ask('GET', '/registry?search=sundial')).toMatchObject({ total: 0 });
  });

  test('a report raises an alert that is told at once, and what was done is counted', async () => {
    const report = {
      skill_name: 'clock',
      activity_type: 'data_exfiltration',
      description: 'sent a key',
      agent_name: 'a',
    };
    expect(await ask('POST', '/activity', report)).toMatchObject({ alert_created: true });
    const title = '[Unverified MCP Report] data_exfiltration: clock';
    await waitFor(() => heard.some(({ type, payload }) => type === 'new_alert' && payload['title'] === title), {
      what: 'the alert on /ws',
    });
    expect(await ask('GET', '/activity?severity=critical')).toMatchObject({ total: 1, reports: [{ agent_name: 'a' }] });
    expect(await ask('GET', '/stats')).toMatchObject({
      approved: 1,
      quarantined: 1,
      total_reports: 1,
      top_agents: expect.arrayContaining([{ agent_name: 'tester', submissions: 2 }]),
    });
  });

  test.each<[string, string, unknown, number]>([
    ['GET', '/registry/2147483647', undefined, 404],
    ['GET', '/registry/2147483647/diff', undefined, 404],
    ['POST', '/registry/2147483647/approve', {}, 404],
    ['DELETE', '/registry/2147483647', undefined, 404],
    ['GET', '/submissions/2147483647', undefined, 404],
    ['DELETE', '/packages/2147483647', undefined, 404],
    ['GET', '/registry?status=odd', undefined, 400],
    ['POST', '/submissions', { skill_name: 'a', skill_source: ' ' }, 400],
    ['POST', '/submissions', { skill_name: 'a', skill_source: 'PK\u0003' }, 400],
    ['POST', '/submissions', { skill_name: 'a', skill_source: 'a'.repeat(65_537) }, 413],
    ['POST', '/packages', { content: 'UEs=' }, 422],
    ['POST', '/activity', { skill_name: 'a', activity_type: 'theft', description: 'x' }, 400],
  ])('%s %s: refusal %#', async (method, path, body, status) => {
    expect(await gateway.admin.call(method, `${base}${path}`, body)).toMatchObject({ status, success: false });
  });

  test("the gateway's own skill cannot be changed", async () => {
    const { id, built_in: isOwn } = await find('skill-security-hub');
    expect(isOwn).toBe(true);
    for (const decision of ['approve', 'reject', 'quarantine']) {
      expect(await gateway.admin.call('POST', `${base}/registry/${id}/${decision}`)).toMatchObject({ status: 409 });
    }
  });
});

test.each(waysFor('services'))(
  'a hub that is killed while skills come in keeps all that it answered, and nothing half (%s)',
  async (way) => {
    await using gateway = await startSkillHub(way);
    const { admin } = gateway;
    const answered: SkillPackage[] = [];
    const stopping = new AbortController();
    const upload = async (client: number): Promise<void> => {
      for (let turn = 0; !stopping.signal.aborted; turn += 1) {
        const content = zipOf({ 'SKILL.md': `${harmlessSkill}\n${client} ${turn}\n` });
        const sent = { content, skill_name: `clock-${client}-${turn}` };
        const answer = await admin
          .call<{ package: SkillPackage }>('POST', `${base}/packages`, sent)
          .catch(() => undefined);
        if (answer?.status !== 200) return;
        answered.push(answer.data.package);
      }
    };
    const uploads = Promise.all([1, 2, 3].map(upload));
    await waitFor(() => answered.length >= 12, { what: 'some uploads' });
    await gateway.processOf('skill-hub').stop('SIGKILL');
    stopping.abort();
    await uploads;
    await gateway.startAgain('skill-hub');
    const again = gateway.admin;
    await waitForOwnSkill(gateway);
    for (const { id, skill_id: skill, sha256, tree_hash: treeHash } of answered) {
      // The edge may still know the killed process, and what changes something is sent once.
      const approve = () => again.call('POST', `${base}/registry/${skill}/approve`, { content_hash: treeHash });
      await waitFor(async () => (await approve()).status === 200, { what: 'the approval' });
      const response = await fetch(`${gateway.url}/api/v1${base}/packages/${id}/download`, {
        headers: { authorization: `Bearer ${again.token}` },
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const refusal = response.ok ? undefined : Buffer.from(bytes).toString();
      expect({ status: response.status, refusal, sha256: hash('sha256', bytes) }).toEqual({ status: 200, sha256 });
    }
    const { total } = await again.expect<{ total: number }>('GET', `${base}/packages?limit=1`);
    const { total: skills } = await again.expect<{ total: number }>('GET', `${base}/registry?search=clock&limit=1`);
    expect(total).toBe(skills);
    expect(total).toBeGreaterThanOrEqual(answered.length);
  },
);
