/** Bindings that handlers issued, the only source of a price (section 2.4). */
import { DuplicateId, type BindingStore, type StoredBinding } from '../contract.js'
import { json } from './columns.js'
import { keep, row, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const INSERT = `
  insert into bindings (binding_id, body, expires_at) values (?, ?, ?)
  on conflict (binding_id) do nothing returning binding_id`

const GET = 'select body from bindings where binding_id = ?'

export const bindingStore = (engine: Engine): BindingStore => ({
  async insert(binding) {
    const inserted = await engine.writeSingly(() => insert(binding))
    if (!inserted) throw new DuplicateId(`The binding id ${binding.binding_id} is taken.`)
  },
  get: (id) => engine.read(() => get(id)),
})

function* insert(binding: StoredBinding): StoragePlan<WriteOutcome<boolean>> {
  const inserted = yield* row(INSERT, binding.binding_id, JSON.stringify(binding), binding.expires_at ?? null)
  return keep(inserted !== undefined)
}

function* get(id: string): StoragePlan<StoredBinding | undefined> {
  const stored = yield* row(GET, id)
  return stored === undefined ? undefined : json<StoredBinding>(stored, 'body')
}
