import type * as sv from '@/lib/i18n/messages/sv'
import type { Locale } from './locale'

/** All messages have the type of the Swedish ones, because next-intl reads a message's arguments from its text. */
export type Messages = typeof sv

/** Loads the messages, which Next's build has compiled, so that browsers need no parser. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (locale === 'sv') return import('@/lib/i18n/messages/sv')
  // `messages.test.ts` checks that both languages have the same keys and arguments.
  return (await import('@/lib/i18n/messages/en')) as Messages
}

/** Gives `useTranslations` our keys and the arguments of each message. */
declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}
