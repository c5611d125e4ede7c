/** Characters in a row that no reader sees. */
export interface Hidden {
  readonly kind: 'bidi' | 'tag' | 'invisible'
  readonly start: number
  readonly end: number
}

/** Descriptions of each kind in findings. */
export const HIDDEN = {
  bidi: { code: 'SVC5101', what: 'a bidirectional control' },
  tag: { code: 'SVC5107', what: 'a tag character' },
  invisible: { code: 'SVC5102', what: 'an invisible character' },
} as const satisfies { readonly [kind in Hidden['kind']]: { readonly code: string; readonly what: string } }

/**
 * Characters that Unicode treats as invisible if they cannot be shown, interlinear marks, and signs with an empty
 * glyph that are not spaces: a Braille pattern without dots, a note without a head, fillers and blanks of scripts.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}\u{16FE4}\u{13441}\u{13442}]/gu
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/
/** They spell text that only a model reads. */
const TAG = /[\u{E0000}-\u{E007F}]/u

/** All that a text hides, in its order; not what emoji and words are written with. */
export function* hiddenIn(text: string): Generator<Hidden> {
  let run: { kind: Hidden['kind']; start: number; end: number } | undefined
  for (const { 0: mark, index } of text.matchAll(UNSEEN)) {
    if (isNeeded(text, index, mark)) continue
    const kind = kindOf(mark)
    const end = index + mark.length
    if (run?.end === index && run.kind === kind) run.end = end
    else {
      if (run !== undefined) yield run
      run = { kind, start: index, end }
    }
  }
  if (run !== undefined) yield run
}

const kindOf = (mark: string): Hidden['kind'] => (BIDI.test(mark) ? 'bidi' : TAG.test(mark) ? 'tag' : 'invisible')

const JOINER = /[\u200C\u200D]/
const VARIATION = /[\uFE0E\uFE0F]/
const EMOJI_BEFORE = /\p{Extended_Pictographic}\p{Emoji_Modifier}?$/u
const STYLED_BEFORE = /\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
/** A digit in a key: U+0031 U+FE0F U+20E3. */
const KEYCAP = /[0-9#*]$/
/** Scripts whose letters change their shapes beside each other: joiners spell words in them. */
const JOINED = [
  'Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr',
].map((script) => `\\p{Script_Extensions=${script}}`).join('') // prettier-ignore
const LETTER_BEFORE = new RegExp(`[${JOINED}]$`, 'u')
const LETTER_AFTER = new RegExp(`^[${JOINED}]`, 'u')

/** Patterns with dots: between two of them the one without is the space of Braille. */
const BRAILLE_BEFORE = /[\u2801-\u28FF]$/
const BRAILLE_AFTER = /^[\u2801-\u28FF]/

/** Checks whether a mark belongs to an emoji or to a word. */
function isNeeded(text: string, at: number, mark: string): boolean {
  const before = text.slice(Math.max(0, at - 6), at)
  const after = text.slice(at + mark.length, at + mark.length + 2)
  if (JOINER.test(mark) && LETTER_BEFORE.test(before) && LETTER_AFTER.test(after)) return true
  if (mark === '\u2800') return BRAILLE_BEFORE.test(before) && BRAILLE_AFTER.test(after)
  if (mark === '\u200D') return STYLED_BEFORE.test(before) && EMOJI_AFTER.test(after)
  if (!VARIATION.test(mark)) return false
  return EMOJI_BEFORE.test(before) || (KEYCAP.test(before) && after.startsWith('\u20E3'))
}
