/**
 * Invocation ids: `inv-` and 12 hex digits (section 2.13), unique in the service because the store gives each block of
 * them once. They rise within a block, so the indexes of the trail grow at their end instead of all over: several times
 * cheaper.
 */
import { randomBytes } from 'node:crypto'
import type { Storage } from './contract.js'

/** 2^12 ids a block, 2^35 blocks. */
const BLOCK_DIGITS = 9
const IDS_PER_BLOCK = 0x1000
const BLOCKS_IN_STOCK = 2

export interface InvocationIds {
  next(): string
}

/** Rejects with `StorageUnavailable` when not even the first block can be had. */
export async function startInvocationIds(storage: Pick<Storage, 'nextBlock'>): Promise<InvocationIds> {
  const stock: number[] = [await storage.nextBlock()]
  let used = 0
  let asking = false

  const fill = async (): Promise<void> => {
    if (asking || stock.length >= BLOCKS_IN_STOCK) return
    asking = true
    try {
      stock.push(await storage.nextBlock())
    } catch {
      // The store cannot answer: asked again with the next id, and until then there is the stock.
    } finally {
      asking = false
    }
  }

  return {
    next: () => {
      void fill()
      if (used === IDS_PER_BLOCK) {
        stock.shift()
        used = 0
      }
      const [block] = stock
      return block === undefined ? outOfStock() : idOf(block, used++)
    },
  }
}

const idOf = (block: number, index: number): string =>
  `inv-${block.toString(16).padStart(BLOCK_DIGITS, '0')}${index.toString(16).padStart(3, '0')}`

/**
 * While the store gives no blocks nothing can be recorded either; answers still need an id. Its first bit is set, which
 * no block of the store ever sets.
 */
function outOfStock(): string {
  const bytes = randomBytes(6)
  bytes[0]! |= 0x80
  return `inv-${bytes.toString('hex')}`
}
