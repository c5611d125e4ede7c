import type { Finding } from '../../finding.js'
import { positionAt, type PlacedSource } from '../../parse/sources.js'
import { byLikelihood, isSyntax, isVague, likelihood, mayBeOfLayout } from './likelihood.js'
import { layoutsNear, type Layout } from './layouts.js'
import { linesWith, type LineIndex } from './lines.js'
import type { TextReader } from './text-reader.js'
import { NARROW, WIDE, windowAround, type Window } from './window.js'

/** A text with the lines as they most likely were meant, and what is wrong with those that are written. */
export interface Repaired {
  readonly lines: LineIndex
  readonly faults: readonly Fault[]
}

export interface Fault {
  readonly line: number
  readonly code: string
  readonly message: string
  /** The lines that explain each other: what was found in them is to be found again, as it was meant. */
  readonly window: Window
}

/** Layouts that are tried for one file, places at which they are looked for, and faults of one file. */
const MOST_TRIES = 160
/** Layouts that are tried after one that may be the one. */
const PATIENCE = 8
const MOST_PLACES = 4
const MOST_FAULTS = 5
/** Errors that come to light where a text was no YAML, names that stand outside of what is read among them. */
const MOST_HIDDEN = 6
/** Longer files are not read again: that takes as long as the first time. */
const LONGEST = 4 * 1024 * 1024

/**
 * Looks for lines whose layout alone explains several findings, or why a text is not YAML. Undefined if there are none.
 */
export function repair(
  { text, base }: PlacedSource,
  starts: readonly number[],
  findings: readonly Finding[],
  top: string,
  reader: TextReader,
): Repaired | undefined {
  if (text.length > LONGEST) return undefined
  // Lines that end in CR alone would be counted otherwise than in the places of findings.
  if (text.includes('\r') && /\r(?!\n)/u.test(text)) return undefined
  let lines: LineIndex = { text, starts }
  let places = placesOf(findings, (offset) => positionAt(starts, offset - base).line - 1)
  const faults: Fault[] = []
  const tried = new Set<string>()
  while (faults.length < MOST_FAULTS) {
    const fault = explain({ lines, top, reader, tried }, places)
    if (fault === undefined) break
    faults.push(fault)
    lines = linesWith(lines, fault.changed)
    places = places.filter((line) => !fault.explains(line))
  }
  return faults.length === 0 ? undefined : { lines, faults }
}

/** The lines at which a search begins; none where every finding says by itself what is wrong. */
function placesOf(findings: readonly Finding[], lineOf: (offset: number) => number): readonly number[] {
  if (!mayBeOfLayout(findings)) return []
  const ranks = byLikelihood(findings)
  const isLikely = ranks[0]!.length + ranks[1]!.length > 0
  const ordered = ranks
    .slice(0, isLikely ? 3 : 4)
    .flatMap((rank) => rank.toSorted((one, other) => one.span.start - other.span.start))
  return [...new Set(ordered.map(({ span }) => lineOf(span.start)))]
}

interface Search {
  readonly lines: LineIndex
  /** Text to read before it. */
  readonly top: string
  readonly reader: TextReader
  readonly tried: Set<string>
}

interface Explanation extends Layout, Fault {
  readonly gain: number
  /** Nothing near it asks for another layout then. */
  readonly isWhole: boolean
  /** Checks whether the finding at a line needs no other explanation. */
  readonly explains: (line: number) => boolean
}

/** The layout that explains most, near any of the places. */
function explain(search: Search, places: readonly number[]): Explanation | undefined {
  let best: Explanation | undefined
  for (const line of places.slice(0, MOST_PLACES)) {
    const found = explainAt(search, line)
    if (found !== undefined && found.gain > (best?.gain ?? -Infinity)) best = found
    if (best?.isWhole) break
  }
  return best
}

function explainAt(search: Search, line: number): Explanation | undefined {
  const { lines, top, reader } = search
  const wide = windowAround(lines, line, top, WIDE)
  const narrow = windowAround(lines, line, top, NARROW)
  const found = wide === undefined ? [] : reader.read(wide.textWith(new Map()))
  if (wide === undefined || found.length === 0) return undefined
  // What is no YAML beside a place would hide that another layout helps there.
  const isHidden = found.filter(isSyntax).length > 1 && narrow !== undefined
  const alone = isHidden ? explainWithin(search, line, narrow, reader.read(narrow.textWith(new Map()))) : undefined
  return alone ?? explainWithin(search, line, wide, found)
}

function explainWithin(
  { lines, reader, tried }: Search,
  line: number,
  window: Window,
  found: readonly Finding[],
): Explanation | undefined {
  const { textWith, holds } = window
  const errors = reader.errors(textWith(new Map()))
  let best: Explanation | undefined
  let patience = Infinity
  // One error in a text that is YAML is of its own line, or of the one that begins its value.
  const isAlone = errors === 1 && !found.some(isSyntax)
  for (const layout of layoutsNear(lines, line, isAlone)) {
    const text = textWith(layout.changed)
    if (tried.size === MOST_TRIES || patience-- === 0) break
    if (tried.size === tried.add(text).size) continue
    const left = reader.readStrictly(text)
    if (left === undefined || left.length >= found.length || !isAmong(left, found)) continue
    const gain = errors - reader.errors(text)
    if (gain <= (best?.gain ?? leastGain(found, left))) continue
    const isWhole = left.every((each) => (likelihood(each) ?? 3) === 3)
    if (isWhole) patience = errors - gain === left.length ? 0 : PATIENCE
    const explains = isWhole ? holds : (each: number) => layout.changed.has(each)
    best = { ...layout, window, code: codeOf(layout, found), gain, isWhole, explains }
  }
  return best
}

/**
 * One finding takes the place of those that are gone: more than it must go, unless it says more than they did. Where a
 * text is no YAML, errors in it were hidden: a few may come to light.
 */
function leastGain(before: readonly Finding[], after: readonly Finding[]): number {
  const left = new Set(after.map(({ message }) => message))
  const gone = before.filter(({ message }) => !left.has(message))
  if (gone.some(isSyntax)) return -MOST_HIDDEN
  return gone.some(isVague) ? 0 : 1
}

/** Checks whether every finding now existed before. */
function isAmong(after: readonly Finding[], before: readonly Finding[]): boolean {
  const known = new Set(before.map(({ message }) => message))
  return after.every(({ message }) => known.has(message))
}

function codeOf({ kind }: Layout, found: readonly Finding[]): string {
  if (kind === 'white space') return 'SVC0102'
  if (found.some(isSyntax)) return 'SVC0101'
  if (kind === 'dash') return found.some(({ code }) => code === 'SVC0103') ? 'SVC0103' : 'SVC0203'
  return 'SVC0210'
}
