import type * as sv from '@/lib/i18n/messages/sv'
import type { Locale } from './locale'

/** Every area of messages. The Swedish texts are in the type: next-intl reads the arguments of each message from them. */
export type Messages = typeof sv

/** Next's build compiles them on the way, so that browsers need no parser for them. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (locale === 'sv') return import('@/lib/i18n/messages/sv')
  // A test says that keys and arguments are the same.
  return (await import('@/lib/i18n/messages/en')) as Messages
}

/** Gives `useTranslations` our keys and the arguments of each message. */
declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}
