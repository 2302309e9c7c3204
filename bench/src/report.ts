import type { Percentiles } from './load-order.ts';
import type { Machine } from './machine.ts';
import type { Measured, Memory, Missing, Phase, Results, Round, Settings } from './results.ts';

/** The median of the rounds, and how far they lay apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Summary {
  readonly name: string;
  readonly many: PhaseSummary;
  readonly one: PhaseSummary;
  readonly streams: StreamSummary;
}

/** CPU is per request. "Added" is against direct in the same round. */
export interface PhaseSummary {
  readonly cpuMicros: Spread;
  /** The main thread's part of it; 0 where another process does the work. */
  readonly mainThreadMicros: Spread;
  readonly requestsPerSecond: Spread;
  readonly addedP50Micros: Spread;
  readonly addedP99Micros: Spread;
}

export interface StreamSummary {
  /** All the CPU of the streams over all their chunks. */
  readonly cpuMicrosPerChunk: Spread;
  readonly firstTokenAddedP50Micros: Spread;
  readonly firstTokenAddedP99Micros: Spread;
  readonly chunkAddedP50Micros: Spread;
  readonly chunkAddedP99Micros: Spread;
}

/** @throws when there is nothing to summarise */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (min === undefined || max === undefined || lower === undefined || upper === undefined) {
    throw new Error('No rounds were measured');
  }
  return { median: (lower + upper) / 2, min, max };
}

/** One summary per contestant that was measured, in their order. */
export function summarise({ contestants }: Results): Summary[] {
  const measured = contestants.filter(isMeasured);
  const direct = measured.find(({ name }) => name === 'direct');
  if (direct === undefined) throw new Error('Without direct there is nothing to compare with');
  return measured.map(({ name, rounds }) => ({
    name,
    many: summarisePhase(rounds, direct.rounds, 'many'),
    one: summarisePhase(rounds, direct.rounds, 'one'),
    streams: summariseStreams(rounds, direct.rounds),
  }));
}

const isMeasured = (contestant: Measured | Missing): contestant is Measured => contestant.status === 'measured';

function summarisePhase(rounds: readonly Round[], direct: readonly Round[], phase: 'many' | 'one'): PhaseSummary {
  const over = (figure: (measured: Phase) => number) => spreadOf(rounds.map((round) => figure(round[phase])));
  const added = (figure: keyof Percentiles) =>
    spreadOf(
      pairs(rounds, direct).map(([own, base]) => own[phase].load.latency[figure] - base[phase].load.latency[figure]),
    );
  return {
    cpuMicros: over(({ cpuMicros, load }) => cpuMicros / load.requests),
    mainThreadMicros: over(({ mainThreadMicros, load }) => mainThreadMicros / load.requests),
    requestsPerSecond: over(({ load }) => (load.requests / load.elapsedMs) * 1e3),
    addedP50Micros: added('p50Micros'),
    addedP99Micros: added('p99Micros'),
  };
}

function summariseStreams(rounds: readonly Round[], direct: readonly Round[]): StreamSummary {
  const added = (part: 'firstToken' | 'chunkDelay', figure: keyof Percentiles) =>
    spreadOf(pairs(rounds, direct).map(([own, base]) => streamOf(own)[part][figure] - streamOf(base)[part][figure]));
  return {
    cpuMicrosPerChunk: spreadOf(rounds.map((round) => round.streams.cpuMicros / streamOf(round).chunks)),
    firstTokenAddedP50Micros: added('firstToken', 'p50Micros'),
    firstTokenAddedP99Micros: added('firstToken', 'p99Micros'),
    chunkAddedP50Micros: added('chunkDelay', 'p50Micros'),
    chunkAddedP99Micros: added('chunkDelay', 'p99Micros'),
  };
}

const pairs = (rounds: readonly Round[], direct: readonly Round[]) =>
  rounds.flatMap((own, index) => {
    const base = direct[index];
    return base === undefined ? [] : [[own, base] as const];
  });

function streamOf({ streams }: Round) {
  if (streams.load.stream === undefined) throw new Error('The streams were not measured as streams');
  return streams.load.stream;
}

export function renderMarkdown(results: Results): string {
  const summaries = summarise(results);
  const { manyConnections, streamConnections, chunks, chunkIntervalMs } = results.settings;
  const sections = [
    `# Speed, side by side\n\n${renderMachine(results.machine, results)}`,
    `## ${manyConnections} connections\n\n${renderPhase(summaries, 'many')}`,
    renderRatios(summaries),
    `## One connection\n\n${renderPhase(summaries, 'one')}`,
    `## Streams: ${streamConnections} at a time, ${chunks} chunks each, one every ${chunkIntervalMs} ms\n\n${renderStreams(summaries)}`,
    `## Memory\n\n${renderMemory(results.contestants)}`,
    `## Who\n\n${results.contestants.map(renderContestant).join('\n')}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function renderMachine({ date, cpu, cores, memoryGiB, kernel, node, loadBefore, pinned }: Machine, results: Results) {
  const rounds = Math.max(0, ...results.contestants.filter(isMeasured).map(({ rounds }) => rounds.length));
  const binding =
    pinned.proxy === undefined
      ? 'Nothing is pinned to a core'
      : `Contestant on core ${pinned.proxy}, upstream on ${pinned.upstream}, load on ${pinned.load}`;
  return (
    `${date}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}; ` +
    `load average before the run ${loadBefore.toFixed(1)}. ${binding}.\n\n` +
    `Medians of ${rounds} interleaved rounds, in brackets the lowest and the highest. ${renderSizes(results.settings)} ` +
    'How to read this: bench/README.md.'
  );
}

const renderSizes = ({ phaseMs }: Settings) =>
  `Chat bodies of 2 KB, none twice; ${phaseMs} ms per phase and round. Added: against direct in the same round.`;

function renderPhase(summaries: readonly Summary[], phase: 'many' | 'one'): string {
  const nginx = summaries.find(({ name }) => name === 'nginx')?.[phase].cpuMicros.median;
  const rows = summaries.map((summary) => {
    const { cpuMicros, mainThreadMicros, requestsPerSecond, addedP50Micros, addedP99Micros } = summary[phase];
    return isDirect(summary)
      ? [summary.name, '', '', '', renderSpread(requestsPerSecond, whole), '', '']
      : [
          summary.name,
          renderSpread(cpuMicros, whole),
          mainThreadMicros.median === 0 ? '' : whole(mainThreadMicros.median),
          nginx === undefined ? '' : (cpuMicros.median / nginx).toFixed(1),
          renderSpread(requestsPerSecond, whole),
          renderSpread(addedP50Micros, millis),
          renderSpread(addedP99Micros, millis),
        ];
  });
  const head = ['', 'CPU µs per request', 'of it main thread', '× nginx', 'requests/s', 'added p50 ms', 'added p99 ms'];
  return renderTable(head, rows);
}

function renderStreams(summaries: readonly Summary[]): string {
  const rows = summaries
    .filter((summary) => !isDirect(summary))
    .map(({ name, streams }) => [
      name,
      renderSpread(streams.cpuMicrosPerChunk, tenth),
      renderSpread(streams.firstTokenAddedP50Micros, millis),
      renderSpread(streams.firstTokenAddedP99Micros, millis),
      renderSpread(streams.chunkAddedP50Micros, millis),
      renderSpread(streams.chunkAddedP99Micros, millis),
    ]);
  const head = ['', 'CPU µs per chunk', 'first token p50 ms', 'p99', 'each chunk p50 ms', 'p99'];
  return `${renderTable(head, rows)}\n\nDelays are those added to direct.`;
}

function renderMemory(contestants: readonly (Measured | Missing)[]): string {
  const rows = contestants.filter(isMeasured).flatMap(({ name, memory }) => (memory ? [memoryRow(name, memory)] : []));
  return renderTable(['RSS in MiB', 'just started', 'before', 'after', 'requests between'], rows);
}

const memoryRow = (name: string, { startedBytes, beforeBytes, afterBytes, requests }: Memory) => [
  name,
  ...[startedBytes, beforeBytes, afterBytes].map((bytes) => whole(bytes / 2 ** 20)),
  whole(requests),
];

/** The sentence the tables are read for. */
function renderRatios(summaries: readonly Summary[]): string {
  const cpuOf = (wanted: string) => summaries.find(({ name }) => name === wanted)?.many.cpuMicros.median;
  const own = cpuOf('portcullis');
  if (own === undefined) return '';
  const others = ['portkey', 'node+undici', 'nginx'].flatMap((name) => {
    const cpu = cpuOf(name);
    if (cpu === undefined) return [];
    return [
      cpu > own ? `${(cpu / own).toFixed(1)} times less than ${name}` : `${(own / cpu).toFixed(1)} times ${name}`,
    ];
  });
  return `Portcullis with everything on: ${[`${whole(own)} µs of CPU per request`, ...others].join(', ')}.`;
}

function renderContestant(contestant: Measured | Missing): string {
  const who = `- **${contestant.name}**: ${contestant.description}`;
  return isMeasured(contestant)
    ? [who, ...contestant.facts].join('; ')
    : `${who}. **${contestant.status === 'absent' ? 'Absent' : 'Failed'}**: ${contestant.reason.replaceAll(/\s+/g, ' ')}`;
}

const isDirect = ({ name }: Summary) => name === 'direct';

const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ['---', ...head.slice(1).map(() => '--:')], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const renderSpread = ({ median, min, max }: Spread, format: (value: number) => string) =>
  `${format(median)} (${format(min)} to ${format(max)})`;

const whole = (value: number) => Math.round(value).toLocaleString('en');
const tenth = (value: number) => value.toFixed(1);
/** Adding 0 turns a rounded minus zero into zero. */
const millis = (micros: number) => (Math.round(micros / 10) / 100 + 0).toFixed(2);
