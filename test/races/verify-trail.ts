/** Reads the trail out of the database itself, and hashes it anew by RFC 9162, section 2.1.1, read literally. */
import { createHash } from 'node:crypto'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import type { World } from './world.js'

export interface VerifiedTrail {
  readonly sequences: readonly number[]
  /** Ids of invocations, in the order of the trail. */
  readonly invocations: readonly string[]
  readonly entries: readonly { readonly [name: string]: unknown }[]
  rootAt(size: number): string
}

export const openStorageOf = ({ storage }: Pick<World, 'storage'>): Promise<Storage> =>
  'file' in storage ? openSqlite(storage) : openPostgres({ connectionString: storage.url })

/** Throws unless each text hashes to its stored leaf, and every stored node is that of the tree. */
export async function verifyTrail(world: Pick<World, 'storage'>): Promise<VerifiedTrail> {
  const storage = await openStorageOf(world)
  try {
    const size = await storage.audit.size()
    const texts = await storage.audit.texts(1, size + 1)
    const leaves = await storage.audit.nodes(Array.from({ length: size }, (_, index) => ({ level: 0, index })))
    texts.forEach(({ text, sequence }, index) => {
      const leaf = Buffer.from(leaves[index]!)
      if (text !== null && !leafHash(text).equals(leaf)) throw new Error(`Entry ${sequence} is not what was hashed.`)
    })
    await verifyNodes(storage, leaves)
    const entries = texts.flatMap(({ text }) =>
      text === null ? [] : [JSON.parse(text) as VerifiedTrail['entries'][0]],
    )
    return {
      sequences: texts.map(({ sequence }) => sequence),
      invocations: entries.flatMap(({ invocation_id: id }) => (typeof id === 'string' ? [id] : [])),
      entries,
      rootAt: (count) => `sha256:${rootOf(leaves.slice(0, count)).toString('hex')}`,
    }
  } finally {
    await storage.close()
  }
}

async function verifyNodes(storage: Storage, leaves: readonly Uint8Array[]): Promise<void> {
  for (let level = 1; 2 ** level <= leaves.length; level++) {
    const width = 2 ** level
    const ids = Array.from({ length: Math.floor(leaves.length / width) }, (_, index) => ({ level, index }))
    const nodes = await storage.audit.nodes(ids)
    nodes.forEach((node, index) => {
      const wanted = rootOf(leaves.slice(index * width, (index + 1) * width))
      if (!wanted.equals(node)) throw new Error(`Node ${level}/${index} is not that of the tree.`)
    })
  }
}

const hash = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

const leafHash = (text: string): Buffer => hash(Buffer.of(0), Buffer.from(text))

function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 1) return Buffer.from(leaves[0]!)
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return hash(Buffer.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}
