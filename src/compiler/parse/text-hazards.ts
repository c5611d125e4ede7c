import { replace, type Report } from '../finding.js'
import { HIDDEN, hiddenIn, type Hidden } from './hidden-characters.js'
import type { PlacedSource } from './sources.js'
import type { Span } from './tree.js'

/**
 * Characters that no manifest needs raw: C0 controls but tab and line ends, DEL, C1 but NEL, surrogates that stand
 * alone, non-characters.
 */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u0080-\u0084\u0086-\u009F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/ // prettier-ignore
/** Replacement character that a decoder writes for invalid UTF-8. */
const REPLACED = '\uFFFD'
/** Byte order mark of UTF-16, and the following character, as read by a UTF-8 decoder. Some shells write UTF-16. */
const UTF_16 = /^\uFFFD\uFFFD[^]?\0/u
const BYTE_ORDER_MARK = '\uFEFF'
const SPECIAL = /[^\t\n\r\u0020-\u007E]/

/** Reports what the text hides from its reader. False if the text cannot be read at all. */
export function reportTextHazards(source: PlacedSource, report: Report): boolean {
  const { text, base } = source
  if (text.startsWith(BYTE_ORDER_MARK))
    report('SVC0126', { start: base, end: base + 1 }, 'The file starts with a byte order mark; YAML needs none.', {
      fix: replace({ start: base, end: base + 1 }, ''),
    })
  reportMixedLineEnds(source, report)
  if (!SPECIAL.test(text)) return true
  if (!reportEncoding(source, report)) return false
  for (const each of some(hiddenIn(text))) {
    // A mark of the byte order has a finding of its own.
    if (each.start === 0 && text.startsWith(BYTE_ORDER_MARK)) continue
    const span = { start: base + each.start, end: base + each.end }
    const name = `${HIDDEN[each.kind].what}, ${codePoint(text, each.start)}`
    report(HIDDEN[each.kind].code, span, `The text hides ${name}; remove it.`, { fix: replace(span, '') })
  }
  return true
}

function reportEncoding({ text, base }: PlacedSource, report: Report): boolean {
  if (UTF_16.test(text)) {
    report('SVC0104', { start: base, end: base + 1 }, 'The file is UTF-16; save it as UTF-8.')
    return false
  }
  const at = text.search(FORBIDDEN)
  const replaced = text.indexOf(REPLACED)
  if (at !== -1) {
    const name = codePoint(text, at)
    report(
      'SVC0104',
      { start: base + at, end: base + at + 1 },
      `The character ${name} may not stand in a manifest; remove it or write it as an escape in double quotes.`,
    )
  }
  if (replaced !== -1)
    report(
      'SVC0104',
      { start: base + replaced, end: base + replaced + 1 },
      'The file is not valid UTF-8 here; save it as UTF-8.',
    )
  return at === -1 && replaced === -1
}

/** A file that hides more is no manifest; what it hides there is found when the rest is fixed. */
const MOST_HIDDEN = 1000

function* some<Item>(items: Iterable<Item>): Generator<Item> {
  let left = MOST_HIDDEN
  for (const item of items) {
    if (left-- === 0) return
    yield item
  }
}

/** C0 controls but tab and line ends, DEL and C1: terminals obey some of them. */
const CONTROL = /[\u0000-\u0008\u000B-\u000C\u000E-\u001F\u007F-\u009F]/u

/**
 * Reports what an escape in double quotes puts into a value: the file shows it, and whoever reads the value does not
 * see it.
 */
export function reportEscapes(value: string, span: Span, report: Report): void {
  const kinds = new Set<Hidden['kind']>()
  for (const { kind, start } of some(hiddenIn(value))) {
    if (kinds.size === kinds.add(kind).size) continue
    const { code, what } = HIDDEN[kind]
    report(code, span, `An escape writes ${what}, ${codePoint(value, start)}; remove it.`)
  }
  const control = value.search(CONTROL)
  if (control !== -1)
    report('SVC5102', span, `An escape writes a control character, ${codePoint(value, control)}; remove it.`)
  const half = value.search(SURROGATE)
  if (half !== -1)
    report('SVC0104', span, `An escape writes half a character, ${codePoint(value, half)}; write all of it.`)
}

/** One half of a pair that stands alone: no UTF-8 can hold it. */
const SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

const codePoint = (text: string, at: number): string =>
  `U+${text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')}`

/** One file, one kind of line end. */
function reportMixedLineEnds({ text, base }: PlacedSource, report: Report): void {
  const first = text.indexOf('\r\n')
  if (first === -1) return
  const bare = /(?<!\r)\n/u.exec(text)
  if (bare === null) return
  report(
    'SVC0126',
    { start: base + bare.index, end: base + bare.index + 1 },
    'The file mixes CR LF and LF line ends; use one of them.',
    {
      fix: [...text.matchAll(/\r\n/gu)].map((match) => ({
        span: { start: base + match.index, end: base + match.index + 2 },
        newText: '\n',
      })),
    },
  )
}
