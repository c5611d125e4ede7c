import type { ComponentChildren } from 'preact'
import { markup } from '../markup.js'
import { icon, type IconName } from './icon.js'

export type StateName = 'done' | 'approve' | 'denied' | 'waiting' | 'refused' | 'failed' | 'irreversible' | 'neutral' | 'undo' | 'verified' // prettier-ignore

interface NoticeProps {
  readonly is: StateName
  readonly icon: IconName
  readonly title: string
  /** `alert` only where what somebody did just now has failed. */
  readonly role?: 'status' | 'alert'
  readonly children?: ComponentChildren
}

/** A sentence that matters, with an icon and a colour of its state. */
export const Notice = ({ is, icon: name, title, role, children }: NoticeProps) => markup`
  <div class="notice" data-is=${is} role=${role}>${icon(name)}<b class="strong">${title}</b>${children}</div>
`

/** Icon and word of a state. */
export const State = ({
  is,
  icon: name,
  word,
}: {
  readonly is: StateName
  readonly icon: IconName
  readonly word: string
}) => markup`<span class="state" data-is=${is}>${icon(name)}${word}</span>`
