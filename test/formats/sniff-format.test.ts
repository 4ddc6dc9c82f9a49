import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sniffFormat } from '../../src/formats/reading/sniff-format.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

describe('a file is recognized by its content', () => {
  it.each([
    ['csv', bytes('a,b\n1,2\n')],
    ['csv', bytes('a\tb\n1\t2\n')],
    ['csv', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')],
    ['csv', Buffer.from('a,b\n1,2\n', 'utf16le')],
    ['csv', bytes('PAR1,PAR2\n1,2\n')],
    ['csv', bytes('ORCID,GIF89\n1,2\n')],
    ['csv', bytes('{name},age\n{"a": 1},2\n')],
    ['csv', bytes('{"a": 1};5;x\n{"a": 2};6;y\n')],
    ['csv', bytes('[id],[age]\n1,2\n')],
    ['csv', bytes('["Tea", "Milk"]\n["Tea"]\n["Milk", "Tea"]\n')],
    ['csv', bytes('use case;age\nINSERT INTO x;2\n')],
    ['csv', bytes('begin;end;\n1;2;\n')],
    ['csv', bytes('A\n2\n3\n')],
    ['csv', bytes('HEADER RECORD,age\n1,2\n')],
    ['csv', bytes('Insert depth (mm),age\n1,2\n')],
    ['csv', bytes('INSERT,[depth]\n1,2\n')],
    ['csv', bytes('<b>town</b>,age\n<td>Lyon</td>,2\n')],
    ['csv', bytes('<b><i>town</i></b>;<tr>\nLyon;2\n')],
    ['csv', bytes('<20\n>20\n<20\n')],
    ['csv', bytes('<!-- an export -->\ntown,age\nLyon,2\n')],
    ['csv', bytes('TABLE\nround\nsquare\n')],
    ['csv', bytes(`what you like\n${'tea 1 2\ncoffee 3 4\n'.repeat(3)}tea alone\n`)],
    ['csv', bytes(`which codes\n${'1 2\n2 3\n1 3\n'.repeat(3)}1\n`)],
    ['csv', bytes(`my answer\n${'very good\nnot good\n'.repeat(5)}`)],
    ['csv', bytes(`your age\n${'20 years\n31 years\n'.repeat(5)}`)],
    ['csv', bytes('PNG\n1\n2\n')],
    ['csv', bytes('caf\xe9;na\xefve\n1;2\n')],
    ['csv', bytes('ID;Panel;Y\n1;P;3\n2;C;4\n')],
    ['csv', bytes('@relation,age\nmother,30\n')],
    ['csv', bytes('answer\nA: Yes\nB: No\nA: No\n')],
    ['csv', bytes('town: name,age: years\nLyon,30\n')],
    ['csv', bytes('"what you like","age"\n"1" ,30\n')],
    ['csv', bytes('- none,n\n- some,3\n')],
    ['csv', bytes('[a],[b]\nx = 1,2\ny = 2,3\n')],
    ['csv', bytes('f(x),age\n"[{""a"": 1}]",3\n')],
    ['csv', bytes('+---+,age\n1,2\n')],
    ['csv', bytes('Q1: How often?\nnever\noften\nnever\n')],
    ['parquet', bytes('PAR1', [0, 1, 2, 0, 0, 0, 3, 4], 'PAR1')],
    ['arrow', bytes('ARROW1', [0, 0, 255, 255, 0, 0, 1, 2])],
    ['xlsx', bytes('PK\x03\x04', 'xl/worksheets/sheet1.xml')],
    ['xlsb', bytes('PK\x03\x04', 'xl/workbook.bin')],
    ['xls', bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])],
    ['sav', bytes('$FL2@(#) SPSS')],
    ['zsav', bytes('$FL3@(#) SPSS')],
    ['json', bytes('[{"id": 1, "age": "30"}, {"id": 2}]')],
    ['json', bytes('[\n  {\n    "id": 1\n  }\n]\n')],
    ['json', bytes('{"id": 1, "a": {"b": 2}}\n{"id": 2}\n')],
    ['json', bytes('{\n"id": "}"\n}\n{\n')],
  ])('as %s', async (format, content) => {
    expect(await sniffFormat(folder.write('misleading.pdf', content))).toBe(format)
  })
})

describe('a file is refused in words', () => {
  it.each([
    ['empty', bytes(''), /empty/],
    ['a PDF', bytes('%PDF-1.7\n'), /PDF document/],
    ['a PNG', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0]), /PNG image/],
    ['a PNG of its first bytes', bytes('\x89PNG\r\n\x1a\n'), /PNG image/],
    ['the first bytes of gzip', bytes([0x1f, 0x8b, 8]), /gzip; unpack it first/],
    ['the first bytes of HDF5', bytes('\x89HDF\r\n\x1a\n'), /HDF5 file/],
    ['gzip', bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /gzip; unpack it first/],
    ['a zip', bytes('PK\x03\x04', [0, 0], 'data.csv'), /zip archive; unpack it first/],
    ['a Word document', bytes('PK\x03\x04', [0, 0], 'word/document.xml'), /Word document/],
    ['a login page', bytes('\n<!DOCTYPE html><html>'), /web page/],
    [
      'a table of tags alone, as pandas writes it',
      bytes('<table border="1" class="dataframe">\n  <thead>\n    <tr style="">\n      <th>town</th>\n'),
      /web page with a table.*save it as \.xlsx/,
    ],
    [
      'a page under the name of a workbook',
      bytes('<meta charset="utf-8">\n<style>a, b {}</style>\n<table><tr><td>1'),
      /web page with a table/,
    ],
    ['XML without a declaration', bytes('<rows>\n <row><town>Lyon</town></row>\n</rows>'), /web page or XML/],
    [
      'a spreadsheet of Excel 2003',
      bytes('<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
      /spreadsheet in XML.*save it as \.xlsx/,
    ],
    ['encrypted Parquet', bytes('PARE', [0, 1, 0, 0], 'PARE'), /encrypted/],
    ['encrypted SPSS', bytes([0x1c, 0, 0, 0, 0, 0, 0, 0], 'ENCRYPTEDSAV'), /password/],
    ['indented JSON', bytes('{\n  "people": [\n    {\n'), /JSON \(an object\).* list of its records alone/],
    ['JSON behind a mark', bytes('\xef\xbb\xbf[ [1, 2], [3, 4] ]'), /JSON \(a list of lists\)/],
    ['JSON in UTF-16', Buffer.from('\ufeff{\r\n "results": [\r\n', 'utf16le'), /JSON \(an object\)/],
    ['a list of JSON a line', bytes('["id", "town"]\n[1, "Lyon"]\n[2, null]\n'), /JSON \(one list a line\)/],
    ['JSON on one long line', bytes(`{"results": [${'1, '.repeat(40_000)}1]}\n`), /JSON \(an object\)/],
    ['rows as statements', bytes("insert into people values ('Lyon', 3);\n"), /dump of a database.* as CSV/],
    [
      'a dump with comments',
      bytes('-- dump\n/*!40101 SET x=1 */;\nDROP TABLE IF EXISTS `p`;\nCREATE TABLE `p` (\n'),
      /dump/,
    ],
    ['a dump of PostgreSQL', bytes('--\n\nSET a = 0;\n\nCOPY public.p (id, age) FROM stdin;\n1\t2\n'), /dump/],
    [
      'rows of SQL Server',
      bytes("USE [panel]\nGO\nINSERT [dbo].[our people] ([town], [age]) VALUES (N'Lyon', 3)\n"),
      /dump of a database/,
    ],
    [
      'rows of Oracle',
      bytes("REM INSERTING into PEOPLE\nSET DEFINE OFF;\nInsert into PEOPLE (TOWN) values ('Lyon');\n"),
      /dump of a database/,
    ],
    ['DIF', bytes('TABLE\r\n0,1\r\n"EXCEL"\r\nVECTORS\r\n0,3\r\n""\r\n'), /DIF file \(\.dif\)/],
    [
      'SAS transport',
      bytes('HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000'),
      /SAS transport file \(\.xpt\).*PROC EXPORT/,
    ],
    [
      'a SAS data file',
      Buffer.from(`${'00'.repeat(12)}c2ea8160b31411cfbd92080009c7318c181f1011${'00'.repeat(40)}`, 'hex'),
      /SAS data file \(\.sas7bdat\).*PROC EXPORT/,
    ],
    ['Stata of today', bytes('<stata_dta><header>'), /Stata file.*export delimited/],
    ['old Stata', bytes([0x72, 2, 1, 0, 3, 0, 9, 0, 0, 0], 'people'), /Stata file.*export delimited/],
    ['an object of R', Buffer.from(gzipSync(bytes('X\n', [0, 0, 0, 3, 0, 4, 3, 1]))), /R data file.*write\.csv/],
    ['a workspace of R', Buffer.from(gzipSync(bytes('RDX3\nX\n', [0, 0, 0, 3]))), /R data file.*write\.csv/],
    ['an object of R as it is', bytes('X\n', [0, 0, 0, 2, 0, 4, 3, 1]), /R data file/],
    ['Numbers', bytes('PK\x03\x04', [0, 0], 'Index/Document.iwa'), /Apple Numbers document.*Export To > CSV/],
    [
      'JSON within code',
      bytes('// export\nconst data = [{"id": 1}, {"id": 2}];\n'),
      /JSON \(a list of records\) within code/,
    ],
    ['JSON within a call', bytes('callback([{"id": 1}, {"id": 2}]);'), /JSON \(a list of records\) within code/],
    ['a printed list of Python', bytes("[{'id': 1, 'town': 'Lyon'}]\n"), /list or dictionary of Python/],
    [
      'a file of DVC, which is YAML',
      bytes('outs:\n- md5: 0123456789abcdef0123456789abcdef\n  size: 7\n  hash: md5\n  path: people.csv\n'),
      /is a DVC file that stands for the data/,
    ],
    ['a list of YAML', bytes('---\npeople:\n  - town: Lyon\n    age: 30\n  - town: Nice\n    age: 4\n'), /is YAML/],
    ['records of YAML on a line', bytes('- {town: Lyon, age: 30}\n- {town: Nice, age: 4}\n'), /is YAML/],
    [
      'a study',
      bytes('# a comment\nversion: 1\nname: tracker\n\ndatasets:\n  panel:\n    file: panel.csv\n'),
      /is YAML/,
    ],
    ['TOML', bytes('[[people]]\ntown = "Lyon"\nage = 30\n'), /is TOML/],
    ['ARFF', bytes('% a title\n\n@RELATION people\n\n@ATTRIBUTE town {Lyon,Nice}\n@DATA\nLyon\n'), /ARFF file of Weka/],
    ['SYLK', bytes('ID;PWXL;N;E\nP;PGeneral\nC;Y1;X1;K"town"\nE\n'), /SYLK file \(\.slk\)/],
    ['a drawn table', bytes('+------+-----+\n| town | age |\n+------+-----+\n'), /drawn with lines/],
    ['code of R', bytes('structure(list(town = c("Lyon", "Nice")), class = "data.frame")'), /code of R.*write\.csv/],
    [
      'a table of R with blanks',
      bytes('"town" "age"\n"1" "Lyon" 30\n"2" "Nice" 4\n'),
      /separated by blanks.*write\.csv/,
    ],
    [
      'a table of R with blanks and without quotation marks',
      bytes(
        `town age size\n${[1, 2, 3, 4, 5, 6, 7].map((n) => `${n} Lyon ${20 + n} ${n === 3 ? 'NA' : n}\n`).join('')}`,
      ),
      /columns are separated by blanks.*write\.csv/,
    ],
    [
      'columns of a fixed width',
      bytes(`age  weight  sex\n${[1, 2, 3, 4, 5, 6, 7].map((n) => `${20 + n}      ${60 + n}  f\n`).join('')}`),
      /columns are separated by blanks/,
    ],
    [
      'SPSS syntax',
      bytes('* Made by hand.\nDATA LIST FREE / age.\nBEGIN DATA\n30\nEND DATA.\n'),
      /SPSS syntax.*save the data as \.sav/,
    ],
    ['references', bytes('TY  - JOUR\nAU  - Anon\nER  - \n'), /RIS file/],
    ['a patch', bytes('diff --git a/p.csv b/p.csv\n'), /patch of differences/],
    ['random bytes', bytes([1, 2, 3, 0, 5, 6, 0, 0, 9, 200]), /neither text nor/],
  ])('%s', async (_, content, detail) => {
    const error = await sniffFormat(folder.write('data.csv', content)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableFileError)
    expect((error as UnreadableFileError).detail).toMatch(detail)
  })
})
