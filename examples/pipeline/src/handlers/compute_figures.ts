import type { ComputeFiguresHandler } from '../../generated/handlers.js'
import type { ComputeFiguresOutput } from '../../generated/types.js'
import { REGIONS } from '../regions.js'

/** Compute the figures of a region for a quarter. */
export const computeFigures: ComputeFiguresHandler = ({ region, quarter, currency, detail }): ComputeFiguresOutput => {
  const accounts = REGIONS.get(region)?.accounts ?? []
  const lines = accounts.map((account) => ({ account, quarter, revenue: account.length * 100 }))
  const revenue = lines.reduce((sum, line) => sum + line.revenue, 0)
  return { revenue, currency, lines: detail === 'long' ? lines : [] }
}
