import type { Locale } from './locale'
import type { sv } from '@/lib/i18n/messages/sv'
import type { Translated } from '@/lib/i18n/messages/translated'

/** The Swedish texts stand in the type, for next-intl reads the arguments of each message from them. */
export type Messages = typeof sv

/** The messages, compiled once per process. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'sv':
      return (await import('@/lib/i18n/compiled/sv')).compiledSv
    case 'en':
      return sameShape((await import('@/lib/i18n/compiled/en')).compiledEn)
  }
}

/** The keys are the same by type, the arguments by test; only the words differ. */
function sameShape(messages: Translated<Messages>): Messages {
  return messages as Messages
}

/** Gives `useTranslations` our keys and the arguments of each message. */
declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Messages
  }
}
