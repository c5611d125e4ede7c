export { readStock } from './read_stock.js'
export { reserveItem } from './reserve_item.js'
