const words = (
  'the a this that our their every some quiet careful seasonal northern little older second common ' +
  'river garden market harbour library teacher bakery orchard bridge village carpenter weather recipe ' +
  'bicycle kitchen mountain painting station holiday notebook window morning evening winter summer ' +
  'explains describes collects measures prepares visits compares repairs carries remembers plants ' +
  'paints sorts counts follows near beside under after before during without across around because ' +
  'slowly often rarely together again gently and while where when'
).split(' ');

const prefix = '{"model":"gpt-4o-mini","user":"bench-';
const serialDigits = 10;

/**
 * Distinct chat requests of `bytes` bytes each, plain English without anything a policy looks for.
 * The same on every run.
 */
export function createChatBodies(count: number, bytes: number, stream: boolean): Buffer[] {
  const random = createRandom(20_260_101);
  const head =
    `${prefix}${'0'.repeat(serialDigits)}","stream":${stream},"temperature":0.7,"messages":[` +
    '{"role":"system","content":"You are a helpful assistant. Answer in two short sentences."},' +
    '{"role":"user","content":"';
  const tail = '"}]}';
  const textBytes = bytes - head.length - tail.length;
  return Array.from({ length: count }, () => Buffer.from(head + createText(textBytes, random) + tail));
}

/** Writes a serial number into a body made above, `at` being where the body starts: no two requests are alike. */
export function writeSerial(bytes: Buffer, at: number, serial: number): void {
  let rest = serial;
  for (let digit = at + prefix.length + serialDigits - 1; digit >= at + prefix.length; digit -= 1) {
    bytes[digit] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

function createText(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) {
    const word = words[Math.floor(random() * words.length)] ?? '';
    text += random() < 0.08 ? `${word}. ` : `${word} `;
  }
  return `${text.slice(0, Math.max(0, length - 1))}.`;
}

/** The linear congruential generator of Numerical Recipes: small, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
