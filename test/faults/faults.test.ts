import { expect, it } from 'vitest'
import { measure } from './measure.js'

/** `FAULTS`: how many of each kind. `SHOW`: a part of the names of kinds whose misses are printed. */
const { FAULTS = '9', SEED = '19', SHOW } = process.env

it('finds each of 2,000 faults, once, on its line, and nothing in what is valid', () => {
  const { judged, wronglyAccused, ...figures } = measure(Number(FAULTS), Number(SEED))
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
  console.log(
    `${figures.faults} faults of ${figures.kinds} kinds in ${figures.manifests} valid manifests: ${percent(figures.found)} found, ` +
      `${percent(figures.one)} with one finding, ${percent(figures.onLine)} on the right line; ${wronglyAccused.length} findings in valid ones`,
  )
  if (SHOW !== undefined)
    for (const { kind, of, text, lines, findings } of judged.filter(
      (each) => each.kind.includes(SHOW) && !(each.isOne && each.isOnLine),
    ))
      console.log(
        `${kind} (${of})\n  ${lines.map((line) => `${line}: ${text.split('\n')[line - 1]?.slice(0, 110)}`).join('\n  ')}\n    ${findings.join('\n    ')}`,
      )
  expect(wronglyAccused).toEqual([])
  expect(figures.faults).toBeGreaterThanOrEqual(2000)
  expect(figures.kinds).toBeGreaterThanOrEqual(240)
  expect(figures.found).toBeGreaterThanOrEqual(0.998)
  expect(figures.one).toBeGreaterThanOrEqual(0.99)
  expect(figures.onLine).toBeGreaterThanOrEqual(0.98)
}, 600_000)
