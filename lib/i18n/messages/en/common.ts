import type { common as swedish } from '@/lib/i18n/messages/sv/common'
import type { Translated } from '@/lib/i18n/messages/translated'

export const common = {
  appName: 'Intag',
  tagline: 'Questions and declarations of interest in one place',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  tryAgain: 'Try again',
  loading: 'Loading …',
  clear: 'Clear',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  assignedTo: 'Responsible: {name}',
  role: {
    staff: 'Admissions staff',
    manager: 'Manager',
    admin: 'Administrator',
  },
  status: {
    new: 'New',
    'in-progress': 'In progress',
    handled: 'Handled',
    dismissed: 'Dismissed',
  },
} as const satisfies Translated<typeof swedish>
