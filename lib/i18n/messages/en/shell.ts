import type { shell as swedish } from '../sv/shell'
import type { Translated } from '../translated'

export const shell = {
  skipToContent: 'Skip to content',
  mainNavigation: 'Main menu',
  questions: 'Questions',
  declarations: 'Declarations of interest',
  declarationsShort: 'Declarations',
  interest: 'Interest per year',
  interestShort: 'Interest',
  systemStatus: 'System status',
  systemStatusShort: 'System',
  demo: 'Demo: invented data',
  demoShort: 'Demo',
  notifications: 'Notifications',
  schools: {
    label: 'Choose schools',
    all: 'All my schools',
    none: 'No schools yet',
    some: '{count, plural, one {# school} other {# schools}}',
    search: 'Search schools',
    noMatch: 'No school has that name.',
    showAll: 'Show all',
    done: 'Done',
    unknown: 'Unknown school',
  },
  account: {
    label: 'Account: {name}',
    language: 'Language',
    theme: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    system: 'Same as device',
    signOut: 'Sign out',
    signOutFailed: 'Could not sign out. Try again.',
  },
  sessionLost: {
    title: 'You have been signed out',
    body: 'For security, please sign in again. You will come back here.',
    signIn: 'Sign in again',
  },
} as const satisfies Translated<typeof swedish>
