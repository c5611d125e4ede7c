import { markup } from '../../markup.js'
import { BOX_HEIGHT, type Drawing } from './layout.js'

interface GraphProps {
  readonly drawing: Drawing
  /** The capability that the page is about. */
  readonly here?: string
  /** All of it in words, for who does not see it. */
  readonly says: string
  readonly isWide?: boolean
}

/** A drawing as SVG; the links stand in the list beside it. */
export const Graph = ({ drawing: { width, height, boxes, lines }, here, says, isWide }: GraphProps) => markup`
  <svg
    class=${isWide ? 'graph wide' : 'graph'}
    viewBox=${`0 0 ${width} ${height}`}
    width=${isWide ? width : undefined}
    height=${isWide ? height : undefined}
    role="img"
    aria-label=${says}
  >
    ${lines.map(({ d, isDashed }) => markup`<path class=${isDashed ? 'dash' : undefined} d=${d} />`)}
    ${boxes.map(
      ({ name, text, x, y, width: own, word }) => markup`
        <g class=${name === here ? 'here' : undefined}>
          <title>${name}</title>
          <rect x=${x} y=${y} width=${own} height=${BOX_HEIGHT} rx="8" />
          <text x=${x + own / 2} y=${y + 22} text-anchor="middle">${text}</text>
          ${word !== undefined && markup`<text class="lbl" x=${x + 4} y=${y - 5}>${word}</text>`}
        </g>
      `,
    )}
  </svg>
`
