/** The milliseconds since 1970 of a record's time, NaN of one that is none; the text of most is that of the one before, or of its second. */
export function readTime(timestamp: string): number {
  if (timestamp === lastTimestamp) return lastTime;
  lastTime = isOfSecond(timestamp) ? secondMs + millisecondsOf(timestamp) : readOtherTime(timestamp);
  lastTimestamp = timestamp;
  return lastTime;
}

let lastTimestamp = '';
let lastTime = Number.NaN;
/** The last second, `YYYY-MM-DDThh:mm:ss.`, and when it began. */
let second = '';
let secondMs = Number.NaN;

const wholeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const secondLength = 20;

function isOfSecond(timestamp: string): boolean {
  if (timestamp.length !== secondLength + 4 || second === '' || !timestamp.startsWith(second)) return false;
  return timestamp.endsWith('Z') && !Number.isNaN(millisecondsOf(timestamp));
}

function millisecondsOf(timestamp: string): number {
  let value = 0;
  for (let at = secondLength; at < secondLength + 3; at += 1) {
    const digit = timestamp.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return value;
}

function readOtherTime(timestamp: string): number {
  const time = Date.parse(timestamp);
  if (wholeForm.test(timestamp) && !Number.isNaN(time)) {
    second = timestamp.slice(0, secondLength);
    secondMs = time - millisecondsOf(timestamp);
  }
  return time;
}
