import { waitFor } from '../../packages/testkit/src/wait-for.ts';

/** What a journey begins with. */
export interface JourneyWorld {
  readonly gatewayUrl: string;
  readonly credentials: { readonly username: string; readonly password: string };
  /** Of an LLM API that answers what it is asked. */
  readonly llmUrl: string;
  /** Of an MCP server whose tools change when `changeTool` is called. */
  readonly mcpUrl: string;
  readonly changeTool: () => void;
  readonly findPort: () => Promise<number>;
  readonly say: (line: string) => void;
}

/** A way of a person through the API, with the calls it may take at most. */
export interface Journey {
  readonly name: string;
  readonly mostCalls: number;
  readonly walk: (walker: Walker) => Promise<void>;
}

/** Answers of steps, by the names of their fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Makes the calls of a journey, prints each and counts it. What is set up for a journey is not a part of it. */
export class Walker {
  readonly world: JourneyWorld;
  readonly shared: Map<string, unknown>;
  #token: string | undefined;
  #calls = 0;
  #isCounting = true;

  constructor(world: JourneyWorld, shared: Map<string, unknown>) {
    this.world = world;
    this.shared = shared;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Calls the management API. @throws {StepFailed} unless it answers the status */
  async api(method: string, path: string, { body, status }: { body?: unknown; status?: number } = {}): Promise<Fields> {
    const { data } = await this.#send(method, `${this.world.gatewayUrl}/api/v1${path}`, {
      shown: path,
      body,
      status,
      headers: this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` },
    });
    const fields = isFields(data) ? data : {};
    if (typeof fields['token'] === 'string') this.#token = fields['token'];
    return fields;
  }

  /** Calls a proxy as a program with a key does. */
  async proxy(url: string, key: string, { body, status }: { body: unknown; status: number }): Promise<Fields> {
    return this.#send('POST', url, { shown: url, body, status, headers: { 'x-api-key': key } });
  }

  /** Waits until what is made a moment later is there; counts and prints the last call alone. */
  async apiUntil(path: string, isThere: (fields: Fields) => boolean): Promise<Fields> {
    await this.prepare(() => waitFor(async () => isThere(await this.api('GET', path)) || undefined, { what: path }));
    return this.api('GET', path);
  }

  /** What has to be there before a person begins. */
  async prepare<Made>(make: () => Promise<Made>): Promise<Made> {
    const wasCounting = this.#isCounting;
    this.#isCounting = false;
    try {
      return await make();
    } finally {
      this.#isCounting = wasCounting;
    }
  }

  signIn(): Promise<Fields> {
    return this.api('POST', '/auth/login', { body: this.world.credentials });
  }

  async #send(
    method: string,
    url: string,
    call: { shown: string; body: unknown; status: number | undefined; headers: Readonly<Record<string, string>> },
  ): Promise<Fields> {
    const { body } = call;
    const response = await fetch(url, {
      method,
      headers: { ...call.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (this.#isCounting) {
      this.#calls += 1;
      this.world.say(`  ${String(this.#calls).padStart(2)}  ${response.status}  ${method.padEnd(4)} ${call.shown}`);
    }
    const isRight = call.status === undefined ? response.ok : response.status === call.status;
    if (!isRight)
      throw new StepFailed(`${method} ${call.shown} answered ${response.status}: ${JSON.stringify(answer)}`);
    return isFields(answer) ? answer : {};
  }
}

/** A step of a journey that does not hold. */
class StepFailed extends Error {}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new StepFailed(what);
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first entry of a list in an answer. @throws {StepFailed} when there is none */
export function firstOf(fields: Fields, name: string): Fields {
  const list: unknown = fields[name];
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  must(isFields(first), `${name} has no entry`);
  return first;
}
