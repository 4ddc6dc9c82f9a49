import type { CatalogueText } from './diagnostic.ts'
import { MAX_ALIAS_COUNT, MAX_DEPTH, MAX_STUDY_BYTES } from './limits.ts'

/** Parsing: the text is not valid YAML, or uses YAML that studies may not use. */
export const FILE_CODES = {
  S1001: {
    title: 'YAML syntax',
    explanation:
      'The text is not valid YAML 1.2 at this place. One slip often causes several messages: correct the first one and check again. Common causes are a missing space after a colon, an unclosed quote or bracket, lines of one map that do not start at the same column, and a value that starts with a reserved character such as @, % or a backtick and needs quotes.',
  },
  S1002: {
    title: 'Tab used for indentation',
    explanation:
      'YAML does not allow tabs for indentation, because editors show them with different widths. Replace every leading tab with spaces; two per level is usual.',
  },
  S1003: {
    title: 'Key written twice',
    explanation:
      'The same key appears twice in one map, so one of the two values would be lost. Keys are compared as text: 1 and "1" are the same key, 1 and 1.0 are not. Remove one of them or merge their values.',
  },
  S1004: {
    title: 'Tags are not allowed',
    explanation:
      'A tag such as !env, !!binary or !!int changes how a value is read. Studies are plain data: a run computes and looks up nothing in them. Remove the tag and write the value itself; pass machine-specific values as a flag or environment variable.',
  },
  S1005: {
    title: 'YAML directives are not allowed',
    explanation:
      'A line that starts with % before the document changes how the whole file is read, for instance to YAML 1.1, where no is false and 0777 is 511. Studies are always read as YAML 1.2. Remove the line.',
  },
  S1006: {
    title: 'More than one document',
    explanation:
      'A study file holds one YAML document; a line with --- starts another. Remove the line, or put the second study into a file of its own.',
  },
  S1007: {
    title: 'File too large',
    explanation: `A study file may have at most ${MAX_STUDY_BYTES / 2 ** 20} MiB. Studies of this size usually list scenarios that a matrix can express in a few lines, or hold data that belongs in the seed file.`,
  },
  S1008: {
    title: 'Nested too deeply',
    explanation: `Maps and lists may be nested at most ${MAX_DEPTH} levels deep. No study needs more than a dozen; look for brackets that are opened and never closed.`,
  },
  S1009: {
    title: 'Too many aliases',
    explanation: `Aliases (*name) of anchors that hold further aliases multiply, so a small file can grow without bound. Aliases may repeat a part of the file at most ${MAX_ALIAS_COUNT} times. Use \`defaults\` or a matrix axis for fields that many scenarios share.`,
  },
  S1010: {
    title: 'Key is not text',
    explanation:
      'The keys of a study are text. A list, a map, an alias or an empty key is not allowed. If the name itself starts with [ or {, put it in quotes.',
  },
  S1011: {
    title: 'Merge keys are not supported',
    explanation:
      'The merge key << was part of YAML 1.1 and is not part of YAML 1.2, and readers disagree about its meaning. Use `defaults` for fields that all scenarios share and a matrix axis for fields that several share; plain anchors and aliases of whole values are fine.',
  },
  S1012: {
    title: 'Alias without anchor',
    explanation:
      'An alias (*name) must come after the anchor (&name) that it refers to and outside of it. Check the spelling of both. If the value is text that starts with an asterisk, such as a glob, put it in quotes.',
  },
  S1013: {
    title: 'Not a study',
    explanation:
      'A study is a map whose first key by convention is `version: 1`. The file is empty, or it holds a list or a single value. `whatif init` writes a starter study.',
  },
  S1014: {
    title: 'Character not allowed',
    explanation:
      'The text holds a control character or half of a surrogate pair. Such characters are invisible, cannot be sent to the service unchanged and can disguise text on a terminal. Remove the character; it usually comes from copying text out of another program.',
  },
} as const satisfies Record<string, CatalogueText>
