import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic } from '@portcullis/contracts/events';
import type { TrustedKey } from '@portcullis/contracts/routes/agents';
import { cardPayload } from '@portcullis/core/a2a/card-payload';
import { createInProcessBus } from '@portcullis/platform/coordination/in-process/bus';
import type { Database } from '@portcullis/platform/database/database';
import { createDefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { stores, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { startA2aPeer } from '@portcullis/testkit/a2a-peer/a2a-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose';
import { findAgent, insertAgent, updateAgentRow } from '@portcullis/platform/agents/agent-queries';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import { createCardDiscovery, type CardDiscovery } from '../cards/discover-card.ts';
import { sealTargetAuth } from '../agents/target-auth.ts';
import { checkDueCards } from './card-check-job.ts';

describe.each(stores)('the look after changed cards (%s)', (kind) => {
  let database: Database & AsyncDisposable;
  let discovery: CardDiscovery;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    discovery = createCardDiscovery({ allowPrivate: true });
  });
  afterAll(async () => {
    await discovery[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const bus = createInProcessBus(silentLog);
  const encryption = createEncryption('e'.repeat(32));
  const look = () =>
    checkDueCards({
      database,
      discovery,
      encryption,
      coordination: { bus },
      scanner: createDefinitionScanner(),
      log: silentLog,
    });
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  const makeDue = (id: number) => updateAgentRow(database, id, { checked_at: longAgo, card_read_at: longAgo });

  test('asks each agent when its time has come, once, and tells why one could not be asked', async () => {
    const peer = await startA2aPeer({ generation: '0.3' });
    const { found } = await discovery.discover(peer.url);
    if (found === undefined) throw new Error('no card');
    const { id } = await insertAgent(database, { name: 'Echo', base_url: peer.url, ...cardColumns(found, new Date()) });
    const sent = await insertAgent(database, { name: 'Sent', base_url: null, ...cardColumns(found, longAgo) });
    expect(await look()).toBe(0);

    const told: unknown[] = [];
    const stop = await bus.subscribe(liveEventsTopic, (event) => told.push(event));
    await makeDue(id);
    peer.behave({ card: { version: '3.0.0', description: 'Says something else' } });
    const [one, other] = await Promise.all([look(), look()]);
    expect(one + other).toBe(1);
    const changes = await database.kysely.selectFrom('agent_card_changes').selectAll().execute();
    expect(changes).toMatchObject([{ agent_id: id, status: 'pending', source: 'check' }]);
    const approval = { id: `card-${changes[0]?.id}`, kind: 'card', status: 'pending', agent_id: id };
    await waitFor(() => told.length > 0, { what: 'the event' });
    expect(told).toMatchObject([{ type: 'approval', payload: approval }]);
    await stop();
    expect(await findAgent(database, id)).toMatchObject({ card: { version: '1.0.0' }, check_problem: null });
    expect(await database.kysely.selectFrom('audit_log').select('event_type').execute()).toEqual([
      { event_type: 'agent.card.change.detected' },
    ]);

    await makeDue(id);
    await peer[Symbol.asyncDispose]();
    expect(await look()).toBe(1);
    expect(await findAgent(database, id)).toMatchObject({
      check_problem: expect.stringContaining('could not be read'),
    });
    expect(await look()).toBe(0);
    expect(await findAgent(database, sent.id)).toMatchObject({ checked_at: null });
  });

  test('reads a card where an admin says, with the credentials, and no address that is not called is a change', async () => {
    let named = 'http://10.0.0.1:8000/rpc';
    let description = 'Plans ways';
    await using peer = await startLoopbackPeer(({ path, headers }, response) => {
      const isIn = path === '/card/v1.0' && headers.authorization === 'Bearer key';
      const supportedInterfaces = [{ url: named, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      answer(response, isIn ? 200 : 401, isIn ? { name: 'Maps', description, supportedInterfaces } : 'no');
    });
    const place = { base_url: peer.url, card_url: `${peer.url}/card/v1.0`, target_url: 'https://maps.example/rpc' };
    const { found } = await discovery.discover(peer.url, {
      cardUrl: place.card_url,
      targetUrl: place.target_url,
      credentialsFor: () => ({ authorization: 'Bearer key' }),
    });
    if (found === undefined) throw new Error('no card');
    const row = await insertAgent(database, { name: 'Maps', ...place, ...cardColumns(found, new Date()) });
    await updateAgentRow(database, row.id, { target_auth: sealTargetAuth(row, { value: 'key' }, encryption) });
    const changesOf = () =>
      database.kysely.selectFrom('agent_card_changes').selectAll().where('agent_id', '=', row.id).execute();

    await makeDue(row.id);
    named = 'http://10.0.0.2:8000/rpc';
    expect(await look()).toBe(1);
    expect(await findAgent(database, row.id)).toMatchObject({
      check_problem: null,
      card: { supportedInterfaces: [{ url: named }] },
    });
    expect(await changesOf()).toEqual([]);

    await makeDue(row.id);
    description = 'Plans detours';
    expect(await look()).toBe(1);
    expect(await changesOf()).toMatchObject([{ status: 'pending', source: 'check' }]);
  });

  test('waits for an admin where the signature is broken, though nothing that is called has changed', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const trusted = { ...((await exportJWK(publicKey)) as TrustedKey), kid: 'ours' };
    const cardAt = (url: string) => ({
      name: 'Signed',
      description: 'Plans ways',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    const first = cardAt('http://10.0.0.1:8000/rpc');
    const signed = await new FlattenedSign(Buffer.from(cardPayload(first, 'whole')))
      .setProtectedHeader({ alg: 'ES256', kid: 'ours', typ: 'JOSE' })
      .sign(privateKey);
    const signatures = [{ protected: signed.protected ?? '', signature: signed.signature }];
    let served = { ...first, signatures };
    await using peer = await startLoopbackPeer((_request, response) => answer(response, 200, served));
    const place = { base_url: peer.url, target_url: 'https://signed.example/rpc' };
    const { found } = await discovery.discover(peer.url, { targetUrl: place.target_url });
    if (found === undefined) throw new Error('no card');
    const { id } = await insertAgent(database, {
      name: 'Signed',
      ...place,
      trusted_keys: JSON.stringify([trusted]),
      ...cardColumns({ ...found, signature: { status: 'verified' } }, new Date()),
    });
    await makeDue(id);
    expect(await look()).toBe(1);
    expect(await findAgent(database, id)).toMatchObject({ signature: { status: 'verified' } });

    await makeDue(id);
    served = { ...cardAt('http://10.0.0.2:8000/rpc'), signatures };
    expect(await look()).toBe(1);
    const changes = database.kysely.selectFrom('agent_card_changes').selectAll().where('agent_id', '=', id);
    expect(await changes.execute()).toMatchObject([{ status: 'pending', signature: { status: 'invalid' } }]);
    expect(await findAgent(database, id)).toMatchObject({
      signature: { status: 'verified' },
      card: { supportedInterfaces: first.supportedInterfaces },
    });
  });
});
