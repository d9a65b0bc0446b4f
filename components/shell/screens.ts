/** The screens of the main menu, in its order. */
const screens = [
  { name: 'questions', short: 'questions', href: '/questions', needs: 'leads:read' },
  { name: 'declarations', short: 'declarationsShort', href: '/declarations', needs: 'leads:read' },
  { name: 'interest', short: 'interestShort', href: '/interest', needs: 'interest:read' },
  { name: 'systemStatus', short: 'systemStatusShort', href: '/admin/status', needs: 'admin' },
] as const

export type Screen = (typeof screens)[number]

export function permittedScreens(permissions: ReadonlySet<string>): Screen[] {
  return screens.filter(({ needs }) => permissions.has(needs))
}

/** Where a person begins: with the declarations, for those make up most of the work, else with what they may see. */
export function startScreen(permissions: ReadonlySet<string>): Screen | undefined {
  const permitted = permittedScreens(permissions)
  return permitted.find(({ name }) => name === 'declarations') ?? permitted[0]
}
