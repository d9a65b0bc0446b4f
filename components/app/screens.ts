import type { CommandId } from '@/lib/keyboard/commands'

/** `name` and `short` are keys of the messages `shell`; `needs` is a permission. */
const screens = [
  { name: 'today', short: 'today', href: '/today', needs: 'leads:read', group: 'main' },
  { name: 'queue', short: 'queueShort', href: '/queue/waiting', needs: 'leads:read', group: 'main' },
  { name: 'questions', short: 'questions', href: '/questions', needs: 'leads:read', group: 'main' },
  { name: 'declarations', short: 'declarationsShort', href: '/declarations', needs: 'leads:read', group: 'main' },
  { name: 'interest', short: 'interestShort', href: '/interest', needs: 'interest:read', group: 'main' },
  // Administrators reach these two from their own pages.
  { name: 'exports', short: 'exports', href: '/exports', needs: 'leads:export', group: 'staff' },
  { name: 'templates', short: 'templates', href: '/admin/templates', needs: 'leads:reply', group: 'staff' },
  { name: 'administration', short: 'administration', href: '/admin', needs: 'admin', group: 'main' },
  { name: 'users', short: 'users', href: '/admin/users', needs: 'admin', group: 'admin' },
  { name: 'activity', short: 'activity', href: '/admin/activity', needs: 'admin', group: 'admin' },
  { name: 'work', short: 'work', href: '/admin/work', needs: 'admin', group: 'admin' },
  { name: 'systemStatus', short: 'systemStatus', href: '/admin/status', needs: 'admin', group: 'admin' },
] as const

export type Screen = (typeof screens)[number]

export const SCREEN_COMMANDS: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

export const ADMIN_SCREENS = screens.filter(({ needs }) => needs === 'admin')

/** Selects the screens of the menu; the palette lists the others, too. */
export function selectMenuScreens<S extends Screen>(permitted: readonly S[]): S[] {
  const isAdmin = permitted.some(({ name }) => name === 'administration')
  return permitted.filter(({ group }) => group === 'main' || (group === 'staff' && !isAdmin))
}

export function selectPermittedScreens(permissions: ReadonlySet<string>): Screen[] {
  return screens.filter(({ needs }) => permissions.has(needs))
}
