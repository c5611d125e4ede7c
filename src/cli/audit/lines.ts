const LINE_FEED = 0x0a

/** Hands on each line of some bytes without its line feed. Only a line feed ends a line, because the seal is over bytes. */
export function lines(bytes: Uint8Array, take: (line: Uint8Array) => void): { readonly isComplete: boolean } {
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    take(bytes.subarray(start, end))
    start = end + 1
  }
  if (start < bytes.length) take(bytes.subarray(start))
  return { isComplete: bytes.length > 0 && start === bytes.length }
}
