import { randomUUID } from 'node:crypto';
import type { Trial, TrialRequest } from '@portcullis/contracts/routes/proxy-trials';
import type { Coordination } from '../coordination/coordination.ts';
import type { Encryption } from '../security/encryption.ts';

/** A request to try, as the runtimes hear of it. */
export interface TrialQuestion {
  /** Also the id of the request; begins with `trial-`. */
  readonly id: string;
  readonly proxyId: number;
  readonly sentAtMs: number;
  readonly request: TrialRequest;
}

interface TrialWord {
  /** Absent: a runtime has taken it. */
  readonly trial?: Trial;
}

/** What carries trials. */
export interface TrialBus {
  readonly coordination: Pick<Coordination, 'bus' | 'leases'>;
  /** What goes over the bus holds texts of users, and says as which key they count. */
  readonly encryption: Encryption;
}

const topic = 'proxy-trials';
const answerTopic = (id: string): string => `proxy-trial-answers-${id}`;
const questionPlace = 'proxy_trials.question';
const answerPlace = (id: string): string => `proxy_trials.answer:${id}`;

/** Of the exchange itself; what a runtime has not ended by then it breaks off. */
export const trialTimeoutMs = 60_000;
/** Until a runtime takes it. */
const takenMs = 3_000;
/** A question that is older is not taken: no captured message runs again. */
const maxAgeMs = 30_000;

export const createTrialId = (): string => `trial-${randomUUID()}`;

/** Has one of the runtimes try a request. @returns undefined where none took it, or none answered in time */
export async function askForTrial(
  { coordination, encryption }: TrialBus,
  { id, proxyId, request }: Omit<TrialQuestion, 'sentAtMs'>,
  timeouts = { takenMs, answeredMs: trialTimeoutMs + takenMs },
): Promise<Trial | undefined> {
  const { bus } = coordination;
  const answered = Promise.withResolvers<Trial | undefined>();
  let timer = setTimeout(() => answered.resolve(undefined), timeouts.takenMs);
  const stop = await bus.subscribe(answerTopic(id), (message) => {
    const { trial } = (open(encryption, message, answerPlace(id)) ?? {}) as TrialWord;
    clearTimeout(timer);
    if (trial === undefined) timer = setTimeout(() => answered.resolve(undefined), timeouts.answeredMs);
    else answered.resolve(trial);
  });
  try {
    const question: TrialQuestion = { id, proxyId, sentAtMs: Date.now(), request };
    await bus.publish(topic, encryption.encrypt(JSON.stringify(question), questionPlace));
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    await stop();
  }
}

export interface TrialServer {
  /** Whether this runtime has the proxy of a question. */
  serves(proxyId: number): boolean;
  run(question: TrialQuestion): Promise<Trial>;
  onFault(error: unknown): void;
}

/** Runs what is asked, each in one of the runtimes that hear of it. */
export async function serveTrials(
  { coordination, encryption }: TrialBus,
  { serves, run, onFault }: TrialServer,
): Promise<AsyncDisposable> {
  const { bus, leases } = coordination;
  const take = async (question: TrialQuestion): Promise<void> => {
    const { id } = question;
    const lease = await leases.acquire(`proxy-trial-${id}`, maxAgeMs * 2);
    if (lease === undefined) return;
    const tell = (word: TrialWord): Promise<void> =>
      bus.publish(answerTopic(id), encryption.encrypt(JSON.stringify(word), answerPlace(id)));
    await tell({});
    await tell({ trial: await run(question) });
  };
  const stop = await bus.subscribe(topic, (message) => {
    const question = open(encryption, message, questionPlace) as TrialQuestion | undefined;
    if (question === undefined || Math.abs(Date.now() - question.sentAtMs) > maxAgeMs) return;
    if (serves(question.proxyId)) void take(question).catch(onFault);
  });
  return { [Symbol.asyncDispose]: stop };
}

/** Undefined for what none of our processes sealed. */
function open(encryption: Encryption, message: unknown, place: string): unknown {
  if (typeof message !== 'string') return undefined;
  try {
    return JSON.parse(encryption.decrypt(message, place)) as unknown;
  } catch {
    return undefined;
  }
}
