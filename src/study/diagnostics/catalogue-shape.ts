import type { CatalogueText } from './diagnostic.ts'

/**
 * Shape, numbers, datasets and names: the rules of `schemas/study.v1.json`, and the rules about text that a schema
 * cannot express.
 */
export const SHAPE_CODES = {
  S1101: {
    title: 'Wrong version',
    explanation:
      'A study starts with `version: 1`, the integer 1 without quotes, point or letter. A higher number means that the file was written for a newer runner: install that one. `whatif migrate` rewrites files of older versions.',
  },
  S1102: {
    title: 'Unknown key',
    explanation:
      'This key is not allowed here. Unknown keys are refused because a misspelt key that is silently ignored would change what is generated and billed. Correct the spelling, or start the key with x- to keep it as a remark of your own.',
  },
  S1103: {
    title: 'Key missing',
    explanation: 'A required key is missing here. Add it; the message shows the expected form.',
  },
  S1104: {
    title: 'Wrong form',
    explanation:
      'The value has the wrong form: a list instead of a map, text instead of a number, a single value instead of a list. The message shows the expected form.',
  },
  S1105: {
    title: 'Word not allowed',
    explanation: 'Only certain words are allowed here. Use one of the words that the message lists.',
  },
  S1106: {
    title: 'Number out of bounds',
    explanation:
      'The number is smaller or larger than is allowed here. Shares, ratios and tolerances lie between 0 and 1: 70 % is 0.70. Numbers of rows are integers of at least 1.',
  },
  S1107: {
    title: 'Text not allowed',
    explanation:
      'The text is empty, too long or not of the expected form. The message says which. Names of columns and levels may be any text but the empty one.',
  },
  S1108: {
    title: 'Value missing',
    explanation:
      'There is a key but no value, or the value is null. Write the value or remove the key. Null is allowed only for a column under `shares` or `ranges`, where it removes an inherited condition.',
  },
  S1109: {
    title: 'Nothing or too little in it',
    explanation:
      'The map or list has fewer entries than are needed here: none, or one item where a mean or a difference takes two. Add what is missing or remove the key.',
  },
  S1110: {
    title: 'Keys that do not go together',
    explanation:
      'Some keys need or exclude each other: a dataset has exactly one of `file` and `dataset_id`, and `sha256`, `auto_clean`, `display_name` and all declarations only go with `file`; a range has `min`, `max` or both; a comparison has at least one of `shares`, `means` and `quantiles`; a check of a difference has `delta_min`, `delta_max` or both. The message names the keys.',
  },
  S1201: {
    title: 'Percent sign in a number',
    explanation: 'A number with a percent sign is text. Write it as a share: 70% is 0.70.',
  },
  S1202: {
    title: 'Decimal comma',
    explanation: 'A number with a comma is text. Use a decimal point: 0,7 is 0.7.',
  },
  S1203: {
    title: 'Thousands separator in a number',
    explanation: 'A number with thousands separators is text. Write its digits only: 1,000 and 1_000 are 1000.',
  },
  S1204: {
    title: 'Number in quotes',
    explanation: 'A number in quotes is text. Remove the quotes.',
  },
  S1205: {
    title: 'Number is not finite',
    explanation:
      'The number is infinite, not a number, or too large to be stored. Write a finite number; for a range that is open at one end, leave that end out.',
  },
  S1206: {
    title: 'Integer too large',
    explanation:
      'Whole numbers beyond ±9007199254740991 (2^53 − 1), however they are written, have no JSON form that all programs read alike: some lose digits and some refuse them, so the service might use another number than the one written. Use a smaller number. For a range that is open at one end, leave that end out; a column of larger numbers, such as nanoseconds, has to be scaled in the seed file.',
  },
  S1207: {
    title: 'Date that cannot be read',
    explanation:
      'The ends of a range of dates are RFC 3339 dates or times: 2026-10-05, 2026-10-05T08:00:00Z, 2026-10-05T10:00:00+02:00. The day must exist, and a time needs Z or an offset. Everything else that takes a number takes no date.',
  },
  W1208: {
    title: 'Leading zero',
    explanation:
      'A number with a leading zero is read as a decimal number here, but as an octal number by readers of YAML 1.1. Remove the zero.',
  },
  W1301: {
    title: 'Dataset id in a file',
    explanation:
      'Trained datasets live 24 hours by default and 7 days at most, so a committed id soon expires. Keep the entry as a placeholder and pass the current id when running: whatif run --dataset <id>=<dataset_id>.',
  },
  W1307: {
    title: 'Id that looks like an extension',
    explanation:
      'Keys that start with x- are ignored wherever the language defines the keys: at the top of the file, in a scenario, in a dataset, in `matrix` and so on. Directly under `scenarios` and `datasets` you choose the keys, so an entry x-common is a scenario, which is generated and billed, or a dataset. Move remarks and anchors to the top of the file. If the entry is intended, give it another id.',
  },
  S1302: {
    title: 'Path not allowed',
    explanation:
      'Paths are relative to the study file, use forward slashes and stay inside the project. So a study works on every machine, and a proposed change cannot reach private files. Absolute paths, addresses and backslashes are refused. The `file` of a dataset may also be an object in a bucket, `s3://BUCKET/KEY`: the bucket by its name, the key in plain parts, without `..`, a question mark, an address of the storage or credentials.',
  },
  W1303: {
    title: 'Dataset not used',
    explanation: 'No scenario uses the dataset. Remove it, or name it as `dataset` of a scenario.',
  },
  S1304: {
    title: 'Seed file cannot be read',
    explanation:
      'The file that a dataset names does not exist, is not a regular file, you may not read it, or it is not yet the data: a pointer of Git LFS, DVC or git-annex, or a file with marks of an unresolved merge. Its path is relative to the study file. Correct the path or add the file. If you run only part of a study, `--select` leaves out the scenarios whose data are missing. Of an object in a bucket, the message says what the storage answered and what to do about it.',
  },
  S1305: {
    title: 'Seed file too large',
    explanation:
      'The service takes seed files of at most 500 MB. Write the data as Parquet, which is often a tenth of the size of CSV, leave out columns that no scenario needs, or take a sample of the rows.',
  },
  S1306: {
    title: 'Seed file does not match its pin',
    explanation:
      'The study pins its seed file with `sha256`, and the bytes on this disk have another digest: the file was changed, or a tool rewrote its line ends. Nothing is uploaded. Restore the file, or write the new digest into the study if the change is intended. The same holds for an object in a bucket.',
  },
  S1308: {
    title: 'Hidden or private file',
    explanation:
      'A run uploads the files that a study names, and everybody who proposes a change can change the study. Therefore a study may not name files whose name begins with a dot, files in a folder whose name does (.git and .whatif among them), or private keys and credentials by their usual names (id_ed25519, server.pem, credentials.json). The same holds for the targets of symbolic links, and results do not go into hidden folders. Put the data under another name or in another folder. `--allow-hidden` permits hidden files that you trust, such as data that git-annex or DVC keep behind links.',
  },
  S1309: {
    title: 'Object without a digest',
    explanation:
      'A dataset names an object in a bucket (`file: s3://BUCKET/KEY`), and anybody who writes to the bucket can replace it unseen. So the study says by `sha256` which bytes it means: `sha256sum FILE` prints the digest, on the machine where the file was made or after a download. Other bytes are refused.',
  },
  S1310: {
    title: 'Bucket that studies may not read',
    explanation:
      'A study may come from a pull request, and objects are read with the credentials of the machine that runs it. So the person who runs studies names the buckets that they may read: `WHATIF_SEED_BUCKETS=panels`, or with a prefix `panels/2026`, several with commas between them. Without the variable no bucket is read. Add the bucket if you trust the study with it, or give the study a file.',
  },
  S1311: {
    title: 'Margins that cannot be read',
    explanation:
      'The file under `margins` is not there, is no regular file, has more than 1 MiB or is not UTF-8 text. The path is relative to the study file, and the file lies inside the project. Programs that load a study themselves hand over its files of margins.',
  },
  S1312: {
    title: 'A row of margins that cannot be read',
    explanation:
      'A file of margins has the three columns `column`, `level` and `share`, and one row for each level: `region,North,0.26`. Shares are numbers between 0 and 1 with a decimal point. The place of the message is the line of that file.',
  },
  S1320: {
    title: 'Seed file does not fit its declarations',
    explanation:
      'The study declares something about the file that its rows contradict: a column that it does not have, a type or a format that some values do not have, or a list of levels that lacks one. Each contradiction is listed with the column, what was found and what to write instead. Nothing is uploaded. Correct the declaration; codes that mean no answer belong in `missing`. Where a new file has another name for a column or a level, `columns` and `recode` keep the one of the study.',
  },
  S3001: {
    title: 'Not a slug',
    explanation:
      'Names of studies, datasets, scenarios, axes, values and comparisons become folder and file names. They are lower-case letters and digits in parts joined by single dots, dashes or underscores, at most 40 characters: price-2026.q3. Two dashes are reserved for joining the parts of scenario ids.',
  },
  S3002: {
    title: 'Reserved name',
    explanation:
      'The name is a device name on Windows (con, prn, aux, nul, com1 to com9, lpt1 to lpt9). No file can have it there, not even with an extension. Choose another name.',
  },
  S3003: {
    title: 'Scenario id too long',
    explanation:
      'The id of a scenario joins its group and its axis values with two dashes, and names a file. It may have at most 120 characters and is never shortened. Shorten the slug that the message names.',
  },
  S3004: {
    title: 'Id used twice',
    explanation:
      'Two scenarios, axes or comparisons have the same id, so one would overwrite the other. Rename one of them. The id of an `include` entry is group--id, which can collide with a value of a single axis.',
  },
  S3005: {
    title: 'Name of another study',
    explanation:
      'Another study file of this project has the same `name`, and it was run first. State and results are stored under the name, so each of the two studies would use the results of the other. Give one of them another `name`. A file that was moved keeps its state; delete the file at the old path.',
  },
  W3101: {
    title: 'Name that other YAML readers change',
    explanation:
      'The file is correct for this runner, which takes column and level names exactly as they are typed. A reader of YAML 1.1, such as many hooks and Python scripts, would read this name as a truth value, a number, a date or nothing. Put the name in quotes so that every reader reads the same; `whatif fmt` does this.',
  },
  W3102: {
    title: 'Names that look the same',
    explanation:
      'Two names in one map are different text but equal after Unicode normalisation (NFC), for instance é as one character and as e with an accent. Names are compared and sent exactly as they are typed; usually only one of the two is in the data. Remove the other.',
  },
  W3103: {
    title: 'Name of another study file',
    explanation:
      'Another study file has the same `name`, for instance because one is a copy of the other. `whatif validate` checks both, but state and results are stored under the name, so only the file that is run first can be run (`whatif explain S3005`). Give one of them another `name`.',
  },
} as const satisfies Record<string, CatalogueText>
