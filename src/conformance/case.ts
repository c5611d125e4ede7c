import type { ServiceUnderTest } from './target.js'

/** One sentence of the interface document, and how to see that it holds. */
export interface ConformanceCase {
  /** Section of the interface document. */
  readonly section: string
  readonly title: string
  readonly run: (target: ServiceUnderTest) => Promise<unknown>
}

/** Cases of one section: title -> what to do. */
export const cases = (
  section: string,
  table: { readonly [title: string]: ConformanceCase['run'] },
): readonly ConformanceCase[] => Object.entries(table).map(([title, run]) => ({ section, title, run }))

/** The same case for each of several values. */
export const casesFor = <Value>(
  section: string,
  values: readonly Value[],
  title: (value: Value) => string,
  run: (value: Value, target: ServiceUnderTest) => Promise<unknown>,
): readonly ConformanceCase[] =>
  values.map((value) => ({ section, title: title(value), run: (target) => run(value, target) }))
