import type { KnownFields } from '../../src/client/known-fields.js'
import type { Field, Shape } from '../../src/compiler/shape/field.js'

/** What a client must know of an object of the table of fields: its members, and the words of those that take words. */
export function knownOf({ fields, open }: Shape): KnownFields {
  if (open) return null
  const each = Object.entries(fields).map(([name, field]) => [name, knownOfField(field)] as const)
  const plain = each.filter(([name, known]) => known === null && !name.startsWith('x-')).map(([name]) => name)
  return {
    ...(plain.length > 0 && { '': plain.join(' ') }),
    ...Object.fromEntries(each.filter(([, known]) => known !== null)),
  }
}

function knownOfField(field: Field): KnownFields {
  switch (field.kind) {
    case 'word':
      return field.words.join(' ')
    case 'object':
      return knownOf(field.shape)
    case 'list':
      return listOf(knownOfField(field.items))
    case 'map': {
      const known = knownOfField(field.values)
      return known === null ? null : { '*': known }
    }
    case 'oneOf': {
      const { scalar, list, map } = field
      if (list !== undefined) return knownOfField(list)
      const words = scalar === undefined ? null : knownOfField(scalar)
      const members = map === undefined ? null : knownOfField(map)
      return members === null ? words : { ...(words !== null && { '=': words }), ...(members as object) }
    }
    default:
      return null
  }
}

const listOf = (known: KnownFields): KnownFields => (known === null ? null : [known])
