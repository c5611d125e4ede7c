import { markup } from '../../markup.js'
import { both, local } from '../../words/time.js'
import { totalOf, type Bar, type Overview } from './figures.js'

const [LEFT, RIGHT, TOP, FLOOR, LOW_TOP, LOW_FLOOR] = [40, 700, 20, 140, 164, 200]

/** Calls as an area; below it refused hollow and failed solid. A sentence above tells the figures. */
export function Plot({ of, bars }: { readonly of: Overview; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ calls }) => calls))
  const mostBad = Math.max(1, ...bars.map(({ refused, failed }) => refused + failed))
  const width = (RIGHT - LEFT) / bars.length
  const x = (index: number): number => LEFT + width * index
  const y = (calls: number): number => FLOOR - ((FLOOR - TOP) * calls) / most
  const low = (count: number): number => ((LOW_FLOOR - LOW_TOP) * count) / mostBad
  const line = bars.map(({ calls }, index) => `${(x(index) + width / 2).toFixed(1)} ${y(calls).toFixed(1)}`).join(' L')
  const first = (x(0) + width / 2).toFixed(1)
  const last = (x(bars.length - 1) + width / 2).toFixed(1)
  return markup`
    <svg class="plot" viewBox="0 0 720 226" role="img" aria-label=${labelOf(of, bars)}>
      <path class="grid" d=${`M${LEFT} ${FLOOR}H${RIGHT}M${LEFT} ${TOP}H${RIGHT}M${LEFT} ${LOW_FLOOR}H${RIGHT}M${LEFT} ${LOW_TOP}H${RIGHT}`} />
      ${mark(FLOOR, 0)}${mark(TOP, most)}${mark(LOW_FLOOR, 0)}${mark(LOW_TOP, mostBad)}
      <path class="area" d=${`M${first} ${FLOOR} L${line} L${last} ${FLOOR}z`} />
      <path class="ok" d=${`M${line}`} />
      ${bars.map(({ refused, failed }, index) => [
        refused > 0 &&
          markup`<rect class="no" x=${x(index) + 3} y=${LOW_FLOOR - low(refused)} width=${width - 6} height=${low(refused)} />`,
        failed > 0 &&
          markup`<rect class="bad" x=${x(index) + 3} y=${LOW_FLOOR - low(refused + failed)} width=${width - 6} height=${low(failed)} />`,
      ])}
      <text x=${LEFT} y="221">${local(of.since, of.until)}</text>
      <text x=${RIGHT} y="221" text-anchor="end">now</text>
    </svg>
    <ul class="key">
      <li><svg viewBox="0 0 12 12" class="swatch" aria-hidden="true"><rect width="12" height="12" rx="2" class="this" /></svg>Calls</li>
      <li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="no" x="1" y="1" width="10" height="10" /></svg>Refused: a rule said no</li>
      <li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="bad" width="12" height="12" /></svg>Failed: something broke</li>
    </ul>
  `
}

const mark = (y: number, count: number) => markup`<text x=${LEFT - 10} y=${y + 4} text-anchor="end">${count}</text>`

const labelOf = ({ since, until }: Overview, bars: readonly Bar[]): string =>
  `From ${both(since, until)} until now: ${totalOf(bars, 'calls')} calls, at ` +
  `most ${Math.max(0, ...bars.map(({ calls }) => calls))} in one of ${bars.length} parts of the ` +
  `time; ${totalOf(bars, 'refused')} refused, ${totalOf(bars, 'failed')} failed.`
