import type { PatternDetector } from './detector.ts';

const values: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from('ABCDEFGHJKLMNPRSTUVWXYZ', (letter, at) => [letter, Number('12345678123457923456789'[at])]),
);
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/** Vehicle identification numbers: those with the check digit of North America, or those that are announced. */
export const vehicleNumber: PatternDetector = {
  kind: 'pattern',
  name: 'vehicle-number',
  type: 'VEHICLE_NUMBER',
  description: 'Vehicle identification numbers with their check digit',
  patterns: ['(?<![A-Za-z0-9])[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{8}(?![A-Za-z0-9])'],
  validate(match) {
    if (!/[A-Z]/.test(match) || !/\d{3}$/.test(match)) return undefined;
    const sum = weights.reduce(
      (total, weight, at) => total + weight * (values[match[at] ?? ''] ?? Number(match[at])),
      0,
    );
    return '0123456789X'[sum % 11] === match[8] ? 0.9 : undefined;
  },
};
