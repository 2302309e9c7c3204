import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { explain, timeFromHere, type Explained } from './statements.ts';

/** A list, or a figure, that is loaded from one place of it. */
export interface Loading {
  readonly name: string;
  readonly place: number;
  readonly load: (database: Database) => Promise<{ readonly total?: number }>;
}

/** The plans to print are those of the slowest, which say what its time goes into. */
export class Report {
  readonly #database: Database;
  readonly #slowest: { name: string; statements: readonly Explained[]; ms: number }[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  async head(kind: string, rows: string): Promise<void> {
    const { rows: versions } = await sql<{ version: string }>`
      select split_part(version(), ' ', 2) as version`.execute(this.#database.kysely);
    print(`## ${kind === 'server' ? 'PostgreSQL' : 'PGlite'} ${versions[0]?.version}\n\n${rows}\n`);
    print('| list | total | place | statements at the database, ms | together | with the way there and back |');
    print('|---|---:|---:|---:|---:|---:|');
  }

  async line({ name, place, load }: Loading): Promise<number> {
    const { total = 0 } = await load(this.#database);
    const statements = await explain(this.#database, load);
    const ms = statements.reduce((sum, { medianMs }) => sum + medianMs, 0);
    const whole = await timeFromHere(() => load(this.#database));
    const parts = statements.map(({ medianMs }) => medianMs.toFixed(1)).join(' + ');
    print(`| ${name} | ${total} | ${place} | ${parts} | ${ms.toFixed(1)} | ${whole.toFixed(1)} |`);
    this.#slowest.push({ name: `${name}, from ${place}`, statements, ms });
    return total;
  }

  /** Of the lists that took longest, each once. */
  plans(count: number): void {
    for (const { name, statements } of this.#slowest.toSorted((a, b) => b.ms - a.ms).slice(0, count)) {
      print(`\n### Plans: ${name}\n\n\`\`\`\n${statements.map(({ plan }) => plan).join('\n\n')}\n\`\`\``);
    }
  }
}

/** Reads so many parts of an export, and breaks it off. */
export async function takeLines(lines: AsyncGenerator<string>, count: number): Promise<{ readonly total: number }> {
  let total = 0;
  for await (const _ of lines) if ((total += 1) >= count) break;
  return { total };
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
