import type { Locale } from './locale'
import type { sv } from './messages/sv'
import type { Translated } from './messages/translated'

/** The Swedish texts stand in the type, for next-intl reads the arguments of each message from them. */
export type Messages = typeof sv

/** The messages, compiled once per process. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  switch (locale) {
    case 'sv':
      return (await import('./compiled/sv')).compiledSv
    case 'en':
      return sameShape((await import('./compiled/en')).compiledEn)
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
