import type { ReadStockHandler } from '../../generated/handlers.js'
import { quantityOf } from '../stock.js'

/** Read how many of an item are left. */
export const readStock: ReadStockHandler = async ({ item }) => ({ item, left: await quantityOf(item) })
