import type { ReadStockHandler } from '../../generated/handlers.js'
import type { ReadStockOutput } from '../../generated/types.js'
import { quantityOf } from '../stock.js'

/** Read how many of an item are left. */
export const readStock: ReadStockHandler = async ({ item }): Promise<ReadStockOutput> => ({
  item,
  left: await quantityOf(item),
})
