import type { CommandId } from '@/lib/keyboard/commands'

/** `name` and `shortName` are keys of the messages `shell`. */
const SCREENS = [
  { name: 'today', shortName: 'today', href: '/today', permission: 'leads:read', group: 'main' },
  { name: 'queue', shortName: 'queueShort', href: '/queue/waiting', permission: 'leads:read', group: 'main' },
  { name: 'questions', shortName: 'questions', href: '/questions', permission: 'leads:read', group: 'main' },
  {
    name: 'declarations',
    shortName: 'declarationsShort',
    href: '/declarations',
    permission: 'leads:read',
    group: 'main',
  },
  { name: 'interest', shortName: 'interestShort', href: '/interest', permission: 'interest:read', group: 'main' },
  // Administrators have no menu entry for these two, because their own pages link to exports and list the templates.
  { name: 'exports', shortName: 'exports', href: '/exports', permission: 'leads:export', group: 'staff' },
  { name: 'templates', shortName: 'templates', href: '/admin/templates', permission: 'leads:reply', group: 'staff' },
  { name: 'administration', shortName: 'administration', href: '/admin', permission: 'admin', group: 'main' },
  { name: 'users', shortName: 'users', href: '/admin/users', permission: 'admin', group: 'admin' },
  { name: 'activity', shortName: 'activity', href: '/admin/activity', permission: 'admin', group: 'admin' },
  { name: 'work', shortName: 'work', href: '/admin/work', permission: 'admin', group: 'admin' },
  { name: 'systemStatus', shortName: 'systemStatus', href: '/admin/status', permission: 'admin', group: 'admin' },
] as const

export type Screen = (typeof SCREENS)[number]

export const SCREEN_COMMANDS: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

export const ADMIN_SCREENS = SCREENS.filter(({ permission }) => permission === 'admin')

/** Selects the screens of the menu; the palette lists the others, too. */
export function selectMenuScreens<PermittedScreen extends Screen>(
  permitted: readonly PermittedScreen[],
): PermittedScreen[] {
  const isAdmin = permitted.some(({ name }) => name === 'administration')
  return permitted.filter(({ group }) => group === 'main' || (group === 'staff' && !isAdmin))
}

export function selectPermittedScreens(permissions: ReadonlySet<string>): Screen[] {
  return SCREENS.filter(({ permission }) => permissions.has(permission))
}
