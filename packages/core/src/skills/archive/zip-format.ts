/** Numbers of the ZIP format (APPNOTE.TXT of PKWARE), all little endian. */
export const signatures = {
  local: 0x04_03_4b_50,
  central: 0x02_01_4b_50,
  end: 0x06_05_4b_50,
  descriptor: 0x08_07_4b_50,
  zip64Locator: 0x07_06_4b_50,
} as const;

/** Bytes of the headers without their names, extra fields and comments. */
export const headerSizes = { local: 30, central: 46, end: 22 } as const;

export const methods = { stored: 0, deflated: 8 } as const;

/** Bits of the general purpose flag. */
export const flagBits = {
  encrypted: 0x00_01,
  descriptor: 0x00_08,
  patched: 0x00_20,
  strongEncryption: 0x00_40,
  utf8: 0x08_00,
  maskedHeaders: 0x20_00,
} as const;

/** Ids of extra fields that would make the same entry mean two things. */
export const extraIds = { zip64: 0x00_01, unicodePath: 0x70_75, aes: 0x99_01 } as const;

/** A field that ZIP64 would continue elsewhere. */
export const continued = { in16: 0xff_ff, in32: 0xff_ff_ff_ff } as const;

/** The type of a file, in the upper half of its external attributes. */
export const fileTypes = { mask: 0o170000, regular: 0o100000, folder: 0o040000, link: 0o120000 } as const;
