import { parentPort, workerData } from 'node:worker_threads';
import { problemText } from '../../errors/problem.ts';
import type { ClassifierAnswer, ClassifierQuestion, ClassifierThreadData } from './classifier-question.ts';
import { openClassifier, type Classifier } from './open-classifier.ts';

const { source, givenUp } = workerData as ClassifierThreadData;
const port = parentPort;
if (port === null) throw new Error('This runs in a thread');

// Opened with the first question, so that it is told why that fails.
let opened: Promise<Classifier> | undefined;

// Undefined ends the thread, which gives the model's memory back first.
port.on('message', (question: ClassifierQuestion | undefined) => {
  if (question === undefined) void close();
  else void answer(question).then((said) => port.postMessage(said));
});

async function answer(question: ClassifierQuestion): Promise<ClassifierAnswer> {
  const { id, untilMs } = question;
  let classifier: Classifier;
  try {
    classifier = await (opened ??= openClassifier(source));
  } catch (error) {
    return { id, problem: problemText(error), fatal: true };
  }
  try {
    const isGivenUp = () => Atomics.load(givenUp, 0) === id || Date.now() > untilMs;
    return { id, ...(await classifier.classify(question, isGivenUp)) };
  } catch (error) {
    return { id, problem: problemText(error), fatal: false };
  }
}

async function close(): Promise<void> {
  const classifier = await opened?.catch(() => undefined);
  await classifier?.close().catch(() => undefined);
  port?.close();
}
