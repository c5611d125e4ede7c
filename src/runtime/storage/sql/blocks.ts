/** Who is blocked, until when (decisions, section 13). */
import type { Block, BlockKind } from '../../../protocol/operator.js'
import { foldOf, formerFolds } from '../../../protocol/fold.js'
import type { Principal } from '../../../protocol/principals.js'
import type { Blockable, Sealed } from '../operator-store.js'
import { namesOf } from './accounts.js'
import { integer, optionalInteger, optionalText, textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { keep, row, rows, sendOnly, type WriteOutcome, type StoragePlan, type Row } from './plan.js'

const COLUMNS = 'block_id, kind, value, reason, created_by, created_at, lifted_by, lifted_at, mac'

const INSERT = `
  insert into blocks (block_id, kind, value, reason, created_by, created_at, mac) values (?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing`

const FIND = `select ${COLUMNS} from blocks where kind = ? and value = ? and lifted_at is null`
const LIST = `select ${COLUMNS} from blocks where created_at <= ? order by created_at desc, block_id desc limit ?`
const ACTIVE = `select ${COLUMNS} from blocks where kind >= ? and lifted_at is null`
const ANY = 'select block_id from blocks where kind is not null and lifted_at is null limit 1'

const LIFT = `
  update blocks set lifted_by = ?, lifted_at = ? where block_id = ? and lifted_at is null returning ${COLUMNS}`

export function* insertBlock(given: Sealed<Block>): StoragePlan<WriteOutcome<Sealed<Block>>> {
  const { block_id, kind, value, reason, created_by, created_at, mac } = given
  yield* sendOnly(INSERT, block_id, kind, value, reason, created_by, Date.parse(created_at), mac ?? null)
  const stored = yield* row(FIND, kind, value)
  return keep(stored === undefined ? given : blockOfRow(stored))
}

export function* listBlocks(limit: number): StoragePlan<readonly Sealed<Block>[]> {
  return (yield* rows(LIST, Number.MAX_SAFE_INTEGER, limit)).map(blockOfRow)
}

export function* activeBlocks(): StoragePlan<readonly Sealed<Block>[]> {
  return (yield* rows(ACTIVE, '')).map(blockOfRow)
}

/** Puts a block in force again; another row under its id was altered, and goes. */
export function* restoreBlock(block: Sealed<Block>): StoragePlan<WriteOutcome<boolean>> {
  if ((yield* row(FIND, block.kind, block.value)) !== undefined) return keep(false)
  yield* sendOnly('delete from blocks where block_id = ?', block.block_id)
  const { value: stored } = yield* insertBlock(block)
  return keep(stored.block_id === block.block_id)
}

/** There is hardly ever a block, and then one question is all. */
export function* findBlock({ principal, apiKey, subject }: Blockable): StoragePlan<Sealed<Block> | undefined> {
  if ((yield* row(ANY)) === undefined) return undefined
  const names = yield* namesOf([principal])
  const written = (given: readonly string[]) => [
    ...new Set([...given, ...given.map(foldOf), ...given.flatMap(formerFolds)]),
  ]
  const meant: { readonly [kind in BlockKind]: readonly (string | undefined)[] } = {
    principal: written(names),
    api_key: [apiKey],
    subject: subject === undefined ? [] : written([subject]),
  }
  const list = padded(Object.values(meant).flatMap((values) => values.filter((value) => value !== undefined)))
  const found = (yield* rows(activeSql(list.marks), ...list.values)).map(blockOfRow)
  return found.find(({ kind, value }) => meant[kind].includes(value))
}

const activeSql = (marks: string): string => `
  select ${COLUMNS} from blocks
  where kind in ('principal', 'api_key', 'subject') and value in (${marks}) and lifted_at is null`

export function* liftStoredBlock(
  blockId: string,
  by: Principal,
  at: number,
): StoragePlan<WriteOutcome<Sealed<Block> | undefined>> {
  const lifted = yield* row(LIFT, by, at, blockId)
  return keep(lifted === undefined ? undefined : blockOfRow(lifted))
}

function blockOfRow(stored: Row): Sealed<Block> {
  const mac = optionalText(stored, 'mac')
  const liftedAt = optionalInteger(stored, 'lifted_at')
  return {
    block_id: textColumn(stored, 'block_id'),
    kind: textColumn(stored, 'kind') as BlockKind,
    value: textColumn(stored, 'value'),
    reason: textColumn(stored, 'reason'),
    created_by: textColumn(stored, 'created_by') as Principal,
    created_at: new Date(integer(stored, 'created_at')).toISOString(),
    ...(liftedAt !== undefined && {
      lifted_at: new Date(liftedAt).toISOString(),
      lifted_by: optionalText(stored, 'lifted_by') as Principal,
    }),
    ...(mac !== null && { mac }),
  }
}
