import type { Machine } from '../machine.ts';
import { judgeGrowth, type Growth, type GrowthBound } from './growth.ts';
import type { LoadOutcome } from './run-load.ts';
import type { Sample } from './sample.ts';

export interface SoakResults {
  readonly machine: Machine;
  readonly minutes: number;
  readonly perSecond: number;
  readonly stores: string;
  readonly requests: number;
  readonly load: LoadOutcome;
  /** Wrong answers, lost records, growth: empty for a good run. */
  readonly problems: readonly string[];
  readonly liveEvents: number;
  readonly samples: readonly Sample[];
}

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly read: (sample: Sample) => number;
  /** None for what may grow. */
  readonly bound?: GrowthBound;
}

const mib = 2 ** 20;

const figures: readonly Figure[] = [
  { name: 'resident', unit: 'MiB', read: ({ rss }) => rss / mib },
  { name: 'of it the embedded database', unit: 'MiB', read: ({ database }) => database / mib },
  {
    name: 'resident without the database',
    unit: 'MiB',
    read: ({ rss, database }) => (rss - database) / mib,
    bound: { perHour: 72, rise: 24 },
  },
  {
    name: 'heap used, main thread',
    unit: 'MiB',
    read: ({ heapUsed }) => heapUsed / mib,
    bound: { perHour: 48, rise: 16 },
  },
  { name: 'external memory', unit: 'MiB', read: ({ external }) => external / mib, bound: { perHour: 48, rise: 16 } },
  { name: 'open files', unit: '', read: ({ openFiles }) => openFiles, bound: { perHour: 30, rise: 10 } },
  { name: 'spool', unit: 'MiB', read: ({ spool }) => spool / mib, bound: { perHour: 96, rise: 32 } },
];

const judge = ({ read, bound }: Figure, samples: readonly Sample[]): Growth =>
  judgeGrowth(
    samples.map((sample) => ({
      hours: sample.seconds / 3_600,
      requests: sample.requests,
      value: read(sample),
    })),
    bound ?? { perHour: Number.POSITIVE_INFINITY, rise: 0 },
  );

/** What grew that may not. */
export const findGrowth = (samples: readonly Sample[]): string[] =>
  figures.flatMap((figure) => {
    const { isGrowing, perHour } = judge(figure, samples);
    return isGrowing === true ? [`${figure.name} grows by ${perHour.toFixed(1)} ${figure.unit} per hour`] : [];
  });

const verdictOf = (isGrowing: boolean | undefined): string =>
  isGrowing === undefined ? 'too short to tell' : isGrowing ? 'grows' : 'flat';

export function renderSoak(results: SoakResults): string {
  const { machine, minutes, perSecond, stores, requests, load, problems, liveEvents, samples } = results;
  const quantile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
  const isLong = figures.every((figure) => judge(figure, samples).isGrowing !== undefined);
  const p99s = samples.map(({ delayP99 }) => delayP99);
  const lines = [
    '# A long run of mixed traffic',
    '',
    `${machine.date}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, Node ${machine.node}; load average before the run ${machine.loadBefore.toFixed(1)}.`,
    `${minutes} minutes on ${stores}, ${perSecond} things begun a second: ${requests.toLocaleString('en')} requests on proxy ports, ${liveEvents.toLocaleString('en')} events heard on /ws, ${load.wrongCount} wrong answers.`,
    '',
    problems.length === 0
      ? `**${isLong ? 'Flat' : 'Too short to tell whether anything grows'}**, every answer right, every record there.`
      : `**Not good**:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    '',
    '| figure | first | last | lowest | per hour | per million requests | |',
    '| --- | --: | --: | --: | --: | --: | --- |',
    ...figures.map((figure) => {
      const { first, last, lowest, perHour, perMillionRequests, isGrowing } = judge(figure, samples);
      const verdict = figure.bound === undefined ? 'may grow' : verdictOf(isGrowing);
      const unit = figure.unit === '' ? figure.name : `${figure.name}, ${figure.unit}`;
      return `| ${unit} | ${[first, last, lowest, perHour, perMillionRequests].map((value) => value.toFixed(1)).join(' | ')} | ${verdict} |`;
    }),
    '',
    'Slopes are the median of the slopes between the lowest points of all pairs of ten blocks of the last two thirds.',
    `Delay of the event loop, p99 of each second: median ${quantile(p99s, 0.5).toFixed(1)} ms, highest ${quantile(p99s, 1).toFixed(1)} ms; longest ever ${Math.max(0, ...samples.map(({ delayMax }) => delayMax)).toFixed(0)} ms.`,
    '',
    '| done | times |',
    '| --- | --: |',
    ...[...load.done].map(([name, times]) => `| ${name} | ${times.toLocaleString('en')} |`),
    '',
  ];
  return lines.join('\n');
}
