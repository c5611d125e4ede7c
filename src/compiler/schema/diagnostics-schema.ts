import type { JsonObject } from '../../protocol/manifest.js'
import { SEVERITIES } from '../diagnostics.js'

const count: JsonObject = { type: 'integer', minimum: 0 }
const position: JsonObject = {
  type: 'object',
  properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
  required: ['line', 'column'],
  additionalProperties: false,
}
const range: JsonObject = {
  description: 'From the first character to just after the last; lines and columns (UTF-16 units) count from 1.',
  type: 'object',
  properties: { start: position, end: position },
  required: ['start', 'end'],
  additionalProperties: false,
}
const related: JsonObject = {
  type: 'object',
  properties: { message: { type: 'string' }, file: { type: 'string' }, range },
  required: ['message', 'file', 'range'],
  additionalProperties: false,
}
const diagnostic: JsonObject = {
  type: 'object',
  properties: {
    code: { type: 'string', pattern: '^SVC[0-9]{4}$' },
    slug: { type: 'string' },
    severity: { enum: [...SEVERITIES] },
    message: { type: 'string' },
    file: { type: 'string' },
    range,
    related: { type: 'array', items: related },
    suggestion: { type: 'string' },
    docs: { type: 'string' },
  },
  required: ['code', 'slug', 'severity', 'message', 'file', 'range', 'related', 'docs'],
  additionalProperties: false,
}

/** The shape of `svc validate --format json`, version 1. */
export const DIAGNOSTICS_SCHEMA: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'svc validate --format json',
  type: 'object',
  properties: {
    version: { const: 1 },
    summary: {
      type: 'object',
      properties: { files: count, errors: count, warnings: count, infos: count },
      required: ['files', 'errors', 'warnings', 'infos'],
      additionalProperties: false,
    },
    diagnostics: { type: 'array', items: diagnostic },
  },
  required: ['version', 'summary', 'diagnostics'],
  additionalProperties: false,
}
