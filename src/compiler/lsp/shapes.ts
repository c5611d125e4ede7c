import type { Field, Shape } from '../shape/field.js'
import { MANIFEST } from '../shape/fields/manifest.js'

let shapes: ReadonlyMap<string, Shape> | undefined

/** A shape of the table of fields, by its title. */
export function shapeTitled(title: string): Shape | undefined {
  shapes ??= new Map(shapesBelow(MANIFEST, new Set()).map((shape) => [shape.title, shape]))
  return shapes.get(title)
}

function shapesBelow(shape: Shape, seen: Set<Shape>): readonly Shape[] {
  if (seen.has(shape)) return []
  seen.add(shape)
  return [shape, ...Object.values(shape.fields).flatMap((field) => shapesIn(field, seen))]
}

function shapesIn(field: Field, seen: Set<Shape>): readonly Shape[] {
  if (field.kind === 'object') return shapesBelow(field.shape, seen)
  const parts =
    field.kind === 'list'
      ? [field.items]
      : field.kind === 'map'
        ? [field.values]
        : field.kind === 'oneOf'
          ? [field.scalar, field.list, field.map]
          : []
  return parts.flatMap((part) => (part === undefined ? [] : shapesIn(part, seen)))
}
