/** The only place that writes TypeScript. What is written is in its final format: a formatter changes nothing. */
import { commentLines } from './text.js'
import { newWriter, type Writer } from './writer.js'

export type { Writer }

/** Columns, as formatters are told. */
const WIDTH = 120

/** Writes one module under its header. */
export function printModule(header: readonly string[], write: (writer: Writer) => void): string {
  const { writer, text } = newWriter()
  for (const line of commentLines(header, WIDTH - 3)) writer.writeLine(`// ${line}`)
  writer.blankLineIfLastNot()
  write(writer)
  return text()
}

/** Holds when a line fits at the current depth. */
export const fitsOneLine = (writer: Writer, line: string): boolean =>
  writer.getIndentationLevel() * 2 + line.length <= WIDTH

/** Writes a documentation comment; nothing when there is nothing to say. */
export function printComment(writer: Writer, paragraphs: readonly string[]): void {
  const lines = commentLines(paragraphs, WIDTH - 4 - writer.getIndentationLevel() * 2)
  if (lines.length === 0) return
  const [only] = lines
  if (lines.length === 1 && fitsOneLine(writer, `/** ${only} */`)) return void writer.writeLine(`/** ${only} */`)
  writer.writeLine('/**')
  for (const line of lines) writer.writeLine(` * ${line}`)
  writer.writeLine(' */')
}

/** Writes `open item, item close`, on one line where it fits, else one item a line. Items are texts of one line. */
export function printList(writer: Writer, open: string, items: readonly string[], close: string, padding = ''): void {
  const line = `${open}${padding}${items.join(', ')}${padding}${close}`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  writer.writeLine(open)
  writer.indent(() => items.forEach((item) => writer.writeLine(`${item},`)))
  writer.writeLine(close)
}

/** Writes an import; names may carry `type`. */
export const printImport = (
  writer: Writer,
  keyword: 'import' | 'import type',
  names: readonly string[],
  from: string,
): void => printList(writer, `${keyword} {`, names, `} from '${from}'`, ' ')

/** Writes `start a | b`, broken before each member where it does not fit. */
export function printUnion(writer: Writer, start: string, members: readonly string[]): void {
  const line = `${start} ${members.join(' | ')}`
  if (fitsOneLine(writer, line) || members.length === 1) return void writer.writeLine(line)
  writer.writeLine(start)
  writer.indent(() => members.forEach((member) => writer.writeLine(`| ${member}`)))
}

/** Writes `start a & b`, broken after each `&` where it does not fit. */
export function printIntersection(writer: Writer, start: string, members: readonly string[]): void {
  const line = `${start} ${members.join(' & ')}`
  if (fitsOneLine(writer, line) || members.length === 1) return void writer.writeLine(line)
  const [first, ...more] = members
  writer.writeLine(`${start} ${first} &`)
  writer.indent(() =>
    more.forEach((member, index) => writer.writeLine(index === more.length - 1 ? member : `${member} &`)),
  )
}

/** Writes `start<a, b>`, one argument a line where it does not fit. */
export function printGeneric(writer: Writer, start: string, items: readonly string[]): void {
  const line = `${start}<${items.join(', ')}>`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  writer.writeLine(`${start}<`)
  writer.indent(() => items.forEach((item, index) => writer.writeLine(index === items.length - 1 ? item : `${item},`)))
  writer.writeLine('>')
}

/** Writes an interface that extends others; without a block it adds nothing to them. */
export function printInterface(writer: Writer, name: string, heritage: readonly string[], block?: () => void): void {
  const end = block === undefined ? '{}' : '{'
  const line = `export interface ${name}${heritage.length === 0 ? '' : ` extends ${heritage.join(', ')}`} ${end}`
  if (fitsOneLine(writer, line) || heritage.length === 0) writer.writeLine(line)
  else {
    writer.writeLine(`export interface ${name}`)
    writer.indent(() => {
      writer.writeLine('extends')
      writer.indent(() =>
        heritage.forEach((each, index) =>
          writer.writeLine(`${each}${index === heritage.length - 1 ? ` ${end}` : ','}`),
        ),
      )
    })
  }
  if (block === undefined) return
  writer.indent(block)
  writer.writeLine('}')
}

/** Writes `start { … }` around what the block writes. */
export function printBlock(writer: Writer, start: string, block: () => void, end = '}'): void {
  writer.writeLine(start.endsWith('(') ? `${start}{` : `${start} {`)
  writer.indent(block)
  writer.writeLine(end)
}

/** Writes `start(item, [elements])end`, hugging the list where it does not fit, unless it is of numbers. */
export function printListCall(
  writer: Writer,
  start: string,
  item: string,
  elements: readonly string[],
  end: string,
): void {
  const line = `${start}(${item}, [${elements.join(', ')}])${end}`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  if (!elements.every(isNumber)) return printHugged(writer, `${start}(${item}, [`, elements, `])${end}`)
  writer.writeLine(`${start}(`)
  writer.indent(() => {
    writer.writeLine(`${item},`)
    const list = `[${elements.join(', ')}],`
    if (fitsOneLine(writer, list)) return void writer.writeLine(list)
    writer.writeLine('[')
    writer.indent(() => printFilled(writer, elements))
    writer.writeLine('],')
  })
  writer.writeLine(`)${end}`)
}

function printHugged(writer: Writer, start: string, elements: readonly string[], end: string): void {
  writer.writeLine(start)
  writer.indent(() => elements.forEach((element) => writer.writeLine(`${element},`)))
  writer.writeLine(end)
}

const isNumber = (item: string): boolean => /^-?[\d.]+(?:e-?\d+)?$/u.test(item)

/** Numbers stand as many on a line as fit. */
function printFilled(writer: Writer, items: readonly string[]): void {
  let line = ''
  for (const item of items) {
    const longer = line === '' ? `${item},` : `${line} ${item},`
    if (fitsOneLine(writer, longer)) line = longer
    else {
      writer.writeLine(line)
      line = `${item},`
    }
  }
  writer.writeLine(line)
}
