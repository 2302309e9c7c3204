/** Where an agent finds the gateway, and what it may use as its home. */
export interface Surroundings {
  /** Origin of the proxy, without a path. */
  readonly url: string;
  /** Gateway key. */
  readonly key: string;
  /** Home folder of this run alone, made and empty. */
  readonly home: string;
  /** Folder that the agent works in. */
  readonly workspace: string;
  /** Folder that its package is installed in; it has `node_modules`. */
  readonly installation: string;
}

/** How an agent is started for one task. */
export interface Launch {
  /** Name of a program in `node_modules/.bin` of the installation, or `node`. */
  readonly program: string;
  readonly parameters: readonly string[];
  /** Added to PATH, HOME and what else every agent gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files written before, by their path below the home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A coding agent or agent loop as its makers publish it; nothing but its base URL, its key and its telemetry is set. */
export interface Agent {
  /** What `--agent` takes. */
  readonly name: string;
  /** How its users know it. */
  readonly title: string;
  /** Packages of the registry with the versions wanted; the one that is reported comes first. */
  readonly packages: readonly string[];
  /** API that it speaks. */
  readonly dialect: 'anthropic messages' | 'openai responses' | 'openai chat' | 'gemini';
  launch(surroundings: Surroundings, prompt: string): Launch;
  /** The same in the session that was open last. Absent where it cannot go on with one from the command line. */
  resume?(surroundings: Surroundings, prompt: string): Launch;
}
