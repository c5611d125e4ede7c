import type { Finding } from '../finding.js'
import type { Spot } from '../parse/tree.js'

/** A finding whose places count from the capabilities that they stand in, so that they move with these. */
export type Remembered = Finding & { readonly anchored: true }

interface AnchoredSpot extends Spot {
  readonly anchor: Spot
}

/** Undefined if one of its places stands in no capability. */
export function remember(finding: Finding, anchorOf: (spot: Spot) => Spot | undefined): Remembered | undefined {
  let isComplete = true
  const anchored = withSpots(finding, (spot) => {
    const anchor = anchorOf(spot)
    if (anchor === undefined) {
      isComplete = false
      return spot
    }
    return { anchor, start: spot.start - anchor.start, end: spot.end - anchor.start } satisfies AnchoredSpot
  })
  return isComplete ? { ...anchored, anchored: true } : undefined
}

/** The finding where its text stands now. */
export function recall({ anchored: _, ...finding }: Remembered): Finding {
  return withSpots(finding, (spot) => {
    const { anchor, start, end } = spot as AnchoredSpot
    return { start: anchor.start + start, end: anchor.start + end }
  })
}

function withSpots(finding: Finding, moved: (spot: Spot) => Spot): Finding {
  const { spot, related, fix } = finding
  return {
    ...finding,
    spot: moved(spot),
    ...(related === undefined ? {} : { related: related.map((each) => ({ ...each, spot: moved(each.spot) })) }),
    ...(fix === undefined ? {} : { fix: fix.map((edit) => ({ ...edit, spot: moved(edit.spot) })) }),
  }
}
