import { expect, it } from 'vitest'
import { measure, type Judged } from './measure.js'

/** `FAULTS`: how many of each kind. `SHOW`: a part of the names of kinds whose misses are printed. */
const { FAULTS = '9', SEED = '19', SHOW } = process.env

/** A fault, its lines, and what was found of it. */
const inWords = ({ kind, of, text, lines, findings }: Judged): string =>
  [
    `${kind} (${of})`,
    ...lines.map((line) => `  ${line}: ${text.split('\n')[line - 1]?.slice(0, 110)}`),
    ...findings.map((finding) => `    ${finding}`),
  ].join('\n')

it('finds each of 2,000 faults, once, on its line, and nothing in what is valid', () => {
  const { judged, wronglyAccused, ...figures } = measure(Number(FAULTS), Number(SEED))
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
  console.log(
    `${figures.faults} faults of ${figures.kinds} kinds in ${figures.manifests} valid manifests: ${percent(figures.found)} found, ` +
      `${percent(figures.one)} with one finding, ${percent(figures.onLine)} on the right line; ${wronglyAccused.length} findings in valid ones`,
  )
  if (SHOW !== undefined)
    for (const each of judged.filter(({ kind, isOne, isOnLine }) => kind.includes(SHOW) && !(isOne && isOnLine)))
      console.log(inWords(each))
  expect(wronglyAccused).toEqual([])
  expect(figures.faults).toBeGreaterThanOrEqual(2000)
  expect(figures.kinds).toBeGreaterThanOrEqual(240)
  expect(judged.filter(({ isFound }) => !isFound).map(inWords)).toEqual([])
  expect(judged.flatMap(({ leftToType }) => leftToType)).toEqual([])
  expect(figures.one).toBeGreaterThanOrEqual(0.99)
  expect(figures.onLine).toBeGreaterThanOrEqual(0.98)
}, 600_000)
