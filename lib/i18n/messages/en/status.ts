import type { status as swedish } from '@/lib/i18n/messages/sv/status'
import type { Translated } from '@/lib/i18n/messages/translated'

export const status = {
  label: 'How fresh the data is',
  noData: 'No data yet',
  starting: 'Getting the first data …',
  updated: 'Updated {ago} ago',
  nextIn: 'Next in {time}',
  nextNow: 'Updating now',
  retryIn: 'Next try in {time}',
  budget: '{spent, number} of {limit, number} requests this hour',
  unreachable: 'No contact with Intag. Showing what was fetched last.',
  problemSince: '{problem} (since {time}).',
  unreadableRecords: '{count, plural, one {# record} other {# records}} could not be read',
  problem: {
    unauthenticated: 'The service does not accept our key',
    unauthorized: 'The service does not let us in',
    'rate-limited': 'The service asks us to wait',
    unavailable: 'The service does not answer',
    unreadable: 'The service gives answers we cannot read',
  },
  /** What happens next; when is said beside it. */
  meanwhile: {
    unauthenticated: 'An administrator has to renew the key. Until then, what was fetched last is shown.',
    unauthorized: 'An administrator has to look into the key. Until then, what was fetched last is shown.',
    'rate-limited': 'We wait and try again. Until then, what was fetched last is shown.',
    unavailable: 'We try again. Until then, what was fetched last is shown.',
    unreadable: 'We try again. Until then, what was fetched last is shown.',
  },
} as const satisfies Translated<typeof swedish>
