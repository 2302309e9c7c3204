/**
 * Opens a thousand connections to /ws, unless told otherwise, from a process of their own, and prints what each
 * costs the management API and how long an event takes to all of them. Started by `npm run bench -- live`.
 */
import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WebSocket } from 'ws';
import { startManagement } from '../start-management.ts';
import { print } from './report.ts';
import { median } from './statements.ts';

/** Half of them come first, so that memory is that of the other half and not of what was never needed before. */
const count = Number(process.argv[2] ?? 1_000);
const half = count / 2;
const wave = 50;
const events = 50;

/** The clients: connects on the first message, then tells whenever one more event has reached all of them. */
async function runClients(): Promise<void> {
  const [address] = (await once(process, 'message')) as [string];
  let heard = 0;
  const open = async () => {
    const socket = new WebSocket(address);
    socket.on('message', () => {
      heard += 1;
      if (heard % half === 0) process.send?.('all');
    });
    await once(socket, 'open');
  };
  for (let opened = 0; opened < half; opened += wave) await Promise.all(Array.from({ length: wave }, open));
  process.send?.('open');
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function readMemory(): { readonly heap: number; readonly resident: number } {
  for (let time = 0; time < 3; time += 1) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

const kib = (bytes: number): string => `${(bytes / half / 1_024).toFixed(1)} KiB`;

const calm = { severity: 'Low', timestamp: new Date().toISOString() } as const;

async function sendEvents(clients: readonly ChildProcess[], send: (event: LiveEvent) => Promise<unknown>) {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let sent = 0; sent < events; sent += 1) {
    const start = performance.now();
    const arrived = Promise.all(clients.map(async (child) => once(child, 'message')));
    await send({ type: 'system_event', payload: { event: `event-${sent}`, message: 'x'.repeat(500), ...calm } });
    await arrived;
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { medianMs: median(times), longestMs: Math.max(...times), cpuUs: (user + system) / events / count };
}

async function openHalf(address: string): Promise<ChildProcess> {
  const clients = fork(import.meta.filename, [String(count), 'clients']);
  clients.send(address);
  await once(clients, 'message');
  return clients;
}

async function measure(): Promise<void> {
  const settings = { WEBSOCKET_MAX_CONNECTIONS: String(count), METRICS_UPDATE_INTERVAL: '1h' };
  const management = await startManagement('embedded', settings);
  const address = `${management.origin.replace('http', 'ws')}/ws?token=${management.adminToken}`;
  const first = await openHalf(address);
  const before = readMemory();
  const clients = [first, await openHalf(address)];
  const after = readMemory();
  const { bus } = management.infrastructure.coordination;
  const { medianMs, longestMs, cpuUs } = await sendEvents(clients, (event) => bus.publish(liveEventsTopic, event));
  print(`| ${count} connections | |\n|---|---:|`);
  print(`| heap and buffers per connection | ${kib(after.heap - before.heap)} |`);
  print(`| resident memory per connection | ${kib(after.resident - before.resident)} |`);
  print(`| an event of 600 bytes to all, median of ${events} | ${medianMs.toFixed(1)} ms |`);
  print(`| the slowest | ${longestMs.toFixed(1)} ms |`);
  print(`| CPU of the gateway per message | ${cpuUs.toFixed(1)} µs |`);
  for (const child of clients) child.kill();
  await management.stop();
}

await (process.argv[3] === 'clients' ? runClients() : measure());
