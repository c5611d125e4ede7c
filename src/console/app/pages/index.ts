import type { ComponentType } from 'preact'
import type { Role } from '../../../protocol/roles.js'
import type { Here } from '../here.js'
import type { Me } from '../me.js'
import type { IconName } from '../parts/icon.js'
import { late } from '../parts/late.js'
import { Activity } from './activity/list.js'
import { InvocationPage } from './activity/invocation.js'
import { Decided } from './approvals/decided.js'
import { Inbox } from './approvals/inbox.js'
import { RequestPage } from './approvals/request.js'
import { CapabilityPage } from './capabilities/page.js'
import { CataloguePage } from './capabilities/catalogue.js'
import { OverviewPage } from './overview/page.js'
import { Tokens } from './tokens/list.js'

export interface Page {
  /** The path below `/-/console`; what it captures is the page's `segments`. */
  readonly path: RegExp
  readonly Component: ComponentType<Here>
  /** On a phone its own bar stands where the navigation does. */
  readonly isTask?: true
}

export interface Place {
  readonly word: string
  readonly icon: IconName
  readonly href: string
  /** Number of waiting items. */
  readonly count?: (here: Here) => number
  /** Condition of the place; always shown unless given. */
  readonly isShown?: (me: Me) => boolean
  /** Only people with this role read it; the service refuses everybody else. */
  readonly role?: Role
}

/** All pages, by their paths. A new page is a row here and a folder beside this file. */
export const PAGES: readonly Page[] = [
  { path: /^(?:\/approvals)?$/u, Component: Inbox },
  { path: /^\/approvals\/decided$/u, Component: Decided },
  { path: /^\/approvals\/([\w-]+)$/u, Component: RequestPage, isTask: true },
  { path: /^\/activity$/u, Component: Activity },
  { path: /^\/activity\/(inv-[0-9a-f]{12})$/u, Component: InvocationPage },
  { path: /^\/tokens$/u, Component: Tokens },
  { path: /^\/connections$/u, Component: late(async () => (await import('./connections/list.js')).ConnectionsPage) },
  { path: /^\/capabilities$/u, Component: CataloguePage },
  { path: /^\/capabilities\/([\w.]+)$/u, Component: CapabilityPage },
  { path: /^\/overview$/u, Component: OverviewPage },
]

/** The navigation: what is not there is not in it. */
export const PLACES: readonly Place[] = [
  { word: 'Approvals', icon: 'inbox', href: '/approvals', count: ({ pending }) => pending.requests.length },
  { word: 'Activity', icon: 'activity', href: '/activity' },
  { word: 'Tokens', icon: 'tokens', href: '/tokens', role: 'operator' },
  { word: 'Connections', icon: 'connections', href: '/connections', isShown: (me) => me.connects === true },
  { word: 'Capabilities', icon: 'capabilities', href: '/capabilities' },
  { word: 'Overview', icon: 'overview', href: '/overview' },
]
