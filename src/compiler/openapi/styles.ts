import type { JsonObject } from '../../protocol/manifest.js'
import {
  explodesByDefault,
  STYLES_AT,
  type ParameterPlace,
  type ParameterStyle,
} from '../../protocol/upstream-requests.js'
import type { ApiDialect } from './operations.js'
import type { WrittenAs } from './inputs.js'
import { isJsonObject, textAt } from './references.js'

const COLLECTIONS: { readonly [format: string]: ParameterStyle | undefined } = {
  ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited',
} // prettier-ignore

/** Returns the encoding of a parameter that differs from the default of its place, or why it cannot be encoded. */
export function howWritten(
  dialect: ApiDialect,
  place: ParameterPlace | 'query-string',
  value: JsonObject,
  type: string,
): WrittenAs | undefined | string {
  const content = isJsonObject(value['content']) ? Object.keys(value['content']) : []
  if (content.length > 0) return asContent(place, content[0]!, type)
  if (place === 'query-string') return 'A whole query needs `content` of one media type.'
  const isMany = type === 'array' || type === 'object' || type === 'any'
  if (dialect === 'swagger') return isMany ? ofCollection(place, textAt(value, 'collectionFormat')) : undefined
  const style = (textAt(value, 'style') ?? STYLES_AT[place][0]!) as ParameterStyle
  const isKnown = STYLES_AT[place].includes(style) && style !== 'tabDelimited'
  if (!isKnown && isMany) return `The style ${JSON.stringify(style)} cannot be written into a ${place}.`
  return isKnown ? otherThan(place, style, value['explode'], value['allowReserved'] === true) : undefined
}

function otherThan(
  place: ParameterPlace,
  style: ParameterStyle,
  explode: unknown,
  isReserved: boolean,
): WrittenAs | undefined {
  const usual = explodesByDefault(style)
  const how = {
    ...(style === STYLES_AT[place][0] ? {} : { style }),
    ...(typeof explode === 'boolean' && explode !== usual && style !== 'deepObject' ? { explode } : {}),
    ...(isReserved && place === 'query' ? { reserved: true as const } : {}),
  }
  return Object.keys(how).length === 0 ? undefined : how
}

/** Swagger 2.0 writes commas unless it says otherwise. */
function ofCollection(place: ParameterPlace, format = 'csv'): WrittenAs | undefined {
  const style = Object.hasOwn(COLLECTIONS, format) ? COLLECTIONS[format] : undefined
  if (style !== undefined) return { style }
  return format !== 'multi' && (place === 'query' || place === 'cookie') ? { explode: false } : undefined
}

function asContent(place: string, type: string, of: string): WrittenAs | undefined | string {
  if (/[/+]json\b/iu.test(type)) return { json: true }
  if (/^application\/x-www-form-urlencoded\b/iu.test(type) && place === 'query-string') return undefined
  const isText = /^text\//iu.test(type) && of === 'string'
  return isText ? undefined : `A parameter of the media type ${type} cannot be written.`
}

/** Returns the encoding of a form member, from its entry in `encoding`. */
export function encodedAs(encoding: JsonObject, isForm: boolean): WrittenAs | undefined {
  const style = textAt(encoding, 'style')
  const hasStyle = isForm && (style !== undefined || encoding['explode'] !== undefined)
  if (!hasStyle) return /[/+]json\b/iu.test(textAt(encoding, 'contentType') ?? '') ? { json: true } : undefined
  const known = STYLES_AT.query.find((each) => each === style) ?? 'form'
  const explode = typeof encoding['explode'] === 'boolean' ? encoding['explode'] : explodesByDefault(known)
  return known === 'deepObject' ? { style: known } : { style: known, explode }
}
