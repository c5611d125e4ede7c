import { describe, expect, it } from 'vitest'
import { importedWords, printNarrowed, printProperties } from '../../../src/compiler/print/declarations.js'
import { code, inline, table } from '../../../src/compiler/print/markdown.js'
import { accessText, commentLines, literalText, nameText, stringText } from '../../../src/compiler/print/text.js'
import {
  fitsOneLine,
  printBlock,
  printComment,
  printGeneric,
  printImport,
  printInterface,
  printIntersection,
  printList,
  printListCall,
  printModule,
  printUnion,
  type Writer,
} from '../../../src/compiler/print/typescript.js'
import { jsonText, valueText } from '../../../src/compiler/print/values.js'
import type { PropertyPlan } from '../../../src/compiler/plan/plan.js'

const printed = (write: (writer: Writer) => void): string => printModule([], write)
/** A word of so many letters. */
const word = (length: number) => 'x'.repeat(length)

describe('a module', () => {
  it('has a header, a blank line and its text', () => {
    expect(printModule(['one', 'two'], (writer) => writer.writeLine('a'))).toBe('// one\n// two\n\na\n')
  })

  it('has no blank line before its text, twice or at its end', () => {
    expect(
      printed((writer) => {
        writer.blankLineIfLastNot()
        writer.writeLine('a')
        writer.blankLineIfLastNot()
        writer.blankLineIfLastNot()
        writer.writeLine('b')
        writer.blankLineIfLastNot()
      }),
    ).toBe('a\n\nb\n')
    expect(printed((writer) => writer.blankLineIfLastNot())).toBe('\n')
  })

  it('wraps its header at 117 characters, the comment included at 120', () => {
    expect(printModule([`${word(100)} ${word(16)}`], () => undefined)).toBe(`// ${word(100)} ${word(16)}\n`)
    expect(printModule([`${word(100)} ${word(17)}`], () => undefined)).toBe(`// ${word(100)}\n// ${word(17)}\n`)
  })

  it('indents by two blanks a level, and no blank line', () => {
    const nested = (writer: Writer, depth: number): void => {
      writer.writeLine(`${depth} ${writer.getIndentationLevel()}`)
      if (depth < 17) writer.indent(() => nested(writer, depth + 1))
    }
    const lines = printed((writer) => {
      nested(writer, 0)
      writer.indent(() => writer.writeLine(''))
      writer.writeLine('end')
    }).split('\n')
    expect(lines).toEqual([
      ...Array.from({ length: 18 }, (_, depth) => `${' '.repeat(depth * 2)}${depth} ${depth}`),
      '',
      'end',
      '',
    ])
  })

  it('has lines of 120 characters', () => {
    let fitting: readonly boolean[] = []
    printed((writer) =>
      writer.indent(() => {
        fitting = [fitsOneLine(writer, word(118)), fitsOneLine(writer, word(119))]
      }),
    )
    expect(fitting).toEqual([true, false])
  })
})

describe('a comment', () => {
  const comment = (...paragraphs: readonly string[]) => printed((writer) => printComment(writer, paragraphs))

  it('is on one line where it fits', () => {
    expect(comment()).toBe('\n')
    expect(comment('')).toBe('\n')
    expect(comment('Says.')).toBe('/** Says. */\n')
    expect(comment(word(113))).toBe(`/** ${word(113)} */\n`)
    expect(comment(word(114))).toBe(`/**\n * ${word(114)}\n */\n`)
    expect(comment('One.', 'Two.')).toBe('/**\n * One.\n * Two.\n */\n')
  })

  it('is wrapped at 116 characters, less where it is indented', () => {
    expect(comment(`${word(100)} ${word(15)}`)).toBe(`/**\n * ${word(100)} ${word(15)}\n */\n`)
    expect(comment(`${word(100)} ${word(16)}`)).toBe(`/**\n * ${word(100)}\n * ${word(16)}\n */\n`)
    const indented = (text: string) => printed((writer) => writer.indent(() => printComment(writer, [text])))
    expect(indented(`${word(100)} ${word(13)}`)).toBe(`  /**\n   * ${word(100)} ${word(13)}\n   */\n`)
    expect(indented(`${word(100)} ${word(14)}`)).toBe(`  /**\n   * ${word(100)}\n   * ${word(14)}\n   */\n`)
  })

  it.each<[string, readonly string[]]>([
    ['a\r\nb\nc\rd\u2028e\u2029f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['  a   b  ', ['a b']],
    ['*/', ['*\\/']],
    ['@deprecated', ['\\@deprecated']],
    ['a @deprecated', ['a @deprecated']],
    ['a @ts-ignore b @ts-nocheck', ['a \\@ts-ignore b \\@ts-nocheck']],
    ['@ts-ignore', ['\\@ts-ignore']],
    ['a\tb', ['a\\u0009b']],
    ['a\u202eb', ['a\\u202eb']],
    ['\ud83d\ude00', ['\ud83d\ude00']],
    ['\udb40\udc41', ['\\udb40\\udc41']],
  ])('of %j has the lines %j', (text, lines) => {
    expect(commentLines([text], 80)).toEqual(lines)
  })
})

describe('lines', () => {
  it('are as long as they may be', () => {
    expect(commentLines(['aa bb cc'], 5)).toEqual(['aa bb', 'cc'])
    expect(commentLines(['aa bb cc'], 4)).toEqual(['aa', 'bb', 'cc'])
    expect(commentLines(['aa bb'], 5)).toEqual(['aa bb'])
  })
})

describe('a text', () => {
  it.each([
    ['a\rb\tc\0', "'a\\rb\\tc\\u0000'"],
    ['\udc00', "'\\udc00'"],
    ['\ud800a', "'\\ud800a'"],
    ['a\udc00', "'a\\udc00'"],
    ['\ud83d\ude00', "'\ud83d\ude00'"],
    ["''\"", '"\'\'\\""'],
    ['\'"', "'\\'\"'"],
  ])('%j is written %s', (text, literal) => {
    expect(stringText(text)).toBe(literal)
  })

  it.each([
    ['1', 1],
    ['-0.5', -0.5],
    ['1e21', 1e21],
    ['1e-7', 1e-7],
    ['true', true],
    ["'a'", 'a'],
  ])('%s is the literal of %j', (text, literal) => {
    expect(literalText(literal)).toBe(text)
  })

  it('names a property as it can be named', () => {
    expect(['a', '$a1', '_', '1a', 'a-b', '', 'aé', '__proto__'].map(nameText)).toEqual([
      'a', '$a1', '_', "'1a'", "'a-b'", "''", "'aé'", "['__proto__']",
    ]) // prettier-ignore
    expect(accessText('o', 'a')).toBe('o.a')
    expect(accessText('o?', 'a.b')).toBe("o?['a.b']")
  })
})

describe('a value', () => {
  it.each([
    [null, 'null'],
    [true, 'true'],
    [1, '1'],
    ['a', "'a'"],
    [[], '[]'],
    [[1, [null]], '[1, [null]]'],
    [{}, '{}'],
    [{ a: 1, 'b-c': { d: [] } }, "{ a: 1, 'b-c': { d: [] } }"],
  ])('%j is written %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })

  it('is a literal of its JSON', () => {
    expect(jsonText({ a: "it's" })).toBe(`'{"a":"it\\'s"}'`)
  })
})

describe('a list', () => {
  it('is on one line where it fits', () => {
    const list = (...items: readonly string[]) => printed((writer) => printList(writer, '[', items, ']'))
    expect(list('a', 'b')).toBe('[a, b]\n')
    expect(list(word(59), word(57))).toBe(`[${word(59)}, ${word(57)}]\n`)
    expect(list(word(59), word(58))).toBe(`[\n  ${word(59)},\n  ${word(58)},\n]\n`)
  })

  it('of names is imported', () => {
    const imported = (...names: readonly string[]) =>
      printed((writer) => printImport(writer, 'import type', names, 'a'))
    expect(imported('A', 'B')).toBe("import type { A, B } from 'a'\n")
    expect(imported(word(60), word(60))).toBe(`import type {\n  ${word(60)},\n  ${word(60)},\n} from 'a'\n`)
  })
})

describe('a union and an intersection', () => {
  const long = [word(60), word(30), word(40)]
  it.each<[string, (writer: Writer) => void, string]>([
    ['that fit', (writer) => printUnion(writer, 'type A =', ['b', 'c']), 'type A = b | c\n'],
    ['of one that does not', (writer) => printUnion(writer, 'type A =', [word(120)]), `type A = ${word(120)}\n`],
    ['that do not', (writer) => printUnion(writer, 'type A =', long), `type A =\n  | ${long[0]}\n  | ${long[1]}\n  | ${long[2]}\n`],
    ['of all that fit', (writer) => printIntersection(writer, 'type A =', ['b', 'c']), 'type A = b & c\n'],
    ['of one of all that does not', (writer) => printIntersection(writer, 'type A =', [word(120)]), `type A = ${word(120)}\n`],
    ['of all that do not', (writer) => printIntersection(writer, 'type A =', long), `type A = ${long[0]} &\n  ${long[1]} &\n  ${long[2]}\n`],
  ])('%s', (_, write, text) => {
    expect(printed(write)).toBe(text)
  })
}) // prettier-ignore

describe('an interface', () => {
  const block = (writer: Writer) => () => writer.writeLine('b: 1')
  it.each<[string, (writer: Writer) => void, string]>([
    ['of nothing', (writer) => printInterface(writer, 'A', []), 'export interface A {}\n'],
    ['of others', (writer) => printInterface(writer, 'A', ['B', 'C']), 'export interface A extends B, C {}\n'],
    ['with a block', (writer) => printInterface(writer, 'A', ['B'], block(writer)), 'export interface A extends B {\n  b: 1\n}\n'],
    ['with a long name', (writer) => printInterface(writer, word(120), [], block(writer)), `export interface ${word(120)} {\n  b: 1\n}\n`],
    ['of many', (writer) => printInterface(writer, 'A', [word(60), word(60)]), `export interface A\n  extends\n    ${word(60)},\n    ${word(60)} {}\n`],
    ['of many, with a block', (writer) => printInterface(writer, 'A', [word(60), word(60)], block(writer)), `export interface A\n  extends\n    ${word(60)},\n    ${word(60)} {\n  b: 1\n}\n`],
  ])('%s', (_, write, text) => {
    expect(printed(write)).toBe(text)
  })
}) // prettier-ignore

describe('a block and a call', () => {
  const numbers = Array.from({ length: 12 }, (_, index) => `-${index}.${word(9).replaceAll('x', '1')}`)
  it.each<[string, (writer: Writer) => void, string]>([
    ['of an object', (writer) => printBlock(writer, 'a =', () => writer.writeLine('b')), 'a = {\n  b\n}\n'],
    ['of an argument', (writer) => printBlock(writer, 'a(', () => writer.writeLine('b'), '})'), 'a({\n  b\n})\n'],
    ['that fits', (writer) => printListCall(writer, 'a', 'b', ["'c'", '1'], ','), "a(b, ['c', 1]),\n"],
    ['that just fits', (writer) => printListCall(writer, 'a', 'b', [word(111)], ','), `a(b, [${word(111)}]),\n`],
    ['that does not', (writer) => printListCall(writer, 'a', 'b', [word(60), word(60)], ','), `a(b, [\n  ${word(60)},\n  ${word(60)},\n]),\n`],
    ['of numbers and others', (writer) => printListCall(writer, 'a', 'b', [...numbers, 'x'], ''), `a(b, [\n${[...numbers, 'x'].map((each) => `  ${each},\n`).join('')}])\n`],
    ['of what begins as a number', (writer) => printListCall(writer, 'a', 'b', [...numbers, '1x'], ''), `a(b, [\n${[...numbers, '1x'].map((each) => `  ${each},\n`).join('')}])\n`],
    ['of what ends as a number', (writer) => printListCall(writer, 'a', 'b', [...numbers, 'x1'], ''), `a(b, [\n${[...numbers, 'x1'].map((each) => `  ${each},\n`).join('')}])\n`],
    [
      'of numbers, as many on a line as fit',
      (writer) => printListCall(writer, 'a', 'b', [...numbers, '1', '1e21', '1e-7', '-2.5e-10'], ','),
      `a(\n  b,\n  [\n    ${numbers.slice(0, 8).join(', ')},\n    ${[...numbers.slice(8), '1', '1e21', '1e-7', '-2.5e-10'].join(', ')},\n  ],\n),\n`,
    ],
    ['of a type, that fits', (writer) => printGeneric(writer, 'type A = B', ['C', 'D']), 'type A = B<C, D>\n'],
    ['of a type, that does not', (writer) => printGeneric(writer, 'type A = B', [word(60), word(60)]), `type A = B<\n  ${word(60)},\n  ${word(60)}\n>\n`],
  ])('%s', (_, write, text) => {
    expect(printed(write)).toBe(text)
  })
}) // prettier-ignore

describe('properties', () => {
  const property = (name: string, type: PropertyPlan['type'], rest: Partial<PropertyPlan> = {}): PropertyPlan => ({
    name, type, optional: false, nullable: false, comment: [], ...rest,
  }) // prettier-ignore
  const text: PropertyPlan['type'] = { kind: 'word', word: 'string' }
  const given = [
    property('a', text, { comment: ['Says.'] }),
    property('b-c', { kind: 'literals', literals: ['x', 1, true] } as never, { optional: true, nullable: true }),
  ]
  const lines = "  /** Says. */\n  readonly a: string\n  readonly 'b-c'?: 'x' | 1 | true | null\n"

  it('are an interface, or an alias where there are none', () => {
    expect(printed((writer) => printProperties(writer, 'A', ['Of A.'], given))).toBe(
      `/** Of A. */\nexport interface A {\n${lines}}\n`,
    )
    expect(printed((writer) => printProperties(writer, 'A', [], []))).toBe(
      'export type A = { readonly [name: string]: never }\n',
    )
  })

  it('narrow others, or are just them', () => {
    expect(printed((writer) => printNarrowed(writer, 'A', ['Of A.'], 'B', given))).toBe(
      `/** Of A. */\nexport interface A extends B {\n${lines}}\n`,
    )
    expect(printed((writer) => printNarrowed(writer, 'A', ['Of A.'], 'B', []))).toBe(
      '/** Of A. */\nexport type A = B\n',
    )
  })

  it('stand apart', () => {
    expect(
      printed((writer) => {
        printProperties(writer, 'A', [], [])
        printNarrowed(writer, 'B', [], 'A', [])
        writer.writeLine('end')
      }),
    ).toBe('export type A = { readonly [name: string]: never }\n\nexport type B = A\n\nend\n')
  })

  it('import the words that are not of the language', () => {
    const imported = (...words: readonly string[]) =>
      importedWords(words.map((word) => property('a', { kind: 'word', word } as PropertyPlan['type'])))
    expect(imported('JsonObject', 'string', 'Json', 'Json')).toEqual(['JsonObject', 'Json'])
    expect([imported('Json'), imported('readonly Json[]'), imported('string')]).toEqual([['Json'], ['Json'], []])
    expect(importedWords(given)).toEqual([])
  })
})

describe('Markdown', () => {
  it.each([
    ['a  b\n c ', 'a b c'],
    ['\\`*_{}[]<>()#+!|~&$', '\\\\\\`\\*\\_\\{\\}\\[\\]\\<\\>\\(\\)\\#\\+\\!\\|\\~\\&\\$'],
    ['a `b*c` *d*', 'a `b*c` \\*d\\*'],
    ['`a|b`', '\\`a\\|b\\`'],
    ['`a\\b`', '\\`a\\\\b\\`'],
    ['`', '\\`'],
    ['*b* is bold', '\\*b\\* is bold'],
    ['<b>', '\\<b\\>'],
    ['bold is *b*', 'bold is \\*b\\*'],
    ['``', '\\`\\`'],
    ['- a', '\\- a'],
    ['---', '\\---'],
    ['-', '\\-'],
    ['1. a', '1\\. a'],
    ['-1', '-1'],
    ['1.5 a', '1.5 a'],
  ])('%j is inline %s', (text, markdown) => {
    expect(inline(text)).toBe(markdown)
  })

  it('is code without what ends it', () => {
    expect(code('a.b')).toBe('`a.b`')
    expect(code('a`|\\\r\nb')).toBe('`ab`')
  })

  it('is a table, or nothing', () => {
    expect(table(['a'], [])).toEqual([])
    expect(table(['a', 'long'], [['1'], ['1234', 'x']])).toEqual([
      '| a    | long |',
      '| ---- | ---- |',
      '| 1    |      |',
      '| 1234 | x    |',
      '',
    ])
    expect(table(['a'], [['b']])).toEqual(['| a   |', '| --- |', '| b   |', ''])
  })
})
