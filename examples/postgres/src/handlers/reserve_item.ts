import type { ReserveItemHandler } from '../../generated/handlers.js'
import type { ReserveItemOutput } from '../../generated/types.js'
import { reserve } from '../stock.js'

/** Reserve some of an item. The invocation's id names the reservation, so that both can be found from each other. */
export const reserveItem: ReserveItemHandler = async (
  { item, count },
  { invocation, fail },
): Promise<ReserveItemOutput> => {
  const reservation_id = `r-${invocation.invocation_id}`
  const left = count > 0 ? await reserve(reservation_id, item, count) : undefined
  if (left === undefined) return fail('out_of_stock', `There are fewer than ${count} of ${item}.`)
  return { reservation_id, left }
}
