import { reportTo, type Finding } from '../../compiler/finding.js'
import { readDocument } from '../../compiler/parse/read-document.js'
import { placeSources } from '../../compiler/parse/sources.js'
import { jsonOf } from '../../compiler/shape/normalise.js'
import type { Samples } from '../../conformance/samples.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { CliError } from '../shared/errors/cli-error.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'

/** A file of samples: capability -> input -> value. */
export function readSamples(file: string): Samples {
  const placed = placeSources([{ file, text: readFromDisk(file) }])
  const findings: Finding[] = []
  const root = readDocument(placed.files[0]!, reportTo(findings))
  const [first] = findings
  if (first !== undefined) throw new CliError(`${file}:${placed.place(first.span).range.start.line}: ${first.message}`)
  const samples = root === undefined ? undefined : jsonOf(root)
  if (isObject(samples) && Object.values(samples).every(isObject)) return samples as Samples
  throw new CliError(`${file} must hold samples as capability -> input -> value, such as \`order: { loaves: 2 }\`.`)
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
