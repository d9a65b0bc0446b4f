import type { Permission } from '@/lib/contract/endpoint'
import type { CommandId } from '@/lib/keyboard/commands'

/** `name` is a key of the messages `shell`. */
const SCREENS = [
  { name: 'today', href: '/today', permission: 'leads:read', group: 'main' },
  { name: 'queue', href: '/queue/waiting', permission: 'leads:read', group: 'main' },
  { name: 'questions', href: '/questions', permission: 'leads:read', group: 'main' },
  { name: 'declarations', href: '/declarations', permission: 'leads:read', group: 'main' },
  { name: 'interest', href: '/interest', permission: 'interest:read', group: 'main' },
  // Administrators have no menu entry for these two, because their own pages link to exports and list the templates.
  { name: 'exports', href: '/exports', permission: 'leads:export', group: 'staff' },
  { name: 'templates', href: '/admin/templates', permission: 'leads:reply', group: 'staff' },
  { name: 'administration', href: '/admin', permission: 'admin', group: 'main' },
  { name: 'users', href: '/admin/users', permission: 'admin', group: 'admin' },
  { name: 'activity', href: '/admin/activity', permission: 'admin', group: 'admin' },
  { name: 'work', href: '/admin/work', permission: 'admin', group: 'admin' },
  { name: 'systemStatus', href: '/admin/status', permission: 'admin', group: 'admin' },
] as const

export type Screen = (typeof SCREENS)[number]

/** Keys of the messages `shell` for the names of screens in the short menu. */
export const SHORT_NAME_KEYS: Partial<Record<Screen['name'], 'queueShort' | 'declarationsShort' | 'interestShort'>> = {
  queue: 'queueShort',
  declarations: 'declarationsShort',
  interest: 'interestShort',
}

export const SCREEN_COMMANDS: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

export const ADMIN_SCREENS = SCREENS.filter(({ permission }) => permission === 'admin')

/** Selects the screens of the menu; the palette lists the others, too. */
export function selectMenuScreens<Item extends Screen>(permitted: readonly Item[]): Item[] {
  const isAdmin = permitted.some(({ name }) => name === 'administration')
  return permitted.filter(({ group }) => group === 'main' || (group === 'staff' && !isAdmin))
}

export function selectPermittedScreens(permissions: ReadonlySet<Permission>): Screen[] {
  return SCREENS.filter(({ permission }) => permissions.has(permission))
}
