import type { Field, Shape } from '../../shape/field.js'
import { MANIFEST } from '../../shape/fields/manifest.js'

/** One object of the manifest, and where it stands. */
export interface ManifestBlock {
  /** Of its page: `binding-requirement`. */
  readonly slug: string
  readonly shape: Shape
  /** `capabilities.<name>.inputs[]` */
  readonly path: string
}

export const slugOf = ({ title }: Shape): string => title.replaceAll(' ', '-')

/** Every block of a manifest once, in the order in which an author meets them. */
export function blocksOf(root: Shape = MANIFEST): readonly ManifestBlock[] {
  const blocks: ManifestBlock[] = []
  const known = new Set<Shape>()
  const visit = (shape: Shape, path: string): void => {
    if (known.has(shape)) return
    known.add(shape)
    blocks.push({ slug: slugOf(shape), shape, path })
    for (const [name, field] of Object.entries(shape.fields))
      for (const inner of innerOf(field)) visit(inner.shape, `${path === '' ? '' : `${path}.`}${name}${inner.suffix}`)
  }
  visit(root, '')
  return blocks
}

interface Inner {
  readonly shape: Shape
  readonly suffix: string
}

/** The objects that stand in a field, and how they are reached from it. */
export function innerOf(field: Field): readonly Inner[] {
  const below = (inner: Field, suffix: string): readonly Inner[] =>
    innerOf(inner).map((each) => ({ shape: each.shape, suffix: `${suffix}${each.suffix}` }))
  switch (field.kind) {
    case 'object':
      return [{ shape: field.shape, suffix: '' }]
    case 'list':
      return below(field.items, '[]')
    case 'map':
      return below(field.values, '.<name>')
    case 'oneOf':
      return [field.scalar, field.list, field.map].flatMap((option) => (option === undefined ? [] : innerOf(option)))
    default:
      return []
  }
}

export interface FieldPlace {
  readonly block: string
  readonly field: string
}

/**
 * The field that the path of a finding leads to: `capabilities/lookup/inputs/region/default` is `default` of an input.
 */
export function fieldOfPath(path: string): FieldPlace | undefined {
  let shapes: readonly Shape[] = [MANIFEST]
  let found: FieldPlace | undefined
  for (const name of path.split('/')) {
    const shape = shapes.find(({ fields }) => Object.hasOwn(fields, name))
    // A name of the author's: of a capability, of an item.
    if (shape === undefined) continue
    found = { block: shape.title, field: name }
    shapes = innerOf(shape.fields[name]!).map((inner) => inner.shape)
    if (shapes.length === 0) break
  }
  return found
}
