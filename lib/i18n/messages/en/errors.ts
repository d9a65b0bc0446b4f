import type { errors as swedish } from '@/lib/i18n/messages/sv/errors'
import type { Translated } from '@/lib/i18n/messages/translated'

export const errors = {
  title: 'Something went wrong',
  body: 'The fault is ours. Try again in a moment.',
  reference: 'Refer to {digest} if you contact your administrator.',
  notFoundTitle: 'There is no such page',
  notFoundBody: 'The link may be old or mistyped.',
  noAccessTitle: 'You do not have access to this page',
  noAccessBody: 'Your role is {role}. Ask an administrator if you need more.',
  tryAgain: 'Try again',
  toStart: 'To the start page',
} as const satisfies Translated<typeof swedish>
