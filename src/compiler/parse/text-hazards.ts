import { replace, type Report } from '../finding.js'
import type { PlacedSource } from './sources.js'
import type { Spot } from './tree.js'

/** Characters that no manifest needs raw: C0 controls but tab and line ends, DEL, C1 but NEL, surrogates that stand alone, non-characters. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u0080-\u0084\u0086-\u009F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/ // prettier-ignore
/** What a decoder writes where the bytes were no UTF-8. */
const REPLACED = '\uFFFD'
/** How a byte order mark of UTF-16 and what follows it look when they are read as UTF-8. Some shells write so. */
const UTF_16 = /^\uFFFD\uFFFD[^]?\0/u
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu
const INVISIBLE =
  /(?:[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200D\u2060-\u2064\u3164\uFFA0]|(?<!^)\uFEFF)+/gu
const SPECIAL = /[^\t\n\r\u0020-\u007E]/

/** Reports what the text hides from its reader. False if the text cannot be read at all. */
export function reportTextHazards(source: PlacedSource, report: Report): boolean {
  const { text, base } = source
  if (text.startsWith('\uFEFF'))
    report('SVC0126', { start: base, end: base + 1 }, 'The file starts with a byte order mark; YAML needs none.', {
      fix: replace({ start: base, end: base + 1 }, ''),
    })
  reportMixedLineEnds(source, report)
  if (!SPECIAL.test(text)) return true
  if (!reportEncoding(source, report)) return false
  for (const match of some(text.matchAll(BIDI))) hidden(source, match, 'SVC5101', 'a bidirectional control', report)
  for (const match of some(text.matchAll(INVISIBLE))) hidden(source, match, 'SVC5102', 'an invisible character', report)
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

/** A file that hides more is no manifest; what it hides there is found when the rest is mended. */
const MOST_HIDDEN = 1000

function* some<Item>(items: Iterable<Item>): Generator<Item> {
  let left = MOST_HIDDEN
  for (const item of items) {
    if (left-- === 0) return
    yield item
  }
}

/** Characters in a row are one finding. */
function hidden({ base }: PlacedSource, match: RegExpExecArray, code: string, what: string, report: Report): void {
  const spot = { start: base + match.index, end: base + match.index + match[0].length }
  report(code, spot, `The text hides ${what}, ${codePoint(match[0], 0)}; remove it.`, { fix: replace(spot, '') })
}

/** C0 controls but tab and line ends, DEL and C1: terminals obey some of them. */
const CONTROL = /[\u0000-\u0008\u000B-\u000C\u000E-\u001F\u007F-\u009F]/u

/** Reports what an escape in double quotes puts into a value: the file shows it, and whoever reads the value does not see it. */
export function reportEscapes(value: string, spot: Spot, report: Report): void {
  for (const [hazard, code, what] of ESCAPED) {
    const at = value.search(hazard)
    if (at !== -1) report(code, spot, `An escape writes ${what}, ${codePoint(value, at)}; remove it.`)
  }
}

const ESCAPED = [
  [BIDI, 'SVC5101', 'a bidirectional control'],
  [INVISIBLE, 'SVC5102', 'an invisible character'],
  [CONTROL, 'SVC5102', 'a control character'],
] as const

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
        spot: { start: base + match.index, end: base + match.index + 2 },
        newText: '\n',
      })),
    },
  )
}
