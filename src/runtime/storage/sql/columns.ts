/**
 * Reading columns: what a back end gave is checked where it enters, so that a damaged row never passes as a good one.
 */
import type { Row } from './plan.js'

/** What is stored is not what was stored: something else wrote there, or removed it. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'
}

const damaged = (column: string): never => {
  throw new DamagedRow(`The stored column ${column} has an unexpected type.`)
}

export const textColumn = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : damaged(column)
}

export const optionalText = (row: Row, column: string): string | null =>
  row[column] === null || row[column] === undefined ? null : textColumn(row, column)

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : damaged(column)
}

export const optionalInteger = (row: Row, column: string): number | undefined =>
  row[column] === null || row[column] === undefined ? undefined : integer(row, column)

export const bytes = (row: Row, column: string): Uint8Array => {
  const value = row[column]
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : damaged(column)
}

/** A JSON column that only this room writes. */
export function json<T>(row: Row, column: string): T {
  try {
    return JSON.parse(textColumn(row, column)) as T
  } catch {
    return damaged(column)
  }
}
