/** Writes a zip archive, which a .vsix is. Same files, same bytes. */
import { crc32OfBytes } from './crc32.js'
import { deflateRawSync } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const DEFLATED = 8
const UTF8_NAMES = 0x0800
/** The first day that the format knows. */
const NO_DATE = 0x21

/** `files`: name -> text or bytes. */
export function zipOf(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes, { level: 9 })
    const fields = fieldsOf(bytes, packed, Buffer.from(name))
    const local = Buffer.concat([uint32(LOCAL), fields, Buffer.from(name), packed])
    directory.push(Buffer.concat([uint32(CENTRAL), uint16(20), fields, uint16(0, 0, 0), uint32(0, offset), Buffer.from(name)])) // prettier-ignore
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = [uint32(END), uint16(0, 0, directory.length, directory.length), uint32(index.length, offset), uint16(0)]
  return Buffer.concat([...parts, index, ...end])
}

/** What stands both before a file and in the directory. */
const fieldsOf = (bytes, packed, name) =>
  Buffer.concat([
    uint16(20, UTF8_NAMES, DEFLATED, 0, NO_DATE),
    uint32(crc32OfBytes(bytes), packed.length, bytes.length),
    uint16(name.length, 0),
  ])

const uint16 = (...values) => numbers(values, 2)
const uint32 = (...values) => numbers(values, 4)

function numbers(values, width) {
  const buffer = Buffer.alloc(values.length * width)
  for (const [index, value] of values.entries()) buffer.writeUIntLE(value, index * width, width)
  return buffer
}
